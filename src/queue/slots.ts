import { storeBehind } from '../domain/shadow.ts';
import { shopKinds, sweepsAtOnce } from '../domain/work.ts';
import type { DueWork } from '../ledger/work/tables.ts';

/**
 * How shops share the slots of a worker. The jobs that call one shop may be one more while they are fewer than half as
 * many as there are free slots: alone a shop gets a third of them, beside another busy one a quarter, beside many its
 * even part; and whoever comes finds a free slot, however long the calls of the others take.
 *
 * Jobs that call no shop have such a share by their kind, so that a listener or a mail server that does not answer slows
 * its own kind only. Those under a rate limit are not counted: their API key says how many there are. Of reconciliations,
 * which are one for each store, no more are handed over than run at once (steps/sweep).
 *
 * It counts what this process handed over and what is not over yet, so that each of several processes on one transport
 * brings its own slots.
 */
export interface Slots {
  /** The ids it counts. */
  ids(): string[];
  /** Forgets those that are over. */
  keep(inHand: ReadonlySet<string>): void;
  mayGo(work: DueWork): boolean;
  take(work: DueWork): void;
  giveBack(work: DueWork): void;
  /** Whether a job waits for its share since the last `keep`. */
  readonly waited: boolean;
}

export function openSlots(slots: number): Slots {
  const held = new Map<string, { share: string; kind: DueWork['kind'] }>();
  let waited = false;
  const count = (wanted: (one: { share: string; kind: DueWork['kind'] }) => boolean): number =>
    [...held.values()].filter(wanted).length;

  return {
    ids: () => [...held.keys()],
    keep(inHand) {
      waited = false;
      for (const id of held.keys()) if (!inHand.has(id)) held.delete(id);
    },
    mayGo(work) {
      const { kind, budget, probe } = work;
      if (budget !== null) return true;
      const share = shareOf(work);
      if (probe) return count((one) => one.share === share && one.kind === kind) === 0;
      if (kind === 'sweep') return count((one) => one.kind === kind) < sweepsAtOnce;
      const may = count((one) => one.share === share) < (slots - held.size) / 2;
      waited ||= !may;
      return may;
    },
    take(work) {
      if (work.budget === null) held.set(work.id, { share: shareOf(work), kind: work.kind });
    },
    giveBack: ({ id }) => void held.delete(id),
    get waited() {
      return waited;
    },
  };
}

/** A shadow calls the shop of the store behind it. */
const shareOf = ({ kind, storeId }: DueWork): string =>
  shopKinds.has(kind) ? `shop ${storeBehind(storeId)}` : kind;
