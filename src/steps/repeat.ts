import { ecuadorDay } from '../core/calendar.ts';
import type { Attempt, Document } from '../core/document.ts';
import type { Timings } from './deps.ts';

/** An attempt that may have reached the service without our knowing its fate. */
export const isAmbiguous = (attempt: Attempt): boolean =>
  attempt.outcome === 'open' || attempt.outcome === 'unknown';

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
  if (document.state !== 'uncertain' || !last || attempts.some((attempt) => attempt.accessKey !== null))
    return { kind: 'no' };
  const sameDay = last.issueDate === ecuadorDay(now);
  const wait = sameDay ? timings.repeatAfter : timings.repeatAcrossMidnight;
  const at = new Date(new Date(last.createdAt).getTime() + wait);
  return at <= now ? { kind: 'now' } : { kind: 'later', at };
}
