import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { answering, clave, openClient, openHostile } from './hostile.ts';

const facts = {
  success: true,
  claveacceso: clave,
  tipo_comprobante: '01',
  numero: '032-101-000046045',
  ambiente: 2,
  ruc_emisor: '1090007870001',
  estado: 4,
  estado_texto: 'Autorizado',
  autorizado: true,
  requiere_correccion: false,
  numero_autorizacion: clave,
  fecha_autorizacion: '2025-08-04T13:15:44-05:00',
};
const consulted = async (status: number, body: unknown) =>
  openClient(await answering(status, body)).calls.consultarComprobante(clave);

describe('what the service knows about a document', () => {
  test('an authorised document comes with its number, issuer and date', async () => {
    expect(await consulted(200, facts)).toEqual({
      kind: 'found',
      state: 'authorized',
      claveacceso: clave,
      numero: '032-101-000046045',
      tipo: '01',
      rucEmisor: '1090007870001',
      ambiente: 2,
      numeroAutorizacion: clave,
      fechaAutorizacion: '2025-08-04T13:15:44-05:00',
      estadoTexto: 'Autorizado',
      annulled: false,
      enlaces: { xml: null, pdf: null },
      errors: [],
    });
  });

  test.each([
    ['under data', { success: true, data: facts }, 'authorized'],
    ['under comprobante', { comprobante: facts }, 'authorized'],
    ['estado 9 alone', { estado: 9 }, 'authorized'],
    ['estado "4" as a string', { estado: '4' }, 'authorized'],
    ['autorizado "true" as a string', { autorizado: 'true' }, 'authorized'],
    [
      'in process',
      { estado: 1, estado_texto: 'En procesamiento', autorizado: false, requiere_correccion: false },
      'processing',
    ],
    ['estado 5 without a word on correction', { estado: 5, autorizado: false }, 'processing'],
    ['an error', { estado: 6, autorizado: false, requiere_correccion: true }, 'error'],
  ])('%s', async (_, body, state) => {
    expect(await consulted(200, body)).toMatchObject({ kind: 'found', state, claveacceso: clave });
  });

  test.each([
    ['strings', ['43: CLAVE REGISTRADA'], [{ identificador: null, mensaje: '43: CLAVE REGISTRADA' }]],
    ['one string', 'Sin firma', [{ mensaje: 'Sin firma' }]],
    [
      'messages',
      [{ identificador: '45', mensaje: 'SECUENCIAL REGISTRADO', informacionAdicional: 'x', tipo: 'ERROR' }],
      [{ identificador: '45', informacionAdicional: 'x', tipo: 'ERROR' }],
    ],
    ['one message', { identificador: 45, mensaje: 'SECUENCIAL REGISTRADO' }, [{ identificador: '45' }]],
  ])('errores as %s', async (_, errores, errors) => {
    const body = { ...facts, estado: 6, autorizado: false, requiere_correccion: true, errores };
    expect(await consulted(200, body)).toMatchObject({ kind: 'found', state: 'error', errors });
  });

  test.each([
    [404, { success: false, message: 'No existe' }, { kind: 'not-found' }],
    // A gateway's page, a missing route: only the service itself knows what it does not know (A2).
    [404, '<html>', { kind: 'unknown' }],
    [404, '', { kind: 'unknown' }],
    [404, { message: 'no Route matched with those values' }, { kind: 'unknown' }],
    [404, { success: true }, { kind: 'unknown' }],
    [404, { success: 'false', message: 'No existe' }, { kind: 'not-found' }],
    [401, { success: false, message: 'clave inválida' }, { kind: 'unauthorized' }],
    [429, {}, { kind: 'throttled', retryAfterMs: 15_000 }],
    [500, facts, { kind: 'unknown' }],
    [400, facts, { kind: 'unknown' }],
    [200, '<html>', { kind: 'unknown' }],
    [200, 'null', { kind: 'unknown' }],
    [200, {}, { kind: 'unknown' }],
    [200, { success: false, message: 'No existe' }, { kind: 'unknown' }],
    [200, { ...facts, success: 'false' }, { kind: 'unknown' }],
    [200, { ...facts, claveacceso: clave.replace(/^04/, '05') }, { kind: 'unknown' }],
    [200, { ...facts, autorizado: false }, { kind: 'unknown' }],
    [200, { ...facts, requiere_correccion: true }, { kind: 'unknown' }],
  ])('%i %j: a failed look-up is unknown, never not-found', async (status, body, expected) => {
    expect(await consulted(status, body)).toMatchObject(expected);
  });

  test('a text that is no access key is never sent', async () => {
    const { calls, rateLimit } = openClient('http://127.0.0.1:9');
    for (const ask of [
      calls.consultarComprobante,
      calls.descargarXml,
      (text: string) => calls.descargarXml(text, 'stream'),
      calls.descargarPdf,
      calls.reprocesarComprobante,
      calls.reprocesarComprobanteHistorico,
    ]) {
      await expect(ask('../creditos/saldo')).rejects.toThrow('49 digits');
    }
    expect(rateLimit.taken).toEqual([]);
  });
});

describe('the PDF', () => {
  test('it is streamed once its first bytes say %PDF, even when they come one by one', async () => {
    const url = await openHostile(async (_req, res) => {
      for (const part of ['%', 'P', 'DF-1.7\n', 'rest']) {
        res.write(part);
        await new Promise((resolve) => setImmediate(resolve));
      }
      res.end();
    });
    const answer = await openClient(url).calls.descargarPdf(clave);
    if (answer.kind !== 'found') throw new Error(answer.kind);
    expect(answer.length).toBeNull();
    expect(String(await buffer(answer.stream))).toBe('%PDF-1.7\nrest');
  });

  test.each([
    [200, '<html>mantenimiento</html>', 'unknown'],
    [200, '%P', 'unknown'],
    [200, '', 'unknown'],
    [404, { success: false }, 'not-found'],
    [401, { success: false }, 'unauthorized'],
    [503, '', 'unknown'],
  ])('%i %j is no PDF', async (status, body, kind) => {
    expect((await openClient(await answering(status, body)).calls.descargarPdf(clave)).kind).toBe(kind);
  });

  test('a PDF that breaks off breaks the stream too', async () => {
    const url = await openHostile((req, res) => {
      res.writeHead(200, { 'content-length': 1000 });
      res.write('%PDF-1.7', () => setTimeout(() => req.socket.destroy(), 20));
    });
    const answer = await openClient(url).calls.descargarPdf(clave);
    if (answer.kind !== 'found') throw new Error(answer.kind);
    expect(answer.length).toBe(1000);
    await expect(buffer(answer.stream)).rejects.toThrow();
  });

  test('a PDF nobody reads gives its connection back', async () => {
    let closed = false;
    const url = await openHostile((req, res) => {
      req.socket.on('close', () => (closed = true));
      res.write('%PDF-1.7');
    });
    const answer = await openClient(url).calls.descargarPdf(clave);
    if (answer.kind !== 'found') throw new Error(answer.kind);
    answer.stream.destroy();
    await eventually(() => closed, 'the connection closed');
  });
});

test('a ping is alive when it says so, and not otherwise', async () => {
  const { client } = openClient(await answering(200, { pong: true }));
  expect(await client.ping()).toMatchObject({ kind: 'alive' });
  expect(await openClient(await answering(200, { pong: 'true' })).client.ping()).toMatchObject({
    kind: 'unknown',
  });
});
