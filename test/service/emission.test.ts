import { describe, expect, test } from 'vitest';
import { freePort } from '../../sandbox/shops/loopback.ts';
import { answering, clave, openClient, openHostile } from './hostile.ts';

async function emitted(url: string, options = {}) {
  const { calls, rateLimit } = openClient(url, options);
  return { answer: await calls.emitirFactura('{"a":1}'), rateLimit };
}

describe('what an emission answer means', () => {
  const errors = ['La fecha no es de hoy'];
  test.each([
    [
      'creado true',
      { creado: true, claveacceso: clave },
      { kind: 'created', claveacceso: clave, aviso: null },
    ],
    ['the string "true"', { creado: 'true', claveacceso: clave }, { kind: 'created' }],
    [
      'a notice beside success',
      { creado: true, claveacceso: clave, aviso_proveedor_sri: 'Falta el RUC' },
      { aviso: 'Falta el RUC' },
    ],
    [
      'a notice that is no sentence',
      { creado: false, errors, aviso_proveedor_sri: { falta: 1 } },
      { aviso: '{"falta":1}' },
    ],
    ['creado false', { creado: false, errors }, { kind: 'refused', status: 200, errors }],
    ['the string "false"', { creado: 'false', claveacceso: clave, errors }, { kind: 'refused' }],
    ['errors as one string', { creado: false, errors: 'Sin firma' }, { errors: ['Sin firma'] }],
    [
      'errors by field',
      { creado: false, errors: { ruc: ['no vale', 'es corto'] } },
      { errors: ['ruc: no vale', 'ruc: es corto'] },
    ],
    [
      'more errors than a person reads',
      { creado: false, errors: { ruc: Array.from({ length: 30 }, (_, n) => `error ${n}`) } },
      { errors: Array.from({ length: 20 }, (_, n) => `ruc: error ${n}`) },
    ],
    [
      'a field with a name that has no end',
      { creado: false, errors: { ['x'.repeat(9_000)]: 'no vale' } },
      { errors: [`${'x'.repeat(200)} [cortado]: no vale`] },
    ],
    [
      "the authority's messages",
      {
        creado: false,
        errors: [{ identificador: 45, mensaje: 'SECUENCIAL REGISTRADO', informacionAdicional: '' }],
      },
      { errors: ['45: SECUENCIAL REGISTRADO'] },
    ],
    [
      'no errors but a message',
      { creado: false, mensaje: 'No se pudo' },
      { kind: 'refused', errors: ['No se pudo'] },
    ],
  ])('200 with %s', async (_, body, expected) => {
    expect((await emitted(await answering(200, body))).answer).toMatchObject(expected);
  });

  test.each([
    ['a key of 48 digits', { creado: true, claveacceso: clave.slice(1) }],
    ['no key', { creado: true }],
    ['the key as a number', `{"creado":true,"claveacceso":${clave}}`],
    ['no creado', { claveacceso: clave, estado: 'En procesamiento' }],
    ['creado 1', { creado: 1, claveacceso: clave }],
    ['creado "si"', { creado: 'si', claveacceso: clave }],
    ['a list', [{ creado: true, claveacceso: clave }]],
    ['null', 'null'],
    ['nothing', ''],
    ['half a JSON', `{"creado":true,"claveacceso":"${clave}"`],
    ['HTML', '<html><body>mantenimiento</body></html>'],
  ])('200 with %s is unknown, never success', async (_, body) => {
    expect((await emitted(await answering(200, body))).answer).toMatchObject({
      kind: 'unknown',
      mayHaveLeft: true,
    });
  });

  test.each([
    [400, { creado: false, errors: ['x'] }, { kind: 'refused', status: 400, errors: ['x'] }],
    [422, { creado: false, errors: ['x'] }, { kind: 'refused', status: 422 }],
    [401, { creado: false, errors: ['x'] }, { kind: 'unauthorized' }],
    [401, 'not even JSON', { kind: 'unauthorized' }],
    [
      409,
      { creado: false, claveacceso: clave, errors: ['ya existe'] },
      { kind: 'duplicate', claveacceso: clave, errors: ['ya existe'] },
    ],
    [409, { creado: false, errors: [] }, { kind: 'duplicate', claveacceso: null }],
    [409, { creado: true, claveacceso: clave }, { kind: 'unknown', claveacceso: clave }],
    [409, '<html>', { kind: 'unknown', claveacceso: null }],
    [
      500,
      { creado: false, claveacceso: clave, errors: ['interno'] },
      { kind: 'unknown', claveacceso: clave, mayHaveLeft: true },
    ],
    [502, '<html>Bad Gateway</html>', { kind: 'unknown', claveacceso: null, mayHaveLeft: true }],
    [503, { creado: false }, { kind: 'unknown', mayHaveLeft: true }],
    [302, { creado: false }, { kind: 'unknown' }],
    [400, { success: false }, { kind: 'unknown' }],
  ])('%i %j', async (status, body, expected) => {
    expect((await emitted(await answering(status, body, { location: '/login' }))).answer).toMatchObject(
      expected,
    );
  });

  test('429 with a Retry-After of a day waits ten minutes, and 15 seconds without one', async () => {
    expect((await emitted(await answering(429, {}, { 'retry-after': '86400' }))).answer).toMatchObject({
      retryAfterMs: 600_000,
    });
    expect((await emitted(await answering(429, {}))).answer).toMatchObject({ retryAfterMs: 15_000 });
  });
});

describe('what leaves', () => {
  test('the text of the attempt leaves byte for byte, once, with the key and after taking one slot', async () => {
    const seen: { body: string; headers: Record<string, unknown>; url: string | undefined }[] = [];
    const url = await openHostile((req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk) => chunks.push(chunk));
      req.on('end', () => {
        seen.push({ body: Buffer.concat(chunks).toString(), headers: req.headers, url: req.url });
        res.end(JSON.stringify({ creado: true, claveacceso: clave }));
      });
    });
    const { calls, rateLimit } = openClient(`${url}/v1/`);
    const body = '{ "razon_social" : "Niño & Cía / \\u00d1",\n"precio":1.10 }';
    await calls.emitirFactura(body);
    await calls.emitirNotaCredito(body);
    expect(seen.map((one) => one.url)).toEqual(['/v1/api/factura/emision', '/v1/api/credito/emision']);
    expect(seen[0]?.body).toBe(body);
    expect(seen[0]?.headers).toMatchObject({
      'x-api-key': 'clave-de-prueba',
      'user-agent': 'facturapuente-test',
      'content-type': 'application/json',
    });
    expect(rateLimit.taken).toEqual(['emission', 'emission']);
  });
});

describe('an answer that does not come', () => {
  test('a refused connection means that nothing left', async () => {
    const { answer } = await emitted(`http://127.0.0.1:${await freePort()}`);
    expect(answer).toEqual({
      kind: 'unknown',
      claveacceso: null,
      mayHaveLeft: false,
      reason: 'the connection failed (ECONNREFUSED)',
    });
  });

  test('a name that does not resolve means that nothing left', async () => {
    const { answer } = await emitted('http://servicio.invalid');
    expect(answer).toMatchObject({ kind: 'unknown', mayHaveLeft: false });
  });

  test('silence ends with the header timeout', async () => {
    const url = await openHostile((req) => req.resume());
    const { answer } = await emitted(url, { timeouts: { headers: 200 } });
    expect(answer).toMatchObject({
      kind: 'unknown',
      mayHaveLeft: true,
      reason: 'no answer within the time allowed',
    });
  });

  test('a body that stops half way ends with the body timeout', async () => {
    const url = await openHostile((req, res) => {
      req.resume().on('end', () => res.write('{"creado":true,'));
    });
    const { answer } = await emitted(url, { timeouts: { body: 200 } });
    expect(answer).toMatchObject({
      kind: 'unknown',
      mayHaveLeft: true,
      reason: 'the answer stopped half way',
    });
  });

  test('a body that trickles on for ever ends with the total timeout', async () => {
    const url = await openHostile((req, res) => {
      const timer = setInterval(() => res.write(' '), 20);
      req.socket.on('close', () => clearInterval(timer));
    });
    const { answer } = await emitted(url, { timeouts: { total: 300 } });
    expect(answer).toMatchObject({ kind: 'unknown', mayHaveLeft: true, reason: 'the call took too long' });
  });

  test('an answer without end is cut off', async () => {
    const url = await openHostile((req, res) => {
      req.resume();
      const block = 'x'.repeat(1024 * 1024);
      const more = () => {
        while (!res.destroyed && res.write(block));
      };
      res.on('drain', more);
      more();
    });
    const { answer } = await emitted(url);
    expect(answer).toMatchObject({ kind: 'unknown', mayHaveLeft: true, reason: 'the answer is too large' });
  });
});
