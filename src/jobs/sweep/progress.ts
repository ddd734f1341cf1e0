import { ecuadorDay, startOfEcuadorDay } from '../../domain/calendar.ts';
import type { ListPage } from '../../domain/listing.ts';

const minute = 60_000;

/** Where the sweep of one shop stands (ledger, `sweeps.progress`). Instants are ISO texts. */
export interface Progress {
  /** What changed before is not looked for: `invoiceFrom`, by our clock. */
  from: string;
  /** How far the shop's clock is ahead of ours, milliseconds; null before its first answer. */
  skewMs: number | null;
  /** By the shop's clock: the next listing of changes starts here, less the overlap. Null before the first ended. */
  changedTo: string | null;
  /** The listing of changes that is under way. */
  changed: Listing | null;
  refundsTo: string | null;
  refunds: Listing | null;
  /** By our clock: when the listing of refunds last began, and when all known orders were last looked at. */
  refundsAt: string | null;
  reviewedAt: string;
  /** The order up to which the look at all known ones has come. */
  review: { sourceUpdatedAt: string; orderId: string } | null;
}

/** A list that is read page by page, perhaps over several runs. */
export interface Listing {
  since: string;
  cursor: string | null;
  /** The newest change seen. */
  newest: string | null;
  pages: number;
  /** The shop's instant at its first page. */
  begun: string | null;
  /** Ours at the last one. */
  readAt: string | null;
}

export function firstProgress(from: Date, now: Date): Progress {
  return {
    from: from.toISOString(),
    skewMs: null,
    changedTo: null,
    changed: null,
    refundsTo: null,
    refunds: null,
    refundsAt: null,
    reviewedAt: now.toISOString(),
    review: null,
  };
}

/** Marks of ours that lie in the future were made by a clock that was ahead, and say nothing: what they put off is due. */
export function notAhead(progress: Progress, now: Date): Progress {
  const isAhead = (instant: string | null) =>
    instant !== null && Date.parse(instant) > now.getTime() + minute;
  const { refundsAt, reviewedAt } = progress;
  return {
    ...progress,
    refundsAt: isAhead(refundsAt) ? null : refundsAt,
    reviewedAt: isAhead(reviewedAt) ? new Date(now.getTime() - 24 * 60 * minute).toISOString() : reviewedAt,
  };
}

/**
 * A place in a list, which the shop's clock wrote: where that was ahead when it did, what changed since bears earlier times.
 * Then the list is read from where ours says that everything was known.
 * @param shopNow what the shop's clock says now.
 * @param knownTo until when all of the list was known, in the time of `shopNow`.
 */
export const placeBefore = (place: string, shopNow: number, knownTo: number): number =>
  Date.parse(place) > shopNow + minute ? Math.min(knownTo, shopNow) : Date.parse(place);

export function openListing(since: Date): Listing {
  return { since: since.toISOString(), cursor: null, newest: null, pages: 0, begun: null, readAt: null };
}

/** A platform need not know its cursors for longer; the list is then opened anew where it was left. */
const cursorKeepsMs = 60 * 60_000;

/** A listing to go on with; what was read of it counts, even when its cursor is too old. */
export function resume(listing: Listing, now: Date): Listing {
  const age = listing.readAt === null ? Number.NaN : now.getTime() - Date.parse(listing.readAt);
  const old = !(age >= 0 && age <= cursorKeepsMs);
  return old ? { ...listing, since: listing.newest ?? listing.since, cursor: null } : listing;
}

/** The listing after a page; `skewMs` is how far the shop's clock is ahead of ours. */
export function turnPage(
  listing: Listing,
  { rows, next }: ListPage<object & { updatedAt?: string }>,
  readAt: Date,
  skewMs: number,
): Listing {
  return {
    ...listing,
    cursor: next,
    newest: latest([listing.newest, ...rows.map((row) => row.updatedAt ?? null)]),
    pages: listing.pages + 1,
    begun: listing.begun ?? new Date(readAt.getTime() + skewMs).toISOString(),
    readAt: readAt.toISOString(),
  };
}

export function latest(instants: readonly (string | null)[]): string | null {
  const times = instants.flatMap((text) => (text === null ? [] : [Date.parse(text)]));
  return times.length === 0 ? null : new Date(Math.max(...times)).toISOString();
}

/** Three in the morning in Ecuador, the first time after this instant. */
export function nextNight(after: Date): Date {
  const three = 3 * 3_600_000;
  const today = startOfEcuadorDay(ecuadorDay(after)).getTime() + three;
  return new Date(today > after.getTime() ? today : today + 24 * 3_600_000);
}
