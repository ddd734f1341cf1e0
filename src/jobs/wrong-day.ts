import { ecuadorDay, startOfEcuadorDay } from '../domain/calendar.ts';
import { namesIssueDate } from '../service/refusal-words.ts';

/**
 * What a refused date of issue means that was today's by our clock. `midnight`: our day and the service's change some
 * moments apart, and the document leaves again in a while. `clock`: one of the clocks is wrong.
 */
export type WrongDay = { kind: 'midnight'; waitMs: number } | { kind: 'clock' };

const minute = 60_000;
const day = 24 * 60 * minute;
/** Clocks that differ by no more are right. */
const tolerance = 5 * minute;
/** So near to midnight another day is no surprise; what is still refused later is refused. */
const nearMidnight = 10 * minute;
const shortestWait = 5_000;

/** null when the refusal does not name the date, or the clocks do not explain it. */
export function wrongDay(
  answer: { errors: readonly string[]; date: Date | null },
  now: Date,
): WrongDay | null {
  if (!namesIssueDate(answer.errors)) return null;
  const today = ecuadorDay(now);
  if (answer.date && ecuadorDay(answer.date) !== today && !clocksAgree(answer.date, now))
    return { kind: 'clock' };
  const since = now.getTime() - startOfEcuadorDay(today).getTime();
  const left = day - since;
  if (left <= nearMidnight) return { kind: 'midnight', waitMs: left };
  // As long again as the day is old: a few times at most.
  if (since <= nearMidnight) return { kind: 'midnight', waitMs: Math.max(since, shortestWait) };
  return null;
}

/** Whether our clock and the service's are right for all we know. */
export function clocksAgree(theirs: Date, ours: Date): boolean {
  return Math.abs(theirs.getTime() - ours.getTime()) <= tolerance;
}
