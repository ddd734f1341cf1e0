import type { Order } from '../domain/order.ts';
import { owner } from '../domain/scope.ts';
import type { ShopKey } from '../ledger/sweep-tables.ts';
import { askSync } from './ask.ts';
import type { StepDeps } from './deps.ts';

/*
 * Without `invoiceFrom` a store's sales count from its first start on. One that was written by a clock that was ahead makes
 * history of every sale until then, so it is never believed where anybody who knows the time says that it is still to come.
 */

type FirstStartDeps = Pick<StepDeps, 'ledger' | 'clock' | 'log'>;

/** Clocks that differ by less are right. */
const toleratedMs = 60_000;
/** A store that has been here for longer has first readings nobody needs to look through. */
const youngMs = 30 * 24 * 3_600_000;

/**
 * Our clock is found to be `aheadMs` ahead, at an instant that is truly `now`: what it named as first start lies in the
 * future, and is moved by as much.
 * @param only of this shop, by its own clock, and whatever lies after `since`.
 */
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

/**
 * At the start nobody knows how far the clock was ahead; of a first start in the future, or after the ledger worked for it,
 * the earliest instant is taken that is known, and a person is told to look.
 */
export async function doubtFirstStarts(deps: FirstStartDeps & Pick<StepDeps, 'alerts'>): Promise<void> {
  const now = deps.clock.now().getTime();
  for (const one of await deps.ledger.stores.list()) {
    const first = Date.parse(one.firstStartedAt);
    if (first < now - youngMs) continue;
    const worked = Date.parse((await deps.ledger.days.firstTrace(one)) ?? one.firstStartedAt);
    const to = Math.min(first, worked, now);
    if (first - to <= toleratedMs) continue;
    await move(deps, one, new Date(to));
    await deps.alerts.raise({
      code: 'history-in-doubt',
      subject: one.id,
      about: owner.store(one.id),
      what: `La tienda ${one.id} empezó con un reloj adelantado: sus ventas se facturan ahora desde ${new Date(to).toISOString()}. Las pagadas poco antes pueden haber quedado sin factura.`,
      cure: 'Escriba en invoiceFrom el momento en que de verdad empezó y reinicie, o confirme que no falta ninguna venta.',
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
      await askSync(tables, { ...store, orderId, storeId }, now, null);
    return passed.length;
  });
  log.warn(
    { store: store.id, was: store.firstStartedAt, is: to, orders },
    'The first start of a store lay in the future; it was moved, and orders that were history by it are read again',
  );
}

const paidAt = (snapshot: unknown): Date => {
  const { paidAt, placedAt } = snapshot as Order;
  return new Date(paidAt ?? placedAt);
};
