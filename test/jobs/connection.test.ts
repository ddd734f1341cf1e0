import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ShopError } from '../../src/domain/errors.ts';
import { type ClaimedWork, done, type Step } from '../../src/domain/work.ts';
import { shopConnected, whileConnected } from '../../src/jobs/connection.ts';
import { openSteps, type StepBench } from '../support/steps.ts';

const gone = new ShopError('shop-gone', 'La tienda quitó la app.', 'Uninstalled.', {
  retryable: false,
  disconnected: true,
});
const hour = 3_600_000;

describe('work of a shop that no longer lets us in', () => {
  let bench: StepBench;
  beforeEach(async () => {
    bench = await openSteps();
  });
  afterEach(() => bench?.close());

  const work = { storeId: 'tienda' } as ClaimedWork;
  const failing: Step = () => Promise.reject(gone);
  const fine: Step = async () => done;

  test('waits without failing, and a person is told once', async () => {
    const connected = whileConnected(bench.deps);
    for (const step of [failing, failing, failing])
      expect(await connected(step, true)(work)).toEqual({
        kind: 'again',
        dueAt: new Date(bench.clock.now().getTime() + 6 * hour),
        reason: 'La tienda quitó la app.',
      });
    expect(bench.alerts).toEqual(['shop-disconnected']);
  });

  test('goes on as a whole when one that asks the shop gets through', async () => {
    const connected = whileConnected(bench.deps);
    await connected(failing, true)(work);
    await bench.ledger.work.ask({
      kind: 'sync-order',
      subject: 'waits',
      storeId: 'tienda',
      budget: null,
      priority: 5,
      dueAt: new Date(bench.clock.now().getTime() + 6 * hour),
    });
    // One that never asks the shop proves nothing.
    await connected(fine, false)(work);
    expect(bench.alerts).toEqual(['shop-disconnected']);
    await connected(fine, true)(work);
    expect(bench.alerts).toEqual(['shop-disconnected', 'shop-disconnected over']);
    expect(await bench.ledger.work.due(bench.clock.now(), 9, 9)).toHaveLength(1);
  });

  test('that a process before this one told of is over all the same', async () => {
    const alert = { code: 'shop-disconnected', subject: 'tienda', what: 'x', cure: 'y' };
    await bench.ledger.alerts.raise(alert, bench.clock.now());
    const connected = whileConnected(bench.deps);
    await connected(fine, true)(work);
    expect(bench.alerts).toEqual(['shop-disconnected over']);
  });

  test('other failures are thrown as they are', async () => {
    const other = new ShopError('busy', 'Ocupada.', 'Busy.', { retryable: true });
    await expect(whileConnected(bench.deps)(() => Promise.reject(other), true)(work)).rejects.toBe(other);
    expect(bench.alerts).toEqual([]);
  });

  test('is woken by the merchant who connects it again, and searched at once', async () => {
    const { platform, shop } = bench.store;
    expect(await shopConnected(bench.deps, platform.name, shop)).toBe('tienda');
    expect((await bench.ledger.work.due(bench.clock.now(), 9, 9)).map(({ kind }) => kind)).toEqual(['sweep']);
  });
});

test('a shop that connects and has no store counts as known from then on', async () => {
  const bench = await openSteps();
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
