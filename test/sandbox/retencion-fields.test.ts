import { describe, expect, test } from 'vitest';
import { type Field, integer, list, number, oneOf, testFields, text } from './field-table.ts';
import { gasto, retencion, start } from './support.ts';

// The body of a comprobante de retención as a public description shows it (assumption A22).

const route = '/api/retencion/emision';
const dates = (path: string): Field =>
  oneOf(path, true, ['2026/11/20', '2024/02/29'], ['2026-11-20', '20/11/2026', '']);

let given = 0;
/** A correct body, each under a number of its own. */
const whole = () =>
  retencion((b) => {
    given += 1;
    b.emisor.secuencial = String(given + 1000);
  });
const bySums = () => {
  const body = whole();
  delete body.sustento.items;
  body.sustento.gastos = [{ ...gasto }];
  return body;
};

describe('the field table of a retención', () => {
  testFields(route, whole, [
    oneOf('emisor.secuencial', true, ['2', '000000555'], ['0000000001', '0', '']),
    oneOf('emisor.obligado_contabilidad', false, ['SI', 'NO'], ['Sí', '']),
    oneOf('codigoDoc', true, ['07'], ['7', '', '06']),
    oneOf('version', false, ['1.0.0', '2.0.0'], ['2', '1.1.0']),
    { path: 'proveedor', required: true, takes: [], refuses: [{}] },
    text('proveedor.identificacion', 20, 'required'),
    oneOf('proveedor.tipo_identificacion', true, ['04', '05', '08'], ['4', '09', '']),
    text('proveedor.razon_social', 300, 'required'),
    text('proveedor.correo', 300),
    text('proveedor.direccion', 300, 'required'),
    { path: 'sustento', required: true, takes: [], refuses: [{}] },
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
    dates('sustento.fecha_documento_sustento'),
    dates('sustento.fecha_registro_contable'),
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
  testFields(route, bySums, [
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

describe('a retención is refused by the service', () => {
  const needsOne =
    'sustento: Debe tener un sustento: items o gastos, uno de los dos y con al menos una línea.';
  test.each<[string, NonNullable<Parameters<typeof retencion>[0]>, string]>([
    ['on a document without items or gastos', (b) => delete b.sustento.items, needsOne],
    ['on a document of no items', (b) => (b.sustento.items = []), needsOne],
    ['on a document of both', (b) => (b.sustento.gastos = [gasto]), needsOne],
    [
      'of yesterday',
      (b) => (b.emisor.fecha_emision = '2026/11/19'),
      'emisor.fecha_emision: debe ser la fecha',
    ],
    ['with a buyer instead of a supplier', (b) => (b.comprador = b.proveedor), 'comprador'],
    [
      'with 15 entries of information',
      (b) => (b.informacion_adicional = Array(15).fill(entry)),
      'informacion_',
    ],
  ])('%s', async (_rule, change, sentence) => {
    const { send, sandbox } = await start();
    const { status, body } = await send('POST', route, retencion(change));
    expect({ status, creado: body.creado }).toEqual({ status: 200, creado: false });
    expect(body.errors).toEqual([expect.stringContaining(sentence)]);
    expect(sandbox.documents()).toEqual([]);
  });
});

const entry = { nombre: 'n', detalle: 'd' };
