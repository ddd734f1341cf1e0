import { IntegrityError, LedgerError } from '../../domain/errors.ts';
import { done, readShopSubject, reconciliationsAtOnce, shopSubject } from '../../domain/job.ts';
import {
  type ChangesPage,
  isListedAs,
  type ListedOrder,
  type ListedRefund,
  mostListed,
  type ReconciliationList,
} from '../../domain/listing.ts';
import { isGone } from '../../domain/order.ts';
import type { Shop } from '../../domain/platform.ts';
import type { Store } from '../../domain/settings.ts';
import type { Tables } from '../../ledger/ledger.ts';
import type { Reading } from '../../ledger/orders.ts';
import { again, type Handler, isSilent, type JobDeps, priorities, unknownStore } from '../deps.ts';
import { whileHeld } from '../verify-shop.ts';
import {
  beginReconciliation,
  type ListEnd,
  type Listing,
  latest,
  nextNight,
  nextPage,
  openListing,
  openRun,
  placeBefore,
  type ReconciliationDeps,
  type ReconciliationRun,
  resume,
  type UnreadOrder,
} from './run.ts';

const goesOnMs = 100;
const lonelyMs = 24 * 3_600_000;

/** Finds what no webhook reported. Each shop has one such job, which enqueues itself again. */
export function reconciliation(deps: JobDeps): Handler {
  let running = 0;
  const unended = new Map<string, number>();
  return async (job) => {
    const key = readShopSubject(job.subject);
    const store = deps.storeOf(key.platform, key.shop);
    if (!store) return unknownStore(key, () => isSilent(deps, key, lonelyMs));
    const held = await whileHeld(deps, key);
    if (held) return held;
    // The shop is reconciled under the other name it has by now.
    if (store.shop !== key.shop) return done;
    const shop = deps.shop(store);
    if (!shop) {
      deps.log.info({ store: store.id }, 'The store is configured without API access; it is not reconciled');
      return done;
    }
    if (running >= reconciliationsAtOnce)
      return again(deps.clock, 2_000 + 4_000 * Math.random(), 'other shops are being reconciled');
    running += 1;
    try {
      const { ended } = await reconcileOnce(deps, store, shop);
      const times = ended ? 0 : (unended.get(store.id) ?? 0) + 1;
      unended.set(store.id, times);
      await enqueueReconciliation(
        deps.ledger,
        store,
        ended ? nextReconciliation(deps) : goesOnAt(deps, times),
      );
      return done;
    } finally {
      running -= 1;
    }
  };
}

export interface ReconciliationEnd {
  ended: boolean;
  asked: number;
  failed: ReadonlyMap<ReconciliationList, unknown>;
}

/** An error of the list of changes is thrown at the end; another list is tried again with the next run. */
export async function reconcileOnce(
  deps: ReconciliationDeps,
  store: Store,
  shop: Shop,
  { since, calls = deps.timings.reconciliation.calls }: { since?: Date; calls?: number } = {},
): Promise<ReconciliationEnd> {
  const run = await openRun(deps, { store, shop, calls });
  const failed = new Map<ReconciliationList, unknown>();
  const read = async (list: ReconciliationList, toEnd: () => Promise<boolean>): Promise<ListEnd> => {
    try {
      return (await toEnd()) ? 'ended' : 'goes-on';
    } catch (error) {
      // It is not the shop: another process reconciles it, or the ledger cannot be read.
      if (error instanceof IntegrityError || error instanceof LedgerError) throw error;
      failed.set(list, error);
      return 'failed';
    }
  };
  const ends = {
    changes: await read('changes', () => readChanges(run, since)),
    refunds: await read('refunds', () => readRefunds(run)),
    review: await read('review', () => reviewOrders(run)),
  };
  const { failedBefore } = run;
  await run.close(ends);
  if (failed.has('changes')) throw failed.get('changes');
  const { asked } = run;
  const ended = !Object.values(ends).includes('goes-on');
  const about = { store: store.id, asked };
  for (const [list, err] of failed) {
    if (!failedBefore.includes(list))
      deps.log.warn({ ...about, list, err }, 'A list of the shop could not be read; it is tried again');
  }
  if (!ended)
    deps.log.warn(
      { ...about, calls },
      'The reconciliation used up its calls before its lists ended; it goes on',
    );
  else if (asked > 0) deps.log.info(about, 'The reconciliation found orders without a webhook');
  return { ended, asked, failed };
}

const reconciliationSubject = ({ platform, shop }: Store): string =>
  shopSubject({ platform: platform.name, shop });

export function enqueueReconciliation(
  tables: Pick<Tables, 'jobs'>,
  store: Store,
  dueAt: Date,
): Promise<void> {
  return tables.jobs.enqueue({
    kind: 'reconciliation',
    subject: reconciliationSubject(store),
    storeId: store.id,
    rateLimit: null,
    priority: priorities.download,
    dueAt,
    trace: null,
  });
}

/** A store with an earlier run begins at once, because its webhooks were lost meanwhile. */
export async function beginReconciliations(deps: JobDeps, stores: Iterable<Store>): Promise<void> {
  for (const store of stores) {
    if (deps.shop(store) === null) {
      deps.log.warn(
        { store: store.id },
        'The store has no API access: it is not reconciled, and an order whose webhook is lost is not found',
      );
      continue;
    }
    const known = await deps.ledger.reconciliations.get({ platform: store.platform.name, shop: store.shop });
    await beginReconciliation(deps, store);
    await enqueueReconciliation(deps.ledger, store, known ? deps.clock.now() : nextReconciliation(deps));
  }
}

/** A process that did not know the store yet may have dropped the job. */
export async function keepReconciliations(deps: JobDeps, stores: Iterable<Store>): Promise<void> {
  const reconciled = [...stores].filter((store) => deps.shop(store) !== null);
  const existing = await deps.ledger.jobs.existing('reconciliation', reconciled.map(reconciliationSubject));
  for (const store of reconciled.filter((one) => !existing.has(reconciliationSubject(one)))) {
    await beginReconciliation(deps, store);
    await enqueueReconciliation(deps.ledger, store, deps.clock.now());
    deps.log.warn({ store: store.id }, 'The reconciliation of the store had no job; it goes on');
  }
}

/** A tenth more or less, so that stores that started together do not stay together. */
function nextReconciliation({ clock, timings }: Pick<JobDeps, 'clock' | 'timings'>): Date {
  const wait = timings.reconciliation.every * (0.9 + 0.2 * Math.random());
  return new Date(clock.now().getTime() + wait);
}

function goesOnAt({ clock, timings }: Pick<JobDeps, 'clock' | 'timings'>, times: number): Date {
  const wait = Math.min((times - 1) * goesOnMs, timings.reconciliation.every);
  return new Date(clock.now().getTime() + wait);
}

/** A refund need not change its order's time. Returns whether the list ended. */
async function readRefunds(run: ReconciliationRun): Promise<boolean> {
  const { deps, shop, progress } = run;
  const { clock, timings } = deps;
  if (progress.skewMs === null) return false;
  const { refundsAt, refundsTo } = progress;
  const isDue =
    refundsAt === null || clock.now().getTime() - Date.parse(refundsAt) >= timings.reconciliation.refunds;
  if (progress.refunds === null && !isDue) return true;
  const skewMs = progress.skewMs;
  const knownTo = refundsAt === null ? run.reconciledTo.getTime() : Date.parse(refundsAt);
  const place = (to: string) =>
    placeBefore(to, clock.now().getTime() + skewMs, knownTo + skewMs) - timings.reconciliation.overlap;
  const since = refundsTo === null ? startOf(run) : new Date(place(refundsTo));
  let listing = openedOr(progress.refunds, since, clock.now());
  for (let call = 0; call < run.calls; call += 1) {
    const askedAt = clock.now();
    const page = await shop.newRefunds({ since: new Date(listing.since), cursor: listing.cursor });
    listing = nextPage(listing, page, askedAt, progress.skewMs);
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

async function ordersOfUnread(run: ReconciliationRun, rows: readonly ListedRefund[]): Promise<UnreadOrder[]> {
  const orderIds = [...new Set(rows.map(({ orderId }) => orderId))];
  const readings = await run.deps.ledger.orders.readings(run.key, orderIds);
  const known = new Set(readings.flatMap((one) => one.refunds.map((id) => `${one.orderId} ${id}`)));
  const unread = rows.filter(({ id, orderId }) => !known.has(`${orderId} ${id}`));
  return [...new Set(unread.map(({ orderId }) => orderId))].map((id) => ({ id }));
}

/** A deleted order or refund is in no list of changes (measured on WooCommerce 11.0.1). Returns whether it ended. */
async function reviewOrders(run: ReconciliationRun): Promise<boolean> {
  const { deps, key, shop, progress } = run;
  const { clock, ledger, timings } = deps;
  if (progress.review === null && clock.now() < nextNight(new Date(progress.reviewedAt))) return true;
  let after = progress.review ?? {
    sourceUpdatedAt: new Date(clock.now().getTime() - timings.reconciliation.lookBack).toISOString(),
    orderId: '',
  };
  for (let call = 0; call < run.calls; call += 1) {
    const known = await ledger.orders.changedAfter(key, after, mostListed);
    const listed = known.length === 0 ? [] : await shop.listOrders(known.map(({ orderId }) => orderId));
    const there = new Set(listed.map(({ id }) => id));
    const gone = known.filter((one) => !there.has(one.orderId) && mattersWhenGone(one));
    const unread = [
      ...(await unreadOf(run, listed, progress.skewMs ?? 0)),
      ...gone.map(({ orderId: id }) => ({ id })),
    ];
    const last = known.at(-1);
    if (last === undefined || known.length < mostListed) {
      await run.record(unread, { review: null, reviewedAt: clock.now().toISOString() });
      return true;
    }
    after = { sourceUpdatedAt: last.sourceUpdatedAt, orderId: last.orderId };
    await run.record(unread, { review: after });
  }
  return false;
}

const mattersWhenGone = ({ settlement }: Reading): boolean =>
  settlement !== 'cancelled' && settlement !== 'draft';

/** Returns whether the list ended. `since`: by the shop's clock, where to start instead (command `sync`). */
async function readChanges(run: ReconciliationRun, since?: Date): Promise<boolean> {
  const { deps, shop } = run;
  const { clock } = deps;
  const usual = startOf(run);
  let listing = since ? openListing(since) : openedOr(run.progress.changed, usual, clock.now());
  // A later start would leave a gap: then the progress stays.
  const counts = since === undefined || since <= usual;
  for (let call = 0; call < run.calls; call += 1) {
    const askedAt = clock.now();
    const page = await shop.changedOrders({ since: new Date(listing.since), cursor: listing.cursor });
    const skewMs = measure(run, page, askedAt);
    if (since === undefined && startsTooLate(run, listing, skewMs)) {
      await run.record([], { skewMs });
      listing = openListing(startOf(run));
      continue;
    }
    listing = nextPage(listing, page, askedAt, skewMs);
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

function startOf({ progress, deps, reconciledTo }: ReconciliationRun): Date {
  const { changedTo, from, skewMs } = progress;
  const skew = skewMs ?? 0;
  const start =
    changedTo === null
      ? Date.parse(from) + Math.min(skew, 0)
      : placeBefore(changedTo, deps.clock.now().getTime() + skew, reconciledTo.getTime() + skew);
  return new Date(start - deps.timings.reconciliation.overlap);
}

function openedOr(listing: Listing | null, since: Date, now: Date): Listing {
  return listing === null ? openListing(since) : resume(listing, now);
}

async function unreadOf(
  run: ReconciliationRun,
  rows: readonly ListedOrder[],
  skewMs: number,
): Promise<ListedOrder[]> {
  const readings = await run.deps.ledger.orders.readings(
    run.key,
    rows.map(({ id }) => id),
  );
  return unreadOrders(rows, readings, skewMs);
}

const minute = 60_000;
const day = 24 * 60 * minute;

/** How far the shop's clock is ahead; a date that is days off (a page out of a cache) does not count. */
function measure({ deps, store, progress }: ReconciliationRun, { asOf }: ChangesPage, askedAt: Date): number {
  const before = progress.skewMs ?? 0;
  const between = (askedAt.getTime() + deps.clock.now().getTime()) / 2;
  // Headers have whole seconds.
  const skewMs = asOf === null ? before : Math.round(asOf.getTime() + 500 - between);
  if (Math.abs(skewMs) > day) return before;
  if (Math.abs(skewMs) >= minute && Math.abs(skewMs - before) >= minute)
    deps.log.warn(
      { store: store.id, skewMs },
      'The shop’s clock differs from ours; the reconciliation goes by the shop’s',
    );
  return skewMs;
}

/** The list was started by what was known of the shop's clock, the first one by ours, and the clock is behind that. */
function startsTooLate({ progress }: ReconciliationRun, listing: Listing, skewMs: number): boolean {
  const before = progress.skewMs ?? 0;
  const opened = progress.changedTo === null ? Math.min(before, 0) : before;
  return listing.pages === 0 && skewMs <= opened - minute;
}

/** The newest change; the start of this list if that is in the future, or would list many pages again. */
function nextStart({ progress }: ReconciliationRun, { newest, pages, begun }: Listing): string | null {
  const before =
    begun !== null && progress.changedTo !== null && progress.changedTo > begun ? null : progress.changedTo;
  const start = latest([newest, before]);
  if (start === null || begun === null) return null;
  return pages > 1 || start > begun ? begun : start;
}

/** Times of changes have whole seconds, and the shop's clock is known to about one. */
const samePointMs = 2_000;

function unreadOrders(
  rows: readonly ListedOrder[],
  readings: readonly Reading[],
  skewMs: number,
): ListedOrder[] {
  const byId = new Map(readings.map((reading) => [reading.orderId, reading]));
  const unread = rows.filter((row) => !isRead(row, byId.get(row.id), skewMs));
  return [...new Map(unread.map((row) => [row.id, row])).values()];
}

/** An order may change again in the second it was read. */
function isRead(row: ListedOrder, reading: Reading | undefined, skewMs: number): boolean {
  // The shop had lost the order for a while; its time is the same.
  if (reading === undefined || isGone(reading)) return false;
  const readAt = Date.parse(reading.syncedAt) + skewMs;
  return isListedAs(row, reading) && Math.abs(readAt - Date.parse(row.updatedAt)) >= samePointMs;
}
