import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ShopError } from '../../src/domain/errors.ts';
import { type ClaimedJob, done, type JobHandler } from '../../src/domain/job.ts';
import { shopConnected, whileConnected } from '../../src/jobs/connection.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

const gone = new ShopError(
  'shop-gone',
  { says: 'La tienda quitó la app.' },
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

  const job = { storeId: 'tienda' } as ClaimedJob;
  const failing: JobHandler = () => Promise.reject(gone);
  const fine: JobHandler = async () => done;

  test('wait without failing, and people are alerted once', async () => {
    const connected = whileConnected(bench.deps);
    for (const step of [failing, failing, failing])
      expect(await connected(step, true)(job)).toEqual({
        kind: 'again',
        dueAt: new Date(bench.clock.now().getTime() + 6 * hour),
        reason: 'La tienda quitó la app.',
      });
    expect(bench.alerts).toEqual(['shop-not-connected']);
  });

  test('goes on as a whole when one that asks the shop gets through', async () => {
    const connected = whileConnected(bench.deps);
    await connected(failing, true)(job);
    await bench.ledger.jobs.enqueue({
      kind: 'sync-order',
      subject: 'waits',
      storeId: 'tienda',
      rateLimit: null,
      priority: 5,
      dueAt: new Date(bench.clock.now().getTime() + 6 * hour),
    });
    // One that never asks the shop does not count.
    await connected(fine, false)(job);
    expect(bench.alerts).toEqual(['shop-not-connected']);
    await connected(fine, true)(job);
    expect(bench.alerts).toEqual(['shop-not-connected', 'shop-not-connected over']);
    expect(await bench.ledger.jobs.due(bench.clock.now(), 9, 9)).toHaveLength(1);
  });

  test('an alert of an earlier process ends all the same', async () => {
    const alert = { code: 'shop-not-connected', subject: 'tienda', params: { reason: 'x' } } as const;
    await bench.ledger.alerts.raise(alert, bench.clock.now());
    const connected = whileConnected(bench.deps);
    await connected(fine, true)(job);
    expect(bench.alerts).toEqual(['shop-not-connected over']);
  });

  test('other failures are thrown as they are', async () => {
    const other = new ShopError('busy', { says: 'Ocupada.' }, { retryable: true });
    await expect(whileConnected(bench.deps)(() => Promise.reject(other), true)(job)).rejects.toBe(other);
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
