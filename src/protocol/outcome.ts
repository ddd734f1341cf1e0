import type { DocumentState } from '../domain/document.ts';
import {
  attemptForNewKey,
  attemptOf,
  attemptOfStored,
  attemptWithKey,
  because,
  type Deciding,
  emit,
  endAttempt,
  matchingAttempt,
  move,
  open,
  request,
  resumeSeries,
  schedule,
  showStopped,
} from './deciding.ts';
import type {
  Asker,
  Ended,
  EventOf,
  HolderSearch,
  NamedKey,
  Outcome,
  Purpose,
  PurposeOf,
  ServiceState,
  Stored,
} from './events.ts';
import { askNext, foundAfterAll, keyNotFound, noAnswerTo, notShown } from './follow-up.ts';
import { declareConflict, noteUnknown, recoverSeries, suspectSeries } from './number-conflict.ts';
import type { Questions } from './questions.ts';
import type { SentAttempt } from './state.ts';

/* It counts once the document behind the key is known to be ours. */

/** Enough by itself for a key that answered our POST; for any other the service is asked. */
export function notified(d: Deciding, { key, said, isOfIssuer, tries }: EventOf<'notified'>): undefined {
  const { document, attempts } = d.state;
  const isError = said?.state === 'error';
  const isDropped = document.state === 'cancelled';
  if (document.state === 'authorized' || (isDropped && isError)) return;
  if (isError && d.rules.isKnownError(attemptWithKey(attempts, key.accessKey))) return;
  if (said && !isDropped && d.rules.speaksForItself(attempts, key.accessKey, isOfIssuer)) {
    const isInQuestion = said.state === 'error' && keysInQuestion(d, { key, ...said }).length > 0;
    if (!isInQuestion) return applyServiceState(d, key, said);
  }
  const asker: Asker = { kind: 'notified', key, isError, tries };
  const purpose: Purpose = isDropped ? { kind: 'dropped', asker } : { kind: 'state', asker, n: null };
  request(d, { kind: 'ask', accessKey: key.accessKey, purpose });
}

function stateFound(
  d: Deciding,
  key: NamedKey,
  serviceState: ServiceState,
  { asker, n }: PurposeOf<'state'>,
): undefined {
  if (asker.kind === 'follow-up' && n !== null) {
    if (asker.keys !== 'foreseen') foundAfterAll(d, n, asker.from);
    else if (!adoptForeseen(d, key, serviceState, n)) return askNext(d, asker);
  }
  confirm(d, key, serviceState, asker);
}

function adoptForeseen(d: Deciding, { accessKey }: NamedKey, serviceState: ServiceState, n: number): boolean {
  const attempt = attemptOf(d, n);
  if (!d.rules.outcomeUnknown(attempt) || attempt.accessKey !== null) return false;
  if (serviceState.state === 'error' && d.rules.isOfEarlier(d.state.attempts, accessKey)) return false;
  const note = { cause: 'foreseen key', attempt: n, accessKey } as const;
  if (!move(d, ['uncertain'], 'processing', { accessKey, code: null, reason: null }, note)) return false;
  endAttempt(d, n, { outcome: 'adopted', accessKey });
  return true;
}

/** The newest attempt with the key that may still come true, else the newest: two sendings of a day may have one key. */
const attemptToEnd = (d: Deciding, { accessKey }: NamedKey): SentAttempt | undefined => {
  const matching = d.state.attempts.filter((one) => one.accessKey === accessKey);
  return matching.findLast(d.rules.mayComeTrue) ?? matching.at(-1);
};

/** `isKnown`: an attempt or the document has the key. */
function attemptBehind(d: Deciding, key: NamedKey, { state }: ServiceState) {
  const known = state === 'error' ? attemptToEnd(d, key) : attemptWithKey(d.state.attempts, key.accessKey);
  const isKnown = known !== undefined || d.state.document.accessKey === key.accessKey;
  return { known, isKnown, forNewKey: isKnown ? undefined : attemptForNewKey(d, key) };
}

/** A new key belongs to the attempt whose answer was lost. If the number is taken, our other keys are asked about first. */
function confirm(d: Deciding, key: NamedKey, serviceState: ServiceState, asker: Asker): undefined {
  const { accessKey } = key;
  const { known, isKnown, forNewKey } = attemptBehind(d, key, serviceState);
  const isAuthorized = serviceState.state === 'authorized';
  if (!isAuthorized && !isKnown && !(forNewKey && d.rules.outcomeUnknown(forNewKey)))
    return askNext(d, asker);
  const attempt = known ?? forNewKey;
  if (isAuthorized && !(attempt && d.rules.wasAnswered(attempt)))
    return request(d, { kind: 'compare', accessKey, purpose: { kind: 'whose', asker, at: serviceState.at } });
  if (serviceState.state === 'error' && !d.rules.isKnownError(attempt)) {
    const error = { key, cause: serviceState.cause, errors: serviceState.errors };
    return lookForHolder(d, { asker, error, rest: keysInQuestion(d, error), isUnsure: false });
  }
  accept(d, key, serviceState, asker);
}

function accept(d: Deciding, key: NamedKey, serviceState: ServiceState, asker: Asker): undefined {
  const { forNewKey } = attemptBehind(d, key, serviceState);
  if (forNewKey) endAttempt(d, forNewKey.n, { outcome: forNewKey.outcome, accessKey: key.accessKey });
  applyServiceState(d, key, serviceState);
  askNext(d, asker);
}

function ownCompared(
  d: Deciding,
  key: NamedKey,
  stored: Stored,
  { asker, at }: PurposeOf<'whose'>,
): undefined {
  if (stored.kind === 'unreadable') return unsure(d, asker);
  const attempt = attemptWithKey(d.state.attempts, key.accessKey);
  if (d.rules.isAlike(stored))
    applyServiceState(d, key, { state: 'authorized', at }, attemptOfStored(d, key, stored));
  // A conflict that is known already does not stop the series again.
  else if (attempt && !d.rules.isKnownConflict(d.state.document)) declareConflict(d, attempt.n, key, stored);
  else if (stored.kind === 'another-order') noteUnknown(d, key.accessKey);
  else emit(d, { kind: 'number-conflict-seen' });
  askNext(d, asker);
}

function unsure(d: Deciding, asker: Asker): undefined {
  if (asker.kind === 'notified')
    emit(d, { kind: 'try-again', why: 'it is not known yet whose document it is' });
  else askNext(d, asker);
}

/** Our other keys that may have the number; none where the error says nothing of that. */
function keysInQuestion(d: Deciding, { key, cause }: Pick<Ended, 'key' | 'cause'>): string[] {
  if (!d.rules.hasNumber(cause)) return [];
  const keys = d.state.attempts.flatMap(({ accessKey, foreseenKey }) => [accessKey, foreseenKey]);
  return [...new Set(keys)].filter((one): one is string => one !== null && one !== key.accessKey);
}

/** Asks about each other key: one that ended with an error may have been reprocessed elsewhere since. */
function lookForHolder(d: Deciding, { asker, error, rest: keys, isUnsure }: HolderSearch): undefined {
  const [next, ...rest] = keys;
  if (next !== undefined) {
    const purpose = { kind: 'holder', asker, error, rest, isUnsure } as const;
    return request(d, { kind: 'ask', accessKey: next, purpose });
  }
  if (isUnsure) return unsure(d, asker);
  const { key, cause, errors } = error;
  accept(d, key, { state: 'error', cause, errors }, asker);
}

/** `serviceState` null: the service does not know the key. `key` null as well: it does not answer. */
function holderFound(
  d: Deciding,
  key: NamedKey | null,
  serviceState: ServiceState | null,
  purpose: PurposeOf<'holder'>,
): undefined {
  if (key && serviceState?.state === 'authorized') {
    const whose = { ...purpose, kind: 'holder-whose', at: serviceState.at } as const;
    return request(d, { kind: 'compare', accessKey: key.accessKey, purpose: whose });
  }
  const isUnsure = purpose.isUnsure || key === null || serviceState?.state === 'processing';
  lookForHolder(d, { ...purpose, isUnsure });
}

function holderCompared(
  d: Deciding,
  key: NamedKey,
  stored: Stored,
  purpose: PurposeOf<'holder-whose'>,
): undefined {
  const { asker, error, isUnsure, at } = purpose;
  if (!d.rules.isAlike(stored))
    return lookForHolder(d, { ...purpose, isUnsure: isUnsure || stored.kind === 'unreadable' });
  applyServiceState(d, key, { state: 'authorized', at }, attemptOfStored(d, key, stored));
  const { cause, errors } = error;
  accept(d, error.key, { state: 'error', cause, errors }, asker);
}

/** A document that was dropped here is authorised: its XML is compared, and people are alerted. */
function compareDropped(
  d: Deciding,
  { accessKey }: NamedKey,
  { state }: ServiceState,
  purpose: PurposeOf<'dropped'>,
): undefined {
  if (state === 'authorized') request(d, { kind: 'compare', accessKey, purpose });
}

function droppedCompared(
  d: Deciding,
  { accessKey }: NamedKey,
  stored: Stored,
  { asker }: PurposeOf<'dropped'>,
): undefined {
  if (stored.kind === 'unreadable') unsure(d, asker);
  else if (d.rules.isAlike(stored)) emit(d, { kind: 'alert', code: 'dropped-authorized', accessKey });
}

export function applyServiceState(
  d: Deciding,
  key: NamedKey,
  serviceState: ServiceState,
  sending?: SentAttempt,
): undefined {
  if (serviceState.state === 'processing') return;
  if (serviceState.state === 'error')
    return endWithError(d, key, serviceState, attemptToEnd(d, key) ?? matchingAttempt(d, key));
  const attempt = sending ?? matchingAttempt(d, key);
  authorise(d, key, serviceState.at, attempt);
  resumeSeries(d);
}

const notFinal: readonly DocumentState[] = ['held', 'ready', 'rejected', 'manual', ...open];

function authorise(
  d: Deciding,
  { accessKey }: NamedKey,
  at: string | null,
  attempt: SentAttempt | undefined,
): undefined {
  if (attempt) endAttempt(d, attempt.n, { outcome: 'authorized', accessKey });
  // It may be an earlier sending than the last, with other content.
  const sent = attempt ? { issueDate: attempt.issueDate, total: attempt.total } : {};
  const patch = { accessKey, authorizedAt: at, ...sent, code: null, reason: null };
  if (move(d, notFinal, 'authorized', patch, { accessKey })) {
    emit(d, { kind: 'write-back' }, { kind: 'verify' }, { kind: 'replan-order', for: 'what-waits' });
    if (attempt?.outcome === 'created' && attempt.foreseenKey !== accessKey)
      emit(d, { kind: 'learn-digits', accessKey, n: attempt.n });
  } else if (d.state.document.state === 'cancelled')
    emit(d, { kind: 'alert', code: 'dropped-authorized', accessKey });
  // Needless questions would still use the rate limit.
  emit(d, { kind: 'cancel-job', job: 'follow-up' }, { kind: 'cancel-job', job: 'reprocess' });
}

/** Cause outside the body: reprocessed; in the body: rejected. 43, 45 and 70 never mean a new number. */
function endWithError(
  d: Deciding,
  { accessKey }: NamedKey,
  { cause, errors }: Extract<Outcome, { state: 'error' }>,
  attempt: SentAttempt | undefined,
): undefined {
  if (d.rules.isKnownError(attempt) || d.rules.isStillAtIt(cause, attempt, d.now, d.timings)) return;
  if (attempt) endAttempt(d, attempt.n, { outcome: 'error', accessKey, errors, cause });
  const others = d.state.attempts.filter(({ n }) => n !== attempt?.n);
  const isUncertain = others.some(d.rules.mayComeTrue);
  const after = isUncertain || !attempt ? null : reprocessAfter(d, cause, attempt, others);
  const isThere = d.rules.isThere(cause);
  const to = isUncertain ? 'uncertain' : after !== null ? 'processing' : isThere ? 'manual' : 'rejected';
  const code = isThere ? 'number-registered' : after === null ? 'not-authorised' : 'reprocess';
  const sentence = after !== null ? 'triedAgain' : isThere ? 'alreadyRegistered' : 'notAuthorised';
  const patch = { code, reason: because(sentence, errors) };
  if (!move(d, open, to, patch, { accessKey, errors, cause })) return;
  if (isUncertain) {
    if (isThere) suspectSeries(d);
    return schedule(d, 'follow-up', d.now.at);
  }
  if (isThere) recoverSeries(d);
  emit(d, { kind: 'cancel-job', job: 'follow-up' });
  if (after === null) showStopped(d);
  else schedule(d, 'reprocess', d.now.at + after);
}

/** The wait before the key is reprocessed; null where that no longer helps. On another day the number is sent again. */
function reprocessAfter(
  { rules, timings, now }: Deciding,
  cause: Ended['cause'],
  attempt: SentAttempt,
  others: readonly SentAttempt[],
): number | null {
  if (!rules.mayPass(cause)) return null;
  const tried = [...others, attempt].reduce((count, one) => count + one.reprocessed, 0);
  const ended = others.filter(({ outcome }) => outcome === 'error').length;
  const after = timings.reprocess[tried + ended] ?? null;
  if (cause !== 'date') return after;
  return after === null || !rules.dayIsOver(attempt, now) ? null : 0;
}

export const outcomeQuestions: Questions<'state' | 'whose' | 'holder' | 'holder-whose' | 'dropped'> = {
  state: {
    found: stateFound,
    notFound: keyNotFound,
    silent: (d, why, { asker }) => noAnswerTo(d, asker, why),
  },
  whose: { compared: ownCompared },
  holder: {
    found: holderFound,
    notFound: (d, key, _isUnderOtherKey, purpose) => holderFound(d, key, null, purpose),
    silent: (d, _why, purpose) => holderFound(d, null, null, purpose),
  },
  'holder-whose': { compared: holderCompared },
  dropped: {
    found: compareDropped,
    notFound: (d, _key, _isUnderOtherKey, { asker }) => notShown(d, asker),
    silent: (d, why, { asker }) => noAnswerTo(d, asker, why),
    compared: droppedCompared,
  },
};
