import type { DocumentState, MoveNote } from '../domain/document.ts';
import type { AttemptEnd, Effect, Patch, Reason, Reply, Request } from './effects.ts';
import type { Job } from './events.ts';
import type { Rules } from './rules.ts';
import { type Now, type SentAttempt, type State, type Timings, waitBefore } from './state.ts';
import { learn } from './timeline.ts';

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
export const showStopped = (d: Deciding): undefined =>
  emit(d, { kind: 'write-back' }, { kind: 'replan-order', for: 'what-waits' });

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
