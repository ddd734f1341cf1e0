import type { AttemptOutcome, DocumentState } from '../domain/document.ts';
import {
  add,
  attemptOf,
  type Decided,
  type Deciding,
  endAttempt,
  leavesAgainAt,
  matchingAttempt,
  mayRepeat,
  move,
  open,
  record,
  resumeSeries,
  says,
  schedule,
  showStopped,
} from './deciding.ts';
import type { Patch, Sentence } from './effects.ts';
import type { Asker, EventOf, NamedKey, PurposeOf, Stored } from './events.ts';
import type { SentAttempt } from './state.ts';

/*
 * After a lost answer, and until a document has ended: the service is asked about every key that may come true. Where none
 * is known, about the foreseen key; then the webhook gets its time, and the same number leaves again.
 */

type FollowUp = Extract<Asker, { kind: 'follow-up' }>;

/** Outcomes that are known. */
const ended = new Set<AttemptOutcome>(['error', 'refused', 'unsent', 'authorized']);
const isOpen = (state: DocumentState) => state === 'processing' || state === 'uncertain';

/** The job `follow-up` is due. */
export function followUp(d: Deciding, foreseenNow: readonly { n: number; accessKey: string }[]): Decided {
  const { document, attempts } = d.state;
  if (!isOpen(document.state)) return;
  const from = document.state;
  const keyed = attempts.filter((one) => one.accessKey !== null && !ended.has(one.outcome));
  if (keyed.length > 0) askNext(d, { kind: 'follow-up', from, keys: 'open', rest: keysOf(keyed) });
  else askNext(d, { kind: 'follow-up', from, keys: 'foreseen', rest: foreseen(d, foreseenNow) });
}

const keysOf = (attempts: readonly SentAttempt[]) =>
  attempts.flatMap(({ n, accessKey }) => (accessKey === null ? [] : [{ n, accessKey }]));

/** Lost attempts that have a foreseen key, the first of each day. */
function foreseen(d: Deciding, now: readonly { n: number; accessKey: string }[]): FollowUp['rest'] {
  const lost = d.state.attempts.filter((one) => d.rules.outcomeUnknown(one) && one.accessKey === null);
  const keys = lost.flatMap(({ n, foreseenKey }) => {
    const accessKey = foreseenKey ?? now.find((one) => one.n === n)?.accessKey;
    return accessKey === undefined ? [] : [{ n, accessKey }];
  });
  return keys.filter(({ accessKey }, at) => keys.findIndex((one) => one.accessKey === accessKey) === at);
}

/** Asks about the next key of the asker; after the last one, schedules the next follow-up. */
export function askNext(d: Deciding, asker: Asker): Decided {
  if (asker.kind === 'notified' || !isOpen(d.state.document.state)) return;
  const [next, ...rest] = asker.rest;
  if (next) {
    const purpose = { kind: 'state', asker: { ...asker, rest }, n: next.n } as const;
    return add(d, { kind: 'ask', accessKey: next.accessKey, purpose });
  }
  if (asker.keys === 'given-up') return afterGivenUp(d);
  // Nothing was learnt under any key.
  if (asker.keys === 'foreseen' && d.state.document.state === asker.from) return withoutKey(d);
  alertUnconfirmed(d);
  schedule(d, 'follow-up', nextFollowUp(d), 'the document has no final state yet');
}

/** By the age of the last emission: the next instant of the schedule of follow-ups. */
export function nextFollowUp({ state, now, timings }: Deciding): number {
  let at = state.attempts.at(-1)?.createdAt ?? now.at;
  for (const wait of timings.followUp) {
    at += wait;
    if (at > now.at) return at;
  }
  return now.at + (timings.followUp.at(-1) ?? 0);
}

/**
 * No key is open to be asked about: the webhook gets its time. Before the number leaves again, or a person has to find the
 * key, the keys of earlier sendings that were given up are asked about once more.
 */
function withoutKey(d: Deciding): Decided {
  const { attempts, document } = d.state;
  // Every attempt has ended: another job goes on.
  if (!attempts.some(d.rules.outcomeUnknown)) return;
  alertUnconfirmed(d);
  const verdict = mayRepeat(d);
  if (verdict.may === 'later')
    return schedule(d, 'follow-up', verdict.at, 'waiting for the webhook of a lost answer');
  askNext(d, { kind: 'follow-up', from: document.state, keys: 'given-up', rest: keysOf(attempts) });
}

const noAnswer = new Set<string | null>(['answer-lost', 'key-unexpected', 'unconfirmed']);

function afterGivenUp(d: Deciding): Decided {
  const { attempts, document } = d.state;
  const verdict = mayRepeat(d);
  if (verdict.may === 'now' && !isRegistered(d)) return schedule(d, 'submit', d.now.at);
  if (verdict.may === 'later')
    return schedule(d, 'follow-up', verdict.at, 'waiting for the webhook of a lost answer');
  // A key became known while the others were asked about.
  if (attempts.some((one) => one.accessKey !== null && !ended.has(one.outcome)))
    return schedule(d, 'follow-up', d.now.at);
  const at = (attempts.at(-1)?.createdAt ?? d.now.at) + d.timings.repeatAcrossMidnight;
  if (!d.rules.hadItsTime(at, d.now))
    return schedule(d, 'follow-up', at, 'waiting for every retry of a webhook');
  const code = noAnswer.has(document.code) ? 'key-unknown' : document.code;
  const note = { cause: 'no webhook with the key' } as const;
  if (move(d, ['uncertain'], 'manual', { code, reason: says('findTheKey') }, note)) showStopped(d);
}

/** Each repeat was answered that the number is registered, without a key, and every webhook had its time. */
function isRegistered({ state, now, timings, rules }: Deciding): boolean {
  const lost = state.attempts.find(rules.outcomeUnknown);
  const at = (lost?.createdAt ?? now.at) + timings.repeatAcrossMidnight;
  return state.document.code === 'number-registered' && rules.hadItsTime(at, now);
}

/** The service does not know the key. */
export function notFound(
  d: Deciding,
  key: NamedKey,
  isUnderOtherKey: boolean,
  { asker, n }: PurposeOf<'state'>,
): Decided {
  if (asker.kind === 'notified') return notShown(d, asker);
  const attempt = n === null ? undefined : attemptOf(d, n);
  // A foreseen key is a guess: that it is unknown says nothing.
  if (asker.keys === 'foreseen' || !attempt) return askNext(d, asker);
  if (d.rules.isUnderOtherKey(isUnderOtherKey)) {
    if (d.state.document.code !== 'key-gone')
      move(d, [asker.from], asker.from, { code: 'key-gone', reason: says('keyGone') });
    return askNext(d, asker);
  }
  if (!d.rules.mayComeTrue(attempt) || !isBelieved(d, attempt, key, asker.from)) return askNext(d, asker);
  if (d.rules.outcomeUnknown(attempt)) return endAsUnsent(d, attempt, asker);
  // Its XML may be there all the same, and says whose it is.
  add(d, { kind: 'compare', accessKey: key.accessKey, purpose: { kind: 'unseen', asker, n: attempt.n } });
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

/** That POST left nothing. If no other is unknown the number leaves again, in its time; else the others are asked about. */
function endAsUnsent(d: Deciding, { n }: SentAttempt, asker: FollowUp): Decided {
  // The attempt keeps its key: if the service is wrong, a 409 or an event that names the key finds it.
  endAttempt(d, n, { outcome: 'unsent' }, 'answer');
  const others = d.state.attempts.some(d.rules.outcomeUnknown);
  const patch = { accessKey: null, ...(others ? {} : { code: null, reason: null }) };
  if (!move(d, ['uncertain'], others ? 'uncertain' : 'ready', patch, { cause: 'known unsent' }))
    return askNext(d, asker);
  if (others) schedule(d, 'follow-up', d.now.at);
  else schedule(d, 'submit', leavesAgainAt(d));
}

/** The service named a key and denies it since. Its XML says whose it is; without it, a person decides in time. */
export function unseenCompared(d: Deciding, stored: Stored, { asker, n }: PurposeOf<'unseen'>): Decided {
  const attempt = attemptOf(d, n);
  if (!d.rules.isProof(stored)) giveUpDenied(d, attempt);
  else if (!d.rules.isAlike(stored) && attempt?.outcome === 'adopted') declareConflict(d, attempt, stored);
  askNext(d, asker);
}

/** Every key that may come true has been denied long enough: nothing is asked about any more. */
function giveUpDenied(d: Deciding, attempt: SentAttempt | undefined): Decided {
  const isDenied = (one: SentAttempt) =>
    one.accessKey === null || d.rules.isDenied(denials(d, one.accessKey), one, d.now, d.timings);
  if (!attempt?.accessKey || !d.state.attempts.filter(d.rules.mayComeTrue).every(isDenied)) return;
  const { accessKey } = attempt;
  const patch = { code: 'key-unknown', reason: { sentences: ['denied'], accessKey } } as const;
  if (move(d, open, 'manual', patch, { cause: 'not found', accessKey })) showStopped(d);
}

/** The service shows a key it did not know before: the earlier "not found" no longer count. */
export function foundAfterAll(d: Deciding, n: number, from: DocumentState): Decided {
  const attempt = attemptOf(d, n);
  if (!attempt || !d.rules.mayComeTrue(attempt)) return;
  const { accessKey } = attempt;
  if (accessKey === null || !d.state.learnt.notFound.some((one) => one.accessKey === accessKey)) return;
  move(d, [from], from, {}, { cause: 'found', accessKey });
}

export function noAnswerTo(d: Deciding, asker: Asker, why: EventOf<'silent'>['why']): Decided {
  if (asker.kind === 'notified') return add(d, { kind: 'try-again', why: 'the state is not confirmed yet' });
  if (why === 'older-key-unauthorized')
    return schedule(d, 'follow-up', d.now.at, 'an older API key was revoked');
  if (why === 'unauthorized')
    return add(d, { kind: 'put-back', job: 'follow-up' }, { kind: 'pause-account', cause: 'api-key' });
  askNext(d, asker);
}

/** An event named a key that the service does not show: a replica may lag. */
export function notShown(d: Deciding, asker: Asker): Decided {
  if (asker.kind !== 'notified' || asker.isError || asker.tries >= d.timings.notifiedTries) return;
  add(d, { kind: 'try-again', why: 'the service does not show yet what it notified' });
}

/** Codes that `unconfirmed` may replace. */
const passing = new Set<string | null>([null, 'answer-lost', 'key-unexpected']);

/** A day without news: the document says so and people are alerted; the follow-ups go on. */
function alertUnconfirmed(d: Deciding): Decided {
  const { document, learnt } = d.state;
  const { unconfirmed } = d.timings;
  if (document.createdAt + unconfirmed > d.now.at || learnt.newsAt + unconfirmed > d.now.at) return;
  const { state, code } = document;
  const patch = { code: 'unconfirmed', reason: says('unconfirmed') };
  if (passing.has(code)) move(d, [state], state, patch, { cause: 'no final state' });
  add(d, { kind: 'alert', code: 'unconfirmed' });
}

/** 409, or words that say the same. */
export function duplicate(d: Deciding, n: number, key: NamedKey | null, errors: readonly string[]): Decided {
  const attempt = attemptOf(d, n);
  // The key of this attempt became known while the answer was on its way.
  if (key !== null && attempt?.accessKey === key.accessKey)
    return d.rules.outcomeUnknown(attempt) ? adopt(d, n, key, errors) : undefined;
  const lost = d.state.attempts.filter((one) => one.n !== n && d.rules.outcomeUnknown(one));
  if (lost.length === 0) return nothingLost(d, n, key, errors);
  if (key === null) return notOurs(d, n, null, noXml, errors);
  const purpose = { kind: 'duplicate', n, lost: lost.map((one) => one.n), errors } as const;
  add(d, { kind: 'compare', accessKey: key.accessKey, purpose });
}

/**
 * Adopted unless the XML says otherwise. A number is stored once a day: the other lost attempts of the key's day left
 * nothing, and one of another day may be stored under a key of its own.
 */
export function duplicateCompared(
  d: Deciding,
  key: NamedKey,
  stored: Stored,
  { n, lost, errors }: PurposeOf<'duplicate'>,
): Decided {
  const attempt = attemptOf(d, n);
  // The key of this attempt became known while the XML was read.
  if (attempt?.accessKey === key.accessKey && !d.rules.outcomeUnknown(attempt)) return;
  if (stored.kind !== 'unreadable' && !d.rules.isAlike(stored)) return conflict(d, n, key, stored, errors);
  const before = d.state.attempts.filter((one) => one.n !== n);
  const { accessKey } = key;
  // An event named it meanwhile.
  if (before.some((one) => one.accessKey === accessKey && !d.rules.outcomeUnknown(one)))
    return nothingLost(d, n, key, errors);
  const still = before.filter((one) => d.rules.outcomeUnknown(one) && lost.includes(one.n));
  const ours = matchingAttempt(d, key, still) ?? still.at(-1);
  for (const one of still)
    if (one === ours) endAttempt(d, one.n, { outcome: 'adopted', accessKey });
    else if (one.issueDate === key.issueDate) endAttempt(d, one.n, { outcome: 'unsent' });
  useEarlier(d, n, accessKey, errors);
}

/** This POST left nothing: what is stored came with an earlier one, and so under its API key. */
function useEarlier(d: Deciding, n: number, accessKey: string | null, errors: readonly string[]): Decided {
  const patch = { accessKey, issuer: 'before', code: null, reason: null } as const;
  record(d, n, { outcome: 'unsent', errors }, 'processing', patch);
}

/** No answer is missing: what is known of the key counts. */
function nothingLost(d: Deciding, n: number, key: NamedKey | null, errors: readonly string[]): Decided {
  const keyed = d.state.attempts.filter((one) => one.n !== n && one.accessKey !== null);
  const matching = keyed.findLast((one) => key === null || one.accessKey === key.accessKey);
  const isRefused = matching?.outcome === 'error';
  if (matching && !isRefused && !d.rules.leftNothing(matching))
    return useEarlier(d, n, matching.accessKey, errors);
  if (key === null) return notOurs(d, n, null, noXml, errors);
  const { accessKey } = key;
  if (isRefused) {
    const purpose = { kind: 'still-refused', n, matching: matching.n, errors } as const;
    return add(d, { kind: 'ask', accessKey, purpose });
  }
  const purpose = { kind: 'unexpected', n, matching: matching?.n ?? null, errors } as const;
  add(d, { kind: 'compare', accessKey, purpose });
}

/** Without a key there is no XML to read. */
const noXml: Stored = { kind: 'unreadable' };
const unnamed = { code: 'number-registered', reason: says('registeredUnnamed') };
const unexpected = { code: 'key-unexpected', reason: says('keyUnexpected') };

/** Without proof it may be this very POST: a gateway may deliver it twice, or answer by itself. */
function notOurs(
  d: Deciding,
  n: number,
  key: NamedKey | null,
  stored: Stored,
  errors: readonly string[],
): Decided {
  if (d.rules.isProof(stored)) return conflict(d, n, key, stored, errors);
  const known = key === null ? {} : { accessKey: key.accessKey };
  const patch = key === null ? unnamed : { ...known, ...unexpected };
  const moved = record(d, n, { outcome: 'unknown', ...known, errors }, 'uncertain', patch);
  if (moved && d.state.attempts.length === 1) lookBehind(d);
}

/**
 * The number was registered at its first sending, perhaps by a document of ours that the ledger lost. In a series that is
 * not verified no other number leaves before it is known whose document this is.
 */
export function lookBehind(d: Deciding): Decided {
  const { series } = d.state;
  if (!series.isVerified) {
    if (series.stopped === null)
      d.state = { ...d.state, series: { ...series, stopped: 'suspect', isForOurs: true } };
    add(d, { kind: 'stop-series', why: 'suspect' });
  }
  add(d, { kind: 'look-behind' });
}

/**
 * None of our documents should be stored. It is ours all the same if its XML says so (the service did not know what it had,
 * a gateway delivered one POST twice). Until the XML can be read the outcome is unknown.
 */
export function unexpectedCompared(
  d: Deciding,
  key: NamedKey,
  stored: Stored,
  { n, matching, errors }: PurposeOf<'unexpected'>,
): Decided {
  const isReadable = stored.kind !== 'unreadable';
  if (isReadable ? !d.rules.isAlike(stored) : matching === null) return notOurs(d, n, key, stored, errors);
  return matching === null ? adopt(d, n, key, errors) : reopen(d, n, matching, errors);
}

/** The document came with this very POST; its XML is compared once it is authorised. */
function adopt(d: Deciding, n: number, { accessKey }: NamedKey, errors: readonly string[]): Decided {
  const patch = { accessKey, code: null, reason: null };
  record(d, n, { outcome: 'adopted', accessKey, errors }, 'processing', patch);
}

/** 409 with the key of an attempt that the authority refused: the service said whether it is still refused. */
export function refusedBefore(
  d: Deciding,
  { n, matching, errors }: PurposeOf<'still-refused'>,
  isRefused: boolean,
): Decided {
  const ended = attemptOf(d, matching);
  if (!ended) return;
  if (!isRefused) return reopen(d, n, matching, errors);
  // In the body: the document stays rejected, and the service keeps its number. Else the key is reprocessed, once.
  if (ended.cause === null || d.rules.isInBody(ended.cause)) {
    const reason = says('notAuthorised', ended.errors);
    return void record(d, n, { outcome: 'unsent', errors }, 'rejected', { code: 'not-authorised', reason });
  }
  const again = ended.reprocessed === 0;
  const patch = { accessKey: ended.accessKey, code: 'number-registered', reason: says('heldByRejected') };
  const moved = record(d, n, { outcome: 'unsent', errors }, again ? 'processing' : 'manual', patch);
  if (moved && again) schedule(d, 'reprocess', d.now.at);
}

/** The outcome of the attempt was wrong: its key is asked about, and its XML compared, once more. */
function reopen(d: Deciding, n: number, matching: number, errors: readonly string[]): Decided {
  endAttempt(d, matching, { outcome: 'adopted' });
  useEarlier(d, n, attemptOf(d, matching)?.accessKey ?? null, errors);
}

/** A number conflict at this POST. Only a person can find out whether an earlier, lost sending is stored elsewhere. */
function conflict(
  d: Deciding,
  n: number,
  key: NamedKey | null,
  stored: Stored,
  errors: readonly string[],
): Decided {
  const also: Sentence[] = d.rules.earlierIsUnknown(d.state.attempts, n) ? ['lostBefore'] : [];
  const patch = stopSeries(d, key?.accessKey ?? null, stored, also);
  const note = key === null ? {} : { otherKey: key.accessKey };
  record(d, n, { outcome: 'refused', errors }, 'manual', patch, note);
  resumeSeries(d);
}

/** A number conflict of a key that an attempt has: its XML is of another document. */
export function declareConflict(
  d: Deciding,
  { n, accessKey: otherKey }: SentAttempt,
  stored: Stored,
): Decided {
  const patch = stopSeries(d, otherKey, stored, []);
  endAttempt(d, n, { outcome: 'refused', accessKey: null });
  const note = { cause: 'unknown key', otherKey } as const;
  if (move(d, ['ready', ...open], 'manual', patch, note)) showStopped(d);
  else resumeSeries(d);
}

/** Stops the series of a number that no attempt of ours has at the service, and says what the document says of it. */
function stopSeries(d: Deciding, accessKey: string | null, stored: Stored, also: Sentence[]): Patch {
  if (stored.kind === 'this-sale' && accessKey !== null) {
    // Reference and number are ours, buyer or total differ: a person compares them.
    const reason = { sentences: ['storedDiffers', ...also] as const, accessKey };
    return { accessKey: null, code: 'stored-differs', reason };
  }
  if (stored.kind === 'another-order' && accessKey !== null) {
    noteUnknown(d, accessKey);
    const reason = { sentences: ['numberOfAnother', ...also] as const };
    return { accessKey: null, code: 'ledger-older', reason };
  }
  // A series keeps the first reason it stopped for.
  if (d.state.series.stopped === null)
    d.state = { ...d.state, series: { ...d.state.series, stopped: 'number-conflict', isForOurs: true } };
  if (!d.rules.isKnownConflict(d.state.document))
    add(d, { kind: 'stop-series', why: 'taken' }, { kind: 'alert', code: 'series-stopped' });
  const reason = { sentences: ['takenBySomebody', ...also] as const };
  return { accessKey: null, code: 'number-conflict', reason };
}

/** A document of ours, of an order without it in the ledger: the ledger is older than the service. */
export function noteUnknown(d: Deciding, accessKey: string): Decided {
  if (d.state.series.stopped === null)
    d.state = { ...d.state, series: { ...d.state.series, stopped: 'ledger-older', isForOurs: false } };
  add(d, { kind: 'note-unknown-document', accessKey });
}
