import type { Deciding } from './deciding.ts';
import type { NamedKey, Stored } from './events.ts';
import type { SentAttempt } from './state.ts';

/* Which attempt something is about, and when a number may leave again. */

/** The attempt a key is of: the newest that bears it, else one whose answer was lost. */
export const bearing = (d: Deciding, key: NamedKey, among = d.state.attempts): SentAttempt | undefined =>
  bearingTold(among, key.accessKey) ?? lost(d, key, among);

export const bearingTold = (attempts: readonly SentAttempt[], accessKey: string): SentAttempt | undefined =>
  attempts.findLast((one) => one.accessKey === accessKey);

/** The same for a key the document was never told: also one that was believed to have left nothing. */
export function bearingNew(d: Deciding, key: NamedKey, among = d.state.attempts): SentAttempt | undefined {
  const believed = among.filter((one) => one.accessKey === null && d.rules.leftNothing(one));
  return lost(d, key, among) ?? ofItsDay(believed.toReversed(), key);
}

const lost = (d: Deciding, key: NamedKey, among: readonly SentAttempt[]): SentAttempt | undefined =>
  ofItsDay(
    among.filter((one) => one.accessKey === null && d.rules.outcomeUnknown(one)),
    key,
  );

/** The first of the key's own day: a number that is repeated after midnight leaves with another date. */
const ofItsDay = (attempts: readonly SentAttempt[], { issueDate }: NamedKey): SentAttempt | undefined =>
  attempts.find((one) => one.issueDate === issueDate) ?? attempts[0];

/** Of attempts that are alike, the one a stored document came with. */
export function sendingOf(d: Deciding, key: NamedKey, stored: Stored): SentAttempt | undefined {
  const alike = stored.kind === 'this-sale' ? stored.alike : [];
  const among = d.state.attempts.filter(({ n }) => alike.includes(n));
  return bearing(d, key, among) ?? bearingNew(d, key, among) ?? among.at(-1);
}

/**
 * How often the number left for nothing: nobody told what became of it, or the service knew nothing of it afterwards, or
 * refused it without a word of what it holds. What never reached the service counts for nothing.
 */
function timesInVain({ state: { attempts }, rules }: Deciding): number {
  const first = attempts.findIndex(rules.outcomeUnknown);
  return attempts.filter(
    (one, at) =>
      rules.outcomeUnknown(one) ||
      (one.outcome === 'unsent' && one.accessKey !== null) ||
      (one.outcome === 'refused' && first >= 0 && at > first),
  ).length;
}

/** When a number that left for nothing may leave once more: slower and slower, counted from its last sending. */
export function leavesAgainAt(d: Deciding): number {
  const { followUp } = d.timings;
  const wait = followUp[Math.max(timesInVain(d), 1) - 1] ?? followUp.at(-1) ?? 0;
  return (d.state.attempts.at(-1)?.createdAt ?? 0) + wait;
}

export type Repeat = { may: 'now' } | { may: 'later'; at: number } | { may: 'not' };

/**
 * Whether the same number leaves once more. Where a key is known the service is asked instead. Else the webhook gets its
 * time, longer after each repeat in vain; across midnight that of all its retries, because the date must change then:
 * safe, since the authority refuses the second one as registered already (45).
 */
export function mayRepeat(d: Deciding): Repeat {
  const { document, attempts } = d.state;
  const last = attempts.at(-1);
  if (document.state !== 'uncertain' || !last || d.rules.isKnown(attempts)) return { may: 'not' };
  const at =
    last.issueDate === d.now.day ? leavesAgainAt(d) : last.createdAt + d.timings.repeatAcrossMidnight;
  return d.rules.hadItsTime(at, d.now) ? { may: 'now' } : { may: 'later', at };
}
