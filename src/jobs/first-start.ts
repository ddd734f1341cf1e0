import type { Order } from '../domain/order.ts';
import { owner } from '../domain/settings.ts';
import type { ShopKey } from '../ledger/schema.ts';
import type { JobDeps } from './deps.ts';
import { enqueueSync } from './enqueue.ts';

/* A first start by a clock that was ahead would leave out every sale until then, so it is moved to the true instant. */

type FirstStartDeps = Pick<JobDeps, 'ledger' | 'clock' | 'log'>;

/** Clocks that differ by less count as right. */
const toleratedMs = 60_000;
const youngMs = 30 * 24 * 3_600_000;

/** `aheadMs`: how far our clock is ahead at the true instant `now`. `only`: that of this shop, if it lies after `since`. */
export async function moveFirstStarts(
  deps: FirstStartDeps,
  { now, aheadMs, only }: { now: Date; aheadMs: number; only?: ShopKey & { since: Date } },
): Promise<void> {
  for (const one of await deps.ledger.stores.list()) {
    if (only && (one.platform !== only.platform || one.shop !== only.shop)) continue;
    const first = Date.parse(one.firstStartedAt);
    if (first > (only?.since ?? now).getTime()) await move(deps, one, new Date(first - aheadMs));
  }
}

/** Moved to the earliest known instant, with an alert, because it is unknown how far the clock was ahead. */
export async function questionFirstStarts(deps: FirstStartDeps & Pick<JobDeps, 'alerts'>): Promise<void> {
  const now = deps.clock.now().getTime();
  for (const one of await deps.ledger.stores.list()) {
    const first = Date.parse(one.firstStartedAt);
    if (first < now - youngMs) continue;
    const worked = Date.parse((await deps.ledger.days.firstRecord(one)) ?? one.firstStartedAt);
    const to = Math.min(first, worked, now);
    if (first - to <= toleratedMs) continue;
    await move(deps, one, new Date(to));
    await deps.alerts.raise({
      code: 'history-unclear',
      subject: one.id,
      about: owner.store(one.id),
      params: { store: one.id, from: new Date(to).toISOString() },
    });
  }
}

type Started = ShopKey & { id: string; firstStartedAt: string };

async function move({ ledger, clock, log }: FirstStartDeps, store: Started, to: Date): Promise<void> {
  const now = clock.now();
  const orders = await ledger.transaction(async (tables) => {
    await tables.stores.moveFirstStart(store, to);
    const passed = (await tables.orders.readAsHistory(store)).filter((one) => paidAt(one.snapshot) >= to);
    for (const { orderId, storeId } of passed)
      await enqueueSync(tables, { ...store, orderId, storeId }, now, null);
    return passed.length;
  });
  log.warn(
    { store: store.id, was: store.firstStartedAt, is: to, orders },
    'The first start of a store was in the future; it was moved, and the orders before it are read again',
  );
}

const paidAt = (snapshot: unknown): Date => {
  const { paidAt, placedAt } = snapshot as Order;
  return new Date(paidAt ?? placedAt);
};
