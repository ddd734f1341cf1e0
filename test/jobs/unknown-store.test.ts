import { afterEach, describe, expect, it, test } from 'vitest';
import type { Document } from '../../src/domain/document.ts';
import { shadowShop } from '../../src/domain/shadow.ts';
import { orderSubject, shopSubject } from '../../src/domain/work.ts';
import { allSteps } from '../../src/jobs/all.ts';
import { takeStores } from '../../src/jobs/connection.ts';
import { askSweep, sweepOnce } from '../../src/jobs/sweep/sweep.ts';
import { planOnly } from '../support/plan-only.ts';
import { openSteps, type StepBench } from '../support/steps.ts';
import { openWorkLoop, type WorkLoop } from '../support/work-loop.ts';

const [second, minute] = [1_000, 60_000];
const [hour, day] = [60 * minute, 24 * 60 * minute];

let bench: StepBench;
afterEach(() => bench?.close());

/** Another process on the same ledger that does not know the store: its config is older, or newer. */
function stranger(told: unknown[] = []): WorkLoop {
  const log = { ...bench.deps.log, warn: (fields: unknown) => void told.push(fields) };
  return openWorkLoop({ ...bench, steps: allSteps({ ...bench.deps, log, storeOf: () => undefined }) });
}

const left = async () => (await bench.ledger.work.counts()).waiting;
const of = (orderId: string) => ({ platform: 'woocommerce', shop: bench.shop.url, orderId });
const facturaOf = async (orderId: string): Promise<Document | undefined> =>
  (await bench.ledger.documents.ofOrder(of(orderId)))[0];

/** Time passes, and the process that knows the store works. */
async function liveOn(ms: number): Promise<void> {
  for (const until = bench.clock.now().getTime() + ms; bench.clock.now().getTime() < until; ) {
    bench.advance(15 * minute);
    await bench.run();
    await bench.decided();
  }
}

describe('a process that does not know a store leaves its work to those that do', () => {
  it.each(['ready', 'processing', 'uncertain'] as const)('a document that is %s', async (state) => {
    bench = await openSteps();
    const { sandbox } = bench;
    await planOnly(bench, '1201');
    if (state !== 'ready') {
      sandbox.faults.add({ dropWebhooks: { times: 99 } });
      if (state === 'uncertain') sandbox.faults.add({ dropAnswer: true });
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
    bench = await openSteps();
    const { clock, deps, store, shop } = bench;
    const ids = ['1201', '1202', '1203', '1204', '1205'];
    for (const [n, id] of ids.entries()) {
      const at = new Date(clock.now().getTime() - (n + 1) * hour).toISOString().slice(0, 19);
      shop.put({ ...(shop.order(id) as object), date_modified_gmt: at });
    }
    await takeStores(deps, [store]);
    const api = deps.shop(store);
    if (!api) throw new Error('The test shop has an API.');
    expect((await sweepOnce(deps, store, api)).asked).toBe(5);
    // It hears of `store add` seconds later, and its places are free.
    await stranger().run();
    await liveOn(hour);
    for (const id of ids) expect((await facturaOf(id))?.state, id).toMatch(/authorized|held/);
  });

  test('the search for changes, which asks for itself again', async () => {
    bench = await openSteps();
    const { clock, deps, store } = bench;
    await askSweep(deps.ledger, store, clock.now());
    expect(await stranger().run()).toEqual(['sweep']);
    expect(await left()).toBe(1);
  });
});

test('what a shop tells of itself waits for a process that knows its door', async () => {
  bench = await openSteps();
  const { ledger, clock, deps } = bench;
  const { platform, shop } = of('');
  const told = { door: 'app-nueva', dedupeKey: '1', platform, shop };
  const work = { kind: 'shop-event' as const, subject: 'app-nueva/1', storeId: 'app-nueva', payload: told };
  await ledger.accept({
    ...{ connection: told.door, dedupeKey: '1', topic: 'app/uninstalled', platform, shop, orderId: null },
    ...{ body: Buffer.from('{}'), receivedAt: clock.now() },
    work: { ...work, budget: null, priority: 5, dueAt: clock.now() },
  });
  await stranger().run();
  bench.advance(2 * second);
  const steps = allSteps({ ...deps, onEvent: async () => ({ kind: 'access-ended' }) });
  await openWorkLoop({ ...bench, steps }).run();
  expect(bench.alerts).toEqual(['shop-uninstalled']);
});

test('it waits seconds at first, then as long again as it waited, at most a quarter of an hour; the log tells it once', async () => {
  bench = await openSteps();
  const told: unknown[] = [];
  const { run } = stranger(told);
  for (const id of ['1201', '1202']) await bench.sync(id);
  const waits: number[] = [];
  for (let n = 0; n < 13; n += 1) {
    expect(await run()).toEqual(['sync-order', 'sync-order']);
    const now = bench.clock.now().getTime();
    waits.push(((await bench.ledger.work.nextDueAt())?.getTime() ?? 0) - now);
    bench.advance(waits.at(-1) ?? 0);
  }
  expect(waits.slice(0, 5).map((ms) => ms / second)).toEqual([2, 2, 4, 8, 16]);
  expect(waits.at(-1)).toBe(15 * minute);
  expect(told).toEqual([{ store: 'tienda', platform: 'woocommerce', shop: bench.shop.url }]);
});

test('where a shop was disconnected, a process that does not know it takes nobody’s word that it is back', async () => {
  bench = await openSteps();
  const alert = { code: 'shop-disconnected', subject: 'tienda', what: 'x', cure: 'y' };
  await bench.ledger.alerts.raise(alert, bench.clock.now());
  await bench.sync('1201');
  await stranger().run();
  expect(bench.alerts).toEqual([]);
});

describe('of a store that is gone for good', () => {
  /** The work of a process that never learns of the store, quarter of an hour after quarter of an hour. */
  async function wait(ms: number): Promise<void> {
    const { run } = stranger();
    for (let passed = 0; passed <= ms; passed += 15 * minute) {
      await run();
      bench.advance(15 * minute);
    }
  }
  const ask = (kind: 'sweep' | 'sync-order', subject: string) =>
    bench.ledger.work.ask({
      ...{ kind, subject, storeId: 'tienda', budget: null, priority: 9 },
      dueAt: bench.clock.now(),
    });

  test('its search ends after a day without one; with the store it begins anew', async () => {
    bench = await openSteps();
    await bench.ledger.sweeps.begin(of(''), bench.clock.now());
    await ask('sweep', shopSubject(of('')));
    await wait(day - hour);
    expect(await left()).toBe(1);
    await wait(day + hour);
    expect(await left()).toBe(0);
  });

  test('an order waits as long as the shop was searched in the last month, and ends behind it', async () => {
    bench = await openSteps();
    await bench.ledger.sweeps.begin(of(''), bench.clock.now());
    await ask('sync-order', orderSubject(of('1201')));
    await wait(2 * day);
    expect(await left()).toBe(1);
    bench.advance(30 * day);
    await wait(day + hour);
    expect(await left()).toBe(0);
  });

  test('an order of its shadow ends after a day', async () => {
    bench = await openSteps();
    await ask('sync-order', orderSubject({ ...of('1201'), shop: shadowShop(bench.shop.url) }));
    await wait(day + hour);
    expect(await left()).toBe(0);
  });

  test('a document on its way never ends', async () => {
    bench = await openSteps();
    bench.sandbox.faults.add({ dropWebhooks: { times: 99 } });
    await bench.sync('1201');
    await bench.run();
    bench.advance(40 * day);
    await wait(2 * day);
    expect(await left()).toBe(1);
    await liveOn(hour);
    expect((await facturaOf('1201'))?.state).toBe('authorized');
  });
});
