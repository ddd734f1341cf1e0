import { type Body, dayInEcuador, put } from '../bodies.ts';

/** One way to break one field of a correct factura. */
export interface Slip {
  path: string;
  /** What is wrong, Spanish, after the field's name. */
  what: string;
  /** Which rule of the field tables it breaks. */
  row: string;
  value: unknown;
  /** What must be changed beside it, so that only this field is wrong. */
  also?(body: Body): void;
}

const block = (path: string) => path.replace(/\.\d+/g, '').split('.')[0] ?? '';
const of = (paths: readonly string[], make: (path: string) => Omit<Slip, 'path' | 'row'>): Slip[] =>
  paths.map((path) => ({ path, row: `Field tables, ${block(path)}`, ...make(path) }));

const required = [
  'emisor',
  'ambiente',
  'comprador',
  'items',
  ...['nombre_comercial', 'ruc', 'codigo_establecimiento', 'codigo_puntoemision'].map((n) => `emisor.${n}`),
  ...['direccion_matriz', 'direccion_establecimiento', 'obligado_contabilidad'].map((n) => `emisor.${n}`),
  'emisor.fecha_emision',
  ...['identificacion', 'tipo_identificacion', 'razon_social', 'direccion'].map((n) => `comprador.${n}`),
  ...['descripcion', 'cantidad', 'precio_unitario', 'tipoproducto', 'tipo_iva'].map((n) => `items.0.${n}`),
];

/** Path and maximum length in characters. */
export const lengths: readonly (readonly [string, number])[] = [
  ['emisor.nombre_comercial', 300],
  ['emisor.razon_social', 300],
  ['emisor.direccion_matriz', 300],
  ['emisor.direccion_establecimiento', 300],
  ['emisor.contribuyente_especial', 50],
  ['emisor.calificacion_artesanal', 50],
  ['emisor.numero_resolucion', 100],
  ['comprador.razon_social', 300],
  ['comprador.direccion', 300],
  ['comprador.telefono', 300],
  ['comprador.celular', 300],
  ['items.0.codigo_principal', 25],
  ['items.0.codigo_auxiliar', 25],
  ['items.0.descripcion', 300],
  ['items.0.detalles_adicionales.0.nombre', 300],
  ['items.0.detalles_adicionales.0.detalle', 300],
  ['informacion_adicional.0.nombre', 300],
  ['informacion_adicional.0.detalle', 300],
];

const lists = (body: Body) => {
  body.items[0].detalles_adicionales ??= [{ nombre: 'Color', detalle: 'Azul' }];
  body.totales ??= [
    { codigo: '2', codigo_porcentaje: '4', base_imponible: 20, tarifa: 15, valor: 3 },
    { codigo: '2', codigo_porcentaje: '0', base_imponible: 5, tarifa: 0, valor: 0 },
  ];
};
const digitsOnly = [
  ['emisor.ruc', 13],
  ['emisor.codigo_establecimiento', 3],
  ['emisor.codigo_puntoemision', 3],
] as const;
const at = (path: string, what: string, value: unknown, row = `Field tables, ${block(path)}`): Slip => ({
  path,
  what,
  value,
  row,
});
const numbers = [
  ...['cantidad', 'precio_unitario', 'descuento', 'precio_total_sin_impuesto', 'tipoproducto'],
  ...['tipo_iva', 'tipo_ice', 'tipo_irbpnr', 'subsidio', 'unidad_medida'],
].map((name) => `items.0.${name}`);
const booleans = [
  ...['exportador_habitual', 'gran_contribuyente', 'agente_retencion', 'contabilidad'],
  ...['regimen_rimpe', 'regimen_rimpe_popular'],
].map((name) => `emisor.${name}`);
const dates = 'Key rules, fecha_emision';

/** Every rule of the factura's field tables, broken one at a time. */
export const slips = (): readonly Slip[] => [
  ...of(required, () => ({ what: 'falta', value: undefined })),
  ...lengths.flatMap(([path, max]) =>
    of([path], () => ({ what: `tiene ${max + 1} caracteres`, value: 'x'.repeat(max + 1), also: lists })),
  ),
  ...of(['comprador.correo'], () => ({
    what: 'tiene más de 300 caracteres',
    value: `${'x'.repeat(300)}@example.com`,
  })),
  ...of(['comprador.identificacion'], () => ({
    what: 'tiene 21 caracteres',
    value: 'P'.repeat(21),
    also: (body: Body) => put(body, 'comprador.tipo_identificacion', '06'),
  })),
  at('comprador.tipo_identificacion', 'tiene 3 caracteres', '005'),
  at('emisor.secuencial', 'tiene 10 caracteres', '1234567890'),
  at('codigoDoc', 'tiene 301 caracteres', '1'.repeat(301)),
  ...digitsOnly.flatMap(([path, count]) => [
    at(path, `tiene ${count + 1} dígitos`, '1'.repeat(count + 1)),
    at(path, `tiene ${count - 1} dígitos`, '1'.repeat(count - 1)),
    at(path, 'tiene letras', `${'1'.repeat(count - 1)}A`),
  ]),
  at('emisor.obligado_contabilidad', 'no es SI ni NO', 'S'),
  at('ambiente', 'no es 1 ni 2', 3),
  at('tipo_emision', 'no es 1 ni 2', 3),
  at('items', 'está vacía', []),
  at('emisor.fecha_emision', 'lleva guiones', dayInEcuador().replaceAll('/', '-'), dates),
  at('emisor.fecha_emision', 'es de ayer', dayInEcuador(-1), dates),
  at('emisor.fecha_emision', 'es de mañana', dayInEcuador(1), dates),
  ...of(numbers, () => ({ what: 'es un texto', value: 'muchos' })),
  ...of(booleans, () => ({ what: 'es un texto', value: 'tal vez' })),
  ...of(['totales', 'pagos', 'informacion_adicional', 'items', 'items.0.detalles_adicionales'], () => ({
    what: 'es un texto en vez de una lista',
    value: 'ninguno',
  })),
  ...of(['pagos.0.tipo', 'pagos.0.total', 'pagos.0.plazo'], () => ({ what: 'es un texto', value: 'mucho' })),
  ...of(
    ['descuento_adicional', 'base_imponible', 'tarifa', 'valor'].map((name) => `totales.0.${name}`),
    () => ({ what: 'es un texto', value: 'mucho', also: lists }),
  ),
  ...of(
    ['emisor', 'comprador', 'emisor.nombre_comercial', 'comprador.razon_social', 'items.0.descripcion'],
    () => ({ what: 'es una lista', value: ['x'] }),
  ),
  ...of(['guiaremision', 'placa', 'pagos.0.tiempo', 'totales.0.codigo'], () => ({
    what: 'es una lista',
    value: ['x'],
    also: lists,
  })),
  ...of(['items.0.tipo_iva', 'pagos.0.tipo', 'ambiente'], () => ({ what: 'no es entero', value: 1.5 })),
];
