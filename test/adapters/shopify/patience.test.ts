import { describe, expect, test } from 'vitest';
import type { WrittenDocument } from '../../../src/domain/platform.ts';
import { plainOrder } from './plain-order.ts';
import { failureOf, openPair, token } from './shop.ts';

const orders = [plainOrder()];
const authorized: WrittenDocument = {
  kind: 'factura',
  sourceId: '1001',
  state: 'authorized',
  number: '001-001-000000123',
  accessKey: '2011202601179001234500110010010000001231234567813',
  authorizedAt: null,
  pdfUrl: null,
  xmlUrl: null,
  reason: null,
};

/** An order of `lines` lines: one page for the first 25, one for each further 25. */
function longOrder(lines: number) {
  const line = plainOrder().line_items[0];
  return plainOrder({ line_items: Array.from({ length: lines }, (_, i) => ({ ...line, id: i + 1 })) });
}

async function timed<T>(job: Promise<T>): Promise<{ value: T; ms: number }> {
  const start = performance.now();
  return { value: await job, ms: performance.now() - start };
}

describe('a shop’s points', () => {
  test('that are gone are waited for as long as they take to come back, and no longer', async () => {
    const points = { maximum: 1_000, restoreRate: 2_000 };
    const { client, shop } = await openPair({ orders, points });
    shop.trouble('throttled');
    const { value, ms } = await timed(client.fetchOrder('1001'));
    expect(value).toMatchObject({ id: '1001' });
    const [refused, second] = shop.requests;
    expect([refused?.operation, second?.operation, shop.requests.length]).toEqual([
      'FacturapuenteOrder',
      'FacturapuenteOrder',
      2,
    ]);
    // The order may cost some 800 points: 0.4 s.
    expect(ms).toBeGreaterThan(300);
  });

  test('are waited for page by page in an order of many pages', async () => {
    const points = { maximum: 1_000, restoreRate: 1_000 };
    const { client } = await openPair({ orders: [longOrder(200)], points });
    const { value, ms } = await timed(client.fetchOrder('1001'));
    expect(value?.lines).toHaveLength(200);
    expect(ms).toBeGreaterThan(300);
  });

  test('that take longer than a worker should be held up are asked for later, at the right time', async () => {
    const points = { maximum: 1_000, restoreRate: 10 };
    const { client, shop } = await openPair({ orders, points }, { accessToken: token, timeoutMs: 5_000 });
    shop.trouble('throttled');
    const error = await failureOf(client.fetchOrder('1001'));
    expect(error).toMatchObject({ code: 'shop-busy', retryable: true });
    expect(error.retryAfterMs).toBeGreaterThan(20_000);
    expect(error.retryAfterMs).toBeLessThan(100_000);
    expect(shop.requests).toHaveLength(1);
  });

  test('are waited for by writes too: what was refused was not carried out', async () => {
    const points = { maximum: 1_000, restoreRate: 1_000 };
    const { client, shop } = await openPair({ orders, points });
    shop.trouble('throttled', 'FacturapuenteSet');
    await client.writeBack('1001', [authorized]);
    expect(shop.metafields(1001).numero).toBe('001-001-000000123');
  });
});

describe('a 5xx or a broken connection', () => {
  test.each([
    ['500', { status: 500, body: { errors: 'x' } }] as const,
    ['a broken connection', 'lost'] as const,
    ['429 for a moment', { status: 429, headers: { 'retry-after': '0.1' }, body: { errors: 'x' } }] as const,
  ])('that passes is not even noticed by who reads: %s', async (_name, trouble) => {
    const { client, shop } = await openPair({ orders });
    shop.trouble(trouble);
    expect(await client.fetchOrder('1001')).toMatchObject({ id: '1001' });
    expect(shop.requests).toHaveLength(2);
  });

  test('after a write is left to whoever looks first what was written', async () => {
    const { client, shop } = await openPair({ orders });
    await client.writeBack('1001', [{ ...authorized, state: 'held', number: null, reason: 'x' }]);
    shop.trouble('lost', 'FacturapuenteSet');
    const sets = () => shop.requests.filter(({ operation }) => operation === 'FacturapuenteSet').length;
    const before = sets();
    expect(await failureOf(client.writeBack('1001', [authorized]))).toMatchObject({ retryable: true });
    expect(sets()).toBe(before + 1);
    await client.writeBack('1001', [authorized]);
    // The lost write had been carried out: nothing to set is left.
    expect(sets()).toBe(before + 1);
    expect(shop.tags(1001)).toEqual(['factura-autorizada']);
  });
});
