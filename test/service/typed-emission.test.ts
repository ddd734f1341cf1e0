import { describe, expect, test } from 'vitest';
import type { FacturaBody } from '../../mappers/body.ts';
import { isRetryable } from '../../src/service/answers.ts';
import type { FacturaRequest } from '../../src/service/shapes.ts';
import { factura } from '../sandbox/support.ts';
import { clave, openClient, recording } from './hostile.ts';

type Change = Parameters<typeof factura>[0];
const body = (change?: Change) => factura(change) as FacturaRequest;
const good = { creado: true, claveacceso: clave, id_comprobante: 7, estado: 'En procesamiento' };

describe('a document given as an object', () => {
  test('leaves as JSON with nothing added or lost', async () => {
    const { url, arrived } = await recording(good);
    const { calls } = openClient(url);
    expect(await calls.emitirFactura(body())).toEqual({
      kind: 'created',
      claveacceso: clave,
      idComprobante: 7,
      aviso: null,
    });
    expect(JSON.parse(String(arrived[0]?.body))).toEqual(body());
  });

  test('what the mappers write is such an object', () => {
    const mapped = (one: FacturaBody): FacturaRequest => one;
    expect(mapped).toBeTypeOf('function');
  });

  test('as a text it leaves byte for byte, whatever it says', async () => {
    const { url, arrived } = await recording(good);
    const text = '{ "emisor": {"ruc": 1.50}, "nadie": "🌿" }';
    expect(await openClient(url).calls.emitirFactura(text)).toMatchObject({ kind: 'created' });
    expect(String(arrived[0]?.body)).toBe(text);
  });

  test('a nota de crédito keeps the fields we do not know', async () => {
    const { url, arrived } = await recording(good);
    const { calls } = openClient(url);
    const { emisor, comprador, items } = body();
    const common = { emisor, ambiente: 1 as const };
    const modified = { codigo_documento_sustento: '01', motivo: 'Devolución', otro: 1 };
    const credit = { ...common, comprador, items, documento_modificado: modified, mas: true };
    await calls.emitirNotaCredito(credit);
    expect(arrived.map((one) => JSON.parse(String(one.body)))).toEqual([credit]);
  });
});

const entries = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ nombre: `N${at}`, detalle: 'x' }));
/** What stands between the fields; each field by itself is in field-tables. */
const slips: [string, Change, string][] = [
  ['no buyer', (it) => delete it.comprador, 'comprador'],
  ['a rate of IVA that is no integer', (it) => (it.items[1].tipo_iva = 1.5), 'items.1.tipo_iva'],
  ['Errors 10: 15 entries', (it) => (it.informacion_adicional = entries(15)), 'informacion_adicional'],
  [
    'Errors 9: RUC Proveedor',
    (it) => (it.informacion_adicional[0].nombre = 'RUC Proveedor'),
    'informacion_adicional.0.nombre',
  ],
  ['a name the table does not have', (it) => (it.vendedor = 'Ana'), 'vendedor'],
];

describe('what the field tables forbid never leaves', () => {
  test.each(slips)('%s', async (_, change, field) => {
    const { calls, rateLimit } = openClient('http://127.0.0.1:9');
    const answer = await calls.emitirFactura(body(change));
    expect(answer).toEqual({
      kind: 'refused',
      status: null,
      errors: [expect.stringMatching(new RegExp(`^${field.replaceAll('.', '\\.')}: \\S`))],
      aviso: null,
      date: null,
    });
    expect(isRetryable(answer)).toBe(false);
    expect(rateLimit.taken).toEqual([]);
  });

  test('14 entries of 300 characters each are not too many', async () => {
    const { url } = await recording(good);
    const full = entries(14).map(() => ({ nombre: 'n'.repeat(300), detalle: 'd'.repeat(300) }));
    const answer = await openClient(url).calls.emitirFactura(body((it) => (it.informacion_adicional = full)));
    expect(answer.kind).toBe('created');
  });
});
