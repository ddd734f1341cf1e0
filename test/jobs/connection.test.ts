import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ShopError } from '../../src/domain/errors.ts';
import { type ClaimedJob, done, type JobHandler } from '../../src/domain/job.ts';
import { shopConnected } from '../../src/jobs/connection.ts';
import { openRunJob } from '../../src/jobs/run-job.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

const gone = new ShopError(
  'shop-gone',
  { message: 'La tienda quitó la app.' },
  {
    retryable: false,
    disconnected: true,
  },
);
const hour = 3_600_000;

describe('jobs of a shop that no longer gives access', () => {
  let bench: JobBench;
  beforeEach(async () => {
    bench = await openJobBench();
  });
  afterEach(() => bench?.close());

  const [sync, write] = (['sync-order', 'write-back'] as const).map(
    (kind) => ({ kind, storeId: 'tienda' }) as ClaimedJob,
  ) as [ClaimedJob, ClaimedJob];
  /** A process whose handlers all do this. */
  function process(handle: JobHandler) {
    let now = handle;
    const all = { 'sync-order': (job: ClaimedJob) => now(job), 'write-back': (job: ClaimedJob) => now(job) };
    const run = openRunJob(bench.deps, all);
    return {
      run,
      does: (other: JobHandler) => {
        now = other;
      },
    };
  }
  const failing: JobHandler = () => Promise.reject(gone);
  const fine: JobHandler = async () => done;

  test('wait without failing, and people are alerted once', async () => {
    const { run } = process(failing);
    for (const job of [sync, write, sync])
      expect(await run(job)).toEqual({
        kind: 'again',
        dueAt: new Date(bench.clock.now().getTime() + 6 * hour),
        reason: 'La tienda quitó la app.',
      });
    expect(bench.alerts).toEqual(['shop-not-connected']);
  });

  test('goes on as a whole when one that asks the shop gets through', async () => {
    const { run, does } = process(failing);
    await run(sync);
    await bench.ledger.jobs.enqueue({
      kind: 'sync-order',
      subject: 'waits',
      storeId: 'tienda',
      rateLimit: null,
      priority: 5,
      dueAt: new Date(bench.clock.now().getTime() + 6 * hour),
    });
    // One that never asks the shop does not count.
    does(fine);
    await run(write);
    expect(bench.alerts).toEqual(['shop-not-connected']);
    await run(sync);
    expect(bench.alerts).toEqual(['shop-not-connected', 'shop-not-connected over']);
    expect(await bench.ledger.jobs.due(bench.clock.now(), 9, 9)).toHaveLength(1);
  });

  test('an alert of an earlier process ends all the same', async () => {
    const alert = { code: 'shop-not-connected', subject: 'tienda', params: { reason: 'x' } } as const;
    await bench.ledger.alerts.raise(alert, bench.clock.now());
    await process(fine).run(sync);
    expect(bench.alerts).toEqual(['shop-not-connected over']);
  });

  test('other failures are thrown as they are', async () => {
    const other = new ShopError('busy', { message: 'Ocupada.' }, { retryable: true });
    await expect(process(() => Promise.reject(other)).run(sync)).rejects.toBe(other);
    expect(bench.alerts).toEqual([]);
  });

  test('is woken by the merchant who connects it again, and searched at once', async () => {
    const { platform, shop } = bench.store;
    expect(await shopConnected(bench.deps, platform.name, shop)).toBe('tienda');
    expect((await bench.ledger.jobs.due(bench.clock.now(), 9, 9)).map(({ kind }) => kind)).toEqual([
      'reconciliation',
    ]);
  });
});

test('a shop that connects and has no store counts as known from then on', async () => {
  const bench = await openJobBench();
  try {
    const deps = { ...bench.deps, storeOf: () => undefined };
    expect(await shopConnected(deps, 'shopify', 'nueva.myshopify.com')).toBeNull();
    expect(bench.alerts).toEqual(['shop-without-store']);
    const connectedAt = bench.clock.now();
    bench.advance(24 * hour);
    const { firstStartedAt } = await bench.ledger.stores.register({
      id: 'nueva',
      platform: 'shopify',
      shop: 'nueva.myshopify.com',
      now: bench.clock.now(),
    });
    expect(firstStartedAt).toBe(connectedAt.toISOString());
  } finally {
    await bench.close();
  }
});
