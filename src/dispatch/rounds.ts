import type { Budgets } from '../core/budget.ts';
import type { Clock } from '../core/clock.ts';
import type { DueWork } from '../ledger/work-tables.ts';

/** Work that may go now; with a budget, `slotAt` is the booked slot in milliseconds of the clock. */
export interface Picked {
  work: DueWork;
  slotAt: number | null;
}

/**
 * Chooses among due work by rounds: one piece of every lane before a second of any, the lane served longest
 * ago first. Work with a budget needs a slot; a budget without one is left alone until its next.
 */
export interface Rounds {
  pick(due: readonly DueWork[], room: number): Promise<Picked[]>;
  /** Another dispatcher was faster: the slots booked for these serve the next work of their keys. */
  giveBack(picks: readonly Picked[]): void;
  /** Milliseconds of the clock until the first budget that had no slot has one; null when none waits. */
  nextSlotMs(): number | null;
}

/** A slot used much later than booked would crowd the calls of that later moment. */
const slotKeepsMs = 1_000;

export function openRounds(options: {
  budgets: Budgets;
  clock: Clock;
  /** How far ahead slots are booked, in milliseconds of the clock. */
  lookAheadMs: number;
}): Rounds {
  const { budgets, clock, lookAheadMs } = options;
  const now = () => clock.now().getTime();
  const blockedUntil = new Map<string, number>();
  const spare = new Map<string, number[]>();
  const servedIn = new Map<string, number>();
  let turn = 0;

  async function slotOf(key: string): Promise<number | undefined> {
    const kept = (spare.get(key) ?? []).filter((at) => at > now() - slotKeepsMs);
    spare.delete(key);
    const [first, ...rest] = kept;
    if (first !== undefined) {
      if (rest.length > 0) spare.set(key, rest);
      return first;
    }
    const slot = await budgets.reserve(key, lookAheadMs);
    if (slot.booked) return now() + slot.waitMs;
    blockedUntil.set(key, now() + slot.retryInMs);
    return undefined;
  }

  const served = ([work]: readonly DueWork[]): number => servedIn.get(work?.lane ?? '') ?? 0;

  const mayGo = ([work]: readonly DueWork[]): boolean =>
    work !== undefined && (work.budget === null || !blockedUntil.has(work.budget));

  async function takeFirst(lane: DueWork[]): Promise<Picked[]> {
    const [work] = lane;
    if (work === undefined) return [];
    const slotAt = work.budget === null ? null : await slotOf(work.budget);
    if (slotAt === undefined) return [];
    lane.shift();
    servedIn.set(work.lane, turn);
    return [{ work, slotAt }];
  }

  return {
    async pick(due, room) {
      turn += 1;
      for (const [key, until] of blockedUntil) if (until <= now()) blockedUntil.delete(key);
      const lanes = [...Map.groupBy(due, (work) => work.lane).values()].sort((a, b) => served(a) - served(b));
      const picks: Picked[] = [];
      for (;;) {
        const round = lanes.filter(mayGo).slice(0, room - picks.length);
        if (round.length === 0) return picks;
        picks.push(...(await Promise.all(round.map(takeFirst))).flat());
      }
    },
    giveBack(picks) {
      for (const { work, slotAt } of picks) {
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
