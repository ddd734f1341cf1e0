import type { Budgets, CallKind } from '../domain/budget.ts';
import type { Clock } from '../domain/clock.ts';
import { isShadowStore } from '../domain/shadow.ts';
import type { DueWork } from '../ledger/work/tables.ts';
import { intervalMs, longestHoldMs, serviceRate, slotKeepsMs } from './gcra.ts';
import type { Slots } from './slots.ts';

/** Work that may go now; with a budget, `slotAt` is the booked slot in milliseconds of the clock. */
export interface Picked {
  work: DueWork;
  slotAt: number | null;
}

/**
 * Chooses among due work by rounds: one piece of every lane before a second of any, the lane served longest
 * ago first. Work with a budget needs a slot; emissions of a budget come before its questions, which behind a
 * backlog have only what is set aside for them, lost answers first, and both before its downloads, which have nothing
 * then. A budget without a slot is left alone until its next, and a store without a free share of the worker's slots.
 */
export interface Rounds {
  /** @param unclaimed what is handed over and not yet claimed, by budget. */
  pick(
    due: readonly DueWork[],
    room: number,
    unclaimed?: ReadonlyMap<string | null, number>,
  ): Promise<Picked[]>;
  /** Another dispatcher was faster: what was booked for these serves the next work of their keys and stores. */
  giveBack(picks: readonly Picked[]): void;
  /** Milliseconds of the clock until the first budget that had no slot has one; null when none waits. */
  nextSlotMs(): number | null;
}

/**
 * Of one budget, so much may wait for a worker beyond what is booked ahead: slots that wait too long at slow workers
 * are lost.
 */
const waitingPerBudget = 4;

export function openRounds(options: {
  budgets: Budgets;
  clock: Clock;
  /** How far ahead slots are booked, in milliseconds of the clock. */
  lookAheadMs: number;
  /** How many rows of a lane one look shows: a lane that shows so many has more behind them. */
  perLane: number;
  /** What each store may have of the worker. */
  slots: Slots;
}): Rounds {
  const { budgets, clock, lookAheadMs, perLane, slots } = options;
  const now = () => clock.now().getTime();
  const perBudget = waitingPerBudget + Math.ceil(lookAheadMs / intervalMs(serviceRate));
  /** By budget and manner of asking. */
  const blockedUntil = new Map<string, number>();
  const spare = new Map<string, number[]>();
  const servedIn = new Map<string, number>();
  let turn = 0;
  let handedOver = new Map<string | null, number>();

  async function slotOf(budget: string, kind: CallKind, crowded: boolean): Promise<number | undefined> {
    const kept = (spare.get(budget) ?? []).filter((at) => at > now() - slotKeepsMs);
    spare.delete(budget);
    const [first, ...rest] = kept;
    if (first !== undefined) {
      if (rest.length > 0) spare.set(budget, rest);
      return first;
    }
    const slot = await budgets.reserve(budget, { kind, lookAheadMs, crowded });
    if (slot.booked) return now() + slot.waitMs;
    blockedUntil.set(manner(budget, kind, crowded), now() + slot.retryInMs);
    return undefined;
  }

  async function takeFirst(lane: DueWork[], crowds: Crowds): Promise<Picked[]> {
    const [work] = lane;
    if (work === undefined) return [];
    const { budget } = work;
    const slotAt = budget === null ? null : await slotOf(budget, kindOf(work), crowds.crowded(work));
    if (slotAt === undefined) return [];
    lane.shift();
    crowds.took(work);
    slots.take(work);
    handedOver.set(budget, (handedOver.get(budget) ?? 0) + 1);
    servedIn.set(work.lane, turn);
    return [{ work, slotAt }];
  }

  /** The lanes of one budget one after the other: the one served longest ago has the next slot. */
  async function takeInTurn(lanes: readonly DueWork[][], crowds: Crowds): Promise<Picked[]> {
    const picks: Picked[] = [];
    for (const lane of lanes) if (mayGo(lane, crowds)) picks.push(...(await takeFirst(lane, crowds)));
    return picks;
  }

  function mayGo([work]: readonly DueWork[], crowds: Crowds): boolean {
    if (work === undefined || !slots.mayGo(work)) return false;
    if (work.budget === null) return true;
    const { budget } = work;
    const kind = kindOf(work);
    if ((handedOver.get(budget) ?? 0) >= perBudget) return false;
    if (kind === 'download' && crowds.busy(budget)) return false;
    const crowded = crowds.crowded(work);
    if (blockedUntil.has(manner(budget, kind, crowded))) return false;
    // What is set aside is little, and taking turns at it many stores would keep a lost answer waiting.
    if (crowded && crowds.outranked(work)) return false;
    return kind === 'emission' || !crowds.left(budget) || blockedUntil.has(manner(budget, 'emission', false));
  }

  const served = ([work]: readonly DueWork[]): number => servedIn.get(work?.lane ?? '') ?? 0;

  return {
    async pick(due, room, unclaimed = new Map()) {
      turn += 1;
      // Further ahead than any hold: the clock was set back meanwhile.
      for (const [key, until] of blockedUntil)
        if (until <= now() || (Number.isFinite(until) && until > now() + longestHoldMs))
          blockedUntil.delete(key);
      const lanes = [...Map.groupBy(due, (work) => work.lane).values()].sort((a, b) => served(a) - served(b));
      const crowds = openCrowds(lanes, perLane);
      const picks: Picked[] = [];
      handedOver = new Map(unclaimed);
      for (;;) {
        const round = lanes.filter((lane) => mayGo(lane, crowds)).slice(0, room - picks.length);
        if (round.length === 0) return picks;
        const byBudget = [...Map.groupBy(round, ([work]) => work?.budget ?? null).values()];
        picks.push(...(await Promise.all(byBudget.map((of) => takeInTurn(of, crowds)))).flat());
      }
    },
    giveBack(picks) {
      for (const { work, slotAt } of picks) {
        slots.giveBack(work);
        if (work.budget === null || slotAt === null) continue;
        spare.set(work.budget, [...(spare.get(work.budget) ?? []), slotAt]);
      }
    },
    nextSlotMs() {
      const first = Math.min(...blockedUntil.values());
      return Number.isFinite(first) ? Math.max(first - now(), 0) : null;
    },
  };
}

const manner = (budget: string, kind: CallKind, crowded: boolean): string =>
  `${budget}/${kind}${crowded ? '/crowded' : ''}`;

const kinds: Partial<Record<DueWork['kind'], CallKind>> = {
  'submit-document': 'emission',
  'verify-document': 'download',
};

/** Whatever a shadow asks of the service comes behind all that production asks of it under the same key. */
const kindOf = ({ kind, lane, budget }: DueWork): CallKind =>
  budget !== null && lane.split('/').some(isShadowStore) ? 'download' : (kinds[kind] ?? 'question');

/** Where the work of a key stands in the way of other work of that key, in one turn. */
interface Crowds {
  /** Emissions of this budget are still to be chosen in this turn. */
  left(budget: string): boolean;
  /** Emissions or questions of this budget are still to be chosen, in this turn or out of sight. */
  busy(budget: string): boolean;
  /** A question behind emissions, in this turn or out of sight. */
  crowded(work: DueWork): boolean;
  /** More urgent questions of its budget, of whatever store, are still to be chosen. */
  outranked(work: DueWork): boolean;
  /** It was chosen, and taken off its lane. */
  took(work: DueWork): void;
}

/** @param perLane a lane that shows so many has more behind them. */
function openCrowds(lanes: readonly DueWork[][], perLane: number): Crowds {
  const emissions = Map.groupBy(
    lanes.filter(([work]) => work !== undefined && work.budget !== null && kindOf(work) === 'emission'),
    ([work]) => work?.budget ?? '',
  );
  const endless = new Set(
    [...emissions].flatMap(([budget, of]) => (of.some((lane) => lane.length >= perLane) ? [budget] : [])),
  );
  const left = (budget: string) => emissions.get(budget)?.some((lane) => lane.length > 0) ?? false;
  const urgent = lanes.filter(([work]) => work !== undefined && kindOf(work) !== 'download');
  /** A lane is of one budget, and may be empty by the time it is looked at. */
  const urgentOf = Map.groupBy(urgent, ([work]) => work?.budget ?? '');
  /** How many questions of each priority, by budget. */
  const questions = new Map<string, Map<number, number>>();
  const count = (work: DueWork, by: number) => {
    if (work.budget === null || kindOf(work) !== 'question') return;
    const counts = questions.get(work.budget) ?? new Map<number, number>();
    questions.set(work.budget, counts.set(work.priority, (counts.get(work.priority) ?? 0) + by));
  };
  for (const work of urgent.flat()) count(work, 1);
  return {
    left,
    busy: (budget) => endless.has(budget) || (urgentOf.get(budget)?.some((lane) => lane.length > 0) ?? false),
    crowded: (work) =>
      kindOf(work) !== 'emission' && work.budget !== null && (endless.has(work.budget) || left(work.budget)),
    outranked({ budget, priority }) {
      for (const [rank, waiting] of questions.get(budget ?? '') ?? [])
        if (rank < priority && waiting > 0) return true;
      return false;
    },
    took: (work) => count(work, -1),
  };
}
