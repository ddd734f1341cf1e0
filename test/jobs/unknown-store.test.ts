import { afterEach, describe, expect, it, test } from 'vitest';
import type { Document } from '../../src/domain/document.ts';
import { orderSubject, shopSubject } from '../../src/domain/job.ts';
import { takeStores } from '../../src/jobs/connection.ts';
import { enqueueReconciliation, reconcileOnce } from '../../src/jobs/reconciliation/reconciliation.ts';
import { openRunJob } from '../../src/jobs/run-job.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';
import { type JobLoop, openJobLoop } from '../support/job-loop.ts';
import { planOnly } from '../support/plan-only.ts';

const [second, minute] = [1_000, 60_000];
const [hour, day] = [60 * minute, 24 * 60 * minute];

let bench: JobBench;
afterEach(() => bench?.close());

/** Another process on the same ledger that does not know the store: its config is older, or newer. */
function stranger(reported: unknown[] = []): JobLoop {
  const log = { ...bench.deps.log, warn: (fields: unknown) => void reported.push(fields) };
  return openJobLoop({ ...bench, runJob: openRunJob({ ...bench.deps, log, storeOf: () => undefined }) });
}

const of = (orderId: string) => ({ platform: 'woocommerce', shop: bench.shop.url, orderId });
const facturaOf = async (orderId: string): Promise<Document | undefined> =>
  (await bench.ledger.documents.ofOrder(of(orderId)))[0];

/** Time passes, and the process that knows the store works. */
async function liveOn(ms: number): Promise<void> {
  for (const until = bench.clock.now().getTime() + ms; bench.clock.now().getTime() < until; ) {
    await bench.wait(15);
    await bench.decided();
  }
}

describe('a process that does not know a store leaves its jobs to those that do', () => {
  it.each(['ready', 'processing'] as const)('a document that is %s', async (state) => {
    bench = await openJobBench();
    const { sandbox } = bench;
    await planOnly(bench, '1201');
    if (state !== 'ready') {
      sandbox.faults.add({ dropWebhooks: { times: 99 } });
      await bench.run();
      bench.advance(3 * minute);
    }
    expect((await facturaOf('1201'))?.state).toBe(state);
    expect(await stranger().run()).toHaveLength(1);
    expect((await facturaOf('1201'))?.state).toBe(state);
    await liveOn(2 * hour);
    expect((await facturaOf('1201'))?.state).toBe('authorized');
  });

  test('what the first search of a new store found', async () => {
    bench = await openJobBench();
    const { clock, deps, store, shop } = bench;
    const ids = ['1201', '1202', '1203', '1204', '1205'];
    for (const [n, id] of ids.entries()) {
      const at = new Date(clock.now().getTime() - (n + 1) * hour).toISOString().slice(0, 19);
      shop.put({ ...(shop.order(id) as object), date_modified_gmt: at });
    }
    await takeStores(deps, [store]);
    const api = deps.shop(store);
    if (!api) throw new Error('The test shop has an API.');
    expect((await reconcileOnce(deps, store, api)).asked).toBe(5);
    // It hears of `store add` seconds later, and its places are free.
    await stranger().run();
    await liveOn(hour);
    for (const id of ids) expect((await facturaOf(id))?.state, id).toMatch(/authorized|held/);
  });

  test('the search for changes, which asks for itself again', async () => {
    bench = await openJobBench();
    const { clock, deps, store } = bench;
    await enqueueReconciliation(deps.ledger, store, clock.now());
    expect(await stranger().run()).toEqual(['reconciliation']);
    expect(await bench.jobsLeft()).toBe(1);
  });
});

test('an event of a shop waits for a process that knows its endpoint', async () => {
  bench = await openJobBench();
  const { ledger, clock, deps } = bench;
  const { platform, shop } = of('');
  const reported = { endpoint: 'app-nueva', dedupeKey: '1', platform, shop };
  const job = {
    kind: 'shop-event' as const,
    subject: 'app-nueva/1',
    storeId: 'app-nueva',
    payload: reported,
  };
  await ledger.accept({
    ...{
      connection: reported.endpoint,
      dedupeKey: '1',
      topic: 'app/uninstalled',
      platform,
      shop,
      orderId: null,
    },
    ...{ body: Buffer.from('{}'), receivedAt: clock.now() },
    job: { ...job, rateLimit: null, priority: 5, dueAt: clock.now() },
  });
  await stranger().run();
  bench.advance(2 * second);
  const runJob = openRunJob({ ...deps, onEvent: async () => ({ kind: 'access-ended' }) });
  await openJobLoop({ ...bench, runJob }).run();
  expect(bench.alerts).toEqual(['shop-uninstalled']);
});

test('it waits seconds at first, then as long again as it waited, at most a quarter of an hour; it is logged once', async () => {
  bench = await openJobBench();
  const reported: unknown[] = [];
  const { run } = stranger(reported);
  for (const id of ['1201', '1202']) await bench.sync(id);
  const waits: number[] = [];
  for (let n = 0; n < 13; n += 1) {
    expect(await run()).toEqual(['sync-order', 'sync-order']);
    const now = bench.clock.now().getTime();
    waits.push(((await bench.ledger.jobs.nextDueAt())?.getTime() ?? 0) - now);
    bench.advance(waits.at(-1) ?? 0);
  }
  expect(waits.slice(0, 5).map((ms) => ms / second)).toEqual([2, 2, 4, 8, 16]);
  expect(waits.at(-1)).toBe(15 * minute);
  expect(reported).toEqual([{ store: 'tienda', shop: `woocommerce ${bench.shop.url}` }]);
});

test('where a shop was disconnected, a process that does not know it takes nobody’s word that it is back', async () => {
  bench = await openJobBench();
  const alert = { code: 'shop-not-connected', subject: 'tienda', params: { reason: 'x' } } as const;
  await bench.ledger.alerts.raise(alert, bench.clock.now());
  await bench.sync('1201');
  await stranger().run();
  expect(bench.alerts).toEqual([]);
});

describe('of a store that is gone for good', () => {
  /** The job of a process that never knows the store, quarter of an hour after quarter of an hour. */
  async function wait(ms: number): Promise<void> {
    const { run } = stranger();
    for (let passed = 0; passed <= ms; passed += 15 * minute) {
      await run();
      bench.advance(15 * minute);
    }
  }
  const ask = (kind: 'reconciliation' | 'sync-order', subject: string) =>
    bench.ledger.jobs.enqueue({
      ...{ kind, subject, storeId: 'tienda', rateLimit: null, priority: 9 },
      dueAt: bench.clock.now(),
    });

  test('its search ends after a day without one; with the store it begins again', async () => {
    bench = await openJobBench();
    await bench.ledger.reconciliations.begin(of(''), bench.clock.now());
    await ask('reconciliation', shopSubject(of('')));
    await wait(day - hour);
    expect(await bench.jobsLeft()).toBe(1);
    await wait(day + hour);
    expect(await bench.jobsLeft()).toBe(0);
  });

  test('an order waits as long as the shop was searched in the last month, and ends behind it', async () => {
    bench = await openJobBench();
    await bench.ledger.reconciliations.begin(of(''), bench.clock.now());
    await ask('sync-order', orderSubject(of('1201')));
    await wait(2 * day);
    expect(await bench.jobsLeft()).toBe(1);
    bench.advance(30 * day);
    await wait(day + hour);
    expect(await bench.jobsLeft()).toBe(0);
  });

  test('a document on its way never ends', async () => {
    bench = await openJobBench();
    bench.sandbox.faults.add({ dropWebhooks: { times: 99 } });
    await bench.read();
    bench.advance(40 * day);
    await wait(2 * day);
    expect(await bench.jobsLeft()).toBe(1);
    await liveOn(hour);
    expect((await facturaOf('1201'))?.state).toBe('authorized');
  });
});
