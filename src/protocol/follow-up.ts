import type { AttemptOutcome, DocumentState } from '../domain/document.ts';
import {
  attemptOf,
  because,
  type Deciding,
  emit,
  endAttempt,
  lastSentAt,
  mayResend,
  move,
  open,
  request,
  resendAt,
  schedule,
  showStopped,
  waitBefore,
} from './deciding.ts';
import type { Asker, EventOf, NamedKey, PurposeOf, Stored } from './events.ts';
import { declareConflict, suspectSeries } from './number-conflict.ts';
import type { Questions } from './questions.ts';
import type { SentAttempt } from './state.ts';

/*
 * One follow-up asks about the keys of attempts that may come true; without them about calculated keys; then it waits for the
 * webhook, asks about every key once more, and sends the same number again or calls a person.
 */

type FollowUp = Extract<Asker, { kind: 'follow-up' }>;

const ended = new Set<AttemptOutcome>(['error', 'refused', 'unsent', 'authorized']);
const isOpen = (state: DocumentState) => state === 'processing' || state === 'uncertain';

export function followUp(d: Deciding, foreseenNow: readonly { n: number; accessKey: string }[]): undefined {
  const { document, attempts } = d.state;
  if (!isOpen(document.state)) return;
  const from = document.state;
  const keyed = attempts.filter((one) => one.accessKey !== null && !ended.has(one.outcome));
  if (keyed.length > 0) askNext(d, { kind: 'follow-up', from, keys: 'open', rest: keysOf(keyed) });
  else askNext(d, { kind: 'follow-up', from, keys: 'foreseen', rest: foreseen(d, foreseenNow) });
}

const keysOf = (attempts: readonly SentAttempt[]) =>
  attempts.flatMap(({ n, accessKey }) => (accessKey === null ? [] : [{ n, accessKey }]));

function foreseen(d: Deciding, now: readonly { n: number; accessKey: string }[]): FollowUp['rest'] {
  const lost = d.state.attempts.filter((one) => d.rules.outcomeUnknown(one) && one.accessKey === null);
  const keys = lost.flatMap(({ n, foreseenKey }) => {
    const accessKey = foreseenKey ?? now.find((one) => one.n === n)?.accessKey;
    return accessKey === undefined ? [] : [{ n, accessKey }];
  });
  return keys.filter(({ accessKey }, at) => keys.findIndex((one) => one.accessKey === accessKey) === at);
}

export function askNext(d: Deciding, asker: Asker): undefined {
  if (asker.kind === 'notified' || !isOpen(d.state.document.state)) return;
  const [next, ...rest] = asker.rest;
  if (next) {
    const purpose = { kind: 'state', asker: { ...asker, rest }, n: next.n } as const;
    return request(d, { kind: 'ask', accessKey: next.accessKey, purpose });
  }
  if (asker.keys === 'every') return afterEvery(d);
  if (asker.keys === 'foreseen' && d.state.document.state === asker.from) return withoutKey(d);
  alertUnconfirmed(d);
  schedule(d, 'follow-up', nextFollowUp(d), 'the document has no final state yet');
}

export function nextFollowUp(d: Deciding): number {
  const { now, timings } = d;
  let at = lastSentAt(d);
  for (const wait of timings.followUp) {
    at += wait;
    if (at > now.at) return at;
  }
  return now.at + waitBefore(timings.followUp, timings.followUp.length);
}

/** Before the number is sent again, the keys of earlier sendings that were given up are asked about once more. */
function withoutKey(d: Deciding): undefined {
  const { attempts, document } = d.state;
  if (!attempts.some(d.rules.outcomeUnknown)) return;
  alertUnconfirmed(d);
  const verdict = mayResend(d);
  if (verdict.may === 'later')
    return schedule(d, 'follow-up', verdict.at, 'waiting for the webhook of a lost answer');
  askNext(d, { kind: 'follow-up', from: document.state, keys: 'every', rest: keysOf(attempts) });
}

const noAnswer = new Set<string | null>(['answer-lost', 'key-unexpected', 'unconfirmed']);

function afterEvery(d: Deciding): undefined {
  const { attempts, document } = d.state;
  const verdict = mayResend(d);
  if (verdict.may === 'now' && !isRegistered(d)) return schedule(d, 'submit', d.now.at);
  if (verdict.may === 'later')
    return schedule(d, 'follow-up', verdict.at, 'waiting for the webhook of a lost answer');
  if (attempts.some((one) => one.accessKey !== null && !ended.has(one.outcome)))
    return schedule(d, 'follow-up', d.now.at);
  const at = lastSentAt(d) + d.timings.repeatAcrossMidnight;
  if (!d.rules.hadItsTime(at, d.now))
    return schedule(d, 'follow-up', at, 'waiting for every retry of a webhook');
  const code = noAnswer.has(document.code) ? 'key-unknown' : document.code;
  const note = { cause: 'no webhook with the key' } as const;
  if (!move(d, ['uncertain'], 'manual', { code, reason: because('findTheKey') }, note)) return;
  if (code === 'number-registered') suspectSeries(d);
  showStopped(d);
}

/** Each repeat was answered that the number is registered, without a key, and every webhook had its time. */
function isRegistered({ state, now, timings, rules }: Deciding): boolean {
  const lost = state.attempts.find(rules.outcomeUnknown);
  if (state.document.code !== 'number-registered' || !lost) return false;
  return rules.hadItsTime(lost.createdAt + timings.repeatAcrossMidnight, now);
}

export function keyNotFound(
  d: Deciding,
  key: NamedKey,
  isUnderOtherKey: boolean,
  { asker, n }: PurposeOf<'state'>,
): undefined {
  if (asker.kind === 'notified') return notShown(d, asker);
  // A foreseen key is a guess: that it is unknown says nothing.
  if (asker.keys === 'foreseen' || n === null) return askNext(d, asker);
  const attempt = attemptOf(d, n);
  if (d.rules.isUnderOtherKey(isUnderOtherKey)) {
    if (d.state.document.code !== 'key-gone')
      move(d, [asker.from], asker.from, { code: 'key-gone', reason: because('keyGone') });
    return askNext(d, asker);
  }
  if (!d.rules.mayComeTrue(attempt) || !isBelieved(d, attempt, key, asker.from)) return askNext(d, asker);
  if (d.rules.outcomeUnknown(attempt)) return endAsUnsent(d, attempt, asker);
  // Its XML may be there all the same, and says whose it is.
  request(d, { kind: 'compare', accessKey: key.accessKey, purpose: { kind: 'unseen', asker, n: attempt.n } });
}

/** Each "not found" that counts is a row of the timeline, so that a restart keeps it; those close together count once. */
function isBelieved(
  d: Deciding,
  { createdAt }: SentAttempt,
  { accessKey }: NamedKey,
  from: DocumentState,
): boolean {
  const said = denials(d, accessKey);
  if (d.rules.isBelieved(said, d.now, d.timings)) return true;
  if (d.now.at - (said.at(-1) ?? createdAt) < d.timings.notFound.apart) return false;
  return (
    move(d, [from], from, {}, { cause: 'not found', accessKey }) &&
    d.rules.isBelieved(denials(d, accessKey), d.now, d.timings)
  );
}

const denials = (d: Deciding, accessKey: string): number[] =>
  d.state.learnt.notFound.flatMap((one) => (one.accessKey === accessKey ? [one.at] : []));

/** Nothing of that POST is stored; the number is sent again only if no other sending is unknown. */
function endAsUnsent(d: Deciding, { n }: SentAttempt, asker: FollowUp): undefined {
  // The attempt keeps its key: if the service is wrong, a 409 or an event that names the key finds it.
  endAttempt(d, n, { outcome: 'unsent' }, 'answer');
  const others = d.state.attempts.some(d.rules.outcomeUnknown);
  const patch = { accessKey: null, ...(others ? {} : { code: null, reason: null }) };
  if (!move(d, ['uncertain'], others ? 'uncertain' : 'ready', patch, { cause: 'known unsent' }))
    return askNext(d, asker);
  if (others) schedule(d, 'follow-up', d.now.at);
  else schedule(d, 'submit', resendAt(d));
}

/** The service named a key and denies it since. Its XML says whose it is; without it, a person decides in time. */
function unseenCompared(
  d: Deciding,
  key: NamedKey,
  stored: Stored,
  { asker, n }: PurposeOf<'unseen'>,
): undefined {
  const attempt = attemptOf(d, n);
  if (!d.rules.isReadable(stored)) giveUpDenied(d, attempt);
  else if (!d.rules.isAlike(stored) && attempt.outcome === 'adopted') declareConflict(d, n, key, stored);
  askNext(d, asker);
}

function giveUpDenied(d: Deciding, { accessKey }: SentAttempt): undefined {
  const isDenied = (one: SentAttempt) =>
    one.accessKey === null || d.rules.isDenied(denials(d, one.accessKey), one, d.now, d.timings);
  if (accessKey === null || !d.state.attempts.filter(d.rules.mayComeTrue).every(isDenied)) return;
  const patch = { code: 'key-unknown', reason: { sentences: ['denied'], accessKey } } as const;
  if (move(d, open, 'manual', patch, { cause: 'not found', accessKey })) showStopped(d);
}

/** The service shows a key it did not know before: the earlier "not found" no longer count. */
export function foundAfterAll(d: Deciding, n: number, from: DocumentState): undefined {
  const attempt = attemptOf(d, n);
  if (!d.rules.mayComeTrue(attempt)) return;
  const { accessKey } = attempt;
  if (accessKey === null || !d.state.learnt.notFound.some((one) => one.accessKey === accessKey)) return;
  move(d, [from], from, {}, { cause: 'found', accessKey });
}

export function noAnswerTo(d: Deciding, asker: Asker, why: EventOf<'silent'>['why']): undefined {
  if (asker.kind === 'notified') return emit(d, { kind: 'try-again', why: 'the state is not confirmed yet' });
  if (why === 'older-key-unauthorized')
    return schedule(d, 'follow-up', d.now.at, 'an older API key was revoked');
  if (why === 'unauthorized')
    return emit(d, { kind: 'put-back', job: 'follow-up' }, { kind: 'pause-account', cause: 'api-key' });
  askNext(d, asker);
}

/** An event named a key that the service does not show: a replica may lag. */
export function notShown(d: Deciding, asker: Asker): undefined {
  if (asker.kind !== 'notified' || asker.isError || asker.tries >= d.timings.notifiedTries) return;
  emit(d, { kind: 'try-again', why: 'the service does not show yet what it notified' });
}

/** Codes that `unconfirmed` may replace. */
const passing = new Set<string | null>([null, 'answer-lost', 'key-unexpected']);

/** A day without news: the document says so and people are alerted; the follow-ups go on. */
function alertUnconfirmed(d: Deciding): undefined {
  const { document, learnt } = d.state;
  const { unconfirmed } = d.timings;
  if (document.createdAt + unconfirmed > d.now.at || learnt.newsAt + unconfirmed > d.now.at) return;
  const { state, code } = document;
  const patch = { code: 'unconfirmed', reason: because('unconfirmed') };
  if (passing.has(code)) move(d, [state], state, patch, { cause: 'no final state' });
  emit(d, { kind: 'alert', code: 'unconfirmed' });
}

export const followUpQuestions: Questions<'unseen'> = { unseen: { compared: unseenCompared } };
