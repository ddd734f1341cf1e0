import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import {
  delivering,
  factura,
  guiaRemision,
  listen,
  notaCredito,
  otherDocument,
  retencion,
  start,
} from './support.ts';

const kinds = [
  { tipo: '01', nombre: 'Factura', path: '/api/factura/emision', plain: factura },
  { tipo: '03', nombre: 'Liquidación de compra', path: '/api/liquidacion/emision', plain: otherDocument },
  { tipo: '05', nombre: 'Nota de débito', path: '/api/debito/emision', plain: otherDocument },
  { tipo: '06', nombre: 'Guía de remisión', path: '/api/guia/emision', plain: guiaRemision },
  { tipo: '07', nombre: 'Comprobante de retención', path: '/api/retencion/emision', plain: retencion },
] as const;

describe.each(kinds)('POST $path', ({ tipo, nombre, path, plain }) => {
  test('a document is created, authorised, consulted and told as its type, whole as it came', async () => {
    const hook = await listen();
    const { send, settled, sandbox } = await start(delivering(hook.url));
    const numero = `001-001-${plain().emisor.secuencial}`;
    const { status, body, headers } = await send('POST', path, plain());
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        creado: true,
        claveacceso: expect.stringMatching(
          new RegExp(`^20112026${tipo}17921467390011001001${plain().emisor.secuencial}`),
        ),
        id_comprobante: 1,
        estado: 'En procesamiento',
        mensaje: expect.stringContaining(`${nombre} ${numero}`),
      },
    });
    expect(headers.get('x-sandbox-inferred')).toBe(tipo === '01' ? null : 'true');
    const { claveacceso } = body;
    const state = { tipo_comprobante: tipo, numero, estado: 4, autorizado: true };
    expect(await settled(claveacceso)).toMatchObject({ ...state, numero_autorizacion: claveacceso });
    await eventually(() => hook.received.length === 1, 'the event');
    expect(hook.received[0]?.body).toMatchObject({ evento: 'comprobante.autorizado', ...state });
    expect(sandbox.documents()[0]?.body).toEqual(plain());
    // The document a retención is on is the supplier's: nobody here can know it.
    const warnings = sandbox.documents()[0]?.advertencias.map(({ identificador }) => identificador);
    expect(warnings).toEqual(tipo === '06' ? ['60', '68'] : ['60']);
  });
});

describe.each(kinds.filter(({ plain }) => plain === otherDocument))(
  'a $nombre, whose body nobody describes',
  ({ tipo, path }) => {
    test('has neither XML nor PDF here: 404 with a sentence that says so', async () => {
      const { send, settled, get } = await start();
      const { body } = await send('POST', path, otherDocument());
      await settled(body.claveacceso);
      for (const file of ['xml', 'pdf'])
        expect(await get(`/api/comprobante/${file}/${body.claveacceso}`)).toMatchObject({
          status: 404,
          body: { success: false, message: expect.stringContaining('no genera') },
        });
    });

    test('is emitted where otherDocumentPaths says, and nowhere else', async () => {
      const { send } = await start({ otherDocumentPaths: { [tipo]: '/api/v2/otro/emision' } });
      expect((await send('POST', '/api/v2/otro/emision', otherDocument())).body).toMatchObject({
        creado: true,
      });
      expect(await send('POST', path, otherDocument())).toMatchObject({
        status: 404,
        body: { creado: false },
      });
    });
  },
);

describe('the numbers of a series', () => {
  const numbered = (secuencial?: string) => factura((b) => Object.assign(b.emisor, { secuencial }));

  test('an omitted one is the next of its point', async () => {
    const { emit, sandbox } = await start();
    await emit(factura());
    await emit(numbered());
    await emit(
      factura((b) => Object.assign(b.emisor, { secuencial: undefined, codigo_puntoemision: '002' })),
    );
    expect(sandbox.documents().map(({ numero }) => numero)).toEqual([
      '001-001-000000123',
      '001-001-000000124',
      '001-002-000000001',
    ]);
  });

  test('each type has a series of its own', async () => {
    const { emit, credit, send, sandbox } = await start();
    const same = (b: ReturnType<typeof factura>) => (b.emisor.secuencial = '000000123');
    await emit(factura());
    expect((await credit(notaCredito(same))).body.creado).toBe(true);
    expect((await send('POST', '/api/guia/emision', guiaRemision(same))).body.creado).toBe(true);
    await emit(numbered());
    expect(sandbox.documents().map(({ tipo, secuencial }) => [tipo, Number(secuencial)])).toEqual([
      ['01', 123],
      ['04', 123],
      ['06', 123],
      ['01', 124],
    ]);
  });

  test('after 999999999 there is no next one: an omitted one is refused, a free one is taken', async () => {
    const { emit, sandbox } = await start();
    expect((await emit(numbered('999999999'))).body.creado).toBe(true);
    expect(await emit(numbered())).toMatchObject({
      status: 200,
      body: {
        creado: false,
        errors: [expect.stringMatching(/^emisor\.secuencial: la serie 001-001 llegó a 999999999/)],
      },
    });
    expect((await emit(numbered('7'))).body.creado).toBe(true);
    expect(sandbox.documents().map(({ secuencial }) => secuencial)).toEqual(['999999999', '000000007']);
  });
});

test('the example factura is authorised as it is', async () => {
  const { sandbox, emit, settled } = await start();
  const { claveacceso } = (await emit(sandbox.exampleFactura())).body;
  expect((await settled(claveacceso)).autorizado).toBe(true);
});
