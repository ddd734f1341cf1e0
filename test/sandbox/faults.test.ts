import { describe, expect, test } from 'vitest';
import type { FaultInput } from '../../sandbox/emulator/index.ts';
import { eventually } from '../support/eventually.ts';
import { apiKey, delivering, factura, listen, start } from './support.ts';

const numbered = (secuencial: number) =>
  factura((b) => (b.emisor.secuencial = String(secuencial).padStart(9, '0')));

describe('a fault strikes what it names', () => {
  test('a dropped answer breaks the connection and keeps the document', async () => {
    const { emit, sandbox } = await start();
    sandbox.faults.add({ dropAnswer: true });
    await expect(emit(factura())).rejects.toThrow();
    expect(sandbox.documents()).toHaveLength(1);
    expect(sandbox.requests().map(({ path, status }) => [path, status])).toEqual([
      ['/api/factura/emision', 0],
    ]);
    expect((await emit(factura())).status).toBe(409);
  });

  test('creado as a string, as often as asked', async () => {
    const { emit, sandbox } = await start();
    sandbox.faults.add({ creadoAsString: { times: 2 } });
    expect((await emit(factura())).body.creado).toBe('true');
    expect((await emit(factura())).body.creado).toBe('false');
    expect((await emit(factura())).body.creado).toBe(false);
  });

  test('a lost event never comes, a doubled one comes twice under one X-Service-Delivery', async () => {
    const hook = await listen();
    const { emit, sandbox, settled } = await start(delivering(hook.url));
    sandbox.faults.add({ dropWebhooks: true });
    const lost = await emit(factura());
    await settled(lost.body.claveacceso);
    sandbox.faults.add({ duplicateWebhooks: true });
    const doubled = await emit(factura((b) => (b.emisor.secuencial = '124')));
    await eventually(() => hook.received.length === 2, 'both copies');
    expect(hook.received.map(({ body }) => body.claveacceso)).toEqual(
      Array(2).fill(doubled.body.claveacceso),
    );
    expect(new Set(hook.received.map(({ headers }) => headers['x-service-delivery'])).size).toBe(1);
  });

  test('a buyer’s documents end as ordered', async () => {
    const { emit, sandbox, settled, get } = await start();
    const buyer = (identificacion: string, secuencial: string) =>
      factura((b) => {
        Object.assign(b.comprador, { identificacion, tipo_identificacion: '06' });
        b.emisor.secuencial = secuencial;
      });
    sandbox.faults.add({
      outcome: [
        { identificacion: 'A', codigo: 10, informacionAdicional: 'Establecimiento 001' },
        { identificacion: 'B', codigo: 59 },
        { identificacion: 'C', resultado: 'en_proceso' },
        { identificacion: 'D', resultado: 'autorizado', estado: 9 },
      ],
    });
    const keys: string[] = [];
    for (const [index, id] of ['A', 'B', 'C', 'D'].entries()) {
      keys.push((await emit(buyer(id, String(index + 1)))).body.claveacceso);
    }
    expect(await settled(keys[0] ?? '')).toMatchObject({
      estado: 6,
      errores: [{ identificador: '10', informacionAdicional: 'Establecimiento 001' }],
    });
    expect(await settled(keys[1] ?? '')).toMatchObject({ estado: 4, autorizado: true });
    expect(await settled(keys[3] ?? '')).toMatchObject({ estado: 9, autorizado: true });
    expect((await get(`/api/comprobante/consulta/${keys[2]}`)).body.estado).toBe(1);
  });

  test('before storing the connection is cut: nothing is stored, and a repeat is the first', async () => {
    const { emit, sandbox } = await start();
    sandbox.faults.add({ cutBeforeStoring: true });
    await expect(emit(factura())).rejects.toThrow();
    expect(sandbox.documents()).toEqual([]);
    expect((await emit(factura())).status).toBe(200);
  });

  test('a storm of 429 is as long as asked, with Retry-After, and stores nothing', async () => {
    const { emit, sandbox } = await start();
    sandbox.faults.add({ tooManyRequests: { times: 3, retryAfterSeconds: 7 } });
    for (let count = 0; count < 3; count += 1) {
      const refused = await emit(factura());
      expect(refused).toMatchObject({ status: 429, body: { creado: false, errors: [expect.any(String)] } });
      expect(refused.headers.get('retry-after')).toBe('7');
    }
    expect(sandbox.documents()).toEqual([]);
    expect((await emit(factura())).status).toBe(200);
  });

  test('a storm of 429 lasts as long as asked on the sandbox’s clock', async () => {
    const { get, sandbox } = await start();
    sandbox.clock.run(0);
    sandbox.faults.add({ tooManyRequests: { durante: 60_000 } });
    const statuses: number[] = [];
    for (const step of [0, 59_999, 1]) {
      sandbox.clock.step(step);
      statuses.push((await get('/api/creditos/saldo')).status);
    }
    expect(statuses).toEqual([429, 429, 200]);
    expect(sandbox.faults.list()).toEqual([]);
  });

  test('an authorised XML says another value where it was told to, once; nothing else of it changes', async () => {
    const { emit, get, settled, sandbox } = await start();
    const { claveacceso } = (await emit(factura())).body;
    await settled(claveacceso);
    const read = async () => (await get(`/api/comprobante/xml/${claveacceso}`)).body as string;
    const right = await read();
    sandbox.faults.add({ spoilXml: true });
    await get(`/api/comprobante/consulta/${claveacceso}`);
    const total = /<importeTotal>(.*?)</.exec(right)?.[1] ?? '';
    expect(await read()).toBe(right.replace(`<importeTotal>${total}<`, `<importeTotal>${total}1<`));
    expect(await read()).toBe(right);
    sandbox.faults.add({ spoilXml: { campo: 'razonSocialComprador', valor: 'Otra & Cía' } });
    expect(await read()).toContain('<razonSocialComprador>Otra &amp; Cía</razonSocialComprador>');
    sandbox.faults.add({ spoilXml: { campo: 'noExiste' } });
    expect(await read()).toBe(right);
  });

  test('only the API key named', async () => {
    const { get, sandbox } = await start({ accounts: [{ apiKey }, { apiKey: 'otra-clave' }] });
    sandbox.faults.add({ tooManyRequests: { clave: 'otra-clave' } });
    expect((await get('/api/creditos/saldo')).status).toBe(200);
    expect((await get('/api/creditos/saldo', 'otra-clave')).status).toBe(429);
  });

  test.each<[string, FaultInput, object]>([
    [
      'HTML',
      { htmlAnswer: { operacion: 'consultar_saldo' } },
      { status: 502, body: expect.stringMatching(/^<html>/) },
    ],
    [
      '429',
      { tooManyRequests: { operacion: 'consultar_saldo' } },
      { status: 429, body: { success: false, message: expect.any(String) } },
    ],
    ['HTML on every operation', { htmlAnswer: { operacion: '*' } }, { status: 502 }],
  ])('any operation by its operationId: %s', async (_name, fault, answer) => {
    const { get, send, sandbox } = await start();
    sandbox.faults.add(fault);
    if (!JSON.stringify(fault).includes('*')) {
      expect((await send('POST', '/api/ping')).body).toEqual({ pong: true });
    }
    expect(await get('/api/creditos/saldo')).toMatchObject(answer);
    expect((await get('/api/creditos/saldo')).status).toBe(200);
  });

  test('a broken JSON answer begins like the right one and ends in the middle', async () => {
    const { emit, sandbox } = await start();
    sandbox.faults.add({ brokenJson: true });
    const refused: unknown = await emit(factura()).catch((error) => error);
    expect(refused).toBeInstanceOf(SyntaxError);
    expect(sandbox.documents()).toHaveLength(1);
    sandbox.faults.add({ brokenJson: { operacion: 'consultar_saldo' } });
    const answer = await fetch(`${sandbox.url}/api/creditos/saldo`, { headers: { 'X-API-KEY': apiKey } });
    const text = await answer.text();
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(text).toMatch(/^\{"success":true,/);
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
  });

  test('without an operation only emissions that stored something', async () => {
    const { get, emit, sandbox } = await start();
    sandbox.faults.add({ htmlAnswer: true, brokenJson: true });
    expect((await get('/api/creditos/saldo')).status).toBe(200);
    expect((await emit(factura((b) => delete b.items))).body.creado).toBe(false);
    expect((await emit(factura())).status).toBe(502);
  });

  test.each<[FaultInput | object, string]>([
    [{ htmlAnswer: { operacion: 'consultar_sado' } }, 'consultar_sado no existe'],
    [{ htmlAnswers: true }, 'htmlAnswers'],
    [{ chaos: { seed: 1, probability: 2, kinds: ['dropAnswer'] } }, 'probability'],
  ])('%j is refused with what is wrong', async (fault, reason) => {
    const { send, sandbox } = await start();
    expect(() => sandbox.faults.add(fault as FaultInput)).toThrow(reason);
    const refused = await send('POST', '/__sandbox/faults', fault);
    expect(refused).toMatchObject({ status: 400, body: { success: false } });
    expect(refused.body.message).toContain(reason);
    expect(sandbox.faults.list()).toEqual([]);
  });
});

describe('what has struck stays visible', () => {
  test('with its time, kind, operation, access key and the API key masked', async () => {
    const { emit, send, sandbox } = await start();
    sandbox.faults.add({
      creadoAsString: { clave: apiKey, times: 2 },
      htmlAnswer: { operacion: 'leer_webhook' },
    });
    const { body } = await emit(factura());
    const { body: seen } = await send('GET', '/__sandbox/faults');
    expect(seen).toEqual({
      waiting: [
        { kind: 'htmlAnswer', left: 1, until: null, detail: { operacion: 'leer_webhook' } },
        { kind: 'creadoAsString', left: 1, until: null, detail: { clave: '********ba-1', times: 2 } },
      ],
      struck: [
        {
          at: '2026-11-20T10:00:00-05:00',
          kind: 'creadoAsString',
          operacion: 'emitir_factura',
          evento: null,
          clave: '********ba-1',
          claveacceso: body.claveacceso,
          chaos: false,
        },
      ],
    });
    await send('DELETE', '/__sandbox/faults');
    expect([sandbox.faults.list().length, sandbox.faults.struck().length]).toEqual([0, 1]);
    sandbox.reset();
    expect(sandbox.faults.struck()).toEqual([]);
  });
});

describe('faults by chance', () => {
  const kinds = ['failBeforeStoring', 'htmlAnswer', 'status500AfterStoring', 'creadoAsString'] as const;
  const run = async (seed: number) => {
    const { emit, sandbox } = await start();
    sandbox.faults.add({ chaos: { seed, probability: 0.4, kinds: [...kinds] } });
    const seen: unknown[] = [];
    for (let count = 1; count <= 30; count += 1) {
      const { status, body } = await emit(numbered(count));
      seen.push([status, typeof body.creado]);
    }
    return { seen, struck: sandbox.faults.struck() };
  };

  test('strike the same requests for the same seed, and others for another', async () => {
    const [first, again, other] = [await run(42), await run(42), await run(43)];
    expect(again.seen).toEqual(first.seen);
    expect(other.seen).not.toEqual(first.seen);
    expect(new Set(first.struck.map(({ kind }) => kind))).toEqual(new Set(kinds));
    expect(first.struck.every(({ chaos }) => chaos)).toBe(true);
    expect(first.seen.filter((one) => JSON.stringify(one) !== '[200,"boolean"]')).toHaveLength(
      first.struck.length,
    );
  });
});

test('a late answer comes after the document is stored and decided', async () => {
  const { emit, sandbox } = await start({ authorizeDelayMs: 1 });
  sandbox.faults.add({ delayAnswerMs: 1_500 });
  let answered = false;
  const answer = emit(factura()).then(({ body }) => {
    answered = true;
    return body;
  });
  await eventually(() => sandbox.documents()[0]?.estado === 4, 'the decision');
  expect(answered).toBe(false);
  expect((await answer).creado).toBe(true);
});

describe('/__sandbox', () => {
  test('audits documents and requests without showing a key', async () => {
    const { emit, send } = await start();
    await emit(factura());
    const documents = await send('GET', '/__sandbox/documents');
    expect(documents.body).toMatchObject([
      { numero: '001-001-000000123', figures: { importeTotal: '47.98' } },
    ]);
    const requests = await send('GET', '/__sandbox/requests');
    expect(requests.body[0]).toMatchObject({
      method: 'POST',
      path: '/api/factura/emision',
      status: 200,
      body: { ambiente: 1 },
    });
    expect(JSON.stringify([documents.body, requests.body])).not.toContain(apiKey);
  });
});
