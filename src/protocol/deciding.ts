import type { DocumentState, MoveCause, MoveNote } from '../domain/document.ts';
import type { AttemptEnd, Effect, Patch, Reason, Reply, Request } from './effects.ts';
import type { Job, NamedKey, Stored } from './events.ts';
import type { Rules } from './rules.ts';
import type { Learnt, Now, SentAttempt, State, Timings } from './state.ts';

/** Each function below changes `state` and adds the effect at once, so their order is that of the timeline. */
export interface Deciding {
  state: State;
  readonly effects: Effect[];
  request: Request | null;
  reply: Reply | null;
  readonly now: Now;
  readonly rules: Rules;
  readonly timings: Timings;
}

export const open: readonly DocumentState[] = ['sending', 'processing', 'uncertain'];

export const emit = (d: Deciding, ...effects: readonly Effect[]): undefined =>
  void d.effects.push(...effects);

export function request(d: Deciding, made: Request): undefined {
  if (d.request) throw new Error(`A decision requests ${d.request.kind} and ${made.kind}.`);
  d.request = made;
}

export function reply(d: Deciding, given: Reply): undefined {
  d.reply = given;
}

/** `why`: in plain words, for people who look at a waiting job. */
export const schedule = (d: Deciding, job: Job, at: number, why = 'its state changed'): undefined =>
  emit(d, { kind: 'schedule', job, at, why });

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
  emit(d, { kind: 'move', from: document.state, to, patch, note });
  const { code = document.code, accessKey = document.accessKey, issueDate = document.issueDate } = patch;
  const { total = document.total } = patch;
  const version = document.version + 1;
  d.state = {
    ...d.state,
    document: { ...document, state: to, version, code, accessKey, issueDate, total },
    learnt: learn(learnt, { from: document.state, to, note, at: d.now.at }),
  };
  return true;
}

/** False where it is settled. `answer`: an attempt that an event or a question settled meanwhile stays as it is. */
export function endAttempt(
  d: Deciding,
  n: number,
  end: AttemptEnd,
  how: 'always' | 'answer' = 'always',
): boolean {
  const attempt = attemptOf(d, n);
  if (d.rules.isAuthorized(attempt)) return false;
  if (how === 'answer' && d.rules.isSettled(attempt, end.outcome)) return false;
  emit(d, { kind: 'end-attempt', n, ...end });
  const { accessKey = attempt.accessKey, serviceId = attempt.serviceId, errors = attempt.errors } = end;
  const { outcome, cause = attempt.cause } = end;
  patchAttempt(d, { ...attempt, outcome, accessKey, serviceId, errors, cause });
  return true;
}

export function patchAttempt(d: Deciding, attempt: SentAttempt): undefined {
  d.state = { ...d.state, attempts: d.state.attempts.map((one) => (one.n === attempt.n ? attempt : one)) };
}

export const attemptOf = ({ state }: Deciding, n: number): SentAttempt =>
  state.attempts[n - 1] as SentAttempt;

/** The wait before the n-th time, from 0; the last repeats. */
export const waitBefore = (waits: readonly number[], n: number): number =>
  waits[Math.min(n, waits.length - 1)] as number;

/** When the document was sent last; now for one that is bound to a document that the ledger lost. */
export const lastSentAt = ({ state, now }: Deciding): number => state.attempts.at(-1)?.createdAt ?? now.at;

interface Answered {
  n: number;
  end: AttemptEnd;
  to: DocumentState;
  patch?: Patch;
  note?: MoveNote;
  resend?: { at: number; why?: string };
}

/** Ends the attempt, moves the document and schedules what its state needs. False where a webhook was faster. */
export function endAttemptAndMove(
  d: Deciding,
  { n, end, to, patch, note, resend = { at: d.now.at } }: Answered,
): boolean {
  if (!endAttempt(d, n, end, 'answer')) return false;
  const moved = move(d, ['sending', 'uncertain'], to, patch, { attempt: n, outcome: end.outcome, ...note });
  if (!moved) return false;
  if (to === 'processing') schedule(d, 'follow-up', d.now.at + waitBefore(d.timings.followUp, 0));
  if (to === 'uncertain') schedule(d, 'follow-up', d.now.at);
  if (to === 'ready') schedule(d, 'submit', resend.at, resend.why);
  if (to === 'rejected' || to === 'manual') showStopped(d);
  return true;
}

/** Only a person can move the document on: its order shows that, and what waits for it is planned again. */
export function showStopped(d: Deciding): undefined {
  emit(d, { kind: 'write-back' }, { kind: 'replan-order', for: 'what-waits' });
  const { stopped, isForOurs } = d.state.series;
  if (stopped === 'suspect' && isForOurs) emit(d, { kind: 'recover-series' });
}

export function resumeSeries(d: Deciding): undefined {
  const { document, series } = d.state;
  if (document.state !== 'authorized' || !d.rules.mayResume(series)) return;
  d.state = { ...d.state, series: { ...series, stopped: null, isForOurs: false } };
  emit(d, { kind: 'resume-series' });
}

export const because = (sentence: Reason['sentences'][number], words: readonly string[] = []): Reason => ({
  sentences: [sentence],
  words,
});

/* Which attempt a key belongs to, and when a number may be sent again. */

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

/** The attempt a stored document came with, among those that are alike. */
export function attemptOfStored(d: Deciding, key: NamedKey, stored: Stored): SentAttempt | undefined {
  const alike = stored.kind === 'this-sale' ? stored.alike : [];
  const among = d.state.attempts.filter(({ n }) => alike.includes(n));
  return matchingAttempt(d, key, among) ?? attemptForNewKey(d, key, among) ?? among.at(-1);
}

/** Sendings whose answer was lost, whose key the service did not know afterwards, or that were refused since the first loss. */
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

/**
 * Whether the same number is sent once more. Where a key is known the service is asked instead. A second sending is safe: the
 * authority refuses it as registered (45).
 */
export function mayResend(d: Deciding): Resend {
  const { document, attempts } = d.state;
  const last = attempts.at(-1);
  if (document.state !== 'uncertain' || !last || d.rules.isKnown(attempts)) return { may: 'not' };
  const at = last.issueDate === d.now.day ? resendAt(d) : last.createdAt + d.timings.repeatAcrossMidnight;
  return d.rules.hadItsTime(at, d.now) ? { may: 'now' } : { may: 'later', at };
}

/* The timeline. */

/** One row of the timeline. */
export interface Move {
  from: DocumentState | null;
  to: DocumentState;
  note: MoveNote;
  at: number;
}

/** Of a document without a timeline, made at this instant. */
export const nothingLearnt = (at: number): Learnt => ({
  notFound: [],
  newsAt: at,
  knownUnsent: false,
  wasUncertain: false,
  keys: [],
});

const noNews: ReadonlySet<unknown> = new Set<MoveCause>([
  'no final state',
  'not found',
  'found',
  'known unsent',
]);
/** Any other cause says that the service knows the document, or that it was sent again. */
const keepsNotFound: ReadonlySet<unknown> = new Set<MoveCause>(['not found', 'no final state']);
const mayHaveLeft: ReadonlySet<unknown> = new Set<DocumentState>(['sending', 'uncertain']);

/** Folds one more move into what was learnt: the same fold for a move just decided and for the rows of the ledger. */
export function learn(learnt: Learnt, { from, to, note, at }: Move): Learnt {
  const { cause } = note;
  const isRepeat = mayHaveLeft.has(to) && (mayHaveLeft.has(from) || learnt.knownUnsent);
  // After an unexpected key, `otherKey` is that of another document.
  const key = cause === 'unexpected key' ? note.accessKey : (note.accessKey ?? note.otherKey);
  const named = typeof key === 'string' ? key : null;
  return {
    notFound: keepsNotFound.has(cause)
      ? [...learnt.notFound, ...(named === null ? [] : [{ accessKey: named, at }])]
      : [],
    newsAt: isRepeat || noNews.has(cause) ? learnt.newsAt : at,
    knownUnsent: cause === 'known unsent',
    wasUncertain: learnt.wasUncertain || to === 'uncertain',
    keys: named === null || learnt.keys.includes(named) ? learnt.keys : [...learnt.keys, named],
  };
}
