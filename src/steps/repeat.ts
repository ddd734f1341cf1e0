import { ecuadorDay } from '../core/calendar.ts';
import type { Attempt, AttemptOutcome, Document } from '../core/document.ts';
import type { Timings } from './deps.ts';

/** An attempt that may have reached the service without our knowing its fate. */
export const isAmbiguous = ({ outcome }: Pick<Attempt, 'outcome'>): boolean =>
  outcome === 'open' || outcome === 'unknown';

const nothing = new Set<AttemptOutcome>(['unsent', 'refused']);

/** An attempt that is believed to have left nothing behind. It keeps the key it was told: what is believed may be wrong. */
export const leftNothing = (attempt: Attempt): boolean => nothing.has(attempt.outcome);

/** A sending the service said it knew nothing of, though it had named its key. */
const wasDismissed = (attempt: Attempt): boolean =>
  attempt.outcome === 'unsent' && attempt.accessKey !== null;

/**
 * How often the number was sent for nothing: nobody told what became of it, or the service knew nothing of it
 * afterwards, or refused it without a word of what it holds. What never reached the service counts for nothing.
 */
function timesInVain(attempts: readonly Attempt[]): number {
  const doubt = attempts.findIndex(isAmbiguous);
  const refusedInDoubt = ({ outcome }: Attempt, n: number) =>
    outcome === 'refused' && doubt >= 0 && n > doubt;
  return attempts.filter((one, n) => isAmbiguous(one) || wasDismissed(one) || refusedInDoubt(one, n)).length;
}

/**
 * When a number that was sent for nothing may leave once more: slower and slower, counted from its last sending. Each
 * one is kept with its body, and what the service could not take a dozen times is nothing it must be asked every minute.
 */
export function leavesAgainAt(attempts: readonly Attempt[], { followUp }: Pick<Timings, 'followUp'>): Date {
  const wait = followUp[Math.max(timesInVain(attempts), 1) - 1] ?? followUp.at(-1) ?? 0;
  return new Date(new Date(attempts.at(-1)?.createdAt ?? 0).getTime() + wait);
}

export type RepeatVerdict = { kind: 'now' } | { kind: 'later'; at: Date } | { kind: 'no' };

/**
 * Whether the same number may be sent once more. With a known key the service is asked instead. Without, the
 * webhook gets its time first, longer after each repeat in vain; across midnight all its retries, because the date must
 * change then: safe, since the tax authority refuses the second one as already registered (45).
 */
export function mayRepeat(
  document: Pick<Document, 'state' | 'accessKey'>,
  attempts: readonly Attempt[],
  now: Date,
  timings: Pick<Timings, 'followUp' | 'repeatAcrossMidnight'>,
): RepeatVerdict {
  const last = attempts.at(-1);
  const doubt = attempts.findIndex(isAmbiguous);
  // An error of a sending before the lost one says nothing of that.
  const isOver = ({ outcome }: Attempt, n: number) => outcome === 'error' && n < doubt;
  const isKnown = attempts.some((one, n) => one.accessKey !== null && !leftNothing(one) && !isOver(one, n));
  if (document.state !== 'uncertain' || !last || isKnown) return { kind: 'no' };
  const sameDay = last.issueDate === ecuadorDay(now);
  const at = sameDay
    ? leavesAgainAt(attempts, timings)
    : new Date(Date.parse(last.createdAt) + timings.repeatAcrossMidnight);
  return at <= now ? { kind: 'now' } : { kind: 'later', at };
}
