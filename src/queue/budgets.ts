import type { Budgets, Slot, SlotRequest } from '../domain/budget.ts';
import type { Clock } from '../domain/clock.ts';
import type { Log } from '../domain/log.ts';
import type { BudgetState, BudgetTable } from '../ledger/work/tables.ts';
import {
  believable,
  book,
  hold,
  intervalMs,
  look,
  manners,
  type Rate,
  serviceRate,
  slowForMs,
  slowRate,
} from './gcra.ts';

/** So many lost races in a row mean a crowd at one key: better to come back than to crowd on. */
const races = 20;
const fresh: BudgetState = { tat: 0, slowUntil: 0 };

/** The budgets of all keys over a table of arrival times (the ledger's, or one in memory). */
export function budgetsOver(table: BudgetTable, options: { clock: Clock; log: Log; rate?: Rate }): Budgets {
  const { clock, log, rate = serviceRate } = options;
  const clockNow = () => clock.now().getTime();

  /** Compare-and-set: `next` is asked again with what a faster one left; null changes nothing. */
  async function change<T>(
    name: string,
    next: (state: BudgetState, now: number) => { state: BudgetState | null; answer: T },
    tries = races,
  ): Promise<T | undefined> {
    for (let race = 0; race < tries; race += 1) {
      const expected = await table.read(name);
      const now = clockNow();
      const { state, answer } = next(believable(expected ?? fresh, now), now);
      if (state === null || (await table.swap(name, expected, state))) return answer;
    }
    return undefined;
  }

  interface Wish {
    lookAheadMs: number;
    spare?: number;
    /** Only asks whether it would be booked. */
    dry?: boolean;
  }
  async function bookOn(name: string, full: Rate, wish: Wish): Promise<Slot> {
    const { lookAheadMs, spare = 0, dry = false } = wish;
    const slot = await change<Slot>(name, (state, now) => {
      const at = now < state.slowUntil ? slowRate : full;
      const booking = book(state.tat, now, lookAheadMs, at, spare);
      if (!booking.booked) return { state: null, answer: booking };
      const answer = { booked: true, waitMs: booking.waitMs } as const;
      return { state: dry ? null : { ...state, tat: booking.tat }, answer };
    });
    return slot ?? { booked: false, retryInMs: 50 };
  }

  return {
    async reserve(keyHash, { kind, lookAheadMs, crowded = false }: SlotRequest) {
      const { spare, setAside } = manners[kind];
      const usual: Slot =
        crowded && setAside
          ? { booked: false, retryInMs: Number.POSITIVE_INFINITY }
          : await bookOn(keyHash, rate, { lookAheadMs, spare });
      if (usual.booked || setAside === null) return usual;
      // Looking further ahead than the more urgent may, it gets its slot however fast they are.
      const wish = { lookAheadMs: 2 * (lookAheadMs + intervalMs(rate)) };
      const would = await bookOn(keyHash, rate, { ...wish, dry: true });
      if (!would.booked) return would;
      const own = await bookOn(`${keyHash}/${kind}`, setAside, { lookAheadMs: 0 });
      if (!own.booked) return { booked: false, retryInMs: Math.min(own.retryInMs, usual.retryInMs) };
      return bookOn(keyHash, rate, wish);
    },

    async look(keyHash) {
      const now = clockNow();
      const { tat, slowUntil } = believable((await table.read(keyHash)) ?? fresh, now);
      return look(tat, now, now < slowUntil ? slowRate : rate);
    },

    async slow(keyHash, forMs) {
      log.warn({ key: keyHash.slice(0, 8), forMs }, 'The tax service said 429; the key is held back.');
      const held = (state: BudgetState, now: number) => ({
        state: {
          tat: hold(state.tat, now, forMs, slowRate),
          slowUntil: Math.max(state.slowUntil, now + forMs + slowForMs),
        },
        answer: undefined,
      });
      await change(keyHash, held, Number.POSITIVE_INFINITY);
    },
  };
}

/** A budget table for one process, which forgets it when it ends (own-budgets.ts says what that must not cost). */
export function memoryBudgetTable(): BudgetTable {
  const states = new Map<string, BudgetState>();
  return {
    async read(name) {
      return states.get(name) ?? null;
    },
    async swap(name, expected, next) {
      const current = states.get(name);
      if (current?.tat !== expected?.tat || current?.slowUntil !== expected?.slowUntil) return false;
      states.set(name, next);
      return true;
    },
  };
}
