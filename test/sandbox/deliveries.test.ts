import { createHmac } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { FaultInput } from '../../sandbox/emulator/index.ts';
import { refusedWebhookUrl } from '../../sandbox/emulator/webhooks/webhook-url.ts';
import { eventually } from '../support/eventually.ts';
import { apiKey, delivering, factura, listen, noon, openFolder, type Received, start } from './support.ts';

const secret = 'un-secreto-de-prueba';
const minutes = (count: number) => count * 60_000;
const hmac = (text: string) => createHmac('sha256', secret).update(text).digest('hex');
const open = (url: string, options = {}) => start({ ...delivering(url, secret), ...options });
const numbered = (secuencial: string) => factura((b) => (b.emisor.secuencial = secuencial));
const numbers = (received: Received[]) => received.map(({ body }) => body.numero.slice(-3));

/** What a careful receiver finds: is each signature right, and how old is the delivery. */
function verify({ headers, raw }: Received) {
  const [, t = '', v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-service-signature-v2'])) ?? [];
  return {
    v1: headers['x-service-signature'] === `sha256=${hmac(raw)}`,
    v2: v1 === hmac(`${t}.${raw}`),
    age: noon().getTime() / 1000 - Number(t),
  };
}

describe('the event of a final state', () => {
  test('carries exactly the fields of the specification when authorised', async () => {
    const hook = await listen();
    const { emit, sandbox } = await open(hook.url);
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
});

describe('webhooks disturbed', () => {
  test.each<[FaultInput, { v1: boolean; v2: boolean; age: number }]>([
    [{ badSignatureV1: true }, { v1: false, v2: true, age: 0 }],
    [{ badSignatureV2: true }, { v1: true, v2: false, age: 0 }],
    [{ staleTimestamp: true }, { v1: true, v2: true, age: 600 }],
  ])('%j: the first attempt fails a careful receiver, its retry passes', async (fault, found) => {
    const hook = await listen(401);
    const { emit, sandbox } = await open(hook.url, { webhookRetryDelaysMs: [1] });
    sandbox.faults.add(fault);
    await emit(factura());
    await eventually(() => hook.received.length === 2, 'the retry');
    expect(hook.received.map(verify)).toEqual([found, { v1: true, v2: true, age: 0 }]);
  });

  test('a delayed event comes when the sandbox’s clock reaches it', async () => {
    const hook = await listen();
    const { emit, sandbox, settled } = await open(hook.url);
    sandbox.clock.run(0);
    sandbox.faults.add({ delayWebhooksMs: minutes(7) });
    const { body } = await emit(factura());
    await settled(body.claveacceso);
    sandbox.clock.step(minutes(7) - 1);
    expect(hook.received).toEqual([]);
    sandbox.clock.step(1);
    await eventually(() => hook.received.length === 1, 'the event');
  });

  test('a reordered event comes after the next one', async () => {
    const hook = await listen();
    const { emit, sandbox, settled } = await open(hook.url);
    sandbox.faults.add({ reorderWebhooks: true });
    const { body } = await emit(numbered('1'));
    await settled(body.claveacceso);
    await emit(numbered('2'));
    await eventually(() => hook.received.length === 2, 'both events');
    expect(numbers(hook.received)).toEqual(['002', '001']);
  });
});

describe('a delivery', () => {
  test('is tried 5 times with one X-Service-Delivery and the same bytes, and every attempt is recorded', async () => {
    const hook = await listen(500, 404, 301, 503, 500);
    const { emit, get } = await open(hook.url, { webhookRetryDelaysMs: [1, 1, 1, 1] });
    await emit(factura());
    const attempts = await eventually(async () => {
      const { body } = await get('/api/webhook');
      return body.ultimas_entregas.length === 5 && body.ultimas_entregas;
    }, 'five attempts');
    expect(new Set(hook.received.map(({ headers }) => headers['x-service-delivery'])).size).toBe(1);
    expect(new Set(hook.received.map(({ raw }) => raw)).size).toBe(1);
    expect(attempts.map((a: { intento: number }) => a.intento)).toEqual([5, 4, 3, 2, 1]);
    expect(attempts.map((a: { estado_http: number }) => a.estado_http)).toEqual([500, 503, 301, 404, 500]);
  });

  test('that is answered with a redirect has failed: it is not followed', async () => {
    const elsewhere = await listen();
    const hook = await listen({ redirect: elsewhere.url });
    const { emit, get } = await open(hook.url, { webhookRetryDelaysMs: [] });
    await emit(factura());
    const attempt = await eventually(
      async () => (await get('/api/webhook')).body.ultimas_entregas[0],
      'the attempt',
    );
    expect(attempt).toMatchObject({ estado_http: 307, exito: false });
    expect(elsewhere.received).toEqual([]);
  });

  test('is given 25 seconds to be answered', async () => {
    const given: number[] = [];
    const soon = vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
      given.push(milliseconds);
      return AbortSignal.abort(new DOMException('', 'TimeoutError'));
    });
    onTestFinished(() => soon.mockRestore());
    const hook = await listen();
    const { emit, sandbox } = await open(hook.url, { webhookRetryDelaysMs: [] });
    await emit(factura());
    const [attempt] = await eventually(async () => {
      const all = (await (await fetch(`${sandbox.url}/__sandbox/entregas`)).json()) as {
        intentos: object[];
      }[];
      return all[0]?.intentos.length === 1 && all[0].intentos;
    }, 'the attempt');
    expect(given).toEqual([25_000]);
    expect(attempt).toMatchObject({ estado_http: null, exito: false, error: 'No respondió en 25 segundos.' });
  });

  test('is sent again on request: the same id and bytes, signed now, one more attempt', async () => {
    const hook = await listen();
    const { emit, send, get, sandbox } = await open(hook.url);
    await emit(factura());
    const [first] = await eventually(async () => {
      const { ultimas_entregas } = (await get('/api/webhook')).body;
      return ultimas_entregas.length === 1 && ultimas_entregas;
    }, 'the first attempt');
    sandbox.clock.step(minutes(600));
    const again = await send('POST', `/__sandbox/entregas/${first.entrega}/repetir`);
    expect(again).toMatchObject({ status: 200, body: { entrega: first.entrega, intento: 2, exito: true } });
    const [one, two] = hook.received;
    expect(two?.raw).toBe(one?.raw);
    expect(two?.headers['x-service-delivery']).toBe(one?.headers['x-service-delivery']);
    expect(two?.headers['x-service-timestamp']).toBe(String(noon().getTime() / 1000 + 36_000));
    expect((await get('/api/webhook')).body.ultimas_entregas).toHaveLength(2);
    const unknown = await send('POST', '/__sandbox/entregas/ninguna/repetir');
    expect(unknown).toMatchObject({ status: 404, body: { success: false } });
  });
});

describe('after a restart on the same data directory', () => {
  test('a delivery goes on with the attempts it still has, at their time', async () => {
    const hook = await listen(500, 500);
    const dataDirectory = openFolder();
    const first = await open(hook.url, { dataDirectory });
    await first.emit(factura());
    await eventually(async () => {
      const { body } = await first.get('/api/webhook');
      return body.ultimas_entregas.length === 1;
    }, 'the first attempt');
    await first.sandbox.close();
    const second = await open(hook.url, { dataDirectory });
    second.sandbox.clock.step(minutes(6));
    await eventually(() => hook.received.length === 3, 'the second and third attempt');
    expect(new Set(hook.received.map(({ raw }) => raw)).size).toBe(1);
    expect(new Set(hook.received.map(({ headers }) => headers['x-service-delivery'])).size).toBe(1);
  });

  test('a document in process is decided, one in process for hours at its hour', async () => {
    const dataDirectory = openFolder();
    const first = await start({ dataDirectory, authorizeDelayMs: 60_000 });
    const soon = await first.emit(numbered('1'));
    const magic = (b: ReturnType<typeof factura>) => {
      Object.assign(b.comprador, { identificacion: 'SRI-101', tipo_identificacion: '06' });
      b.emisor.secuencial = '2';
    };
    const late = await first.emit(factura(magic));
    await first.sandbox.close();
    const second = await start({ dataDirectory });
    second.sandbox.clock.run(0);
    expect((await second.settled(soon.body.claveacceso)).autorizado).toBe(true);
    second.sandbox.clock.step(minutes(180) - 1);
    const waiting = await second.get(`/api/comprobante/consulta/${late.body.claveacceso}`);
    expect(waiting.body.estado).toBe(1);
    second.sandbox.clock.step(1);
    expect((await second.settled(late.body.claveacceso)).autorizado).toBe(true);
  });
});

describe('the webhook’s configuration', () => {
  test('an internal address is refused unless the sandbox allows it', async () => {
    const strict = await start();
    const url = 'http://127.0.0.1:3000/hook';
    expect(await strict.send('POST', '/api/webhook', { url })).toMatchObject({
      status: 400,
      body: { success: false },
    });
    const loose = await start({ allowLoopbackWebhooks: true });
    expect(await loose.send('POST', '/api/webhook', { url })).toMatchObject({
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
