import { type Deciding, lastSentAt } from './deciding.ts';
import type { NamedKey, Stored } from './events.ts';
import { type SentAttempt, waitBefore } from './state.ts';

export const matchingAttempt = (
  d: Deciding,
  key: NamedKey,
  among = d.state.attempts,
): SentAttempt | undefined => attemptWithKey(among, key.accessKey) ?? lostAttempt(d, key, among);

export const attemptWithKey = (
  attempts: readonly SentAttempt[],
  accessKey: string,
): SentAttempt | undefined => attempts.findLast((one) => one.accessKey === accessKey);

/** For a key that no attempt has: one whose answer was lost, else one that seemed to have left nothing behind. */
export function attemptForNewKey(
  d: Deciding,
  key: NamedKey,
  among = d.state.attempts,
): SentAttempt | undefined {
  const unsent = among.filter((one) => one.accessKey === null && d.rules.leftNothing(one));
  return lostAttempt(d, key, among) ?? ofItsDay(unsent.toReversed(), key);
}

const lostAttempt = (d: Deciding, key: NamedKey, among: readonly SentAttempt[]): SentAttempt | undefined =>
  ofItsDay(
    among.filter((one) => one.accessKey === null && d.rules.outcomeUnknown(one)),
    key,
  );

/** The first of the key's day: a number that is repeated after midnight has another date. */
const ofItsDay = (attempts: readonly SentAttempt[], { issueDate }: NamedKey): SentAttempt | undefined =>
  attempts.find((one) => one.issueDate === issueDate) ?? attempts[0];

export function attemptOfStored(d: Deciding, key: NamedKey, stored: Stored): SentAttempt | undefined {
  const alike = stored.kind === 'this-sale' ? stored.alike : [];
  const among = d.state.attempts.filter(({ n }) => alike.includes(n));
  return matchingAttempt(d, key, among) ?? attemptForNewKey(d, key, among) ?? among.at(-1);
}

function sentInVain({ state: { attempts }, rules }: Deciding): number {
  const first = attempts.findIndex(rules.outcomeUnknown);
  return attempts.filter(
    (one, at) =>
      rules.outcomeUnknown(one) ||
      (one.outcome === 'unsent' && one.accessKey !== null) ||
      (one.outcome === 'refused' && first >= 0 && at > first),
  ).length;
}

/** When a number that was sent in vain may be sent again: later each time, counted from its last sending. */
export function resendAt(d: Deciding): number {
  return lastSentAt(d) + waitBefore(d.timings.followUp, Math.max(sentInVain(d), 1) - 1);
}

type Resend = { may: 'now' } | { may: 'later'; at: number } | { may: 'not' };

/** Where a key is known the service is asked instead. A second sending is safe: the authority refuses it (45). */
export function mayResend(d: Deciding): Resend {
  const { document, attempts } = d.state;
  const last = attempts.at(-1);
  if (document.state !== 'uncertain' || !last || d.rules.isKnown(attempts)) return { may: 'not' };
  const at = last.issueDate === d.now.day ? resendAt(d) : last.createdAt + d.timings.repeatAcrossMidnight;
  return d.rules.hadItsTime(at, d.now) ? { may: 'now' } : { may: 'later', at };
}
