import type { DocumentState, MoveCause, MoveNote } from '../domain/document.ts';
import type { AttemptEnd, Effect, Patch, Reason } from './effects.ts';
import type { Job, NamedKey, Stored } from './events.ts';
import type { Rules } from './rules.ts';
import type { Learnt, Now, SentAttempt, State, Timings } from './state.ts';

/** One decision in progress: the state so far, and the effects so far. */
export interface Deciding {
  state: State;
  readonly effects: Effect[];
  readonly now: Now;
  readonly rules: Rules;
  readonly timings: Timings;
}

/** What the functions of a decision return: they write into `Deciding`. */
export type Decided = undefined;

/** States of a document that was sent and has not ended. */
export const open: readonly DocumentState[] = ['sending', 'processing', 'uncertain'];

/** One compare-and-set and one row of the timeline. False, without an effect, where the document is in another state. */
export function move(
  d: Deciding,
  from: readonly DocumentState[],
  to: DocumentState,
  patch: Patch = {},
  note: MoveNote = {},
): boolean {
  const { document, learnt } = d.state;
  if (!from.includes(document.state)) return false;
  d.effects.push({ kind: 'move', from: document.state, to, patch, note });
  const { code = document.code, accessKey = document.accessKey, issueDate = document.issueDate } = patch;
  const { total = document.total } = patch;
  const version = document.version + 1;
  d.state = {
    ...d.state,
    document: { ...document, state: to, version, code, accessKey, issueDate, total },
    learnt: learn(d, learnt, document.state, to, note),
  };
  return true;
}

/** Moves with these causes are no news of the document. */
export const noNews: ReadonlySet<unknown> = new Set<MoveCause>([
  'no final state',
  'not found',
  'found',
  'known unsent',
]);

/** Moves with any other cause say that the service knows the document, or that it was sent again. */
export const keepsDenials: ReadonlySet<unknown> = new Set<MoveCause>(['not found', 'no final state']);

function learn(d: Deciding, learnt: Learnt, from: DocumentState, to: DocumentState, note: MoveNote): Learnt {
  const { cause } = note;
  const leaves = to === 'sending' || to === 'uncertain';
  const isRepeat = leaves && (from === 'sending' || from === 'uncertain' || learnt.knownUnsent);
  const key = cause === 'unexpected key' ? note.accessKey : (note.accessKey ?? note.otherKey);
  const isKnown =
    typeof key !== 'string' ||
    learnt.otherKeys.includes(key) ||
    attemptWithKey(d.state.attempts, key) !== undefined;
  return {
    notFound: keepsDenials.has(cause)
      ? [...learnt.notFound, ...(typeof key === 'string' ? [{ accessKey: key, at: d.now.at }] : [])]
      : [],
    newsAt: isRepeat || noNews.has(cause) ? learnt.newsAt : d.now.at,
    knownUnsent: cause === 'known unsent',
    wasUncertain: learnt.wasUncertain || to === 'uncertain',
    otherKeys: isKnown ? learnt.otherKeys : [...learnt.otherKeys, key],
  };
}

/**
 * Ends an attempt; false where it is settled. An authorised attempt stays authorised.
 * @param how `answer`: an attempt that an event or a question settled meanwhile stays as it is too.
 */
export function endAttempt(
  d: Deciding,
  n: number,
  end: AttemptEnd,
  how: 'always' | 'answer' = 'always',
): boolean {
  const attempt = attemptOf(d, n);
  if (!attempt || d.rules.isAuthorized(attempt)) return false;
  if (how === 'answer' && d.rules.isSettled(attempt, end.outcome)) return false;
  d.effects.push({ kind: 'end-attempt', n, ...end });
  const { accessKey = attempt.accessKey, serviceId = attempt.serviceId, errors = attempt.errors } = end;
  const { outcome, cause = attempt.cause } = end;
  patchAttempt(d, { ...attempt, outcome, accessKey, serviceId, errors, cause });
  return true;
}

export function patchAttempt(d: Deciding, attempt: SentAttempt): Decided {
  d.state = { ...d.state, attempts: d.state.attempts.map((one) => (one.n === attempt.n ? attempt : one)) };
}

export const attemptOf = ({ state }: Deciding, n: number): SentAttempt | undefined => state.attempts[n - 1];

/** @param why in plain words, for people who look at a waiting job. */
export const schedule = (d: Deciding, job: Job, at: number, why = 'its state changed'): Decided =>
  void d.effects.push({ kind: 'schedule', job, at, why });

export const add = (d: Deciding, ...effects: readonly Effect[]): Decided => void d.effects.push(...effects);

/** Only a person can move the document on: its order shows that, and what waits for it is planned again. */
export const showStopped = (d: Deciding): Decided =>
  add(d, { kind: 'write-back' }, { kind: 'wake-order', for: 'what-waits' });

/** The number is ours: a series that stopped for it starts again. */
export function resumeSeries(d: Deciding): Decided {
  if (d.state.document.state !== 'authorized' || !d.rules.mayResume(d.state.series)) return;
  d.state = { ...d.state, series: { ...d.state.series, stopped: null, isForOurs: false } };
  add(d, { kind: 'resume-series' });
}

/** Ends the attempt, moves the document and schedules what its state needs. A webhook that was faster wins. */
export function record(
  d: Deciding,
  n: number,
  end: AttemptEnd,
  to: DocumentState,
  patch: Patch = {},
  note: MoveNote = {},
  { notBefore = d.now.at, why }: { notBefore?: number; why?: string } = {},
): boolean {
  if (!endAttempt(d, n, end, 'answer')) return false;
  const moved = move(d, ['sending', 'uncertain'], to, patch, { attempt: n, outcome: end.outcome, ...note });
  if (!moved) return false;
  if (to === 'processing') schedule(d, 'follow-up', d.now.at + (d.timings.followUp[0] ?? 0));
  if (to === 'uncertain') schedule(d, 'follow-up', d.now.at);
  if (to === 'ready') schedule(d, 'submit', notBefore, why);
  if (to === 'rejected' || to === 'manual') showStopped(d);
  return true;
}

export const says = (sentence: Reason['sentences'][number], words: readonly string[] = []): Reason => ({
  sentences: [sentence],
  words,
});

/* Which attempt a key belongs to, and when a number may leave again. */

/** The newest attempt with the key, else one whose answer was lost. */
export const matchingAttempt = (
  d: Deciding,
  key: NamedKey,
  among = d.state.attempts,
): SentAttempt | undefined => attemptWithKey(among, key.accessKey) ?? lostAttempt(d, key, among);

export const attemptWithKey = (
  attempts: readonly SentAttempt[],
  accessKey: string,
): SentAttempt | undefined => attempts.findLast((one) => one.accessKey === accessKey);

/** For a key that no attempt has: one whose answer was lost, else one that seemed to have left nothing. */
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

/** The first of the key's day: a number that is repeated after midnight leaves with another date. */
const ofItsDay = (attempts: readonly SentAttempt[], { issueDate }: NamedKey): SentAttempt | undefined =>
  attempts.find((one) => one.issueDate === issueDate) ?? attempts[0];

/** The attempt a stored document came with, among those that are alike. */
export function attemptOfStored(d: Deciding, key: NamedKey, stored: Stored): SentAttempt | undefined {
  const alike = stored.kind === 'this-sale' ? stored.alike : [];
  const among = d.state.attempts.filter(({ n }) => alike.includes(n));
  return matchingAttempt(d, key, among) ?? attemptForNewKey(d, key, among) ?? among.at(-1);
}

/**
 * How often the number left in vain: the answer was lost, or the service did not know the key afterwards, or refused the
 * number without saying what it has. What never reached the service does not count.
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

/** When a number that left in vain may leave again: slower each time, counted from its last sending. */
export function leavesAgainAt(d: Deciding): number {
  const { followUp } = d.timings;
  const wait = followUp[Math.max(timesInVain(d), 1) - 1] ?? followUp.at(-1) ?? 0;
  return (d.state.attempts.at(-1)?.createdAt ?? 0) + wait;
}

type Repeat = { may: 'now' } | { may: 'later'; at: number } | { may: 'not' };

/**
 * Whether the same number leaves once more. Where a key is known the service is asked instead. Else the webhook gets its
 * time, longer after each sending in vain; across midnight, when the date must change, the time of all its retries. A
 * second sending is safe: the authority refuses it as registered (45).
 */
export function mayRepeat(d: Deciding): Repeat {
  const { document, attempts } = d.state;
  const last = attempts.at(-1);
  if (document.state !== 'uncertain' || !last || d.rules.isKnown(attempts)) return { may: 'not' };
  const at =
    last.issueDate === d.now.day ? leavesAgainAt(d) : last.createdAt + d.timings.repeatAcrossMidnight;
  return d.rules.hadItsTime(at, d.now) ? { may: 'now' } : { may: 'later', at };
}
