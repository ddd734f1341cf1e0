import PQueue from 'p-queue';
import type { Clock } from '../domain/clock.ts';
import type { CallKind, RateLimit, RateLimitLook, RateLimits } from '../domain/job.ts';
import type { RateLimitState } from '../ledger/schema.ts';
import { clockPassed, realTimers } from './worker.ts';

/**
 * The generic cell rate algorithm: one number per key, the theoretical arrival time (TAT), in milliseconds.
 * In any 60 s window it books fewer than `burst + perMinute` slots, wherever the window begins: a booking moves
 * the TAT on by one interval, and a slot is at most `burst − 1` intervals before its TAT.
 */
export interface Rate {
  perMinute: number;
  burst: number;
}

/**
 * Spec, limits: 300 requests a minute per API key. One interval is 215 ms: at most 6 + 279 slots are in any 60 s.
 * The remaining 15 requests are 3 s of the rate: the time from a slot to the arrival at the service may vary by so much. A
 * slot is used within `slotKeepsMs`; the rest is the network's. A restarted process begins with a spent burst (open.ts), so
 * that restarts exceed no window either.
 */
export const serviceRate: Rate = { perMinute: 280, burst: 6 };

/** After a 429 another program uses the key as well: half of the rate for a while, without a burst. */
export const slowRate: Rate = { perMinute: 140, burst: 1 };
export const slowForMs = 5 * 60_000;

/** How long after its slot a call may still be sent, in milliseconds of the clock. */
export const slotKeepsMs = 1_500;

/**
 * How the kinds of calls share a key. A less urgent kind leaves `spare` slots of the burst to more urgent ones; behind a
 * backlog, where no burst builds up, it gets the slots that are `setAside`.
 */
export const rateClass: Record<CallKind, { spare: number; setAside: Rate | null }> = {
  emission: { spare: 0, setAside: null },
  question: { spare: 1, setAside: { perMinute: 10, burst: 2 } },
  download: { spare: 2, setAside: { perMinute: 5, burst: 2 } },
};

export const intervalMs = (rate: Rate): number => Math.ceil(60_000 / rate.perMinute);

/** The longest hold: the service's longest pause (service/exchange.ts), and the slow time after it. */
export const longestHoldMs = 20 * 60_000;

/** The state without impossible times: those too far ahead were written by a clock that was ahead; the burst counts as spent. */
export function believable(state: RateLimitState, now: number): RateLimitState {
  const latest = now + longestHoldMs;
  return {
    tat: state.tat > latest ? now + (serviceRate.burst - 1) * intervalMs(serviceRate) : state.tat,
    slowUntil: state.slowUntil > latest ? 0 : state.slowUntil,
  };
}

export type Booking =
  | { booked: true; waitMs: number; tat: number }
  /** Nothing was booked: the next slot is within the look-ahead in so many milliseconds. */
  | { booked: false; retryInMs: number };

/** Books the next free slot at or after `now` unless it is further ahead than `lookAheadMs`. */
export function book(
  tat: number | null,
  now: number,
  lookAheadMs: number,
  rate: Rate,
  /** Slots of the burst to leave to others. */
  spare = 0,
): Booking {
  const start = Math.max(tat ?? now, now);
  const waitMs = Math.max(start - Math.max(rate.burst - 1 - spare, 0) * intervalMs(rate) - now, 0);
  if (waitMs > lookAheadMs) return { booked: false, retryInMs: Math.max(waitMs - lookAheadMs, 1) };
  return { booked: true, waitMs, tat: start + intervalMs(rate) };
}

/** The free and used slots of a key's burst, and the wait for the next one. */
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

/** How far ahead slots are booked, so that none is wasted while a job is sent to its worker; in real milliseconds. */
export const lookAheadMs = 100;

/**
 * The rate limit of one key for calls that book when they are made (PDF endpoint, look-ups). Calls of a kind queue here,
 * and only the first of each queue competes for the next slot: make one per key and process. After a 429 `take`
 * waits as long as the key is held: callers set their own deadline.
 * @param rate how many times faster than real time `clock` runs.
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
 * The rate limit of one run of a job handler: its first call is free, because the dispatcher booked that slot when it
 * released the job. A slot that was kept too long is lost, and the call takes another one.
 * @param slotAt the booked slot, in milliseconds of the clock.
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
