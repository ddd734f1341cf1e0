import type { AttemptOutcome, DocumentState } from '../domain/document.ts';
import type { MoveCause } from '../domain/move-note.ts';
import { leavesAgainAt, mayRepeat } from './attempts.ts';
import {
  attemptOf,
  type Decided,
  type Deciding,
  does,
  endAttempt,
  move,
  says,
  showStopped,
  wait,
} from './deciding.ts';
import type { Asker, Because, NamedKey, Silent, Stored } from './events.ts';
import { disown } from './number-taken.ts';
import type { SentAttempt } from './state.ts';

/*
 * What happens after an answer that is lost, and until a document has its end: the service is asked by every key that may
 * come true. Without one, by the key that is foreseen; then the webhook gets its time, and the same number leaves again.
 */

type FollowUp = Extract<Asker, { kind: 'follow-up' }>;
type Step<S extends Because['step']> = Extract<Because, { step: S }>;

/** Attempts whose fate is known. */
const ended = new Set<AttemptOutcome>(['error', 'refused', 'unsent', 'authorized']);
const isOpen = (state: DocumentState) => state === 'processing' || state === 'uncertain';

/** The job `follow-up` is due. */
export function lookUp(d: Deciding, foreseenNow: readonly { n: number; accessKey: string }[]): Decided {
  const { document, attempts } = d.state;
  if (!isOpen(document.state)) return;
  const from = document.state;
  const keyed = attempts.filter((one) => one.accessKey !== null && !ended.has(one.outcome));
  if (keyed.length > 0) goOn(d, { kind: 'follow-up', from, keys: 'open', rest: withKeys(keyed) });
  else goOn(d, { kind: 'follow-up', from, keys: 'foreseen', rest: foreseen(d, foreseenNow) });
}

const withKeys = (attempts: readonly SentAttempt[]) =>
  attempts.flatMap(({ n, accessKey }) => (accessKey === null ? [] : [{ n, accessKey }]));

/** Lost attempts that can be asked about by a foreseen key, the first of each day. */
function foreseen(d: Deciding, now: readonly { n: number; accessKey: string }[]): FollowUp['rest'] {
  const lost = d.state.attempts.filter((one) => d.rules.outcomeUnknown(one) && one.accessKey === null);
  const keys = lost.flatMap(({ n, foreseenKey }) => {
    const accessKey = foreseenKey ?? now.find((one) => one.n === n)?.accessKey;
    return accessKey === undefined ? [] : [{ n, accessKey }];
  });
  return keys.filter(({ accessKey }, at) => keys.findIndex((one) => one.accessKey === accessKey) === at);
}

/** The next question of whoever asks; after the last, when the document is looked at again. */
export function goOn(d: Deciding, asker: Asker): Decided {
  if (asker.kind === 'notified' || !isOpen(d.state.document.state)) return;
  const [next, ...rest] = asker.rest;
  if (next) {
    const because = { step: 'state', asker: { ...asker, rest }, n: next.n } as const;
    return does(d, { kind: 'ask', accessKey: next.accessKey, because });
  }
  if (asker.keys === 'given-up') return afterGivenUp(d);
  // Nothing was learnt under any key.
  if (asker.keys === 'foreseen' && d.state.document.state === asker.from) return withoutKey(d);
  alertUnconfirmed(d);
  wait(d, 'follow-up', nextLook(d), 'the document has no final state yet');
}

/** The next look lies one wait of the schedule after the last emission, counted from its age. */
export function nextLook({ state, now, timings }: Deciding): number {
  let at = state.attempts.at(-1)?.createdAt ?? now.at;
  for (const wait of timings.followUp) {
    at += wait;
    if (at > now.at) return at;
  }
  return now.at + (timings.followUp.at(-1) ?? 0);
}

/**
 * No key is open to be asked about: the webhook gets its time. Before the number leaves again, or is left to a person who
 * finds the key, the keys of earlier sendings that were given up are asked about once more.
 */
function withoutKey(d: Deciding): Decided {
  const { attempts, document } = d.state;
  // Every attempt has ended: what follows is another job (reprocess.ts).
  if (!attempts.some(d.rules.outcomeUnknown)) return;
  alertUnconfirmed(d);
  const verdict = mayRepeat(d);
  if (verdict.may === 'later')
    return wait(d, 'follow-up', verdict.at, 'waiting for the webhook of a lost answer');
  goOn(d, { kind: 'follow-up', from: document.state, keys: 'given-up', rest: withKeys(attempts) });
}

const noAnswer = new Set<string | null>(['answer-lost', 'key-unexpected', 'unconfirmed']);

function afterGivenUp(d: Deciding): Decided {
  const { attempts, document } = d.state;
  const verdict = mayRepeat(d);
  if (verdict.may === 'now') return wait(d, 'submit', d.now.at);
  if (verdict.may === 'later')
    return wait(d, 'follow-up', verdict.at, 'waiting for the webhook of a lost answer');
  // A key came to light while the others were asked about.
  if (attempts.some((one) => one.accessKey !== null && !ended.has(one.outcome)))
    return wait(d, 'follow-up', d.now.at);
  const at = (attempts.at(-1)?.createdAt ?? d.now.at) + d.timings.repeatAcrossMidnight;
  if (!d.rules.hadItsTime(at, d.now)) return wait(d, 'follow-up', at, 'waiting for every retry of a webhook');
  const code = noAnswer.has(document.code) ? 'key-unknown' : document.code;
  const note = { cause: 'no webhook told the key' } as const;
  if (move(d, ['uncertain'], 'manual', { code, reason: says('findTheKey') }, note)) showStopped(d);
}

/** The service says that it does not know the key. */
export function notFound(
  d: Deciding,
  key: NamedKey,
  isUnderOtherKey: boolean,
  { asker, n }: Step<'state'>,
): Decided {
  if (asker.kind === 'notified') return notShown(d, asker);
  const attempt = n === null ? undefined : attemptOf(d, n);
  // A foreseen key is a question only.
  if (asker.keys === 'foreseen' || !attempt) return goOn(d, asker);
  if (d.rules.isUnderOtherKey(isUnderOtherKey)) {
    if (d.state.document.code !== 'key-gone')
      move(d, [asker.from], asker.from, { code: 'key-gone', reason: says('keyGone') });
    return goOn(d, asker);
  }
  const isUnknown = d.rules.outcomeUnknown(attempt);
  if ((!isUnknown && attempt.outcome !== 'adopted') || !isBelieved(d, attempt, key, asker.from))
    return goOn(d, asker);
  if (isUnknown) return dismiss(d, attempt, asker);
  // Its XML may be there all the same, and then it says whose it is.
  does(d, { kind: 'compare', accessKey: key.accessKey, because: { step: 'unseen', asker, n: attempt.n } });
}

/** Each answer that counts is kept in the timeline, so that no restart forgets it; those close together count once. */
function isBelieved(
  d: Deciding,
  { createdAt }: SentAttempt,
  { accessKey }: NamedKey,
  from: DocumentState,
): boolean {
  const times = () => d.state.learnt.notFound.flatMap((one) => (one.accessKey === accessKey ? [one.at] : []));
  const said = times();
  if (d.rules.isBelieved(said, d.now, d.timings)) return true;
  if (d.now.at - (said.at(-1) ?? createdAt) < d.timings.notFound.apart) return false;
  return (
    move(d, [from], from, {}, { cause: 'not found', accessKey }) &&
    d.rules.isBelieved(times(), d.now, d.timings)
  );
}

/** That POST left nothing. With no other unknown the number leaves again, at its pace; else the others are asked about. */
function dismiss(d: Deciding, { n }: SentAttempt, asker: FollowUp): Decided {
  // Its key stays: should the service be wrong, the 409 or the event that names it finds it here.
  endAttempt(d, n, { outcome: 'unsent' }, 'answer');
  const others = d.state.attempts.some(d.rules.outcomeUnknown);
  const patch = { accessKey: null, ...(others ? {} : { code: null, reason: null }) };
  if (!move(d, ['uncertain'], others ? 'uncertain' : 'ready', patch, { cause: 'known unsent' }))
    return goOn(d, asker);
  if (others) wait(d, 'follow-up', d.now.at);
  else wait(d, 'submit', leavesAgainAt(d));
}

/** An adopted key that is never shown to us is somebody else's, unless its XML is ours. */
export function unseenCompared(
  d: Deciding,
  _key: NamedKey,
  stored: Stored,
  { asker, n }: Step<'unseen'>,
): Decided {
  const attempt = attemptOf(d, n);
  if (!d.rules.isAlike(stored) && attempt?.outcome === 'adopted') disown(d, attempt, 'unseen');
  goOn(d, asker);
}

/** The service shows it after all: what it said before does not count any more. */
export function shownAfterAll(d: Deciding, n: number, from: DocumentState): Decided {
  const attempt = attemptOf(d, n);
  if (!attempt || (!d.rules.outcomeUnknown(attempt) && attempt.outcome !== 'adopted')) return;
  const { accessKey } = attempt;
  if (accessKey === null || !d.state.learnt.notFound.some((one) => one.accessKey === accessKey)) return;
  move(d, [from], from, {}, { cause: 'found', accessKey });
}

/** Nothing was learnt under this key. */
export function noAnswerTo(d: Deciding, asker: Asker, why: Silent['why']): Decided {
  if (asker.kind === 'notified') return does(d, { kind: 'try-again', why: 'the state is not confirmed yet' });
  if (why === 'older-key-unauthorized') return wait(d, 'follow-up', d.now.at, 'an older API key was revoked');
  if (why === 'unauthorized')
    return does(d, { kind: 'put-back', job: 'follow-up' }, { kind: 'pause-account', cause: 'api-key' });
  goOn(d, asker);
}

/** What the service notified and does not show: behind the answer may stand a replica that lags. */
export function notShown(d: Deciding, asker: Asker): Decided {
  if (asker.kind !== 'notified' || asker.isError || asker.tries >= d.timings.notifiedTries) return;
  does(d, { kind: 'try-again', why: 'the service does not show yet what it notified' });
}

/** What a document says that is only on its way, and may be told better. */
const passing = new Set<string | null>([null, 'answer-lost', 'key-unexpected']);

/** Nothing was learnt for a day: the document says so and people are alerted; the questions go on. */
function alertUnconfirmed(d: Deciding): Decided {
  const { document, learnt } = d.state;
  const { unconfirmed } = d.timings;
  if (document.createdAt + unconfirmed > d.now.at || learnt.newsAt + unconfirmed > d.now.at) return;
  const cause: MoveCause = 'no final state';
  if (passing.has(document.code))
    move(
      d,
      [document.state],
      document.state,
      { code: 'unconfirmed', reason: says('unconfirmed') },
      { cause },
    );
  if (!document.isShadow) does(d, { kind: 'alert', code: 'document-unconfirmed' });
}
