import { mostListed } from '../../domain/listing.ts';
import type { Reading } from '../../ledger/shop-tables.ts';
import { unreadOf } from './changes.ts';
import { nextNight } from './progress.ts';
import type { SweepRun } from './run.ts';

/**
 * Each night, looks at the orders the ledger has read lately: an order in the trash or deleted, and a refund that was
 * deleted, change nothing a list of changes could show (measured on WooCommerce 11.0.1). Answers whether it came to
 * the end.
 */
export async function reviewOrders(run: SweepRun): Promise<boolean> {
  const { deps, key, shop, progress } = run;
  const { clock, ledger, timings } = deps;
  if (progress.review === null && clock.now() < nextNight(new Date(progress.reviewedAt))) return true;
  let after = progress.review ?? {
    sourceUpdatedAt: new Date(clock.now().getTime() - timings.sweep.lookBack).toISOString(),
    orderId: '',
  };
  const mayCall = run.budget();
  while (mayCall()) {
    const known = await ledger.orders.changedAfter(key, after, mostListed);
    const listed = known.length === 0 ? [] : await shop.listOrders(known.map(({ orderId }) => orderId));
    const there = new Set(listed.map(({ id }) => id));
    const gone = known.filter((one) => !there.has(one.orderId) && mattersWhenGone(one));
    const ids = [...(await unreadOf(run, listed, progress.skewMs ?? 0)), ...gone.map((one) => one.orderId)];
    const last = known.at(-1);
    if (last === undefined || known.length < mostListed) {
      await run.record(ids, { review: null, reviewedAt: clock.now().toISOString() });
      return true;
    }
    after = { sourceUpdatedAt: last.sourceUpdatedAt, orderId: last.orderId };
    await run.record(ids, { review: after });
  }
  return false;
}

/** The rest was taken note of, or was never placed. */
function mattersWhenGone({ settlement }: Reading): boolean {
  return settlement !== 'cancelled' && settlement !== 'draft';
}
