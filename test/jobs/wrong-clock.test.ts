import { afterEach, describe, expect, it } from 'vitest';
import { seriesOf } from '../../src/domain/settings.ts';
import type { JobDeps } from '../../src/jobs/deps.ts';
import { moveFirstStarts, questionFirstStarts } from '../../src/jobs/first-start.ts';
import { watchClock, watchExhausted, watchFailing } from '../../src/jobs/watch.ts';
import { alertTexts } from '../../src/messages/alerts.ts';
import { type JobBench, type JobBenchOptions, openJobBench } from '../support/job-bench.ts';
import { orderAt, reconcileAndSettle } from '../support/reconciliation.ts';

const minute = 60_000;
const hour = 60 * minute;
let bench: JobBench;
afterEach(() => bench?.close());

async function open(options: JobBenchOptions = {}): Promise<void> {
  bench = await openJobBench(options);
}

const firstStart = async () => (await bench.ledger.stores.list())[0]?.firstStartedAt;
const states = async () => (await bench.documents()).map(({ state }) => state);
/** The store began when its clock was 26 hours ahead, and does as the product would. */
async function startedAhead(ms = 26 * hour): Promise<void> {
  const { store, ledger, clock, deps } = bench;
  const key = { platform: store.platform.name, shop: store.shop };
  await ledger.stores.moveFirstStart(key, new Date(clock.now().getTime() + ms));
  let first = new Date((await firstStart()) ?? 0);
  deps.invoiceFrom = () => first;
  deps.newestInvoiceFrom = async () => {
    first = new Date((await firstStart()) ?? 0);
    return first;
  };
}

describe('a clock that was ahead', () => {
  it('made history of sales; once the time is known they are invoiced', async () => {
    await open();
    await startedAhead();
    bench.advance(2 * minute);
    const like = bench.shop.order('1201') as object;
    bench.shop.put(orderAt(like, 2000, bench.clock.now()));
    await bench.read('2000');
    expect(await states()).toEqual([]);
    await moveFirstStarts(bench.deps, { now: bench.clock.now(), aheadMs: 26 * hour });
    expect(await firstStart()).toBe('2026-11-20T15:00:00.000Z');
    await bench.run();
    expect(await states()).toHaveLength(1);
    // Moved once, it is believed.
    await moveFirstStarts(bench.deps, { now: bench.clock.now(), aheadMs: 26 * hour });
    expect(await firstStart()).toBe('2026-11-20T15:00:00.000Z');
  });

  it('set back while an order is read, with the first start that made it history, delays the order by nothing', async () => {
    await open();
    bench.advance(26 * hour);
    await startedAhead(0);
    const { deps, ledger, clock, store } = bench;
    const like = bench.shop.order('1201') as object;
    bench.shop.put(orderAt(like, 2000, new Date(clock.now().getTime() - 26 * hour)));
    const newest = deps.newestInvoiceFrom;
    deps.newestInvoiceFrom = async (one) => {
      deps.newestInvoiceFrom = newest;
      bench.advance(-26 * hour);
      const key = { platform: store.platform.name, shop: store.shop };
      await ledger.stores.moveFirstStart(key, new Date(clock.now().getTime() - hour));
      return newest(one);
    };
    await bench.read('2000');
    await bench.run();
    expect(await states()).toHaveLength(1);
  });

  it('by minutes, which are over when the shop first says its time, made history of sales: they are invoiced once, and the first start is moved once', async () => {
    const options: JobBenchOptions = { shopAheadMs: -2 * minute };
    await open(options);
    await startedAhead(0);
    const began = bench.clock.now().getTime();
    bench.advance(minute);
    const like = bench.shop.order('1201') as object;
    bench.shop.put(orderAt(like, 2000, new Date(began - minute)));
    await bench.read('2000');
    const facturas = async () => (await bench.documents()).filter(({ orderId }) => orderId === '2000');
    expect(await facturas()).toEqual([]);
    for (let n = 0; n < 2; n += 1) {
      bench.advance(6 * minute);
      await reconcileAndSettle(bench);
      expect(await facturas()).toMatchObject([{ state: 'authorized' }]);
      // A header has whole seconds.
      const offMs = Math.abs(Date.parse((await firstStart()) ?? '') - (began - 2 * minute));
      expect(offMs).toBeLessThan(2_000);
    }
  });

  it('left a first start in the future for the next start: it is corrected, and a person looks', async () => {
    await open();
    await startedAhead();
    bench.advance(minute);
    await questionFirstStarts(bench.deps);
    expect(await firstStart()).toBe(bench.clock.now().toISOString());
    expect(bench.alerts).toEqual(['history-unclear']);
    await questionFirstStarts(bench.deps);
    expect(bench.alerts).toEqual(['history-unclear']);
  });

  it('left one that is past by now: the first order that was read knows better', async () => {
    await open();
    bench.advance(minute);
    await bench.read();
    const readAt = bench.clock.now();
    await startedAhead();
    bench.advance(48 * hour);
    await questionFirstStarts(bench.deps);
    expect(await firstStart()).toBe(readAt.toISOString());
  });

  it('is found out by the time the service names', async () => {
    await open();
    await startedAhead();
    const reported: string[] = [];
    const at = (aheadMs: number): JobDeps => ({
      ...bench.deps,
      clock: { now: () => new Date(bench.clock.now().getTime() + aheadMs) },
      service: () => ({ ping: async () => ({ kind: 'alive', date: bench.clock.now() }) }) as never,
      alerts: {
        raise: async ({ code, params }) => void reported.push(`${code}: ${alertTexts(code, params).what}`),
        over: async ({ code }) => void reported.push(`${code} over`),
      },
    });
    await watchClock(at(26 * hour));
    expect(await firstStart()).toMatch(/^2026-11-20T1[45]:[05]/);
    await watchClock(at(2 * minute));
    expect(reported).toEqual([
      'clock-differs: El reloj con el que se trabaja adelanta 1560 minutos frente al del servicio de facturación.',
      'clock-differs over',
    ]);
  });

  it('of the shop, two hours ahead and then corrected: what changes next is found all the same', async () => {
    const options: JobBenchOptions = { shopAheadMs: 2 * hour };
    await open(options);
    const like = bench.shop.order('1201') as object;
    const shopNow = () => new Date(bench.clock.now().getTime() + (options.shopAheadMs ?? 0));
    bench.shop.put(orderAt(like, 2000, shopNow()));
    await reconcileAndSettle(bench);
    const before = (await states()).length;
    bench.advance(6 * minute);
    options.shopAheadMs = 0;
    bench.shop.put(orderAt(like, 2001, shopNow()));
    await reconcileAndSettle(bench);
    expect(await states()).toHaveLength(before + 1);
  });

  it('of the shop, two hours ahead and then corrected: a refund that its order does not show is found all the same', async () => {
    const options: JobBenchOptions = { shopAheadMs: 2 * hour };
    await open(options);
    const every5 = async (times: number) => {
      for (let n = 0; n < times; n += 1) {
        await reconcileAndSettle(bench);
      }
    };
    await every5(6);
    options.shopAheadMs = 0;
    await every5(1);
    bench.shop.refund('1201', { amount: '3.75' });
    const long = '2026-11-19T10:00:00';
    const hidden = { ...bench.shop.order('1201'), date_modified: long, date_modified_gmt: long };
    bench.shop.put(hidden as never, bench.shop.refunds('1201'));
    await every5(8);
    const notes = (await bench.documents()).filter(({ kind }) => kind !== 'factura');
    expect(notes).toMatchObject([{ orderId: '1201', state: 'authorized' }]);
  });
});

describe('jobs that keep failing', () => {
  it('raises an alert after ten failures with the name of its order, which ends once it is done', async () => {
    await open();
    for (let n = 0; n < 10; n += 1) {
      bench.shop.trouble({ status: 200, body: '{"id": 1201, "total":' }, 'GET');
      await bench.read();
      await watchFailing(bench.deps);
      expect(bench.alerts).toEqual(n < 9 ? [] : ['job-keeps-failing']);
      bench.advance(minute);
    }
    const [alert] = await bench.ledger.alerts.open();
    expect(alert?.what).toMatch(
      /^Pedido 1201 \(tienda\): no se logra leer el pedido de la tienda \(10 intentos desde /,
    );
    await bench.run();
    await watchFailing(bench.deps);
    expect(bench.alerts).toEqual(['job-keeps-failing', 'job-keeps-failing over']);
  });

  it('a series past its last number holds its sales and raises an alert', async () => {
    await open();
    await bench.ledger.sequences.reserve(seriesOf(bench.store, 'factura'), 999_999_999);
    await bench.read();
    const document = await bench.document();
    expect(document).toMatchObject({ state: 'held', code: 'series-exhausted', secuencial: null });
    await watchExhausted(bench.deps);
    expect(bench.alerts).toEqual(['series-exhausted']);
  });
});
