import { ecuadorDay, startOfEcuadorDay } from '../../domain/clock.ts';
import { IntegrityError } from '../../domain/errors.ts';
import {
  type Behind,
  failedLists,
  type ListedOrder,
  type ListPage,
  type ReconciliationList,
  reconciliationLists,
} from '../../domain/listing.ts';
import type { Shop } from '../../domain/platform.ts';
import type { Store } from '../../domain/settings.ts';
import type { ReconciliationRow, ShopKey } from '../../ledger/schema.ts';
import type { JobDeps } from '../deps.ts';
import { enqueueSync } from '../enqueue.ts';
import { listedDeliveries } from '../read-order.ts';

export type UnreadOrder = Pick<ListedOrder, 'id'> | ListedOrder;

/** How far a run came with a list. A list that is not due has ended. */
export type ListEnd = 'ended' | 'goes-on' | 'failed';

export type ReconciliationDeps = Pick<JobDeps, 'ledger' | 'clock' | 'log' | 'timings' | 'invoiceFrom'>;

export interface ReconciliationRun {
  deps: ReconciliationDeps;
  store: Store;
  shop: Shop;
  key: ShopKey;
  readonly progress: Progress;
  /** By our clock: all changes of the shop are known until then. */
  readonly reconciledTo: Date;
  readonly calls: number;
  /** One transaction; `changesTo`: changes are known until then. @throws IntegrityError `busy-elsewhere`. */
  record(orders: readonly UnreadOrder[], progress: Partial<Progress>, changesTo?: Date): Promise<void>;
  /** Only if all ended, the changes of the shop are known until this run. */
  close(ends: Readonly<Record<ReconciliationList, ListEnd>>): Promise<void>;
  readonly failedBefore: readonly ReconciliationList[];
  readonly asked: number;
}

export async function openRun(
  deps: ReconciliationDeps,
  { store, shop, calls }: { store: Store; shop: Shop; calls: number },
): Promise<ReconciliationRun> {
  const key = { platform: store.platform.name, shop: store.shop };
  const now = deps.clock.now();
  await beginReconciliation(deps, store);
  const found = await deps.ledger.reconciliations.get<Progress>(key);
  if (!found) throw new RangeError('A reconciliation that was begun is not there.');
  let row = startingAt(found, deps.invoiceFrom(store), now);
  let asked = 0;
  let changesTo: Date | undefined;

  async function save(next: typeof row, orders: readonly UnreadOrder[] = []): Promise<void> {
    const saved = await deps.ledger.transaction(async (tables) => {
      if (!(await tables.reconciliations.save(key, next))) return false;
      const dueAt = deps.clock.now();
      const listed = orders.filter((one) => 'updatedAt' in one);
      await tables.deliveries.keep(listedDeliveries(store, listed, dueAt));
      for (const { id: orderId } of orders)
        await enqueueSync(tables, { ...key, orderId, storeId: store.id }, dueAt, null);
      return true;
    });
    if (!saved) throw overtaken(store.id);
    row = { ...next, version: next.version + 1 };
    asked += orders.length;
  }

  return {
    deps,
    store,
    shop,
    key,
    get progress() {
      return row.progress;
    },
    get reconciledTo() {
      return new Date(row.reconciledTo);
    },
    get asked() {
      return asked;
    },
    calls,
    failedBefore: failedLists(row.behind),
    async record(orders, progress, to) {
      await save({ ...row, progress: { ...row.progress, ...progress } }, orders);
      changesTo = to ?? changesTo;
    },
    async close(ends) {
      const behind = behindOf(ends, row.behind, deps.clock.now().toISOString());
      const [behindSince = null] = Object.values(behind)
        .map(({ since }) => since)
        .sort();
      const reconciledTo = (behindSince === null ? changesTo?.toISOString() : null) ?? row.reconciledTo;
      await save({ ...row, reconciledTo, behindSince, behind });
    },
  };
}

function behindOf(ends: Readonly<Record<ReconciliationList, ListEnd>>, before: Behind, now: string): Behind {
  const late = reconciliationLists.filter((list) => ends[list] !== 'ended');
  const stood = (list: ReconciliationList) => ({
    since: before[list]?.since ?? now,
    failed: ends[list] === 'failed',
  });
  return Object.fromEntries(late.map((list) => [list, stood(list)]));
}

export function beginReconciliation(
  { ledger, clock, invoiceFrom }: ReconciliationDeps,
  store: Store,
): Promise<void> {
  const from = Math.min(invoiceFrom(store).getTime(), clock.now().getTime());
  return ledger.reconciliations.begin({ platform: store.platform.name, shop: store.shop }, new Date(from));
}

/** With an earlier `invoiceFrom` than before the search begins again there. */
function startingAt(
  row: ReconciliationRow<Progress>,
  from: Date,
  now: Date,
): ReconciliationRow<Progress> & { progress: Progress } {
  const { progress } = row;
  if (progress !== null && Date.parse(progress.from) <= from.getTime())
    return { ...row, progress: notAhead(progress, now) };
  const first = firstProgress(from, now);
  if (progress === null) return { ...row, progress: first };
  const { reviewedAt, skewMs } = progress;
  return { ...row, reconciledTo: from.toISOString(), progress: { ...first, reviewedAt, skewMs } };
}

function overtaken(store: string): IntegrityError {
  return new IntegrityError('busy-elsewhere', { why: 'list', store });
}

const minute = 60_000;

/** In the ledger as `reconciliations.progress`. Instants are ISO texts. */
export interface Progress {
  /** By our clock: earlier changes are not searched for (`invoiceFrom`). */
  from: string;
  /** How far the shop's clock is ahead of ours, milliseconds; null before its first answer. */
  skewMs: number | null;
  /** By the shop's clock: where the next list of changes starts, less the overlap. Null before the first ended. */
  changedTo: string | null;
  changed: Listing | null;
  refundsTo: string | null;
  refunds: Listing | null;
  /** By our clock. */
  refundsAt: string | null;
  reviewedAt: string;
  review: { sourceUpdatedAt: string; orderId: string } | null;
}

export interface Listing {
  since: string;
  cursor: string | null;
  newest: string | null;
  pages: number;
  /** The shop's instant at its first page. */
  begun: string | null;
  /** Ours at the last one. */
  readAt: string | null;
}

function firstProgress(from: Date, now: Date): Progress {
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

/** Marks in the future are of a clock that was ahead: what they postpone is due. */
function notAhead(progress: Progress, now: Date): Progress {
  const isAhead = (instant: string | null) =>
    instant !== null && Date.parse(instant) > now.getTime() + minute;
  const { refundsAt, reviewedAt } = progress;
  return {
    ...progress,
    refundsAt: isAhead(refundsAt) ? null : refundsAt,
    reviewedAt: isAhead(reviewedAt) ? new Date(now.getTime() - 24 * 60 * minute).toISOString() : reviewedAt,
  };
}

/** By the shop's clock. If it was ahead, later changes have earlier times: the list is read from `knownTo` on. */
export const placeBefore = (place: string, shopNow: number, knownTo: number): number =>
  Date.parse(place) > shopNow + minute ? Math.min(knownTo, shopNow) : Date.parse(place);

export function openListing(since: Date): Listing {
  return { since: since.toISOString(), cursor: null, newest: null, pages: 0, begun: null, readAt: null };
}

/** How long a platform keeps its cursors; after that the list is read again from the newest change. */
const cursorKeepsMs = 60 * 60_000;

export function resume(listing: Listing, now: Date): Listing {
  const age = listing.readAt === null ? Number.NaN : now.getTime() - Date.parse(listing.readAt);
  const old = !(age >= 0 && age <= cursorKeepsMs);
  return old ? { ...listing, since: listing.newest ?? listing.since, cursor: null } : listing;
}

/** `skewMs`: how far the shop's clock is ahead of ours. */
export function nextPage(
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
