/**
 * The generic cell rate algorithm: one number per key, the theoretical arrival time (TAT), in milliseconds.
 * In any 60 s window it books fewer than `burst + perMinute` slots, however the window lies: a booking moves
 * the TAT on by one interval, and a slot lies at most `burst − 1` intervals before its TAT.
 */
export interface Rate {
  perMinute: number;
  burst: number;
}

/** Spec, limits: 300 requests a minute per API key; 30 stay free for the time between booking and arrival. */
export const serviceRate: Rate = { perMinute: 250, burst: 20 };

const interval = (rate: Rate): number => Math.ceil(60_000 / rate.perMinute);

export type Booking =
  | { booked: true; waitMs: number; tat: number }
  /** Nothing was booked: the next slot comes within the look-ahead in so many milliseconds. */
  | { booked: false; retryInMs: number };

/** Books the next free slot at or after `now` unless it lies further ahead than `lookAheadMs`. */
export function book(tat: number | null, now: number, lookAheadMs: number, rate: Rate): Booking {
  const start = Math.max(tat ?? now, now);
  const waitMs = Math.max(start - (rate.burst - 1) * interval(rate) - now, 0);
  if (waitMs > lookAheadMs) return { booked: false, retryInMs: Math.max(waitMs - lookAheadMs, 1) };
  return { booked: true, waitMs, tat: start + interval(rate) };
}

/** The TAT that allows no slot for `forMs`, and no burst right after it. */
export function hold(tat: number | null, now: number, forMs: number, rate: Rate): number {
  return Math.max(tat ?? now, now + forMs + (rate.burst - 1) * interval(rate));
}
