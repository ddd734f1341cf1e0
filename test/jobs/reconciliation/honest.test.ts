import { afterEach, describe, expect, it } from 'vitest';
import { wooOrders } from '../../../sandbox/shops/woocommerce-orders.ts';
import { LedgerError } from '../../../src/domain/errors.ts';
import { shopSubject } from '../../../src/domain/job.ts';
import { reconcileOnce } from '../../../src/jobs/reconciliation/reconciliation.ts';
import { type JobBench, openJobBench } from '../../support/job-bench.ts';
import { calls, freshness, orderAt, reconcileNow } from '../../support/reconciliation.ts';

/** The reconciliation says how far it came: budgets, clocks, failures. */
let bench: JobBench;
afterEach(() => bench?.close());

const start = new Date('2026-11-20T15:00:00Z');
const minutes = (n: number) => n * 60_000;
const [like] = wooOrders(start);
/** Unpaid, so that nothing but the search itself costs time. */
const unpaid = (id: number, instant: Date) => ({
  ...orderAt(like as object, id, instant),
  status: 'pending',
  date_paid_gmt: null,
});
const many = (count: number, each = (n: number) => new Date(start.getTime() + n * 1_000)) =>
  Array.from({ length: count }, (_, n) => unpaid(n + 1, each(n)));

const synced = async () => {
  const key = { platform: 'woocommerce', shop: bench.shop.url };
  return (await bench.ledger.orders.changedAfter(key, { sourceUpdatedAt: '', orderId: '' }, 5_000)).length;
};
const row = () => bench.ledger.reconciliations.get({ platform: 'woocommerce', shop: bench.shop.url });

describe('a reconciliation with little to spend', () => {
  it('says that it ran out, goes on where it stopped at once, and says when it has caught up', async () => {
    bench = await openJobBench({ orders: many(201), reconciliation: { calls: 1 }, invoiceFrom: start });
    bench.advance(minutes(60));
    const { store, shop } = { store: bench.store, shop: bench.deps.shop(bench.store) };
    const before = bench.deps.clock.now();
    expect(await reconcileOnce(bench.deps, store, shop as never)).toMatchObject({ ended: false, asked: 100 });
    expect((await row())?.behindSince).toBe(before.toISOString());
    bench.advance(minutes(1));
    expect(await freshness(bench)).toBe(minutes(61));
    const ran = await reconcileNow(bench);
    expect(ran.filter((kind) => kind === 'reconciliation')).toHaveLength(2);
    expect(await synced()).toBe(201);
    expect((await row())?.behindSince).toBeNull();
    expect(await freshness(bench)).toBe(0);
  });

  it('ends where the ledger fails, and does not call that a failure of the shop', async () => {
    bench = await openJobBench({ orders: many(1), invoiceFrom: start });
    bench.advance(minutes(60));
    await reconcileNow(bench);
    const unreadable = new LedgerError('data-damaged', { what: 'Un dato' });
    const shop = { ...bench.deps.shop(bench.store), changedOrders: () => Promise.reject(unreadable) };
    const before = await row();
    await expect(reconcileOnce(bench.deps, bench.store, shop as never)).rejects.toBe(unreadable);
    expect(await row()).toEqual(before);
  });

  it('lists thousands of orders edited at once only until the overlap is over', async () => {
    bench = await openJobBench({ orders: many(101, () => start) });
    bench.advance(minutes(1));
    await reconcileNow(bench);
    expect(await synced()).toBe(101);
    bench.advance(minutes(20));
    await reconcileNow(bench);
    bench.advance(minutes(5));
    const made = calls(bench);
    await reconcileNow(bench);
    expect(made()).toEqual(['GET orders']);
  });
});

describe.each([
  ['ten minutes ahead', 10],
  ['ten minutes behind', -10],
  ['forty minutes behind', -40],
])('a shop whose clock is %s', (_name, ahead) => {
  it('loses no order, from its first one on', async () => {
    bench = await openJobBench({ orders: [], shopAheadMs: minutes(ahead), invoiceFrom: start });
    const shopNow = () => new Date(bench.deps.clock.now().getTime() + minutes(ahead));
    for (let n = 1; n <= 8; n += 1) {
      bench.advance(minutes(1));
      bench.shop.put(unpaid(n, shopNow()));
      bench.advance(minutes(n === 4 ? 40 : 4));
      await reconcileNow(bench);
      expect(await synced()).toBe(n);
    }
    const made = calls(bench);
    bench.advance(minutes(5));
    await reconcileNow(bench);
    expect(made()).toEqual(['GET orders']);
  });
});

describe('a shop that does not answer', () => {
  it('grows stale, is tried again with the failure counted, and is whole afterwards', async () => {
    bench = await openJobBench({ orders: many(3) });
    bench.advance(minutes(5));
    await reconcileNow(bench);
    bench.advance(minutes(10));
    bench.shop.put(unpaid(9, bench.deps.clock.now()));
    bench.shop.trouble({ status: 503, body: '<html>Mantenimiento</html>' });
    await reconcileNow(bench);
    expect(await freshness(bench)).toBe(minutes(10));
    const subject = shopSubject({ platform: 'woocommerce', shop: bench.shop.url });
    const [waiting] = (await bench.ledger.jobs.due(new Date('2027-01-01'), 10, 10)).filter(
      ({ kind }) => kind === 'reconciliation',
    );
    expect([waiting?.partition, subject.startsWith('woocommerce/')]).toEqual(['reconciliation', true]);
    await bench.wait(1);
    expect(await synced()).toBe(4);
    expect(await freshness(bench)).toBe(0);
  });

  it('in the middle of its lists goes on from the page it reached', async () => {
    bench = await openJobBench({ orders: many(201) });
    bench.advance(minutes(60));
    const shop = bench.deps.shop(bench.store);
    if (!shop) throw new Error('No API.');
    await reconcileOnce(bench.deps, bench.store, shop, { calls: 1 });
    bench.shop.trouble({ status: 500, body: 'Fatal error' });
    await expect(reconcileOnce(bench.deps, bench.store, shop)).rejects.toThrow('500');
    const made = calls(bench);
    expect(await reconcileOnce(bench.deps, bench.store, shop)).toMatchObject({ ended: true, asked: 101 });
    expect(made()).toEqual(['GET orders', 'GET orders']);
  });
});

describe('what the ledger has read', () => {
  it('in the second in which the order changed is read once more, and then never again', async () => {
    bench = await openJobBench({ orders: [] });
    bench.shop.put(unpaid(1, bench.deps.clock.now()));
    await bench.read('1');
    const read = async () => {
      const made = calls(bench);
      await reconcileNow(bench);
      return made().filter((path) => path === 'GET orders/1').length;
    };
    bench.advance(minutes(1));
    expect(await read()).toBe(1);
    bench.advance(minutes(1));
    expect(await read()).toBe(0);
  });

  it('before invoiceFrom was set to an earlier day is searched for again', async () => {
    const options = { orders: many(2, (n) => new Date(start.getTime() - minutes(600 * n))) };
    bench = await openJobBench({ ...options, invoiceFrom: start });
    await reconcileNow(bench);
    expect(await synced()).toBe(1);
    bench.deps.invoiceFrom = () => new Date('2026-11-01T00:00:00Z');
    await reconcileNow(bench);
    expect(await synced()).toBe(2);
  });
});
