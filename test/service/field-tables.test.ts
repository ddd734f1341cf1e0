import { describe, expect, test } from 'vitest';
import { factura, gasto, guiaRemision, retencion } from '../sandbox/support.ts';
import { clave, openClient, recording } from './hostile.ts';

// The field tables of the specification, and those a public description shows (assumption A22), row by row: what a
// row allows leaves as it is under its very name, what it forbids is named and never leaves.

type Emit = 'emitirFactura' | 'emitirGuiaRemision' | 'emitirRetencion';
type Row = [field: string, allowed: unknown, forbidden: unknown];
const at = (block: string, rows: Row[]) => rows.map(([field, ...rest]): Row => [`${block}${field}`, ...rest]);
const long = (length: number) => 'x'.repeat(length);

const person: Row[] = [
  ['identificacion', '1790016919001', long(21)],
  ['tipo_identificacion', '08', '8'],
  ['razon_social', long(300), long(301)],
  ['telefono', '02 222 2222', long(301)],
  ['celular', '0999999999', 999999999],
  ['correo', 'a@example.com', long(301)],
];

const rows: Row[] = [
  ['emisor', factura().emisor, []],
  ['ambiente', 2, '1'],
  ['tipo_emision', 1, 3],
  ['comprador', factura().comprador, 'Ana'],
  ['items', factura().items, []],
  ['totales', [{ codigo: '2' }], {}],
  ['pagos', [], {}],
  ['informacion_adicional', [{ nombre: 'Pedido', detalle: '1' }], [{ nombre: 'Pedido' }]],
  ['codigoDoc', '01', long(301)],
  ['guiaremision', '001-001-000000001', 1],
  ['placa', 'PBA-1234', 1],
  ...at('emisor.', [
    ['nombre_comercial', long(300), long(301)],
    ['razon_social', long(300), long(301)],
    ['ruc', '1792146739001', '179214673900'],
    ['codigo_establecimiento', '002', '2'],
    ['codigo_puntoemision', '901', 901],
    ['direccion_matriz', long(300), long(301)],
    ['direccion_establecimiento', long(300), ''],
    ['obligado_contabilidad', 'NO', 'no'],
    ['contribuyente_especial', long(50), long(51)],
    ['calificacion_artesanal', long(50), long(51)],
    ['exportador_habitual', true, 'true'],
    ['gran_contribuyente', true, 1],
    ['agente_retencion', false, 'NO'],
    ['contabilidad', true, 'SI'],
    ['regimen_rimpe', true, 'true'],
    ['regimen_rimpe_popular', false, 0],
    ['numero_resolucion', long(100), long(101)],
    ['secuencial', '000000123', '0000000123'],
    ['fecha_emision', '2026/11/20', '2026-11-20'],
  ]),
  ...at('comprador.', [...person, ['direccion', long(300), '']]),
  ...at('items.0.', [
    ['codigo_principal', long(25), long(26)],
    ['codigo_auxiliar', long(25), long(26)],
    ['descripcion', long(300), ''],
    ['cantidad', 1.5, '1.5'],
    ['precio_unitario', 17.382609, '17.38'],
    ['descuento', 0.5, null],
    ['precio_total_sin_impuesto', 34.77, '34.77'],
    ['tipoproducto', 2, 1.5],
    ['tipo_iva', 4, '4'],
    ['tipo_ice', 3011, '3011'],
    ['tipo_irbpnr', 5001, 0.5],
    ['subsidio', 0.5, '0.5'],
    ['unidad_medida', 1, 'kg'],
    ['detalles_adicionales', [{ nombre: 'Talla', detalle: 'M' }], [{ nombre: long(301), detalle: 'M' }]],
  ]),
];

/** What the emisor of a document must say that the service does not number by itself. */
const numbered: Row[] = at('emisor.', [
  ['secuencial', '000000123', undefined],
  ['obligado_contabilidad', undefined, 'no'],
  ['contribuyente_rimpe', 'SI', true],
  ['contribuyente_rimpe_popular', 'NO', 'no'],
]);

const guiaRows: Row[] = [
  ...numbered,
  ['tipo_emision', 1, 2],
  ['codigoDoc', '06', '07'],
  ['proceso', 'Actualizar', 'nuevo'],
  ['transportista', guiaRemision().transportista, undefined],
  ['destinatario', guiaRemision().destinatario, undefined],
  ['traslado', guiaRemision().traslado, undefined],
  ['items', guiaRemision().items, []],
  ['documento_sustento', undefined, 'factura'],
  ...at('transportista.', [...person, ['direccion', '', 1], ['placa', long(20), long(21)]]),
  ...at('destinatario.', [
    ...person,
    ['direccion', 'Cuenca', ''],
    ['nombre_sucursal', long(300), long(301)],
    ['codigo_sucursal', '002', 2],
  ]),
  ...at('traslado.', [
    ['direccion_destino', long(300), ''],
    ['fecha_inicio_transporte', '2026/11/20', '20/11/2026'],
    ['fecha_fin_transporte', '2026/11/21', '2026-11-21'],
    ['punto_partida', long(300), long(301)],
    ['ruta', long(300), long(301)],
    ['motivo_traslado', long(300), long(301)],
    ['codigo_establecimiento_destino', 999, '001'],
  ]),
  ...at('items.0.', [
    ['codigo_principal', long(25), undefined],
    ['codigo_auxiliar', long(25), long(26)],
    ['descripcion', long(300), undefined],
    ['cantidad', 1.5, '1'],
    ['unidad_medida', 1, 'kg'],
    ['detalles_adicionales', [{ nombre: 'Lote', detalle: '7' }], [{ nombre: 'Lote' }]],
  ]),
  ...at('documento_sustento.', [
    ['codigo_documento_sustento', 1, '01'],
    ['numero_documento_sustento', '001001000000123', '001-001-000000123'],
    ['fecha_emision_documento_sustento', '2026/11/20', '2026-11-20'],
    ['autorizacion_documento_sustento', '1'.repeat(49), '1'.repeat(10)],
    ['documento_aduanero', long(20), long(21)],
  ]),
];

const retencionRows: Row[] = [
  ...numbered,
  ['codigoDoc', '07', undefined],
  ['version', '1.0.0', '1.1.0'],
  ['proveedor', retencion().proveedor, undefined],
  ['retenciones', retencion().retenciones, []],
  ...at('proveedor.', [...person, ['direccion', long(300), '']]),
  ...at('sustento.', [
    ['codigo_sustento_tributario', '02', '2'],
    ['codigo_documento_sustento', '344', 1],
    ['numero_documento_sustento', '001001000000123', '001-001-000000123'],
    ['numero_autorizacion', '1'.repeat(10), '1'.repeat(37)],
    ['fecha_documento_sustento', '2026/11/19', undefined],
    ['fecha_registro_contable', '2026/11/20', undefined],
  ]),
  ...at('sustento.items.0.', [
    ['codigo_principal', long(25), undefined],
    ['codigo_auxiliar', long(25), long(26)],
    ['descripcion', long(300), undefined],
    ['cantidad', 0.5, undefined],
    ['precio_unitario', 1.123456, '1'],
    ['descuento', 0.5, '0.5'],
    ['tipo_iva', 0, undefined],
    ['tipo_ice', 3011, '3011'],
    ['valor_ice', 1.5, '1.5'],
  ]),
  ...at('retenciones.0.', [
    ['base_imponible', 0, undefined],
    ['codigoimpuesto', 6, 3],
    ['codigo_retencion', '3440A', 312],
    ['porcentaje_retencion', 2.75, '2.75'],
    ['valor_retenido', 2.75, undefined],
  ]),
];
const gastoRows: Row[] = at('sustento.gastos.0.', [
  ['descripcion', long(300), undefined],
  ['subtotal_iva', 0, undefined],
  ['subtotal_siniva', 1.5, undefined],
  ['subtotal_ivacero', 1.5, undefined],
  ['tipo_iva', 4, undefined],
  ['tipo_ice', 3011, 1.5],
  ['tarifa_ice', 15, '15'],
  ['valor_ice', 1.5, null],
]);

// biome-ignore lint/suspicious/noExplicitAny: bodies are broken in every place.
type Loose = Record<string, any>;

/** The body with one field set to a value, wherever it stands; `undefined` takes it out. */
function withField(body: Loose, path: string, value: unknown): Loose {
  const names = path.split('.');
  const last = names.pop() ?? '';
  const parent = names.reduce((part, name) => part[name], body);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return body;
}

const ofGastos = () =>
  retencion((body) => {
    delete body.sustento.items;
    body.sustento.gastos = [{ ...gasto }];
  });

function testRows(plain: () => Loose, emit: Emit, fields: Row[]): void {
  test.each(fields)('%s as its row allows leaves as it is; otherwise it is named', async (path, ok, not) => {
    const { url, arrived } = await recording({ creado: true, claveacceso: clave });
    const { calls } = openClient(url);
    expect(await calls[emit](withField(plain(), path, ok) as never)).toMatchObject({ kind: 'created' });
    expect(JSON.parse(String(arrived[0]?.body))).toEqual(withField(plain(), path, ok));
    const refused = await calls[emit](withField(plain(), path, not) as never);
    expect(refused).toMatchObject({ kind: 'refused', errors: [expect.stringContaining(path)] });
    expect(arrived).toHaveLength(1);
  });
}

describe('a factura with', () => testRows(factura, 'emitirFactura', rows));
describe('a guía de remisión with', () => testRows(guiaRemision, 'emitirGuiaRemision', guiaRows));
describe('a retención with', () => testRows(retencion, 'emitirRetencion', retencionRows));
describe('a retención by its sums with', () => testRows(ofGastos, 'emitirRetencion', gastoRows));

const company = { ruc: '1792146739001', razon_social: 'EMISOR S.A.' };
const mail = { smtp: true, smtp_host: 'h', smtp_port: 25, smtp_user: 'u', smtp_password: 'p' };
const mailed = { ...mail, smtp_from_email: 'a@example.com' };
const companyRows: [field: string, allowed: object, forbidden: object][] = [
  ['ruc', company, { ...company, ruc: '179214673900' }],
  ['razon_social', company, { ...company, razon_social: '' }],
  ['ncontribuyenteespecial', { ncontribuyenteespecial: null }, { ncontribuyenteespecial: 826 }],
  ['calificacionartesanal', { calificacionartesanal: 'A-1' }, { calificacionartesanal: 1 }],
  ['exportador_habitual', { exportador_habitual: true }, { exportador_habitual: 'true' }],
  ['grancontribuyente', { grancontribuyente: true }, { grancontribuyente: 1 }],
  ['agenteretencion', { agenteretencion: true, numero_resolucion: '1' }, { agenteretencion: 'SI' }],
  ['contabilidad', { contabilidad: true }, { contabilidad: 'SI' }],
  ['regimen_rimpe', { regimen_rimpe: true }, { regimen_rimpe: true, regimen_rimpe_popular: true }],
  ['regimen_rimpe_popular', { regimen_rimpe_popular: true }, { regimen_rimpe_popular: 'true' }],
  ['numero_resolucion', { numero_resolucion: null }, { agenteretencion: true }],
  ['smtp', mailed, { smtp: 'true' }],
  ['smtp_host', mailed, { ...mailed, smtp_host: null }],
  ['smtp_port', mailed, { ...mailed, smtp_port: '25' }],
  ['smtp_user', mailed, { ...mailed, smtp_user: '' }],
  ['smtp_password', mailed, { ...mailed, smtp_password: null }],
  ['smtp_encryption', { ...mailed, smtp_encryption: 'ssl' }, { ...mailed, smtp_encryption: 'starttls' }],
  ['smtp_from_email', mailed, { ...mailed, smtp_from_email: null }],
  ['smtp_from_name', { ...mailed, smtp_from_name: null }, { ...mailed, smtp_from_name: 1 }],
];

describe('a company with', () => {
  test.each(companyRows)(
    '%s as its row allows leaves as it is; otherwise it is named',
    async (field, ok, not) => {
      const { url, arrived } = await recording({ respuesta: true, mensaje: 'Hecho', data: { id: 1 } });
      const { calls } = openClient(url);
      expect(await calls.crearEmpresa({ ...company, ...ok })).toMatchObject({ kind: 'saved' });
      expect(JSON.parse(String(arrived[0]?.body))).toEqual({ ...company, ...ok });
      const refused = await calls.crearEmpresa({ ...company, ...not });
      expect(refused).toMatchObject({ kind: 'refused', errors: [expect.stringContaining(field)] });
      expect(arrived).toHaveLength(1);
    },
  );
});
