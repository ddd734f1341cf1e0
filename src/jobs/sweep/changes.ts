import type { ChangesPage, ListedOrder } from '../../domain/listing.ts';
import type { Reading } from '../../ledger/shop-tables.ts';
import { moveFirstStarts } from '../first-start.ts';
import { isGone } from '../gone-order.ts';
import { type Listing, latest, openListing, placeBefore, resume, turnPage } from './progress.ts';
import type { SweepRun } from './run.ts';

/**
 * Reads the list of changed orders from where the last run left it and asks for those the ledger has not read.
 * Answers whether it came to the end. `since` (the shop's clock) starts it there instead, for people who ask.
 */
export async function sweepChanges(run: SweepRun, since?: Date): Promise<boolean> {
  const { deps, shop } = run;
  const { clock } = deps;
  const usual = startOf(run);
  let listing = since ? openListing(since) : openedOr(run.progress.changed, usual, clock.now());
  // A list that starts later than ours would leave a gap behind it: it finds orders, and moves nothing on.
  const counts = since === undefined || since <= usual;
  const mayCall = run.budget();
  while (mayCall()) {
    const askedAt = clock.now();
    const page = await shop.changedOrders({ since: new Date(listing.since), cursor: listing.cursor });
    const skewMs = measure(run, page, askedAt);
    await compareFirstStart(run, skewMs);
    if (since === undefined && startsTooLate(run, listing, skewMs)) {
      await run.record([], { skewMs });
      listing = openListing(startOf(run));
      continue;
    }
    listing = turnPage(listing, page, askedAt, skewMs);
    const unread = await unreadOf(run, page.rows, skewMs);
    if (page.next === null) {
      const ended = { changed: null, changedTo: nextStart(run, listing) };
      await run.record(unread, { skewMs, ...(counts && ended) }, counts ? askedAt : undefined);
      return true;
    }
    await run.record(unread, { skewMs, ...(since === undefined && { changed: listing }) });
  }
  return false;
}

/** By the shop's clock, as far as that is known: `from` is an instant of ours. */
export function startOf({ progress, deps, sweptTo }: SweepRun): Date {
  const { changedTo, from, skewMs } = progress;
  const skew = skewMs ?? 0;
  const start =
    changedTo === null
      ? Date.parse(from) + Math.min(skew, 0)
      : placeBefore(changedTo, deps.clock.now().getTime() + skew, sweptTo.getTime() + skew);
  return new Date(start - deps.timings.sweep.overlap);
}

export function openedOr(listing: Listing | null, since: Date, now: Date): Listing {
  return listing === null ? openListing(since) : resume(listing, now);
}

export async function unreadOf(
  run: SweepRun,
  rows: readonly ListedOrder[],
  skewMs: number,
): Promise<string[]> {
  const readings = await run.deps.ledger.orders.readings(
    run.key,
    rows.map(({ id }) => id),
  );
  return unreadOrders(rows, readings, skewMs);
}

const minute = 60_000;
const day = 24 * 60 * minute;

/** How far the shop's clock is ahead; a date that cannot be a clock (a page out of a cache) tells nothing. */
function measure({ deps, store, progress }: SweepRun, { asOf }: ChangesPage, askedAt: Date): number {
  const before = progress.skewMs ?? 0;
  const between = (askedAt.getTime() + deps.clock.now().getTime()) / 2;
  // Clocks in headers are cut to the second.
  const skewMs = asOf === null ? before : Math.round(asOf.getTime() + 500 - between);
  if (Math.abs(skewMs) > day) return before;
  if (Math.abs(skewMs) >= minute && Math.abs(skewMs - before) >= minute)
    deps.log.warn(
      { store: store.id, skewMs },
      'The shop’s clock differs from ours; the sweep goes by the shop’s',
    );
  return skewMs;
}

/**
 * A store's first start is compared with times that its shop writes. Where the shop tells its time for the first time,
 * one that is past by now was written by the clock that is ahead as well.
 */
async function compareFirstStart({ deps, key, progress }: SweepRun, skewMs: number): Promise<void> {
  if (skewMs > -minute) return;
  const now = new Date(deps.clock.now().getTime() + skewMs);
  const since = progress.skewMs === null ? new Date(now.getTime() - day) : now;
  await moveFirstStarts(deps, { now, aheadMs: -skewMs, only: { ...key, since } });
}

/** The list was opened by what was known of the shop's clock, the very first one by ours; and that turns out to be behind. */
function startsTooLate({ progress }: SweepRun, listing: Listing, skewMs: number): boolean {
  const before = progress.skewMs ?? 0;
  const opened = progress.changedTo === null ? Math.min(before, 0) : before;
  return listing.pages === 0 && skewMs <= opened - minute;
}

/**
 * From the newest change on, by the clock that wrote it. Where that would list many pages again and again (thousands
 * of orders edited at once in a shop that is quiet since), or lies in the future, from when this listing began.
 */
function nextStart({ progress }: SweepRun, { newest, pages, begun }: Listing): string | null {
  // A place that lies in the future no longer counts.
  const before =
    begun !== null && progress.changedTo !== null && progress.changedTo > begun ? null : progress.changedTo;
  const start = latest([newest, before]);
  if (start === null || begun === null) return null;
  return pages > 1 || start > begun ? begun : start;
}

/** Platforms write the time of a change in whole seconds, and the shop's clock is known to about one. */
const samePointMs = 2_000;

/** Of the listed orders, the ids of those the ledger has not read in this state. */
function unreadOrders(rows: readonly ListedOrder[], readings: readonly Reading[], skewMs: number): string[] {
  const byId = new Map(readings.map((reading) => [reading.orderId, reading]));
  const unread = rows.filter((row) => !isRead(row, byId.get(row.id), skewMs));
  return [...new Set(unread.map(({ id }) => id))];
}

/**
 * A list that lags behind what was read since costs one more reading. A refund that was deleted leaves the order's time as it was
 * (WooCommerce), and an order may change once more in the second in which it was read.
 */
function isRead(row: ListedOrder, reading: Reading | undefined, skewMs: number): boolean {
  // A shop that did not find an order of its own for a while has it again, and its time is the same.
  if (reading === undefined || isGone(reading)) return false;
  const changed = Date.parse(row.updatedAt);
  const known = Date.parse(reading.sourceUpdatedAt);
  // Another time is another state: a clock that was put right, or a restore, makes newer ones look older.
  if (known !== changed) return false;
  const sameRefunds = row.refunds === null || isSame(row.refunds, reading.refunds);
  const readAt = Date.parse(reading.syncedAt) + skewMs;
  return sameRefunds && Math.abs(readAt - changed) >= samePointMs;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id) => other.includes(id));
}
