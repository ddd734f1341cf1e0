import { afterEach, describe, expect, it } from 'vitest';
import { wooOrders } from '../../../src/cli/demo/woocommerce-orders.ts';
import { shopSubject } from '../../../src/domain/work.ts';
import { sweepOnce } from '../../../src/jobs/sweep/sweep.ts';
import { openSteps, type StepBench } from '../../support/steps.ts';
import { calls, freshness, orderAt, sweepNow } from '../../support/sweep.ts';

/** The sweep says how far it came: budgets, clocks, failures. */
let bench: StepBench;
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
const row = () => bench.ledger.sweeps.get({ platform: 'woocommerce', shop: bench.shop.url });

describe('a sweep with little to spend', () => {
  it('says that it ran out, goes on where it stopped at once, and says when it has caught up', async () => {
    bench = await openSteps({ orders: many(250), sweep: { calls: 1 }, invoiceFrom: start });
    bench.advance(minutes(60));
    const { store, shop } = { store: bench.store, shop: bench.deps.shop(bench.store) };
    const before = bench.deps.clock.now();
    expect(await sweepOnce(bench.deps, store, shop as never)).toMatchObject({ ended: false, asked: 100 });
    expect((await row())?.behindSince).toBe(before.toISOString());
    bench.advance(minutes(1));
    expect(await freshness(bench)).toBe(minutes(61));
    const ran = await sweepNow(bench);
    expect(ran.filter((kind) => kind === 'sweep')).toHaveLength(2);
    expect(await synced()).toBe(250);
    expect((await row())?.behindSince).toBeNull();
    expect(await freshness(bench)).toBe(0);
  });

  it('lists thousands of orders edited at once only until the overlap is over', async () => {
    bench = await openSteps({ orders: many(250, () => start) });
    bench.advance(minutes(1));
    await sweepNow(bench);
    expect(await synced()).toBe(250);
    bench.advance(minutes(20));
    await sweepNow(bench);
    bench.advance(minutes(5));
    const made = calls(bench);
    await sweepNow(bench);
    expect(made()).toEqual(['GET orders']);
  });
});

describe.each([
  ['ten minutes ahead', 10],
  ['ten minutes behind', -10],
  ['forty minutes behind', -40],
])('a shop whose clock is %s', (_name, ahead) => {
  it('loses no order, from its first one on', async () => {
    bench = await openSteps({ orders: [], shopAheadMs: minutes(ahead), invoiceFrom: start });
    const shopNow = () => new Date(bench.deps.clock.now().getTime() + minutes(ahead));
    for (let n = 1; n <= 8; n += 1) {
      bench.advance(minutes(1));
      bench.shop.put(unpaid(n, shopNow()));
      bench.advance(minutes(n === 4 ? 40 : 4));
      await sweepNow(bench);
      expect(await synced()).toBe(n);
    }
    const made = calls(bench);
    bench.advance(minutes(5));
    await sweepNow(bench);
    expect(made()).toEqual(['GET orders']);
  });
});

describe('a shop that does not answer', () => {
  it('grows stale, is tried again with the failure counted, and is whole afterwards', async () => {
    bench = await openSteps({ orders: many(3) });
    bench.advance(minutes(5));
    await sweepNow(bench);
    bench.advance(minutes(10));
    bench.shop.put(unpaid(9, bench.deps.clock.now()));
    bench.shop.trouble({ status: 503, body: '<html>Mantenimiento</html>' });
    await sweepNow(bench);
    expect(await freshness(bench)).toBe(minutes(10));
    const subject = shopSubject({ platform: 'woocommerce', shop: bench.shop.url });
    const [waiting] = (await bench.ledger.work.due(new Date('2027-01-01'), 10, 10)).filter(
      ({ kind }) => kind === 'sweep',
    );
    expect([waiting?.lane, subject.startsWith('woocommerce/')]).toEqual(['sweep', true]);
    bench.advance(minutes(1));
    await bench.run();
    expect(await synced()).toBe(4);
    expect(await freshness(bench)).toBe(0);
  });

  it('in the middle of its lists goes on from the page it reached', async () => {
    bench = await openSteps({ orders: many(250) });
    bench.advance(minutes(60));
    const shop = bench.deps.shop(bench.store);
    if (!shop) throw new Error('No API.');
    await sweepOnce(bench.deps, bench.store, shop, { calls: 1 });
    bench.shop.trouble({ status: 500, body: 'Fatal error' });
    await expect(sweepOnce(bench.deps, bench.store, shop)).rejects.toThrow('500');
    const made = calls(bench);
    expect(await sweepOnce(bench.deps, bench.store, shop)).toMatchObject({ ended: true, asked: 150 });
    expect(made()).toEqual(['GET orders', 'GET orders']);
  });
});

describe('what the ledger has read', () => {
  it('in the second in which the order changed is read once more, and then never again', async () => {
    bench = await openSteps({ orders: [] });
    bench.shop.put(unpaid(1, bench.deps.clock.now()));
    await bench.sync('1');
    await bench.run();
    const read = async () => {
      const made = calls(bench);
      await sweepNow(bench);
      return made().filter((path) => path === 'GET orders/1').length;
    };
    bench.advance(minutes(1));
    expect(await read()).toBe(1);
    bench.advance(minutes(1));
    expect(await read()).toBe(0);
  });

  it('before invoiceFrom was set to an earlier day is looked for anew', async () => {
    const options = { orders: many(2, (n) => new Date(start.getTime() - minutes(600 * n))) };
    bench = await openSteps({ ...options, invoiceFrom: start });
    await sweepNow(bench);
    expect(await synced()).toBe(1);
    bench.deps.invoiceFrom = () => new Date('2026-11-01T00:00:00Z');
    await sweepNow(bench);
    expect(await synced()).toBe(2);
  });
});
