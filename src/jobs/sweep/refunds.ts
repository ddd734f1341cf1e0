import type { ListedRefund } from '../../domain/listing.ts';
import { openedOr, startOf } from './changes.ts';
import { placeBefore, turnPage } from './progress.ts';
import type { SweepRun } from './run.ts';

/**
 * Reads the shop's own list of refunds now and then: a refund that did not change its order's time stands in no
 * other. Answers whether it came to the end. Its place is told by the shop's clock, which the list of changes tells.
 */
export async function sweepRefunds(run: SweepRun): Promise<boolean> {
  const { deps, shop, progress } = run;
  const { clock, timings } = deps;
  if (progress.skewMs === null) return false;
  const { refundsAt, refundsTo } = progress;
  const isDue = refundsAt === null || clock.now().getTime() - Date.parse(refundsAt) >= timings.sweep.refunds;
  if (progress.refunds === null && !isDue) return true;
  const skewMs = progress.skewMs;
  const knownTo = refundsAt === null ? run.sweptTo.getTime() : Date.parse(refundsAt);
  const place = (to: string) =>
    placeBefore(to, clock.now().getTime() + skewMs, knownTo + skewMs) - timings.sweep.overlap;
  const since = refundsTo === null ? startOf(run) : new Date(place(refundsTo));
  let listing = openedOr(progress.refunds, since, clock.now());
  const mayCall = run.budget();
  while (mayCall()) {
    const askedAt = clock.now();
    const page = await shop.newRefunds({ since: new Date(listing.since), cursor: listing.cursor });
    listing = turnPage(listing, page, askedAt, progress.skewMs);
    const unread = await ordersOfUnread(run, page.rows);
    if (page.next === null) {
      const ended = { refunds: null, refundsTo: listing.begun, refundsAt: askedAt.toISOString() };
      await run.record(unread, ended);
      return true;
    }
    await run.record(unread, { refunds: listing });
  }
  return false;
}

async function ordersOfUnread(run: SweepRun, rows: readonly ListedRefund[]): Promise<string[]> {
  const orderIds = [...new Set(rows.map(({ orderId }) => orderId))];
  const readings = await run.deps.ledger.orders.readings(run.key, orderIds);
  const known = new Set(readings.flatMap((one) => one.refunds.map((id) => `${one.orderId} ${id}`)));
  const unread = rows.filter(({ id, orderId }) => !known.has(`${orderId} ${id}`));
  return [...new Set(unread.map(({ orderId }) => orderId))];
}
