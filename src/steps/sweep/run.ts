import { LedgerError } from '../../core/errors.ts';
import type { Shop } from '../../core/platform.ts';
import type { Store } from '../../core/settings.ts';
import type { ShopKey, SweepRow } from '../../ledger/sweep-tables.ts';
import { askSync } from '../ask.ts';
import type { StepDeps } from '../deps.ts';
import { firstProgress, type Progress } from './progress.ts';

/** What of a step's dependences a sweep needs. */
export type SweepDeps = Pick<StepDeps, 'ledger' | 'clock' | 'log' | 'timings' | 'invoiceFrom'>;

/** One run of a sweep: what it works with, what it may still spend, and its one way to write. */
export interface SweepRun {
  deps: SweepDeps;
  store: Store;
  shop: Shop;
  key: ShopKey;
  readonly progress: Progress;
  /** A list's budget: takes one call of the shop's API out of it, answers false when none is left. */
  budget(): () => boolean;
  /**
   * Asks for these orders to be synced and moves on, in one transaction. `sweptTo` is given when all changes until
   * then are known.
   * @throws LedgerError `sweep-overtaken` when another process swept this shop meanwhile.
   */
  record(orderIds: readonly string[], progress: Partial<Progress>, sweptTo?: Date): Promise<void>;
  /** Notes whether the run came to the end of its lists. */
  close(ended: boolean): Promise<void>;
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
    record: (orderIds, progress, sweptTo) =>
      save(
        {
          ...row,
          sweptTo: sweptTo?.toISOString() ?? row.sweptTo,
          progress: { ...row.progress, ...progress },
        },
        orderIds,
      ),
    async close(ended) {
      const behindSince = ended ? null : (row.behindSince ?? deps.clock.now().toISOString());
      if (behindSince !== row.behindSince) await save({ ...row, behindSince });
    },
  };
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
  if (progress !== null && Date.parse(progress.from) <= from.getTime()) return { ...row, progress };
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
