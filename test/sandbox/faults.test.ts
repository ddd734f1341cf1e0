import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { apiKey, factura, listen, start } from './support.ts';

describe('disturbances', () => {
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

  test('a failure before storing names a key that does not exist', async () => {
    const { emit, get, sandbox } = await start();
    sandbox.faults.add({ failBeforeStoring: 500 });
    const failed = await emit(factura());
    expect(failed).toMatchObject({ status: 500, body: { creado: false, errors: [expect.any(String)] } });
    expect((await get(`/api/comprobante/consulta/${failed.body.claveacceso}`)).status).toBe(404);
    expect(sandbox.documents()).toEqual([]);
  });

  test('a 500 after storing names the key of the stored document', async () => {
    const { emit, sandbox, settled } = await start();
    sandbox.faults.add({ status500AfterStoring: { times: 1 } });
    const failed = await emit(factura());
    expect(failed).toMatchObject({ status: 500, body: { creado: false } });
    expect((await settled(failed.body.claveacceso)).autorizado).toBe(true);
  });

  test('an HTML page instead of JSON', async () => {
    const { emit, sandbox } = await start();
    sandbox.faults.add({ htmlAnswer: true });
    const page = await emit(factura());
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page).toMatchObject({ status: 502, body: expect.stringContaining('<html>') });
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
    const { emit, sandbox, settled } = await start({
      allowLoopbackWebhooks: true,
      accounts: [{ apiKey, webhook: { url: hook.url, secret: 's' } }],
    });
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
});

describe('/__sandbox', () => {
  test('takes disturbances as JSON, lists and clears them, and refuses misspelled ones', async () => {
    const { send, sandbox } = await start();
    expect(
      (await send('POST', '/__sandbox/faults', { dropAnswer: { times: 3 }, delayAnswerMs: 20 })).status,
    ).toBe(201);
    expect(sandbox.faults.list().map(({ kind, left }) => [kind, left])).toEqual([
      ['delayAnswerMs', 1],
      ['dropAnswer', 3],
    ]);
    expect((await send('POST', '/__sandbox/faults', { dropAnswers: true })).status).toBe(400);
    expect((await send('DELETE', '/__sandbox/faults')).status).toBe(204);
    expect(sandbox.faults.list()).toEqual([]);
  });

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

  test('reset forgets documents, numbers and requests', async () => {
    const { emit, sandbox } = await start();
    await emit(factura());
    sandbox.reset();
    expect([sandbox.documents(), sandbox.requests()]).toEqual([[], []]);
    expect((await emit(factura())).body).toMatchObject({ creado: true, id_comprobante: 1 });
  });
});
