import PQueue from 'p-queue';
import type { Budget, Budgets, CallKind } from '../core/budget.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { BudgetTable } from '../ledger/work-tables.ts';
import { book, hold, type Rate, serviceRate } from './gcra.ts';
import { clockPassed } from './waiting.ts';

/** So many lost races in a row mean a crowd at one key: better to come back than to crowd on. */
const races = 20;

/** The budgets of all keys over a table of arrival times (the ledger's, or one in memory). */
export function budgetsOver(table: BudgetTable, options: { clock: Clock; log: Log; rate?: Rate }): Budgets {
  const { clock, log, rate = serviceRate } = options;
  return {
    async reserve(keyHash, lookAheadMs) {
      for (let race = 0; race < races; race += 1) {
        const tat = await table.read(keyHash);
        const booking = book(tat, clock.now().getTime(), lookAheadMs, rate);
        if (!booking.booked) return booking;
        if (await table.swap(keyHash, tat, booking.tat)) return { booked: true, waitMs: booking.waitMs };
      }
      return { booked: false, retryInMs: 50 };
    },
    async slow(keyHash, forMs) {
      log.warn({ key: keyHash.slice(0, 8), forMs }, 'The tax service said 429; the key is held back.');
      for (;;) {
        const tat = await table.read(keyHash);
        if (await table.swap(keyHash, tat, hold(tat, clock.now().getTime(), forMs, rate))) return;
      }
    },
  };
}

/** A budget table for one process. A restart forgets it, which costs one more burst; the margin covers that. */
export function memoryBudgetTable(): BudgetTable {
  const tats = new Map<string, number>();
  return {
    async read(keyHash) {
      return tats.get(keyHash) ?? null;
    },
    async swap(keyHash, expected, next) {
      if ((tats.get(keyHash) ?? null) !== expected) return false;
      tats.set(keyHash, next);
      return true;
    },
  };
}

/** The dispatcher's own look-ahead; a caller that looked further would take every slot from it. */
const fairLookAheadMs = 100;
const urgency: Record<CallKind, number> = { emission: 2, question: 1, download: 0 };

/**
 * The budget of one key for calls that book when they are made (PDF door, look-ups). Calls queue here,
 * emissions first, and only the first of the queue competes with the dispatcher for the next slot: make one
 * per key and process. After a 429 `take` waits as long as the key is held: callers set their own deadline.
 */
export function budgetFor(budgets: Budgets, keyHash: string, clock: Clock): Budget {
  const line = new PQueue({ concurrency: 1 });
  return {
    async take(kind) {
      const waitMs = await line.add(
        async () => {
          for (;;) {
            const slot = await budgets.reserve(keyHash, fairLookAheadMs);
            if (slot.booked) return slot.waitMs;
            await clockPassed(clock, slot.retryInMs);
          }
        },
        { priority: urgency[kind] },
      );
      await clockPassed(clock, waitMs);
    },
    slow: (forMs) => budgets.slow(keyHash, forMs),
  };
}

/**
 * The budget inside a step: its first emission or question is free, because the dispatcher booked that slot
 * when it released the work. Make one per run of a step.
 */
export function prepaid(budget: Budget): Budget {
  let paid = true;
  return {
    async take(kind) {
      if (paid && kind !== 'download') {
        paid = false;
        return;
      }
      await budget.take(kind);
    },
    slow: (forMs) => budget.slow(forMs),
  };
}
