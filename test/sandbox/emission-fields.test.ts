import { describe, expect, test } from 'vitest';
import { factura, start } from './support.ts';

type Change = Parameters<typeof factura>[0];

// One row per wall of the specification's field tables: what is wrong, how, and the field the answer must name.
const refused: [rule: string, change: NonNullable<Change>, field: string][] = [
  ['an issuer without trade name', (b) => delete b.emisor.nombre_comercial, 'emisor.nombre_comercial'],
  [
    'a trade name of 301 characters',
    (b) => (b.emisor.nombre_comercial = 'x'.repeat(301)),
    'emisor.nombre_comercial',
  ],
  ['an empty address', (b) => (b.emisor.direccion_matriz = ' '), 'emisor.direccion_matriz'],
  [
    'no establishment address',
    (b) => delete b.emisor.direccion_establecimiento,
    'emisor.direccion_establecimiento',
  ],
  ['a RUC of 12 digits', (b) => (b.emisor.ruc = '179214673900'), 'emisor.ruc'],
  ['a RUC of no province', (b) => (b.emisor.ruc = '9992146739001'), 'emisor.ruc'],
  [
    'an establishment of 2 digits',
    (b) => (b.emisor.codigo_establecimiento = '01'),
    'emisor.codigo_establecimiento',
  ],
  ['a point with a letter', (b) => (b.emisor.codigo_puntoemision = '00A'), 'emisor.codigo_puntoemision'],
  [
    'obligado_contabilidad "Sí"',
    (b) => (b.emisor.obligado_contabilidad = 'Sí'),
    'emisor.obligado_contabilidad',
  ],
  ['a boolean as text', (b) => (b.emisor.agente_retencion = 'true'), 'emisor.agente_retencion'],
  [
    'a special taxpayer number of 51',
    (b) => (b.emisor.contribuyente_especial = '1'.repeat(51)),
    'contribuyente_especial',
  ],
  [
    'two RIMPE regimes',
    (b) => Object.assign(b.emisor, { regimen_rimpe: true, regimen_rimpe_popular: true }),
    'rimpe',
  ],
  [
    'a withholding agent without resolution',
    (b) => (b.emisor.agente_retencion = true),
    'emisor.numero_resolucion',
  ],
  ['a number of 10 digits', (b) => (b.emisor.secuencial = '0000000123'), 'emisor.secuencial'],
  ['the number zero', (b) => (b.emisor.secuencial = '000000000'), 'emisor.secuencial'],
  ['a number that is no text', (b) => (b.emisor.secuencial = 123), 'emisor.secuencial'],
  ['yesterday', (b) => (b.emisor.fecha_emision = '2026/11/19'), 'emisor.fecha_emision'],
  ['tomorrow', (b) => (b.emisor.fecha_emision = '2026/11/21'), 'emisor.fecha_emision'],
  ['today with dashes', (b) => (b.emisor.fecha_emision = '2026-11-20'), 'emisor.fecha_emision'],
  ['ambiente 3', (b) => (b.ambiente = 3), 'ambiente'],
  ['ambiente as text', (b) => (b.ambiente = '1'), 'ambiente'],
  ['tipo_emision 3', (b) => (b.tipo_emision = 3), 'tipo_emision'],
  ['no buyer', (b) => delete b.comprador, 'comprador'],
  [
    'an identification of 21',
    (b) => (b.comprador.identificacion = '1'.repeat(21)),
    'comprador.identificacion',
  ],
  [
    'identification kind 5 without its zero',
    (b) => (b.comprador.tipo_identificacion = '5'),
    'tipo_identificacion',
  ],
  [
    'identification kind 09',
    (b) => (b.comprador.tipo_identificacion = '09'),
    'comprador.tipo_identificacion',
  ],
  ['a buyer without address', (b) => delete b.comprador.direccion, 'comprador.direccion'],
  ['a null telephone', (b) => (b.comprador.telefono = null), 'comprador.telefono'],
  ['an e-mail of 301', (b) => (b.comprador.correo = 'x'.repeat(301)), 'comprador.correo'],
  ['no items', (b) => (b.items = []), 'items'],
  ['a product code of 26', (b) => (b.items[0].codigo_principal = 'x'.repeat(26)), 'items.0.codigo_principal'],
  ['a second code of 26', (b) => (b.items[1].codigo_auxiliar = 'x'.repeat(26)), 'items.1.codigo_auxiliar'],
  ['no description', (b) => delete b.items[1].descripcion, 'items.1.descripcion'],
  ['a description of 301', (b) => (b.items[0].descripcion = 'x'.repeat(301)), 'items.0.descripcion'],
  ['a quantity as text', (b) => (b.items[0].cantidad = '2'), 'items.0.cantidad'],
  ['no unit price', (b) => delete b.items[0].precio_unitario, 'items.0.precio_unitario'],
  ['no product type', (b) => delete b.items[0].tipoproducto, 'items.0.tipoproducto'],
  ['a fractional product type', (b) => (b.items[0].tipoproducto = 1.5), 'items.0.tipoproducto'],
  ['no tipo_iva', (b) => delete b.items[0].tipo_iva, 'items.0.tipo_iva'],
  ['the rate instead of its code', (b) => (b.items[0].tipo_iva = 15), 'items.0.tipo_iva'],
  [
    'a detail of 301',
    (b) => (b.items[0].detalles_adicionales = [{ nombre: 'a', detalle: 'x'.repeat(301) }]),
    'detalle',
  ],
  ['a tax total as number code', (b) => (b.totales = [{ codigo: 2 }]), 'totales.0.codigo'],
  ['a payment form as text', (b) => (b.pagos[0].tipo = '19'), 'pagos.0.tipo'],
  ['a payment form that ended', (b) => (b.pagos[0].tipo = 2), 'pagos.0.tipo'],
  ['15 entries of information', (b) => (b.informacion_adicional = entries(15)), 'informacion_adicional'],
  [
    'an entry without detail',
    (b) => (b.informacion_adicional = [{ nombre: 'a' }]),
    'informacion_adicional.0.detalle',
  ],
  [
    'an entry of 301',
    (b) => (b.informacion_adicional[0].detalle = 'x'.repeat(301)),
    'informacion_adicional.0.detalle',
  ],
  [
    'RUC Proveedor',
    (b) => b.informacion_adicional.push({ nombre: 'RUC Proveedor', detalle: '1' }),
    'RUC Proveedor',
  ],
  [
    'ruc  proveedor',
    (b) => b.informacion_adicional.push({ nombre: ' ruc  proveedor', detalle: '1' }),
    'RUC Proveedor',
  ],
  ['codigoDoc 04', (b) => (b.codigoDoc = '04'), 'codigoDoc'],
  ['a misspelled field', (b) => (b.comprador.tipo_identificación = '05'), 'tipo_identificación'],
  ['no issuer', (b) => delete b.emisor, 'emisor'],
];

const entries = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ nombre: `n${i}`, detalle: 'd' }));

describe('validation errors answer 200 with creado false and errors', () => {
  test.each(refused)('%s', async (_rule, change, field) => {
    const { emit, sandbox } = await start();
    const { status, body } = await emit(factura(change));
    expect(status).toBe(200);
    expect(body.creado).toBe(false);
    expect(body.errors).toEqual([expect.stringContaining(field), ...body.errors.slice(1)]);
    expect(sandbox.documents()).toEqual([]);
  });

  test('every fault is named at once', async () => {
    const { emit } = await start();
    const { body } = await emit(
      factura((b) => Object.assign(b, { items: [], ambiente: 7, codigoDoc: '09' })),
    );
    expect(body.errors).toHaveLength(3);
  });
});

const accepted: [rule: string, change: NonNullable<Change>][] = [
  [
    'the longest texts',
    (b) => Object.assign(b.comprador, { razon_social: 'ñ'.repeat(300), telefono: '9'.repeat(300) }),
  ],
  ['14 entries of information', (b) => (b.informacion_adicional = entries(14))],
  [
    'no totals, payments or information',
    (b) => ['totales', 'pagos', 'informacion_adicional'].map((k) => delete b[k]),
  ],
  ['no number', (b) => delete b.emisor.secuencial],
  ['a short number', (b) => (b.emisor.secuencial = '123')],
  ['a RUC whose check digit follows no algorithm', (b) => (b.emisor.ruc = '1793213150001')],
];

describe('what the field tables allow is created', () => {
  test.each(accepted)('%s', async (_rule, change) => {
    const { emit } = await start();
    const { status, body } = await emit(factura(change));
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { creado: true, estado: 'En procesamiento', id_comprobante: 1, mensaje: expect.any(String) },
    });
  });
});
