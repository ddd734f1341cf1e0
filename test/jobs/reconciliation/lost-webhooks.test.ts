import { afterEach, describe, expect, it } from 'vitest';
import { wooOrders } from '../../../sandbox/shops/woocommerce-orders.ts';
import { type JobBench, openJobBench } from '../../support/job-bench.ts';
import { calls, freshness, orderAt, reconcileAndSettle, reconcileNow } from '../../support/reconciliation.ts';

/** Orders without a webhook, found by asking the shop: on the real ledger, sandbox, client and shop. */
let bench: JobBench;
const open = async (options: Parameters<typeof openJobBench>[0] = {}) => {
  bench = await openJobBench(options);
};
afterEach(() => bench?.close());

const minutes = (n: number) => n * 60_000;
const documents = async () =>
  (await bench.ledger.documents.list({ limit: 1_000 }))
    .toReversed()
    .map(({ kind, orderId, state, total }) => `${kind} ${orderId} ${state} ${total}`);

describe('with every webhook lost', () => {
  it('every paid order is invoiced and every refund credited, once', async () => {
    await open();
    await reconcileAndSettle(bench);
    const sold = await documents();
    expect(sold).toHaveLength(5);
    for (const line of sold) expect(line).toMatch(/^factura \d+ authorized /);
    bench.shop.refund('1201', { amount: '11.50' });
    await reconcileAndSettle(bench);
    await reconcileAndSettle(bench);
    expect(await documents()).toEqual([...sold, 'nota-credito 1201 authorized 11.50']);
  });

  it('an order that was not paid yet is invoiced when it is', async () => {
    await open({ orders: [] });
    const [like] = wooOrders(bench.deps.clock.now());
    const order = orderAt(like as object, 9, bench.deps.clock.now());
    bench.shop.put({ ...order, status: 'pending', date_paid_gmt: null });
    await reconcileAndSettle(bench);
    expect(await documents()).toEqual([]);
    bench.shop.put(orderAt(like as object, 9, bench.deps.clock.now()));
    await reconcileAndSettle(bench);
    expect(await documents()).toEqual(['factura 9 authorized 33.75']);
  });

  it('what was paid before the store first started stays history', async () => {
    await open({ invoiceFrom: new Date('2026-11-20T15:00:00Z') });
    const order = bench.shop.order('1201');
    bench.advance(minutes(10));
    bench.shop.put(orderAt(order as object, 2000, bench.deps.clock.now()));
    bench.shop.put({
      ...orderAt(order as object, 1999, new Date('2026-11-19T15:00:00Z')),
      date_modified_gmt: '2026-11-20T15:09:00',
    });
    await reconcileAndSettle(bench);
    expect(await documents()).toEqual(['factura 2000 authorized 33.75']);
    expect(bench.shop.requests.map(({ path }) => path)).toContain('orders/1999');
  });
});

describe('a quiet shop', () => {
  it('costs one request, and one more each hour for its refunds', async () => {
    await open();
    await reconcileAndSettle(bench);
    bench.advance(minutes(1));
    await reconcileNow(bench);
    const made = calls(bench);
    for (let turn = 0; turn < 12; turn += 1) {
      await bench.wait(5);
    }
    const paths = made();
    expect(paths.filter((path) => path === 'GET refunds').length).toBeLessThanOrEqual(2);
    expect(new Set(paths)).toEqual(new Set(['GET orders', 'GET refunds']));
    expect(paths.filter((path) => path === 'GET orders').length).toBeLessThanOrEqual(12);
    expect(await freshness(bench)).toBeLessThan(minutes(6));
  });

  it('reads nothing again that a webhook reported', async () => {
    await open();
    bench.advance(minutes(1));
    for (const id of ['1201', '1202', '1203', '1204', '1205']) await bench.sync(id);
    await bench.run();
    bench.advance(minutes(1));
    const made = calls(bench);
    await reconcileNow(bench);
    expect(made()).toEqual(['GET orders', 'GET refunds']);
    await bench.decided();
    await bench.wait(5);
    bench.advance(minutes(1));
    const echoed = calls(bench);
    await reconcileNow(bench);
    // Writing onto the orders changed them once more, which the shop reported to nobody else.
    expect(echoed().filter((path) => path.startsWith('GET orders/'))).toHaveLength(5);
    bench.advance(minutes(1));
    const again = calls(bench);
    await reconcileNow(bench);
    expect(again()).toEqual(['GET orders']);
  });
});
