import { describe } from 'vitest';
import { digits, type Field, flag, integer, list, number, oneOf, testFields, text } from './field-table.ts';
import { factura, formerNotaCredito } from './support.ts';

// The field tables of the specification, row by row, held against both documents whose bodies it shows; the dialect is
// the one whose nota de crédito has every block of the tables.

const issuer: Field[] = [
  text('emisor.nombre_comercial', 300, 'required'),
  text('emisor.razon_social', 300),
  digits('emisor.ruc', '1792146739001', '9992146739001', '1792146739000'),
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
const kinds = [
  {
    kind: 'factura',
    path: '/api/factura/emision',
    plain: factura,
    fields: [
      ...common,
      list('pagos'),
      integer('pagos.0.tipo', [1, 15, 16, 17, 18, 19, 20, 21], [0, 2, 14, 22]),
      number('pagos.0.total'),
      { path: 'pagos.0.tiempo', takes: ['dias', ''] },
      integer('pagos.0.plazo', [0, 30]),
      oneOf('codigoDoc', false, ['01', ''], ['04', '1', 'x'.repeat(301)]),
      { path: 'guiaremision', takes: ['001-001-000000009', ''] },
      { path: 'placa', takes: ['PBA-1234', ''] },
    ] as Field[],
  },
  {
    kind: 'nota de crédito',
    path: '/api/credito/emision',
    plain: formerNotaCredito,
    fields: [
      ...common,
      { path: 'documento_modificado', required: true, takes: [], refuses: [{}, 'a'] },
      oneOf('codigoDoc', false, ['04', ''], ['01', '4', 'x'.repeat(301)]),
    ] as Field[],
  },
];

describe.each(kinds)('the field tables, $kind', ({ path: route, plain, fields }) => {
  /** A correct body with every block present, and no number of its own. */
  const whole = () =>
    plain((b) => {
      delete b.emisor.secuencial;
      b.items[0].detalles_adicionales = [{ nombre: 'a', detalle: 'b' }];
      b.totales = [{ codigo: '2', codigo_porcentaje: '4' }];
      b.informacion_adicional = [{ nombre: 'a', detalle: 'b' }];
    });

  testFields(route, whole, fields, { dialect: 'former' });
});
