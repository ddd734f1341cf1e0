import { afterEach, describe, expect, it } from 'vitest';
import { type JobBench, openJobBench } from '../../support/job-bench.ts';
import { calls, orderAt, reconcileAndSettle, reconcileNow } from '../../support/reconciliation.ts';

/** What changes nothing a list of changes could show is noticed in the night. */
let bench: JobBench;
afterEach(() => bench?.close());

const hours = (n: number) => n * 3_600_000;
const states = async (orderId: string) =>
  (await bench.documents())
    .filter((one) => one.orderId === orderId)
    .map(({ kind, state }) => `${kind} ${state}`);
const snapshot = async (orderId: string) =>
  (await bench.ledger.orders.get({ platform: 'woocommerce', shop: bench.shop.url, orderId }))?.snapshot as {
    status: string;
    refunds: unknown[];
  };

/** All orders of the demo read, none of them sent: nobody may be invoiced without identification. */
async function openHeld() {
  bench = await openJobBench({ policy: { finalConsumer: { allowed: false } } });
  for (const id of ['1201', '1202', '1203', '1204', '1205']) {
    const order = bench.shop.order(id);
    bench.shop.put({ ...order, meta_data: [], billing: { ...(order?.billing as object), company: '' } });
  }
  await reconcileNow(bench);
}

describe('each night', () => {
  it('a refund that was deleted is noticed before its nota de crédito leaves', async () => {
    // Ten to three in Ecuador; the night's look comes at three, the nota de crédito is due a little later.
    bench = await openJobBench({ now: '2026-11-20T07:50:00Z' });
    await reconcileAndSettle(bench);
    const refund = bench.shop.refund('1201', { amount: '10.00' });
    bench.sandbox.faults.add({ tooManyRequests: { retryAfterSeconds: 900 } });
    await reconcileNow(bench);
    expect((await snapshot('1201')).refunds).toHaveLength(1);
    expect(await states('1201')).toEqual(['factura authorized', 'nota-credito ready']);
    bench.shop.deleteRefund('1201', refund.id);
    bench.advance(hours(0.1));
    await reconcileNow(bench);
    expect((await snapshot('1201')).refunds).toHaveLength(0);
    expect(await states('1201')).toEqual(['factura authorized', 'nota-credito cancelled']);
  });

  it('an order in the trash and a deleted one drop what waits for a person, once', async () => {
    await openHeld();
    expect(await states('1201')).toEqual(['factura held']);
    expect(await states('1202')).toEqual(['factura held']);
    bench.shop.put({ ...bench.shop.order('1201'), status: 'trash' });
    bench.shop.remove('1202');
    bench.advance(hours(25));
    await reconcileNow(bench);
    expect(await states('1201')).toEqual(['factura cancelled']);
    expect(await states('1202')).toEqual(['factura cancelled']);
    expect((await snapshot('1202')).status).toBe('deleted');
    bench.advance(hours(25));
    const made = calls(bench);
    await reconcileNow(bench);
    expect(made().filter((path) => path.startsWith('GET orders/'))).toEqual([]);
  });

  it('an order that the shop did not find for a while is invoiced again, although its time is as it was', async () => {
    bench = await openJobBench();
    bench.shop.put({ ...bench.shop.order('1203'), currency: 'EUR' });
    await reconcileNow(bench);
    // What we wrote onto the order is read.
    bench.advance(hours(0.1));
    await reconcileNow(bench);
    expect(await states('1203')).toEqual(['factura held']);
    const order = bench.shop.order('1203');
    bench.shop.remove('1203');
    bench.advance(hours(1));
    // The list of changes starts behind it from now on.
    bench.shop.put(orderAt(order ?? {}, 1301, bench.deps.clock.now()));
    await bench.sync('1203');
    await reconcileNow(bench);
    expect(await states('1203')).toEqual(['factura cancelled']);
    bench.shop.put(order);
    bench.setTime('2026-11-21T08:30:00Z');
    await reconcileNow(bench);
    expect(await states('1203')).toEqual(['factura cancelled', 'factura held']);
  });

  it('an order that is taken out of the trash is invoiced again', async () => {
    await openHeld();
    const order = bench.shop.order('1203');
    bench.shop.put({ ...order, status: 'trash' });
    bench.advance(hours(25));
    await reconcileNow(bench);
    bench.shop.put({ ...order, date_modified_gmt: bench.deps.clock.now().toISOString().slice(0, 19) });
    await reconcileNow(bench);
    expect(await states('1203')).toEqual(['factura cancelled', 'factura held']);
  });

  it('the look at all known orders takes one request per hundred, and happens once', async () => {
    bench = await openJobBench();
    await reconcileAndSettle(bench);
    bench.advance(hours(0.1));
    await reconcileNow(bench);
    bench.advance(hours(25));
    const made = calls(bench);
    await reconcileNow(bench);
    expect(made()).toEqual(['GET orders', 'GET refunds', 'GET orders']);
    const again = calls(bench);
    await reconcileNow(bench);
    expect(again()).toEqual(['GET orders']);
  });
});
