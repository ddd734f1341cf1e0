import { LedgerError } from '../../domain/errors.ts';
import { type ListedRefund, mostListed } from '../../domain/listing.ts';
import type { Shop } from '../../domain/platform.ts';
import type { Store } from '../../domain/settings.ts';
import type { SweepList } from '../../domain/sweep-lists.ts';
import {
  done,
  readShopSubject,
  type Step,
  type StepOutcome,
  shopSubject,
  sweepsAtOnce,
} from '../../domain/work.ts';
import type { Tables } from '../../ledger/ledger.ts';
import type { Reading } from '../../ledger/shop-tables.ts';
import { priorities, type StepDeps } from '../deps.ts';
import { whileHeld } from '../prove-shop.ts';
import { isSilent } from '../silent-shop.ts';
import { knownStore } from '../unknown-store.ts';
import { openedOr, startOf, sweepChanges, unreadOf } from './changes.ts';
import { nextNight, placeBefore, turnPage } from './progress.ts';
import { type ListEnd, openRun, type SweepDeps, type SweepRun } from './run.ts';

/** Each further run without an end waits so much longer. */
const goesOnMs = 100;
/** A shop that nobody searched for so long is nobody's any more. */
const lonelyMs = 24 * 3_600_000;

/**
 * Looks for what no webhook told: asks for every order that changed since the last look, and was not read since, to
 * be synced. Each shop has one such work for ever, which asks for itself again.
 */
export function sweep(deps: StepDeps): Step {
  let running = 0;
  /** Runs in a row that did not come to their end, by store. */
  const unended = new Map<string, number>();
  return async (work) => {
    const key = readShopSubject(work.subject);
    // With its store its search begins anew (begin.ts).
    const store = knownStore(deps, key, () => isSilent(deps, key, lonelyMs));
    const held = await whileHeld(deps, key);
    if (held) return held;
    // The shop has another name by now, under which it is swept.
    if (store.shop !== key.shop) return done;
    const shop = deps.shop(store);
    if (!shop) {
      deps.log.info({ store: store.id }, 'The store is configured without API access; it is not swept');
      return done;
    }
    if (running >= sweepsAtOnce) return afterOthers(deps);
    running += 1;
    try {
      const { ended } = await sweepOnce(deps, store, shop);
      const times = ended ? 0 : (unended.get(store.id) ?? 0) + 1;
      unended.set(store.id, times);
      await askSweep(deps.ledger, store, ended ? nextSweep(deps) : goesOnAt(deps, times));
      return done;
    } finally {
      running -= 1;
    }
  };
}

/** What came of one run. */
export interface SweepEnd {
  /** No list is left to go on with. */
  ended: boolean;
  /** Orders asked for. */
  asked: number;
  /** Lists that could not be read, and why. */
  failed: ReadonlyMap<SweepList, unknown>;
}

/**
 * One run: changes, then refunds, then the look at all known orders, each by itself and within its own budget of calls,
 * so that none starves the others. The next run goes on where this one stood. Where the changes failed their error is
 * thrown at the end, and the work comes back as failed work does; another list is tried again at the usual pace.
 */
export async function sweepOnce(
  deps: SweepDeps,
  store: Store,
  shop: Shop,
  { since, calls = deps.timings.sweep.calls }: { since?: Date; calls?: number } = {},
): Promise<SweepEnd> {
  const run = await openRun(deps, { store, shop, calls });
  const failed = new Map<SweepList, unknown>();
  const read = async (list: SweepList, toEnd: () => Promise<boolean>): Promise<ListEnd> => {
    try {
      return (await toEnd()) ? 'ended' : 'goes-on';
    } catch (error) {
      // The ledger's word (another process sweeps this shop) is about the whole run.
      if (error instanceof LedgerError) throw error;
      failed.set(list, error);
      return 'failed';
    }
  };
  const ends = {
    changes: await read('changes', () => sweepChanges(run, since)),
    refunds: await read('refunds', () => sweepRefunds(run)),
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
    deps.log.warn({ ...about, calls }, 'The sweep used up its calls before its lists ended; it goes on');
  else if (asked > 0) deps.log.info(about, 'The sweep found orders no webhook told of');
  return { ended, asked, failed };
}

/** A store's one piece of sweep work. */
export const sweepSubject = ({ platform, shop }: Store): string =>
  shopSubject({ platform: platform.name, shop });

/** Asks for a store to be swept; the store must have API access. */
export function askSweep(tables: Pick<Tables, 'work'>, store: Store, dueAt: Date): Promise<void> {
  return tables.work.ask({
    kind: 'sweep',
    subject: sweepSubject(store),
    storeId: store.id,
    budget: null,
    priority: priorities.download,
    dueAt,
    trace: null,
  });
}

/** A tenth more or less, so that many stores that started together do not sweep together for ever. */
export function nextSweep({ clock, timings }: Pick<StepDeps, 'clock' | 'timings'>): Date {
  const wait = timings.sweep.every * (0.9 + 0.2 * Math.random());
  return new Date(clock.now().getTime() + wait);
}

/** A long way to catch up goes on soon; a list that never ends, ever more seldom. */
function goesOnAt({ clock, timings }: Pick<StepDeps, 'clock' | 'timings'>, times: number): Date {
  const wait = Math.min((times - 1) * goesOnMs, timings.sweep.every);
  return new Date(clock.now().getTime() + wait);
}

function afterOthers({ clock }: StepDeps): StepOutcome {
  const wait = 2_000 + 4_000 * Math.random();
  const dueAt = new Date(clock.now().getTime() + wait);
  return { kind: 'again', dueAt, reason: 'other shops are being swept' };
}

/**
 * Reads the shop's own list of refunds now and then: a refund that did not change its order's time stands in no
 * other. Answers whether it came to the end. Its place is told by the shop's clock, which the list of changes tells.
 */
async function sweepRefunds(run: SweepRun): Promise<boolean> {
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

/**
 * Each night, looks at the orders the ledger has read lately: an order in the trash or deleted, and a refund that was
 * deleted, change nothing a list of changes could show (measured on WooCommerce 11.0.1). Answers whether it came to
 * the end.
 */
async function reviewOrders(run: SweepRun): Promise<boolean> {
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
