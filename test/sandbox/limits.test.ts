import { describe, expect, test } from 'vitest';
import { openRateLimit } from '../../sandbox/emulator/http/rate-limit.ts';
import { apiKey, factura, start } from './support.ts';

describe('300 requests per minute per API key', () => {
  test('the 301st is answered with 429 and Retry-After, other keys go on', async () => {
    const { get, emit } = await start({ accounts: [{ apiKey }, { apiKey: 'otra' }] });
    const statuses: number[] = [];
    for (let i = 0; i < 300; i++) statuses.push((await get('/api/creditos/saldo')).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const refused = await get('/api/creditos/saldo');
    expect(refused).toMatchObject({ status: 429, body: { success: false, message: expect.any(String) } });
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(await emit(factura())).toMatchObject({
      status: 429,
      body: { creado: false, errors: [expect.any(String)] },
    });
    expect((await get('/api/creditos/saldo', 'otra')).status).toBe(200);
  });

  test('the window slides: a place is free one minute after it was taken', () => {
    let seconds = 0;
    const limit = openRateLimit({ now: () => new Date(seconds * 1000) }, 2);
    expect(limit.take('k')).toBeUndefined();
    seconds = 40;
    expect(limit.take('k')).toBeUndefined();
    expect(limit.take('k')).toEqual({ retryAfterSeconds: 20 });
    seconds = 60;
    expect(limit.take('k')).toBeUndefined();
    expect(limit.take('k')).toEqual({ retryAfterSeconds: 40 });
  });
});
