import { describe, expect, test } from 'vitest';
import { factura, start } from './support.ts';

describe('the emission route', () => {
  test('broken JSON answers 400 with creado false', async () => {
    const { emit } = await start();
    expect(await emit('{"emisor":')).toMatchObject({
      status: 400,
      body: { creado: false, errors: [expect.any(String)] },
    });
  });

  test('a wrong API key answers 401 with creado false and errors; elsewhere success false and message', async () => {
    const { emit, get } = await start();
    expect(await emit(factura(), 'otra')).toMatchObject({
      status: 401,
      body: { creado: false, errors: [expect.any(String)] },
    });
    expect(await get('/api/creditos/saldo', 'otra')).toMatchObject({
      status: 401,
      body: { success: false, message: expect.any(String) },
    });
  });

  test('the day that counts is Ecuador’s, not UTC’s', async () => {
    const lateEvening = () => new Date('2026-11-21T04:59:59Z');
    const { emit } = await start({ now: lateEvening });
    expect((await emit(factura())).body.creado).toBe(true);
    expect((await emit(factura((b) => (b.emisor.fecha_emision = '2026/11/21')))).body.creado).toBe(false);
  });

  test('an omitted number is the next one of the series', async () => {
    const { emit, sandbox } = await start();
    await emit(factura());
    await emit(factura((b) => delete b.emisor.secuencial));
    await emit(
      factura((b) => Object.assign(b.emisor, { secuencial: undefined, codigo_puntoemision: '002' })),
    );
    expect(sandbox.documents().map(({ numero }) => numero)).toEqual([
      '001-001-000000123',
      '001-001-000000124',
      '001-002-000000001',
    ]);
  });

  test('after 999999999 a series has no next number: an omitted one is refused, a free one is taken', async () => {
    const { emit, sandbox } = await start();
    const numbered = (secuencial?: string) => factura((b) => Object.assign(b.emisor, { secuencial }));
    expect((await emit(numbered('999999999'))).body.creado).toBe(true);
    const { status, body } = await emit(numbered());
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        creado: false,
        errors: [expect.stringMatching(/^emisor\.secuencial: la serie 001-001 llegó a 999999999/)],
      },
    });
    expect((await emit(numbered('7'))).body.creado).toBe(true);
    expect(sandbox.documents().map(({ secuencial }) => secuencial)).toEqual(['999999999', '000000007']);
  });

  test('ping answers without a key', async () => {
    const { sandbox } = await start();
    const response = await fetch(`${sandbox.url}/api/ping`, { method: 'POST' });
    expect(await response.json()).toEqual({ pong: true });
  });
});
