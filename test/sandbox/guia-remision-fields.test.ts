import { describe, expect, test } from 'vitest';
import { type Field, integer, list, number, oneOf, testFields, text } from './field-table.ts';
import { guiaRemision, start } from './support.ts';

// The body of a guía de remisión as a public description shows it (assumption A22).

const route = '/api/guia/emision';
const dates = (path: string): Field =>
  oneOf(path, false, ['2026/11/20', '2027/01/31'], ['2026-11-20', '20/11/2026', '2026/11/2', '']);
const block = (path: string): Field => ({ path, required: true, takes: [], refuses: [{}] });

let given = 0;
/** A correct body with every block present, each under a number of its own. */
const whole = () =>
  guiaRemision((b) => {
    given += 1;
    b.emisor.secuencial = String(given + 1000);
    b.items[0].detalles_adicionales = [{ nombre: 'Lote', detalle: '7' }];
  });

describe('the field table of a guía de remisión', () => {
  testFields(route, whole, [
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
    dates('traslado.fecha_inicio_transporte'),
    dates('traslado.fecha_fin_transporte'),
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
    dates('documento_sustento.fecha_emision_documento_sustento'),
    oneOf(
      'documento_sustento.autorizacion_documento_sustento',
      false,
      ['1'.repeat(49)],
      ['1'.repeat(48), '1'.repeat(10), ''],
    ),
    text('documento_sustento.documento_aduanero', 20),
  ]);
});

describe('a guía de remisión is refused by the service', () => {
  test.each<[string, NonNullable<Parameters<typeof guiaRemision>[0]>, string]>([
    ['without its own blocks', (b) => delete b.transportista, 'transportista'],
    [
      'of yesterday',
      (b) => (b.emisor.fecha_emision = '2026/11/19'),
      'emisor.fecha_emision: debe ser la fecha',
    ],
    [
      'with both regimes, one of them in words',
      (b) => Object.assign(b.emisor, { regimen_rimpe: true, contribuyente_rimpe_popular: 'SI' }),
      'emisor.regimen_rimpe: solo un régimen',
    ],
    [
      'with RUC Proveedor',
      (b) => b.informacion_adicional.push({ nombre: 'RUC Proveedor', detalle: '1' }),
      'RUC Proveedor',
    ],
    ['with a buyer, which it has not', (b) => (b.comprador = b.destinatario), 'comprador'],
    ['with totals', (b) => (b.totales = []), 'totales'],
  ])('%s', async (_rule, change, sentence) => {
    const { send, sandbox } = await start();
    const { status, body } = await send('POST', route, guiaRemision(change));
    expect({ status, creado: body.creado }).toEqual({ status: 200, creado: false });
    expect(body.errors).toEqual([expect.stringContaining(sentence)]);
    expect(sandbox.documents()).toEqual([]);
  });
});
