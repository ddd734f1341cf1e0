import type { BudgetLook, CallKind } from '../domain/budget.ts';
import type { BudgetState } from '../ledger/work/tables.ts';

/**
 * The generic cell rate algorithm: one number per key, the theoretical arrival time (TAT), in milliseconds.
 * In any 60 s window it books fewer than `burst + perMinute` slots, however the window lies: a booking moves
 * the TAT on by one interval, and a slot lies at most `burst − 1` intervals before its TAT.
 */
export interface Rate {
  perMinute: number;
  burst: number;
}

/**
 * Spec, limits: 300 requests a minute per API key. One interval is 215 ms: at most 6 + 279 slots lie in any 60 s.
 * What remains, 15 requests, are 3 s of the rate: so much may the time from a slot to the arrival at the service
 * vary. A slot is used within `slotKeepsMs`; the rest is the network's. A process that forgot its budgets begins with
 * a spent burst (own-budgets.ts), so however often one is started anew, no 60 s hold more.
 */
export const serviceRate: Rate = { perMinute: 280, burst: 6 };

/** Somebody else uses the key as well: half of it is left to them for a while, and no burst is tried. */
export const slowRate: Rate = { perMinute: 140, burst: 1 };
export const slowForMs = 5 * 60_000;

/** How long after its slot a call may still leave without asking again, in milliseconds of the clock. */
export const slotKeepsMs = 1_500;

/**
 * How the kinds share a key. The less urgent leaves `spare` slots of the burst to the more urgent; under a
 * backlog, which never lets them heap up, it has what is `setAside`.
 */
export const manners: Record<CallKind, { spare: number; setAside: Rate | null }> = {
  emission: { spare: 0, setAside: null },
  question: { spare: 1, setAside: { perMinute: 10, burst: 2 } },
  download: { spare: 2, setAside: { perMinute: 5, burst: 2 } },
};

export const intervalMs = (rate: Rate): number => Math.ceil(60_000 / rate.perMinute);

/** No hold lasts longer: the service's longest pause (service/exchange.ts), and what follows it. */
export const longestHoldMs = 20 * 60_000;

/** A state as far as it can be: what lies further ahead was written by a clock that was, and counts as a spent burst. */
export function believable(state: BudgetState, now: number): BudgetState {
  const latest = now + longestHoldMs;
  return {
    tat: state.tat > latest ? now + (serviceRate.burst - 1) * intervalMs(serviceRate) : state.tat,
    slowUntil: state.slowUntil > latest ? 0 : state.slowUntil,
  };
}

export type Booking =
  | { booked: true; waitMs: number; tat: number }
  /** Nothing was booked: the next slot comes within the look-ahead in so many milliseconds. */
  | { booked: false; retryInMs: number };

/** Books the next free slot at or after `now` unless it lies further ahead than `lookAheadMs`. */
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

/** How a key stands: the slots of its burst that are free and taken, and the wait for the next one. */
export function look(tat: number, now: number, rate: Rate): BudgetLook {
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
