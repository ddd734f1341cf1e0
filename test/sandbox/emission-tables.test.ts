import { describe, expect, test } from 'vitest';
import { kindsOf } from '../../sandbox/emulator/emission/kinds.ts';
import {
  digits,
  type Field,
  flag,
  integer,
  list,
  number,
  oneOf,
  taken,
  testFields,
  text,
} from './field-table.ts';
import {
  factura,
  formerNotaCredito,
  gasto,
  guiaRemision,
  notaCredito,
  otherDocument,
  retencion,
} from './support.ts';

/*
 * What each kind of document takes. Its reader is asked, not its route: that a refusal is HTTP 200 with creado false
 * is the conformance check of each field. The field tables of the specification are held against the factura and the
 * former nota de crédito, which has every block of the tables; the other bodies are those a public description shows
 * (assumptions A21 and A22).
 */

const kinds = kindsOf({ dialect: 'described', arithmetic: 'totals' });
const former = kindsOf({ dialect: 'former', arithmetic: 'totals' });

const issuer: Field[] = [
  text('emisor.nombre_comercial', 300, 'required'),
  text('emisor.razon_social', 300),
  digits('emisor.ruc', '1792146739001', '9992146739001', '1792146739000'),
  // Its check digit follows no algorithm.
  oneOf('emisor.ruc', true, ['1793213150001'], ['__proto__']),
  digits('emisor.codigo_establecimiento', '002'),
  digits('emisor.codigo_puntoemision', '901'),
  text('emisor.direccion_matriz', 300, 'required'),
  text('emisor.direccion_establecimiento', 300, 'required'),
  oneOf('emisor.obligado_contabilidad', true, ['SI', 'NO'], ['Sí', 'si', 'N', '']),
  text('emisor.contribuyente_especial', 50),
  text('emisor.calificacion_artesanal', 50),
  flag('emisor.exportador_habitual'),
  flag('emisor.gran_contribuyente'),
  { path: 'emisor.agente_retencion', takes: [false] },
  flag('emisor.contabilidad'),
  flag('emisor.regimen_rimpe'),
  flag('emisor.regimen_rimpe_popular'),
  text('emisor.numero_resolucion', 100),
  oneOf('emisor.secuencial', false, ['2', '000000555', '999999999'], ['0000000001', '0', '', '12A', '-1']),
  oneOf(
    'emisor.fecha_emision',
    true,
    ['2026/11/20'],
    ['2026/11/19', '2026/11/21', '2025/11/20', '2026-11-20', '20/11/2026', '2026/11/2', ''],
  ),
];

const buyer: Field[] = [
  text('comprador.identificacion', 20, 'required'),
  oneOf('comprador.tipo_identificacion', true, ['04', '05', '06', '07', '08'], ['4', '09', '00', '']),
  text('comprador.razon_social', 300, 'required'),
  text('comprador.direccion', 300, 'required'),
  text('comprador.telefono', 300),
  text('comprador.celular', 300),
  text('comprador.correo', 300),
];

const item: Field[] = [
  text('items.0.codigo_principal', 25),
  text('items.0.codigo_auxiliar', 25),
  text('items.0.descripcion', 300, 'required'),
  number('items.0.cantidad', 'required'),
  number('items.0.precio_unitario', 'required'),
  number('items.0.descuento'),
  number('items.0.precio_total_sin_impuesto'),
  integer('items.0.tipoproducto', [1, 2], [], 'required'),
  integer('items.0.tipo_iva', [0, 2, 3, 4, 5, 6, 7, 8, 10], [1, 9, 11, 12, 15, -1], 'required'),
  integer('items.0.tipo_ice', [0], [1, 15, 301, 30110, -3011]),
  integer('items.0.tipo_irbpnr', [0, 5001], [1, 5, 5002]),
  number('items.0.subsidio'),
  integer('items.0.unidad_medida', [0, 1, 99]),
  list('items.0.detalles_adicionales'),
  text('items.0.detalles_adicionales.0.nombre', 300),
  text('items.0.detalles_adicionales.0.detalle', 300),
];

const total: Field[] = [
  oneOf('totales.0.codigo', false, ['2', '3', '5'], ['1', '4', '02', '']),
  { path: 'totales.0.codigo_porcentaje', takes: ['0', '4', '10'] },
  { path: 'totales.0.descuento_adicional', takes: [0] },
  number('totales.0.base_imponible'),
  number('totales.0.tarifa'),
  number('totales.0.valor'),
];

const topLevel: Field[] = [
  { path: 'emisor', required: true, takes: [], refuses: [{}] },
  oneOf('ambiente', true, [1], [0, 3, 1.5, '1']),
  oneOf('tipo_emision', false, [1, 2], [0, 3, 1.5, '1']),
  { path: 'comprador', required: true, takes: [], refuses: [{}] },
  list('items', 'required'),
  list('totales'),
  list('informacion_adicional'),
  text('informacion_adicional.0.nombre', 300),
  text('informacion_adicional.0.detalle', 300),
];

const common = [...topLevel, ...issuer, ...buyer, ...item, ...total];
const facturaFields: Field[] = [
  ...common,
  list('pagos'),
  integer('pagos.0.tipo', [1, 15, 16, 17, 18, 19, 20, 21], [0, 2, 14, 22]),
  number('pagos.0.total'),
  { path: 'pagos.0.tiempo', takes: ['dias', ''] },
  integer('pagos.0.plazo', [0, 30]),
  oneOf('codigoDoc', false, ['01', ''], ['04', '1', 'x'.repeat(301)]),
  { path: 'guiaremision', takes: ['001-001-000000009', ''] },
  { path: 'placa', takes: ['PBA-1234', ''] },
];
const formerNotaCreditoFields: Field[] = [
  ...common,
  { path: 'documento_modificado', required: true, takes: [], refuses: [{}, 'a'] },
  oneOf('codigoDoc', false, ['04', ''], ['01', '4', 'x'.repeat(301)]),
];

describe.each([
  { kind: 'factura', reader: former['01'], plain: factura, fields: facturaFields },
  {
    kind: 'former nota de crédito',
    reader: former['04'],
    plain: formerNotaCredito,
    fields: formerNotaCreditoFields,
  },
])('the field tables, $kind', ({ reader, plain, fields }) => {
  /** A correct body with every block present, and no number of its own. */
  const whole = () =>
    plain((b) => {
      delete b.emisor.secuencial;
      b.items[0].detalles_adicionales = [{ nombre: 'a', detalle: 'b' }];
      b.totales = [{ codigo: '2', codigo_porcentaje: '4' }];
      b.informacion_adicional = [{ nombre: 'a', detalle: 'b' }];
    });

  testFields(reader, whole, fields);
});

const block = (path: string): Field => ({ path, required: true, takes: [], refuses: [{}] });
const day = (path: string, required?: 'required'): Field =>
  oneOf(
    path,
    required !== undefined,
    ['2026/11/20', '2024/02/29'],
    ['2026-11-20', '20/11/2026', '2026/11/2', ''],
  );

describe('the field table of a nota de crédito, where it is not that of a factura', () => {
  testFields(kinds['04'], notaCredito, [
    oneOf('emisor.secuencial', true, ['2', '000000555'], ['0000000001', '0', '']),
    oneOf('emisor.obligado_contabilidad', false, ['SI', 'NO'], ['Sí', '']),
    oneOf('emisor.contribuyente_rimpe', false, ['SI', 'NO'], ['Sí', '']),
    oneOf('tipo_emision', false, [1], [0, 2, '1']),
    oneOf('codigoDoc', false, ['04', ''], ['01', '4']),
    integer('items.0.tipoproducto', [1, 2]),
    number('items.0.valor_ice'),
    block('documento_modificado'),
    // Which types can be modified is the authority's to say.
    integer('documento_modificado.codigo_documento_sustento', [1, 3, 5, 4, 101], [], 'required'),
    digits(
      'documento_modificado.numero_documento_sustento',
      '001001000000123',
      '001-001-000000123',
      '001 001 000000001',
    ),
    day('documento_modificado.fecha_documento_sustento', 'required'),
    text('documento_modificado.motivo', 300, 'required'),
    oneOf('documento_modificado.anula_comprobante', false, ['SI', 'NO'], ['Sí', '']),
  ]);
});

describe('the field table of a guía de remisión', () => {
  const whole = () =>
    guiaRemision((b) => {
      b.items[0].detalles_adicionales = [{ nombre: 'Lote', detalle: '7' }];
    });

  testFields(kinds['06'], whole, [
    oneOf('emisor.secuencial', true, ['2', '000000555'], ['0000000001', '0', '', '12A']),
    oneOf('emisor.obligado_contabilidad', false, ['SI', 'NO'], ['Sí', '']),
    oneOf('emisor.contribuyente_rimpe', false, ['SI', 'NO'], ['Sí', '']),
    oneOf('emisor.contribuyente_rimpe_popular', false, ['SI', 'NO'], ['Sí', '']),
    oneOf('tipo_emision', false, [1], [0, 2, '1']),
    oneOf('codigoDoc', false, ['06', ''], ['01', '6']),
    oneOf('proceso', false, ['Nuevo', 'Actualizar'], ['nuevo', '']),
    block('transportista'),
    text('transportista.identificacion', 20, 'required'),
    oneOf('transportista.tipo_identificacion', true, ['04', '05', '08'], ['4', '09', '']),
    text('transportista.razon_social', 300, 'required'),
    text('transportista.correo', 300),
    text('transportista.direccion', 300),
    text('transportista.placa', 20),
    block('destinatario'),
    text('destinatario.identificacion', 20, 'required'),
    oneOf('destinatario.tipo_identificacion', true, ['04', '05', '08'], ['4', '09', '']),
    text('destinatario.razon_social', 300, 'required'),
    text('destinatario.correo', 300),
    text('destinatario.direccion', 300, 'required'),
    text('destinatario.nombre_sucursal', 300),
    text('destinatario.codigo_sucursal', 300),
    block('traslado'),
    text('traslado.direccion_destino', 300, 'required'),
    day('traslado.fecha_inicio_transporte'),
    day('traslado.fecha_fin_transporte'),
    text('traslado.punto_partida', 300),
    text('traslado.ruta', 300),
    text('traslado.motivo_traslado', 300),
    integer('traslado.codigo_establecimiento_destino', [0, 1, 999], [-1, 1000]),
    list('items', 'required'),
    text('items.0.codigo_principal', 25, 'required'),
    text('items.0.codigo_auxiliar', 25),
    text('items.0.descripcion', 300, 'required'),
    number('items.0.cantidad', 'required'),
    integer('items.0.unidad_medida', [0, 1, 99]),
    list('items.0.detalles_adicionales'),
    oneOf('documento_sustento', false, [], ['factura', 5]),
    integer('documento_sustento.codigo_documento_sustento', [1, 5, 99], [0, 100]),
    oneOf(
      'documento_sustento.numero_documento_sustento',
      false,
      ['001001000000123'],
      ['001-001-000000123', '00100100000012', ''],
    ),
    day('documento_sustento.fecha_emision_documento_sustento'),
    oneOf(
      'documento_sustento.autorizacion_documento_sustento',
      false,
      ['1'.repeat(49)],
      ['1'.repeat(48), '1'.repeat(10), ''],
    ),
    text('documento_sustento.documento_aduanero', 20),
  ]);
});

describe('the field table of a retención', () => {
  testFields(kinds['07'], retencion, [
    oneOf('emisor.secuencial', true, ['2', '000000555'], ['0000000001', '0', '']),
    oneOf('emisor.obligado_contabilidad', false, ['SI', 'NO'], ['Sí', '']),
    oneOf('codigoDoc', true, ['07'], ['7', '', '06']),
    oneOf('version', false, ['1.0.0', '2.0.0'], ['2', '1.1.0']),
    block('proveedor'),
    text('proveedor.identificacion', 20, 'required'),
    oneOf('proveedor.tipo_identificacion', true, ['04', '05', '08'], ['4', '09', '']),
    text('proveedor.razon_social', 300, 'required'),
    text('proveedor.correo', 300),
    text('proveedor.direccion', 300, 'required'),
    block('sustento'),
    oneOf('sustento.codigo_sustento_tributario', true, ['01', '15'], ['1', '001', '']),
    oneOf('sustento.codigo_documento_sustento', true, ['01', '03', '344'], ['1', '0001', '']),
    oneOf(
      'sustento.numero_documento_sustento',
      true,
      ['001001000000123'],
      ['001-001-000000123', '00100100000012', ''],
    ),
    oneOf(
      'sustento.numero_autorizacion',
      true,
      ['1'.repeat(49), '1'.repeat(10)],
      ['1'.repeat(48), '1'.repeat(37), ''],
    ),
    day('sustento.fecha_documento_sustento', 'required'),
    day('sustento.fecha_registro_contable', 'required'),
    text('sustento.items.0.codigo_principal', 25, 'required'),
    text('sustento.items.0.codigo_auxiliar', 25),
    text('sustento.items.0.descripcion', 300, 'required'),
    number('sustento.items.0.cantidad', 'required'),
    number('sustento.items.0.precio_unitario', 'required'),
    number('sustento.items.0.descuento'),
    integer('sustento.items.0.tipo_iva', [0, 4, 6], [1, 9, 15], 'required'),
    integer('sustento.items.0.tipo_ice', [0, 3011], [1, 30110]),
    number('sustento.items.0.valor_ice'),
    list('retenciones', 'required'),
    number('retenciones.0.base_imponible', 'required'),
    integer('retenciones.0.codigoimpuesto', [1, 2, 6], [0, 3, 5], 'required'),
    text('retenciones.0.codigo_retencion', 5, 'required'),
    number('retenciones.0.porcentaje_retencion', 'required'),
    number('retenciones.0.valor_retenido', 'required'),
  ]);
});

describe('the field table of a retención by the sums of its document', () => {
  const at = 'sustento.gastos.0';
  const whole = () =>
    retencion((b) => {
      delete b.sustento.items;
      b.sustento.gastos = [{ ...gasto }];
    });

  testFields(kinds['07'], whole, [
    text(`${at}.descripcion`, 300, 'required'),
    number(`${at}.subtotal_iva`, 'required'),
    number(`${at}.subtotal_siniva`, 'required'),
    number(`${at}.subtotal_ivacero`, 'required'),
    integer(`${at}.tipo_iva`, [0, 4], [1, 15], 'required'),
    integer(`${at}.tipo_ice`, [0, 3011], [1]),
    number(`${at}.tarifa_ice`),
    number(`${at}.valor_ice`),
  ]);
});

type Change = NonNullable<Parameters<typeof factura>[0]>;
type Refused = [rule: string, change: Change, sentence: string];

const entries = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ nombre: `n${i}`, detalle: 'd' }));
const provider =
  (nombre: string): Change =>
  (b) =>
    b.informacion_adicional.push({ nombre, detalle: '1' });

const refusedOfAll: Refused[] = [
  ['of yesterday', (b) => (b.emisor.fecha_emision = '2026/11/19'), 'emisor.fecha_emision: debe ser la fecha'],
  ['of tomorrow', (b) => (b.emisor.fecha_emision = '2026/11/21'), 'emisor.fecha_emision: debe ser la fecha'],
  [
    'of an issuer of two RIMPE regimes',
    (b) => Object.assign(b.emisor, { regimen_rimpe: true, regimen_rimpe_popular: true }),
    'emisor.regimen_rimpe: solo un régimen',
  ],
  [
    'of a withholding agent without resolution',
    (b) => Object.assign(b.emisor, { agente_retencion: true, numero_resolucion: ' ' }),
    'emisor.numero_resolucion',
  ],
  ['of a RUC of no province', (b) => (b.emisor.ruc = '9992146739001'), 'emisor.ruc'],
  ['without an issuer', (b) => delete b.emisor, 'emisor'],
  ['without ambiente', (b) => delete b.ambiente, 'ambiente'],
  ['with RUC Proveedor', provider('RUC Proveedor'), 'RUC Proveedor'],
  ['with RUC Proveedor in another spelling', provider(' ruc  proveedor'), 'RUC Proveedor'],
  [
    'with 15 entries of information',
    (b) => (b.informacion_adicional = entries(15)),
    'informacion_adicional: admite 14',
  ],
  ['with an unknown name in its issuer', (b) => (b.emisor.telefono = '1'), 'telefono'],
];

/** One line with ICE of 20 %. */
const iceOf =
  (change: Change): Change =>
  (b) => {
    Object.assign(b.items[0], { tipo_ice: 3610, tipo_irbpnr: 5001 });
    b.totales = [{ codigo: '3', codigo_porcentaje: '3610', tarifa: 20 }];
    change(b);
  };
const ofFactura: Refused[] = [
  ['with a misspelled field', (b) => (b.vendedor = 'Ana'), 'vendedor'],
  ['of ICE without totales', iceOf((b) => delete b.totales), 'totales'],
  [
    'of ICE whose totales speak of another code',
    iceOf((b) => (b.totales[0].codigo_porcentaje = '3011')),
    'totales',
  ],
  ['of ICE whose row is one of IVA', iceOf((b) => (b.totales[0].codigo = '2')), 'totales'],
  ['of ICE without its rate', iceOf((b) => delete b.totales[0].tarifa), 'tarifa'],
  [
    'with an additional discount on ICE',
    iceOf((b) => (b.totales[0].descuento_adicional = 1)),
    'descuento_adicional',
  ],
];
const ofNotaCredito: Refused[] = [
  ['of ICE that says neither rate nor amount', (b) => (b.items[0].tipo_ice = 3610), 'items.0.tipo_ice'],
  ['with an unknown name in its block', (b) => (b.documento_modificado.razon = 'x'), 'razon'],
  ['with payments', (b) => (b.pagos = []), 'pagos'],
  ['with a guía', (b) => (b.guiaremision = ''), 'guiaremision'],
  ['with a placa', (b) => (b.placa = 'PBA-1234'), 'placa'],
  ['with totals', (b) => (b.totales = []), 'totales'],
];
const ofGuia: Refused[] = [
  [
    'of both regimes, one of them in words',
    (b) => Object.assign(b.emisor, { regimen_rimpe: true, contribuyente_rimpe_popular: 'SI' }),
    'emisor.regimen_rimpe: solo un régimen',
  ],
  ['with a buyer', (b) => (b.comprador = {}), 'comprador'],
  ['with totals', (b) => (b.totales = []), 'totales'],
];
const needsOne = 'sustento: Debe tener un sustento: items o gastos, uno de los dos y con al menos una línea.';
const ofRetencion: Refused[] = [
  ['on a document without items or gastos', (b) => delete b.sustento.items, needsOne],
  ['on a document of no items', (b) => (b.sustento.items = []), needsOne],
  ['on a document of both', (b) => (b.sustento.gastos = [gasto]), needsOne],
  ['with a buyer', (b) => (b.comprador = b.proveedor), 'comprador'],
];
const ofOther: Refused[] = [
  [
    'of a buyer without address',
    (b) => (b.comprador = { ...factura().comprador, direccion: undefined }),
    'comprador.direccion',
  ],
];

describe.each([
  ['factura', kinds['01'], factura, ofFactura],
  ['nota de crédito', kinds['04'], notaCredito, ofNotaCredito],
  ['liquidación de compra', kinds['03'], otherDocument, ofOther],
  ['nota de débito', kinds['05'], otherDocument, ofOther],
  ['guía de remisión', kinds['06'], guiaRemision, ofGuia],
  ['retención', kinds['07'], retencion, ofRetencion],
] as const)('a %s', (_, kind, plain, ofItsOwn) => {
  const whole = (change: Change) =>
    plain((b) => {
      b.informacion_adicional ??= [];
      change(b);
    });

  test.each([...refusedOfAll, ...ofItsOwn])('%s is refused', (_rule, change, sentence) => {
    expect(taken(kind, whole(change))).toEqual([expect.stringContaining(sentence)]);
  });

  test('with 14 entries of information is taken', () => {
    expect(
      taken(
        kind,
        whole((b) => (b.informacion_adicional = entries(14))),
      ),
    ).toBe(true);
  });
});

test('every fault of a body is named at once', () => {
  const errors = taken(
    kinds['01'],
    factura((b) => Object.assign(b, { items: [], ambiente: 7, codigoDoc: '09' })),
  );
  expect(errors).toHaveLength(3);
});

test.each<[string, Change]>([
  [
    'totals, payments or information',
    (b) => ['totales', 'pagos', 'informacion_adicional'].map((k) => delete b[k]),
  ],
  ['a product code', (b) => delete b.items[0].codigo_principal],
])('a factura needs no %s', (_, change) => {
  expect(taken(kinds['01'], factura(change))).toBe(true);
});
