import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { refusedWebhookUrl } from '../../sandbox/emulator/webhooks/webhook-url.ts';
import { eventually } from '../support/eventually.ts';
import { apiKey, factura, listen, noon, start } from './support.ts';

const secret = 'un-secreto-de-prueba';
const hmac = (text: string) => createHmac('sha256', secret).update(text).digest('hex');

/** A sandbox whose only account delivers to `url`. */
const delivering = (url: string, options = {}) =>
  start({ allowLoopbackWebhooks: true, accounts: [{ apiKey, webhook: { url, secret } }], ...options });

describe('the event of a final state', () => {
  test('carries exactly the fields of the specification when authorised', async () => {
    const hook = await listen();
    const { emit, sandbox } = await delivering(hook.url);
    const { body } = await emit(factura());
    const event = await eventually(() => hook.received[0], 'the event');
    expect(event.body).toStrictEqual({
      evento: 'comprobante.autorizado',
      claveacceso: body.claveacceso,
      tipo_comprobante: '01',
      numero: '001-001-000000123',
      ambiente: 1,
      ruc_emisor: '1792146739001',
      estado: 4,
      estado_texto: 'Autorizado',
      autorizado: true,
      requiere_correccion: false,
      numero_autorizacion: body.claveacceso,
      fecha_autorizacion: '2026-11-20T10:00:00-05:00',
      xml: `${sandbox.url}/api/comprobante/xml/${body.claveacceso}`,
      pdf: `${sandbox.url}/api/comprobante/pdf/${body.claveacceso}`,
      enviado_en: '2026-11-20T10:00:00-05:00',
    });
  });

  test('carries errores and no authorisation when refused', async () => {
    const hook = await listen();
    const { emit } = await delivering(hook.url);
    await emit(factura((b) => (b.pagos[0].total = 50)));
    const event = await eventually(() => hook.received[0], 'the event');
    expect(event.headers['x-service-event']).toBe('comprobante.error');
    expect(event.body).toMatchObject({
      evento: 'comprobante.error',
      estado: 6,
      autorizado: false,
      requiere_correccion: true,
      errores: [{ identificador: '52' }],
      numero_autorizacion: null,
      fecha_autorizacion: null,
    });
  });

  test('is signed twice over the exact bytes, with "/" and Unicode as they are', async () => {
    const hook = await listen();
    const { emit } = await delivering(hook.url);
    await emit(factura((b) => (b.pagos[0].total = 50)));
    const { headers, raw } = await eventually(() => hook.received[0], 'the event');
    const timestamp = String(noon().getTime() / 1000);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Service-Webhook/1.0',
      'x-service-delivery': expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-/),
      'x-service-signature': `sha256=${hmac(raw)}`,
      'x-service-timestamp': timestamp,
      'x-service-signature-v2': `t=${timestamp},v1=${hmac(`${timestamp}.${raw}`)}`,
    });
    expect(raw).toContain('/api/comprobante/xml/');
    expect(raw).not.toMatch(/\\[/u]/);
  });
});

describe('a delivery', () => {
  test('is tried 5 times with one X-Service-Delivery and the same bytes, and every attempt is recorded', async () => {
    const hook = await listen(500, 404, 301, 503, 500);
    const { emit, get } = await delivering(hook.url, { webhookRetryDelaysMs: [1, 1, 1, 1] });
    await emit(factura());
    const attempts = await eventually(async () => {
      const { body } = await get('/api/webhook');
      return body.ultimas_entregas.length === 5 && body.ultimas_entregas;
    }, 'five attempts');
    expect(new Set(hook.received.map(({ headers }) => headers['x-service-delivery'])).size).toBe(1);
    expect(new Set(hook.received.map(({ raw }) => raw)).size).toBe(1);
    expect(attempts.map((a: { intento: number; estado_http: number }) => [a.intento, a.estado_http])).toEqual(
      [
        [5, 500],
        [4, 503],
        [3, 301],
        [2, 404],
        [1, 500],
      ],
    );
  });

  test('ends with the first 2xx', async () => {
    const hook = await listen(500, 204);
    const { emit, get } = await delivering(hook.url, { webhookRetryDelaysMs: [1, 1, 1, 1] });
    await emit(factura());
    const attempts = await eventually(async () => {
      const { body } = await get('/api/webhook');
      return body.ultimas_entregas.length === 2 && body.ultimas_entregas;
    }, 'two attempts');
    expect(attempts[0]).toMatchObject({
      intento: 2,
      estado_http: 204,
      exito: true,
      evento: 'comprobante.autorizado',
    });
  });

  test('waits on the sandbox’s clock: a minute at rate 6000 is 10 ms', async () => {
    const hook = await listen(500);
    const { emit } = await delivering(hook.url, { now: { now: noon, rate: 6000 } });
    await emit(factura());
    await eventually(() => hook.received.length === 2, 'the retry');
  });

  test('webhook.prueba is a test delivery', async () => {
    const hook = await listen();
    const { send } = await delivering(hook.url);
    expect((await send('POST', '/__sandbox/webhook-prueba')).status).toBe(202);
    const event = await eventually(() => hook.received[0], 'the event');
    expect(event.headers['x-service-event']).toBe('webhook.prueba');
    expect(Object.keys(event.body)).toEqual(['evento', 'enviado_en', 'mensaje']);
  });
});

describe('the webhook’s configuration', () => {
  test('a secret of 40 characters is made when none is given, shown in full only then', async () => {
    const { send, get } = await start();
    const saved = await send('POST', '/api/webhook', { url: 'https://tienda.example.com/hook' });
    expect(saved.body).toMatchObject({ success: true, secret: expect.stringMatching(/^\S{40}$/) });
    const read = await get('/api/webhook');
    expect(read.headers.get('x-sandbox-inferred')).toBe('true');
    expect(read.body).toMatchObject({ url: 'https://tienda.example.com/hook', ultimas_entregas: [] });
    expect(read.body.secret).toMatch(/^\*+.{4}$/);
    expect(read.body.secret).not.toContain(saved.body.secret);
  });

  test('PUT saves too, and without a secret the current one stays', async () => {
    const { send } = await start();
    const url = 'https://tienda.example.com/hook';
    await send('POST', '/api/webhook', { url, secret });
    const again = await send('PUT', '/api/webhook', { url: `${url}2` });
    expect(again.body).toMatchObject({ url: `${url}2`, secret });
  });

  test('an internal address is refused unless the sandbox allows it', async () => {
    const strict = await start();
    const url = 'http://127.0.0.1:3000/hook';
    expect(await strict.send('POST', '/api/webhook', { url })).toMatchObject({
      status: 400,
      body: { success: false },
    });
    const open = await start({ allowLoopbackWebhooks: true });
    expect(await open.send('POST', '/api/webhook', { url })).toMatchObject({
      status: 200,
      body: { success: true },
    });
    await expect(start({ accounts: [{ apiKey, webhook: { url, secret } }] })).rejects.toThrow(
      /allowLoopbackWebhooks/,
    );
  });

  const internal =
    'http://localhost/ http://shop.localhost/ http://10.1.2.3/ http://192.168.0.1/ http://172.20.0.1/ ' +
    'http://169.254.169.254/ http://[::1]/ http://[::ffff:127.0.0.1]/ http://[fd00::1]/ http://2130706433/ ' +
    'http://web:3000/ http://db.internal/ http://0.0.0.0/ ftp://example.com/ not-a-url';
  test.each(internal.split(' '))('%s is not public', (url) => {
    expect(refusedWebhookUrl(url, false)).toEqual(expect.any(String));
  });

  test.each(['https://example.com/x', 'http://203.0.113.9:8080/', 'https://[2800:370::1]/'])(
    '%s is',
    (url) => {
      expect(refusedWebhookUrl(url, false)).toBeUndefined();
    },
  );
});
