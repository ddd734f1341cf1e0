import PQueue from 'p-queue';
import type { Budget, Budgets, CallKind } from '../domain/budget.ts';
import type { Clock } from '../domain/clock.ts';
import { slotKeepsMs } from './gcra.ts';
import { clockPassed, realTimers } from './waiting.ts';

/** Slots are booked so far ahead that hand-over does not waste them, in real milliseconds. */
export const lookAheadMs = 100;

/**
 * The budget of one key for calls that book when they are made (PDF door, look-ups). Calls of a kind queue here,
 * and only the first of each queue competes for the next slot: make one per key and process. After a 429 `take`
 * waits as long as the key is held: callers set their own deadline.
 * @param rate how many times faster than real time `clock` runs.
 */
export function budgetFor(
  budgets: Budgets,
  keyHash: string,
  clock: Clock,
  rate = 1,
  timers = realTimers,
): Budget {
  const line = () => new PQueue({ concurrency: 1 });
  const lines: Record<CallKind, PQueue> = { emission: line(), question: line(), download: line() };
  return {
    async take(kind) {
      const waitMs = await lines[kind].add(async () => {
        for (;;) {
          const slot = await budgets.reserve(keyHash, { kind, lookAheadMs: lookAheadMs * rate });
          if (slot.booked) return slot.waitMs;
          await clockPassed(clock, slot.retryInMs, timers);
        }
      });
      await clockPassed(clock, waitMs, timers);
    },
    slow: (forMs) => budgets.slow(keyHash, forMs),
  };
}

/**
 * The budget inside a step: its first call is free, because the dispatcher booked that slot when it released the
 * work. A slot that was kept too long is lost and another one is waited for: late calls would
 * crowd those of the later moment. Make one per run of a step.
 * @param slotAt the booked slot, in milliseconds of the clock.
 */
export function prepaid(budget: Budget, slotAt: number, clock: Clock): Budget {
  let paid = true;
  return {
    async take(kind) {
      const first = paid;
      paid = false;
      const fresh = clock.now().getTime() - slotAt <= slotKeepsMs;
      if (!(first && fresh)) await budget.take(kind);
    },
    slow: (forMs) => budget.slow(forMs),
  };
}
