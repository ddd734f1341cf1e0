import { afterEach, describe, expect, it } from 'vitest';
import { ShopError } from '../../src/domain/errors.ts';
import { openFreshnessWatch, watchFailing } from '../../src/jobs/watch.ts';
import { reasonOf } from '../../src/queue/worker.ts';
import { job } from '../ledger/samples.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

const minute = 60_000;
const timeout = new ShopError('shop-timeout', { message: 'La tienda tardó.' }, { retryable: true });
const refused = new ShopError('shop-answer', { message: 'No se entiende.' }, { retryable: false });
const sync = (subject: string) => ({ kind: 'sync-order', subject }) as const;

describe('a shop that does not answer', () => {
  let bench: JobBench;
  afterEach(() => bench?.close());

  /** The jobs run and fail with this error. */
  async function fail(error: Error, ...jobs: { kind: 'sync-order' | 'reconciliation'; subject: string }[]) {
    const { ledger, clock } = bench;
    for (const one of jobs)
      await ledger.jobs.enqueue(job(one.subject, { ...one, rateLimit: null, dueAt: clock.now() }));
    for (const { id } of await ledger.jobs.due(clock.now(), 99, 99)) {
      await ledger.jobs.release([id], clock.now());
      const claimed = await ledger.jobs.claim(id, minute, clock.now());
      await ledger.jobs.postpone(id, claimed?.token ?? '', {
        dueAt: clock.now(),
        failedAt: clock.now(),
        reason: reasonOf(error),
      });
    }
  }

  /** The jobs run and end well. */
  async function succeed(...kinds: string[]) {
    const { ledger, clock } = bench;
    for (const { id, kind } of await ledger.jobs.due(clock.now(), 99, 99)) {
      if (!kinds.includes(kind)) continue;
      await ledger.jobs.release([id], clock.now());
      const claimed = await ledger.jobs.claim(id, minute, clock.now());
      await ledger.jobs.finish(id, claimed?.token ?? '');
    }
  }

  const orders = ['a', 'b', 'c'].map(sync);
  const reconciliation = { kind: 'reconciliation', subject: 'tienda' } as const;

  it('is one alert with its reason, and none for each order, until its jobs succeed', async () => {
    bench = await openJobBench();
    await fail(timeout, ...orders);
    bench.advance(2 * minute - 1);
    await watchFailing(bench.deps);
    expect(bench.alerts).toEqual([]);
    bench.advance(1);
    // Ten failures in a row of one job are an alert of its own elsewhere.
    for (let n = 0; n < 9; n += 1) await fail(timeout);
    await watchFailing(bench.deps);
    await watchFailing(bench.deps);
    expect(bench.alerts).toEqual(['shop-not-answering']);
    expect((await bench.ledger.alerts.open())[0]).toMatchObject({
      subject: 'tienda',
      what: expect.stringMatching(/^La tienda tienda no responde: .* La tienda tardó\.$/),
    });
    await succeed('sync-order');
    const inTenMinutes = new Date(bench.clock.now().getTime() + 10 * minute);
    await bench.ledger.jobs.enqueue(job('d', { ...sync('d'), rateLimit: null, dueAt: inTenMinutes }));
    await watchFailing(bench.deps);
    expect(bench.alerts).toEqual(['shop-not-answering', 'shop-not-answering over']);
    // What waits for its next try goes now.
    expect((await bench.ledger.jobs.due(bench.clock.now(), 9, 9)).map(({ kind }) => kind)).toEqual([
      'sync-order',
    ]);
  });

  it('is known by its reconciliation alone', async () => {
    bench = await openJobBench();
    await fail(timeout, reconciliation);
    bench.advance(2 * minute);
    await watchFailing(bench.deps);
    expect(bench.alerts).toEqual(['shop-not-answering']);
  });

  it('is not one whose few orders fail, or whose orders fail for another reason', async () => {
    bench = await openJobBench();
    await fail(timeout, ...orders.slice(1));
    bench.advance(2 * minute);
    await watchFailing(bench.deps);
    expect(bench.alerts).toEqual([]);
    await fail(refused, ...orders, reconciliation);
    bench.advance(2 * minute);
    await watchFailing(bench.deps);
    expect(bench.alerts).toEqual([]);
  });

  it('keeps the alert of an order that fails for another reason', async () => {
    bench = await openJobBench();
    await fail(timeout, reconciliation);
    for (let n = 0; n < 10; n += 1) {
      await fail(timeout);
      await fail(refused, sync('a'));
    }
    bench.advance(2 * minute);
    await watchFailing(bench.deps);
    expect(bench.alerts).toContain('job-keeps-failing');
  });

  it('has no second alert for its missing reconciliation', async () => {
    bench = await openJobBench();
    const { ledger, store, clock, deps } = bench;
    await ledger.reconciliations.begin({ platform: store.platform.name, shop: store.shop }, clock.now());
    const freshness = openFreshnessWatch(deps);
    await fail(timeout, reconciliation);
    for (let hour = 0; hour < 4; hour += 1) {
      await watchFailing(deps);
      await freshness();
      bench.advance(60 * minute);
    }
    expect(bench.alerts).toEqual(['shop-not-answering']);
    await succeed('reconciliation');
    await watchFailing(deps);
    await freshness();
    expect(bench.alerts).toEqual(['shop-not-answering', 'shop-not-answering over', 'reconciliation-behind']);
  });
});
