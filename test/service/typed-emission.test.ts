import { describe, expect, test } from 'vitest';
import type { FacturaBody } from '../../mappers/body.ts';
import { isRetryable } from '../../src/service/answers.ts';
import type { ServiceCalls as Calls } from '../../src/service/client.ts';
import type { FacturaRequest } from '../../src/service/shapes/documents.ts';
import type { GuiaRemisionRequest } from '../../src/service/shapes/guia-remision.ts';
import type { RetencionRequest } from '../../src/service/shapes/retencion.ts';
import { factura, gasto, guiaRemision, retencion } from '../sandbox/support.ts';
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

  test.each<[string, (calls: Calls, body: never) => Promise<unknown>, object]>([
    ['guía de remisión', (calls, one) => calls.emitirGuiaRemision(one), guiaRemision()],
    ['retención', (calls, one) => calls.emitirRetencion(one), retencion()],
  ])('so does a %s; as a text it leaves byte for byte, whatever it says', async (_, emit, one) => {
    const { url, arrived } = await recording(good);
    const { calls } = openClient(url);
    expect(await emit(calls, one as never)).toMatchObject({ kind: 'created', claveacceso: clave });
    const text = '{ "emisor": {"ruc": 1.50}, "nadie": "🌿" }';
    expect(await emit(calls, text as never)).toMatchObject({ kind: 'created' });
    const [object, other] = arrived.map(({ body }) => String(body));
    expect(JSON.parse(object ?? '')).toEqual(one);
    expect(other).toBe(text);
  });

  test('a nota de crédito and the types nobody describes keep the fields we do not know', async () => {
    const { url, arrived } = await recording(good);
    const { calls } = openClient(url);
    const { emisor, comprador, items } = body();
    const common = { emisor, ambiente: 1 as const };
    const modified = { codigo_documento_sustento: '01', motivo: 'Devolución', otro: 1 };
    const credit = { ...common, comprador, items, documento_modificado: modified, mas: true };
    const other = { ...common, destinatarios: [{ a: 1 }] };
    await calls.emitirNotaCredito(credit);
    await calls.emitirLiquidacionCompra(other);
    await calls.emitirNotaDebito(other);
    expect(arrived.map((one) => JSON.parse(String(one.body)))).toEqual([credit, other, other]);
  });

  test('types without a shown route leave by the routes that are configured', async () => {
    const { url, arrived } = await recording(good);
    const { calls } = openClient(url, { otherDocumentPaths: { '06': '/api/guiaremision/emision' } });
    await calls.emitirGuiaRemision('{}');
    await calls.emitirRetencion('{}');
    expect(arrived.map((one) => one.url)).toEqual(['/api/guiaremision/emision', '/api/retencion/emision']);
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
    (it) => (it.informacion_adicional[0].nombre = 'ruc proveedor'),
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

  test('the common blocks of the other types are held to the same rules', async () => {
    const { calls } = openClient('http://127.0.0.1:9');
    const wrong: Change = (it) => (it.emisor.ruc = '1');
    const { emisor } = body(wrong);
    for (const answer of [
      calls.emitirNotaDebito({ emisor, ambiente: 1 as const }),
      calls.emitirGuiaRemision(guiaRemision(wrong) as GuiaRemisionRequest),
      calls.emitirRetencion(retencion(wrong) as RetencionRequest),
    ])
      expect(await answer).toMatchObject({
        kind: 'refused',
        errors: ['emisor.ruc: Debe tener 13 dígitos.'],
      });
  });

  const eitherOr = 'sustento: Debe tener items o gastos: uno de los dos y con al menos una línea.';
  test.each<[string, NonNullable<Change>]>([
    ['neither items nor gastos', (it) => delete it.sustento.items],
    ['empty items', (it) => (it.sustento.items = [])],
    ['both', (it) => (it.sustento.gastos = [gasto])],
  ])('a retención on a document with %s', async (_, change) => {
    const { calls } = openClient('http://127.0.0.1:9');
    const answer = await calls.emitirRetencion(retencion(change) as RetencionRequest);
    expect(answer).toMatchObject({ kind: 'refused', status: null, errors: [eitherOr] });
  });
});
