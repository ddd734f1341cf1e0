import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { wooOrders } from '../../sandbox/shops/woocommerce-orders.ts';
import { ShopError } from '../../src/domain/errors.ts';
import type { Shop } from '../../src/domain/platform.ts';
import { openFreshnessWatch } from '../../src/jobs/watch.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

const down = { status: 502, body: '<h1>Bad Gateway</h1>' };
const refused = { status: 400, body: { code: 'rest_invalid_param', message: 'No.' } };
const half = 30_000;

describe('the circuit breaker of a shop', () => {
  let bench: JobBench;
  let shop: Shop;
  beforeEach(async () => {
    const [one] = wooOrders(new Date('2026-11-20T15:00:00Z')) as Record<string, unknown>[];
    // Unpaid: reading them asks for nothing more.
    const orders = Array.from({ length: 8 }, (_, n) => ({ ...one, id: 1_201 + n, status: 'pending' }));
    bench = await openJobBench({ orders });
    const opened = bench.deps.shop(bench.store);
    if (!opened) throw new Error('The store has no API.');
    shop = opened;
  });
  afterEach(() => bench?.close());

  const ask = async (id: string, met?: typeof down | typeof refused) => {
    if (met) bench.shop.trouble(met);
    return shop.fetchOrder(id).catch((error: unknown) => error);
  };
  const fail = async (...ids: string[]) => {
    for (const id of ids) expect(await ask(id, down)).toBeInstanceOf(ShopError);
  };
  const five = ['1201', '1202', '1203', '1204', '1205'];
  const breaker = () => bench.ledger.breakers.get('tienda');

  test('opens after five failed orders in a row, with one alert', async () => {
    await fail(...five.slice(1));
    expect(await breaker()).toBeUndefined();
    await fail('1201');
    const now = bench.clock.now();
    expect(await breaker()).toEqual({
      storeId: 'tienda',
      since: now.toISOString(),
      retryAt: new Date(now.getTime() + half).toISOString(),
      probes: 0,
      reason: expect.stringContaining('WordPress'),
    });
    // Those that were under way.
    await fail('1206', '1207');
    expect(await breaker()).toMatchObject({
      probes: 0,
      retryAt: new Date(now.getTime() + half).toISOString(),
    });
    expect(bench.alerts).toEqual(['shop-not-answering']);
  });

  test('stays closed for one order that fails again and again, and while any other is answered', async () => {
    await fail(...Array.from({ length: 9 }, () => '1201'));
    await fail('1202', '1203', '1204');
    expect(await ask('1208')).toMatchObject({ id: '1208' });
    await fail(...five.slice(1));
    expect(await breaker()).toBeUndefined();
    expect(bench.alerts).toEqual([]);
  });

  test('takes a refusal for an answer, and an order the shop does not have', async () => {
    await fail('1202', '1203', '1204', '1205');
    await ask('1206', refused);
    await fail('1202', '1203', '1204', '1205');
    expect(await ask('999')).toBeNull();
    await fail('1206');
    expect(await breaker()).toBeUndefined();
  });

  test('rests longer after each try in vain, five minutes at most', async () => {
    await fail(...five);
    const rests: number[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      const { retryAt } = (await breaker()) ?? { retryAt: '' };
      bench.setTime(retryAt);
      await fail('1201');
      rests.push(Date.parse((await breaker())?.retryAt ?? '') - bench.clock.now().getTime());
    }
    expect(rests).toEqual([60_000, 120_000, 300_000, 300_000, 300_000]);
    expect(bench.alerts).toEqual(['shop-not-answering']);
  });

  test('makes its jobs wait without a call, and after an answer everything goes on by itself', async () => {
    await fail(...five);
    for (let n = 0; n < 8; n += 1) await bench.sync(String(1_201 + n));
    const before = bench.shop.requests.length;
    expect(await bench.run()).toEqual([]);
    expect(bench.shop.requests.length).toBe(before);
    bench.advance(half);
    expect((await bench.run()).filter((kind) => kind === 'sync-order')).toHaveLength(8);
    expect(await breaker()).toBeUndefined();
    expect(bench.alerts).toEqual(['shop-not-answering', 'shop-not-answering over']);
  });

  test('is not moved by hints alone, however many come', async () => {
    for (let n = 0; n < 200; n += 1) await bench.sync(`999${n}`);
    await bench.run();
    expect(await breaker()).toBeUndefined();
  });

  test('that another process opened is closed by our answer', async () => {
    const now = bench.clock.now().toISOString();
    const open = { storeId: 'tienda', since: now, retryAt: now, probes: 3, reason: 'x' };
    await bench.ledger.breakers.put(open);
    await bench.ledger.alerts.raise(
      { code: 'shop-not-answering', subject: 'tienda', params: { store: 'tienda', reason: 'x' } },
      bench.clock.now(),
    );
    expect(await ask('1201')).toMatchObject({ id: '1201' });
    expect(await breaker()).toBeUndefined();
    expect(bench.alerts).toEqual(['shop-not-answering over']);
  });

  test('raises an alert, and none for the missing reconciliation beside it', async () => {
    await fail(...five);
    const { platform, shop: shopId } = bench.store;
    await bench.ledger.reconciliations.begin({ platform: platform.name, shop: shopId }, bench.clock.now());
    const look = openFreshnessWatch(bench.deps);
    for (let hour = 0; hour < 4; hour += 1) {
      await look();
      bench.advance(3_600_000);
    }
    expect(bench.alerts).toEqual(['shop-not-answering']);
    await bench.ledger.breakers.close('tienda');
    await look();
    expect(bench.alerts).toEqual(['shop-not-answering', 'reconciliation-behind']);
  });
});
