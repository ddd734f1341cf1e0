import PQueue from 'p-queue';
import type { Clock } from '../domain/clock.ts';
import type { CallKind, RateLimit, RateLimitLook, RateLimits, Slot, SlotRequest } from '../domain/job.ts';
import type { Log } from '../domain/ports.ts';
import type { RateLimitTable } from '../ledger/pauses.ts';
import type { RateLimitState } from '../ledger/schema.ts';
import { clockPassed, realTimers } from './worker.ts';

/**
 * The generic cell rate algorithm: one theoretical arrival time (TAT) per key, in milliseconds. Any 60 s window has fewer
 * than `burst + perMinute` slots: a booking adds one interval, and a slot is at most `burst − 1` intervals before its TAT.
 */
interface Rate {
  perMinute: number;
  burst: number;
}

/**
 * Spec, limits: 300 requests a minute per API key. An interval is 215 ms: at most 6 + 279 slots in any 60 s. The other 15
 * are 3 s for the time from slot to arrival, `slotKeepsMs` included.
 */
export const serviceRate: Rate = { perMinute: 280, burst: 6 };

/** After a 429 another program uses the key as well. */
const slowRate: Rate = { perMinute: 140, burst: 1 };
const slowForMs = 5 * 60_000;

/** What questions and downloads have of a key while its emissions use all they get. */
const reserve: Rate = { perMinute: 10, burst: 2 };

/** They leave one slot of the burst to the next emission. */
const spare = 1;

/** Milliseconds of the clock after the slot. */
export const slotKeepsMs = 1_500;

/** Real milliseconds; no slot is wasted while a job is sent to its worker. */
export const lookAheadMs = 100;

export const intervalMs = (rate: Rate): number => Math.ceil(60_000 / rate.perMinute);

/** The service's longest pause (service/exchange.ts), and the slow time after it. */
export const longestHoldMs = 20 * 60_000;

const fresh: RateLimitState = { tat: 0, reserveTat: 0, slowUntil: 0 };

/** Times too far ahead were written by a clock that was ahead; the burst then counts as spent. */
function believable({ tat, reserveTat, slowUntil }: RateLimitState, now: number): RateLimitState {
  const latest = now + longestHoldMs;
  return {
    tat: tat > latest ? now + (serviceRate.burst - 1) * intervalMs(serviceRate) : tat,
    reserveTat: Math.min(reserveTat, latest),
    slowUntil: slowUntil > latest ? 0 : slowUntil,
  };
}

type Booking =
  | { booked: true; waitMs: number; tat: number }
  /** The next slot is within the look-ahead in so many milliseconds. */
  | { booked: false; retryInMs: number };

/** Unless the next free slot is further ahead than `ahead`. */
export function book(tat: number | null, now: number, ahead: number, rate: Rate, sparing = 0): Booking {
  const start = Math.max(tat ?? now, now);
  const waitMs = Math.max(start - Math.max(rate.burst - 1 - sparing, 0) * intervalMs(rate) - now, 0);
  if (waitMs > ahead) return { booked: false, retryInMs: Math.max(waitMs - ahead, 1) };
  return { booked: true, waitMs, tat: start + intervalMs(rate) };
}

/** The TAT that allows no slot for `forMs`, and no burst right after it. */
export function hold(tat: number | null, now: number, forMs: number, rate: Rate): number {
  return Math.max(tat ?? now, now + forMs + (rate.burst - 1) * intervalMs(rate));
}

interface Change<T> {
  /** null changes nothing. */
  state: RateLimitState | null;
  answer: T;
}

function bookSlot(
  state: RateLimitState,
  now: number,
  full: Rate,
  { kind, lookAheadMs: ahead, reserveOnly = false }: SlotRequest,
): Change<Slot> {
  const rate = now < state.slowUntil ? slowRate : full;
  const booked = (tat: number, waitMs: number, reserveTat = state.reserveTat): Change<Slot> => ({
    state: { ...state, tat, reserveTat },
    answer: { booked: true, waitMs },
  });
  const refused = (retryInMs: number): Change<Slot> => ({
    state: null,
    answer: { booked: false, retryInMs },
  });
  const usual = book(state.tat, now, ahead, rate, kind === 'emission' ? 0 : spare);
  if (usual.booked && !reserveOnly) return booked(usual.tat, usual.waitMs);
  if (kind === 'emission') return refused(usual.booked ? 0 : usual.retryInMs);
  // A longer look-ahead than that of emissions gets it a slot, however many they are.
  const further = book(state.tat, now, 2 * (ahead + intervalMs(full)), rate);
  if (!further.booked) return refused(further.retryInMs);
  const own = book(state.reserveTat, now, 0, reserve);
  if (own.booked) return booked(further.tat, further.waitMs, own.tat);
  return refused(reserveOnly || usual.booked ? own.retryInMs : Math.min(own.retryInMs, usual.retryInMs));
}

function look(tat: number, now: number, rate: Rate): RateLimitLook {
  const ahead = Math.max(tat - now, 0);
  const used = Math.min(Math.ceil(ahead / intervalMs(rate)), rate.burst);
  const waitMs = Math.max(ahead - (rate.burst - 1) * intervalMs(rate), 0);
  return { used, free: rate.burst - used, waitMs };
}

/** So many lost races in a row mean much contention for one key: the caller retries later. */
const races = 20;

export function rateLimitsOver(
  table: RateLimitTable,
  { clock, log, rate = serviceRate }: { clock: Clock; log: Log; rate?: Rate },
): RateLimits {
  const clockNow = () => clock.now().getTime();

  /** After a lost race `next` gets the new state. */
  async function change<T>(
    keyHash: string,
    next: (state: RateLimitState, now: number) => Change<T>,
    tries = races,
  ): Promise<T | undefined> {
    for (let race = 0; race < tries; race += 1) {
      const expected = await table.read(keyHash);
      const now = clockNow();
      const { state, answer } = next(believable(expected ?? fresh, now), now);
      if (state === null || (await table.swap(keyHash, expected, state))) return answer;
    }
    return undefined;
  }

  return {
    async reserve(keyHash, request) {
      const slot = await change(keyHash, (state, now) => bookSlot(state, now, rate, request));
      return slot ?? { booked: false, retryInMs: 50 };
    },

    async look(keyHash) {
      const now = clockNow();
      const { tat, slowUntil } = believable((await table.read(keyHash)) ?? fresh, now);
      return look(tat, now, now < slowUntil ? slowRate : rate);
    },

    async slow(keyHash, forMs) {
      log.warn(
        { key: keyHash.slice(0, 8), forMs },
        'The tax document service answered 429; the key is held back.',
      );
      const held = (state: RateLimitState, now: number) => ({
        state: {
          ...state,
          tat: hold(state.tat, now, forMs, slowRate),
          slowUntil: Math.max(state.slowUntil, now + forMs + slowForMs),
        },
        answer: undefined,
      });
      await change(keyHash, held, Number.POSITIVE_INFINITY);
    },
  };
}

export function memoryRateLimitTable(): RateLimitTable {
  const states = new Map<string, RateLimitState>();
  return {
    async read(keyHash) {
      return states.get(keyHash) ?? null;
    },
    async swap(keyHash, expected, next) {
      if ((states.get(keyHash) ?? null) !== expected) return false;
      states.set(keyHash, next);
      return true;
    },
  };
}

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
