import { LedgerError } from '../../domain/errors.ts';
import type { Shop } from '../../domain/platform.ts';
import type { Store } from '../../domain/settings.ts';
import { type Behind, failedLists, type SweepList, sweepLists } from '../../domain/sweep-lists.ts';
import type { ShopKey, SweepRow } from '../../ledger/sweep-tables.ts';
import { askSync } from '../ask.ts';
import type { StepDeps } from '../deps.ts';
import { firstProgress, notAhead, type Progress } from './progress.ts';

/** How far a run came with a list; one that is not due has ended. */
export type ListEnd = 'ended' | 'goes-on' | 'failed';

/** What of a step's dependences a sweep needs. */
export type SweepDeps = Pick<StepDeps, 'ledger' | 'clock' | 'log' | 'timings' | 'invoiceFrom'>;

/** One run of a sweep: what it works with, what it may still spend, and its one way to write. */
export interface SweepRun {
  deps: SweepDeps;
  store: Store;
  shop: Shop;
  key: ShopKey;
  readonly progress: Progress;
  /** By our clock: everything the shop changed is known until then. */
  readonly sweptTo: Date;
  /** A list's budget: takes one call of the shop's API out of it, answers false when none is left. */
  budget(): () => boolean;
  /**
   * Asks for these orders to be synced and moves on, in one transaction. `changesTo` is given when the list of changes
   * is known until then.
   * @throws LedgerError `sweep-overtaken` when another process swept this shop meanwhile.
   */
  record(orderIds: readonly string[], progress: Partial<Progress>, changesTo?: Date): Promise<void>;
  /** Notes which lists came to their end; only where all did, the shop is known until this run. */
  close(ends: Readonly<Record<SweepList, ListEnd>>): Promise<void>;
  /** Lists that failed when they were last tried. */
  readonly failedBefore: readonly SweepList[];
  /** Orders asked for so far. */
  readonly asked: number;
}

export async function openRun(
  deps: SweepDeps,
  { store, shop, calls }: { store: Store; shop: Shop; calls: number },
): Promise<SweepRun> {
  const key = { platform: store.platform.name, shop: store.shop };
  const now = deps.clock.now();
  await beginSweep(deps, store);
  const found = await deps.ledger.sweeps.get<Progress>(key);
  if (!found) throw new RangeError('A sweep that was begun is not there.');
  let row = startingAt(found, deps.invoiceFrom(store), now);
  let asked = 0;
  let changesTo: Date | undefined;

  async function save(next: typeof row, orderIds: readonly string[] = []): Promise<void> {
    const saved = await deps.ledger.transaction(async (tables) => {
      if (!(await tables.sweeps.save(key, next))) return false;
      const dueAt = deps.clock.now();
      for (const orderId of orderIds)
        await askSync(tables, { ...key, orderId, storeId: store.id }, dueAt, null);
      return true;
    });
    if (!saved) throw overtaken(store.id);
    row = { ...next, version: next.version + 1 };
    asked += orderIds.length;
  }

  return {
    deps,
    store,
    shop,
    key,
    get progress() {
      return row.progress;
    },
    get sweptTo() {
      return new Date(row.sweptTo);
    },
    get asked() {
      return asked;
    },
    budget() {
      let left = calls;
      return () => {
        left -= 1;
        return left >= 0;
      };
    },
    failedBefore: failedLists(row.behind),
    async record(orderIds, progress, to) {
      await save({ ...row, progress: { ...row.progress, ...progress } }, orderIds);
      changesTo = to ?? changesTo;
    },
    async close(ends) {
      const behind = behindOf(ends, row.behind, deps.clock.now().toISOString());
      const [behindSince = null] = Object.values(behind)
        .map(({ since }) => since)
        .sort();
      const sweptTo = (behindSince === null ? changesTo?.toISOString() : null) ?? row.sweptTo;
      await save({ ...row, sweptTo, behindSince, behind });
    },
  };
}

/** A list that stays behind has been so since it first was. */
function behindOf(ends: Readonly<Record<SweepList, ListEnd>>, before: Behind, now: string): Behind {
  const late = sweepLists.filter((list) => ends[list] !== 'ended');
  const stood = (list: SweepList) => ({
    since: before[list]?.since ?? now,
    failed: ends[list] === 'failed',
  });
  return Object.fromEntries(late.map((list) => [list, stood(list)]));
}

/** Before its first run nothing is known of what the store is to invoice. */
export function beginSweep({ ledger, clock, invoiceFrom }: SweepDeps, store: Store): Promise<void> {
  const from = Math.min(invoiceFrom(store).getTime(), clock.now().getTime());
  return ledger.sweeps.begin({ platform: store.platform.name, shop: store.shop }, new Date(from));
}

/** A merchant who sets `invoiceFrom` to an earlier day wants those orders found too. */
function startingAt(
  row: SweepRow<Progress>,
  from: Date,
  now: Date,
): SweepRow<Progress> & { progress: Progress } {
  const { progress } = row;
  if (progress !== null && Date.parse(progress.from) <= from.getTime())
    return { ...row, progress: notAhead(progress, now) };
  const first = firstProgress(from, now);
  if (progress === null) return { ...row, progress: first };
  const { reviewedAt, skewMs } = progress;
  return { ...row, sweptTo: from.toISOString(), progress: { ...first, reviewedAt, skewMs } };
}

function overtaken(store: string): LedgerError {
  return new LedgerError(
    'sweep-overtaken',
    `Otro proceso está buscando cambios en la tienda ${store}; espere a que termine.`,
    `Another process swept store ${store} meanwhile; nothing of this page was written. It goes on from there.`,
  );
}
