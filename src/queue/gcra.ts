import PQueue from 'p-queue';
import type { Clock } from '../domain/clock.ts';
import type { CallKind, RateLimit, RateLimitLook, RateLimits } from '../domain/job.ts';
import type { RateLimitState } from '../ledger/schema.ts';
import { clockPassed, realTimers } from './worker.ts';

/**
 * The generic cell rate algorithm: one theoretical arrival time (TAT) per key, in milliseconds. Any 60 s window has fewer
 * than `burst + perMinute` slots: a booking adds one interval, and a slot is at most `burst − 1` intervals before its TAT.
 */
export interface Rate {
  perMinute: number;
  burst: number;
}

/**
 * Spec, limits: 300 requests a minute per API key. An interval is 215 ms: at most 6 + 279 slots in any 60 s. The other 15
 * are 3 s for the time from slot to arrival, `slotKeepsMs` included. A restarted process begins with a spent burst (open.ts).
 */
export const serviceRate: Rate = { perMinute: 280, burst: 6 };

/** After a 429 another program uses the key as well. */
export const slowRate: Rate = { perMinute: 140, burst: 1 };
export const slowForMs = 5 * 60_000;

/** Milliseconds of the clock after the slot. */
export const slotKeepsMs = 1_500;

/** A less urgent kind spares `spare` slots of the burst; behind a backlog it gets the slots that are `setAside`. */
export const rateClass: Record<CallKind, { spare: number; setAside: Rate | null }> = {
  emission: { spare: 0, setAside: null },
  question: { spare: 1, setAside: { perMinute: 10, burst: 2 } },
  download: { spare: 2, setAside: { perMinute: 5, burst: 2 } },
};

export const intervalMs = (rate: Rate): number => Math.ceil(60_000 / rate.perMinute);

/** The service's longest pause (service/exchange.ts), and the slow time after it. */
export const longestHoldMs = 20 * 60_000;

/** Times too far ahead were written by a clock that was ahead; the burst then counts as spent. */
export function believable(state: RateLimitState, now: number): RateLimitState {
  const latest = now + longestHoldMs;
  return {
    tat: state.tat > latest ? now + (serviceRate.burst - 1) * intervalMs(serviceRate) : state.tat,
    slowUntil: state.slowUntil > latest ? 0 : state.slowUntil,
  };
}

export type Booking =
  | { booked: true; waitMs: number; tat: number }
  /** The next slot is within the look-ahead in so many milliseconds. */
  | { booked: false; retryInMs: number };

/** Unless the next free slot is further ahead than `lookAheadMs`. */
export function book(tat: number | null, now: number, lookAheadMs: number, rate: Rate, spare = 0): Booking {
  const start = Math.max(tat ?? now, now);
  const waitMs = Math.max(start - Math.max(rate.burst - 1 - spare, 0) * intervalMs(rate) - now, 0);
  if (waitMs > lookAheadMs) return { booked: false, retryInMs: Math.max(waitMs - lookAheadMs, 1) };
  return { booked: true, waitMs, tat: start + intervalMs(rate) };
}

export function look(tat: number, now: number, rate: Rate): RateLimitLook {
  const ahead = Math.max(tat - now, 0);
  const used = Math.min(Math.ceil(ahead / intervalMs(rate)), rate.burst);
  return {
    used,
    free: rate.burst - used,
    waitMs: Math.max(ahead - (rate.burst - 1) * intervalMs(rate), 0),
  };
}

/** The TAT that allows no slot for `forMs`, and no burst right after it. */
export function hold(tat: number | null, now: number, forMs: number, rate: Rate): number {
  return Math.max(tat ?? now, now + forMs + (rate.burst - 1) * intervalMs(rate));
}

/** Real milliseconds; no slot is wasted while a job is sent to its worker. */
export const lookAheadMs = 100;

/**
 * For calls that book when they are made. Only the first of each kind competes for a slot: make one per key and process.
 * After a 429 `take` waits as long as the key is held. `rate` says how many times faster than real time `clock` runs.
 */
export function rateLimitFor(
  rateLimits: RateLimits,
  keyHash: string,
  clock: Clock,
  rate = 1,
  timers = realTimers,
): RateLimit {
  const queue = () => new PQueue({ concurrency: 1 });
  const queues: Record<CallKind, PQueue> = { emission: queue(), question: queue(), download: queue() };
  return {
    async take(kind) {
      const waitMs = await queues[kind].add(async () => {
        for (;;) {
          const slot = await rateLimits.reserve(keyHash, { kind, lookAheadMs: lookAheadMs * rate });
          if (slot.booked) return slot.waitMs;
          await clockPassed(clock, slot.retryInMs, timers);
        }
      });
      await clockPassed(clock, waitMs, timers);
    },
    slow: (forMs) => rateLimits.slow(keyHash, forMs),
  };
}

/**
 * The first call uses the slot that the dispatcher booked, unless it was kept too long.
 * @param slotAt milliseconds of the clock.
 */
export function prepaid(rateLimit: RateLimit, slotAt: number, clock: Clock): RateLimit {
  let paid = true;
  return {
    async take(kind) {
      const first = paid;
      paid = false;
      const fresh = clock.now().getTime() - slotAt <= slotKeepsMs;
      if (!(first && fresh)) await rateLimit.take(kind);
    },
    slow: (forMs) => rateLimit.slow(forMs),
  };
}
