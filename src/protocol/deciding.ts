import type { DocumentState } from '../domain/document.ts';
import type { MoveCause, MoveNote } from '../domain/move-note.ts';
import type { AttemptEnd, Effect, Patch, Reason } from './effects.ts';
import type { Job } from './events.ts';
import type { Rules } from './rules.ts';
import type { Learnt, Now, SentAttempt, State, Timings } from './state.ts';

/** One decision while it is made: what is known so far, and what is to be done. */
export interface Deciding {
  state: State;
  readonly effects: Effect[];
  readonly now: Now;
  readonly rules: Rules;
  readonly timings: Timings;
}

/** It is decided what follows; nothing is answered. */
export type Decided = undefined;

/** States of a document that is on its way to its end. */
export const open: readonly DocumentState[] = ['sending', 'processing', 'uncertain'];

/** One compare-and-set and one row of the timeline; false, and nothing happens, where it stands elsewhere. */
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

/** What the timeline keeps of a document that nothing was learnt of. */
const noNews = new Set<MoveCause | undefined>(['no final state', 'not found', 'found', 'known unsent']);

function learn(d: Deciding, learnt: Learnt, from: DocumentState, to: DocumentState, note: MoveNote): Learnt {
  const { cause } = note;
  const leaves = to === 'sending' || to === 'uncertain';
  const isRepeat = leaves && (from === 'sending' || from === 'uncertain' || learnt.knownUnsent);
  const told = cause === 'unexpected key' ? note.accessKey : (note.accessKey ?? note.foreignKey);
  return {
    notFound:
      cause === 'not found' && typeof told === 'string'
        ? [...learnt.notFound, { accessKey: told, at: d.now.at }]
        : [],
    newsAt: isRepeat || noNews.has(cause) ? learnt.newsAt : d.now.at,
    knownUnsent: cause === 'known unsent',
    wasUncertain: learnt.wasUncertain || to === 'uncertain',
    otherKeys:
      typeof told !== 'string' || learnt.otherKeys.includes(told) || bears(d.state, told)
        ? learnt.otherKeys
        : [...learnt.otherKeys, told],
  };
}

const bears = ({ attempts }: State, key: string): boolean =>
  attempts.some(({ accessKey }) => accessKey === key);

/**
 * Ends an attempt. One that was authorised stays so, whoever ends it later.
 * @param how `answer`: also one that an event or a question settled meanwhile stays as it is.
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
  // What it says nothing of stays.
  const { accessKey = attempt.accessKey, serviceId = attempt.serviceId, errors = attempt.errors } = end;
  const { outcome, cause = attempt.cause } = end;
  patchAttempt(d, { ...attempt, outcome, accessKey, serviceId, errors, cause });
  return true;
}

export function patchAttempt(d: Deciding, attempt: SentAttempt): Decided {
  d.state = { ...d.state, attempts: d.state.attempts.map((one) => (one.n === attempt.n ? attempt : one)) };
}

export const attemptOf = ({ state }: Deciding, n: number): SentAttempt | undefined => state.attempts[n - 1];

/** @param why in plain words, for whoever asks what a job waits for. */
export const wait = (d: Deciding, job: Job, until: number, why = 'its state changed'): Decided =>
  void d.effects.push({ kind: 'wait', job, until, why });

export const does = (d: Deciding, ...effects: readonly Effect[]): Decided => void d.effects.push(...effects);

/** Its state stands on the order, and what waits for it is planned anew: nobody but a person moves it on. */
export const showStopped = (d: Deciding): Decided =>
  does(d, { kind: 'write-back' }, { kind: 'wake-order', for: 'what-waits' });

/** Its number proved ours: where the series stopped for it there is no reason any more. */
export function resumeSeries(d: Deciding): Decided {
  if (d.state.document.state !== 'authorized' || !d.rules.mayResume(d.state.series)) return;
  d.state = { ...d.state, series: { ...d.state.series, stopped: null, isForOurs: false } };
  does(d, { kind: 'resume-series' });
}

/**
 * Ends the attempt and moves the document; a faster webhook keeps the state it reached. What follows from the state is
 * asked for in the same COMMIT.
 */
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
  if (to === 'processing') wait(d, 'follow-up', d.now.at + (d.timings.followUp[0] ?? 0));
  if (to === 'uncertain') wait(d, 'follow-up', d.now.at);
  if (to === 'ready') wait(d, 'submit', notBefore, why);
  if (to === 'rejected' || to === 'manual') showStopped(d);
  return true;
}

export const says = (sentence: Reason['says'][number], words: readonly string[] = []): Reason => ({
  says: [sentence],
  words,
});
