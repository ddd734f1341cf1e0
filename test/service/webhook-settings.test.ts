import { describe, expect, test } from 'vitest';
import { answering, clave, openClient, recording } from './hostile.ts';

const calling = async (status: number, body: unknown) => openClient(await answering(status, body)).calls;

describe('GET /api/webhook', () => {
  test('the webhook comes with its masked secret and the attempts of its deliveries', async () => {
    const attempt = { entrega: 'e-1', evento: 'comprobante.autorizado', claveacceso: clave, intento: 2 };
    const wire = {
      ...attempt,
      estado_http: 500,
      exito: false,
      error: null,
      enviado_en: '2026-11-20T10:00:00',
    };
    const calls = await calling(200, {
      success: true,
      url: 'https://example.com',
      secret: 'abcd…wxyz',
      activo: true,
      ultimas_entregas: [wire, {}],
    });
    const nothing = { entrega: null, evento: null, claveacceso: null, intento: null };
    expect(await calls.leerWebhook()).toEqual({
      kind: 'webhook',
      url: 'https://example.com',
      secret: 'abcd…wxyz',
      activo: true,
      ultimasEntregas: [
        { ...attempt, estadoHttp: 500, exito: false, error: null, enviadoEn: '2026-11-20T10:00:00' },
        { ...nothing, estadoHttp: null, exito: null, error: null, enviadoEn: null },
      ],
      aviso: null,
    });
  });

  test.each([
    [200, { success: true, url: null, secret: null }, { kind: 'webhook', url: null, ultimasEntregas: [] }],
    [200, { url: 'https://e.com', ultimas_entregas: 'x' }, { kind: 'webhook', ultimasEntregas: [] }],
    [200, { success: true }, { kind: 'unknown' }],
    [200, { success: false, message: 'x', url: 'https://e.com' }, { kind: 'unknown' }],
  ])('%i %j', async (status, body, expected) => {
    expect(await (await calling(status, body)).leerWebhook()).toMatchObject(expected);
  });
});

describe('POST and PUT /api/webhook', () => {
  test('the secret is read in full, this once', async () => {
    const { url, arrived } = await recording({
      success: true,
      url: 'https://e.com/h',
      secret: 's'.repeat(40),
    });
    const { calls } = openClient(url);
    const expected = { kind: 'saved', url: 'https://e.com/h', secret: 's'.repeat(40), activo: null };
    expect(
      await calls.guardarWebhook({ url: 'https://e.com/h', secret: 'mío', activo: false }),
    ).toMatchObject(expected);
    expect(await calls.actualizarWebhook({ url: 'https://e.com/h' })).toMatchObject(expected);
    expect(arrived.map(({ body }) => JSON.parse(body.toString()))).toEqual([
      { url: 'https://e.com/h', secret: 'mío', activo: false },
      { url: 'https://e.com/h' },
    ]);
  });

  test('a URL the service refuses is answered with its words', async () => {
    const body = { success: false, message: 'No es válido.', errors: ['url: es privada'] };
    const calls = await calling(400, body);
    expect(await calls.guardarWebhook({ url: 'https://10.0.0.1' })).toEqual({
      kind: 'refused',
      status: 400,
      errors: ['url: es privada'],
    });
  });

  test.each([['ftp://e.com'], ['no es una dirección'], ['']])('%s never leaves', async (url) => {
    const { calls, rateLimit } = openClient('http://127.0.0.1:9');
    expect(await calls.guardarWebhook({ url })).toMatchObject({
      kind: 'refused',
      status: null,
      errors: [expect.stringMatching(/^url: /)],
    });
    expect(rateLimit.taken).toEqual([]);
  });
});
