import { ecuadorDay } from '../core/calendar.ts';
import type { Attempt, AttemptOutcome, Document } from '../core/document.ts';
import type { Timings } from './deps.ts';

/** An attempt that may have reached the service without our knowing its fate. */
export const isAmbiguous = (attempt: Attempt): boolean =>
  attempt.outcome === 'open' || attempt.outcome === 'unknown';

const nothing = new Set<AttemptOutcome>(['unsent', 'refused']);

/** An attempt that is believed to have left nothing behind. It keeps the key it was told: what is believed may be wrong. */
export const leftNothing = (attempt: Attempt): boolean => nothing.has(attempt.outcome);

export type RepeatVerdict = { kind: 'now' } | { kind: 'later'; at: Date } | { kind: 'no' };

/**
 * Whether the same number may be sent once more. With a known key the service is asked instead. Without, the
 * webhook gets its time first; across midnight all its retries, because the date must change then: safe, since
 * the tax authority refuses the second one as already registered (45).
 */
export function mayRepeat(
  document: Pick<Document, 'state' | 'accessKey'>,
  attempts: readonly Attempt[],
  now: Date,
  timings: Pick<Timings, 'repeatAfter' | 'repeatAcrossMidnight'>,
): RepeatVerdict {
  const last = attempts.at(-1);
  const isKnown = attempts.some((attempt) => attempt.accessKey !== null && !leftNothing(attempt));
  if (document.state !== 'uncertain' || !last || isKnown) return { kind: 'no' };
  const sameDay = last.issueDate === ecuadorDay(now);
  const wait = sameDay ? timings.repeatAfter : timings.repeatAcrossMidnight;
  const at = new Date(new Date(last.createdAt).getTime() + wait);
  return at <= now ? { kind: 'now' } : { kind: 'later', at };
}
