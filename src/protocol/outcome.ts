import type { DocumentState } from '../domain/document.ts';
import { bearing, bearingNew, bearingTold, sendingOf } from './attempts.ts';
import {
  attemptOf,
  type Decided,
  type Deciding,
  does,
  endAttempt,
  move,
  open,
  resumeSeries,
  showStopped,
  wait,
} from './deciding.ts';
import type { Asker, Because, Ended, NamedKey, Notified, Outcome, Standing, Stored } from './events.ts';
import { goOn, notShown, shownAfterAll } from './lost.ts';
import { disown, noteUnknown } from './number-taken.ts';
import type { SentAttempt } from './state.ts';

/* What the authority made of a key, by webhook or asked: believed once it is sure that the document behind it is ours. */

type Step<S extends Because['step']> = Extract<Because, { step: S }>;

/**
 * A signed event of the service. About a key that answered our POST it settles the document by itself; any other is a hint,
 * and the service is asked.
 */
export function notified(d: Deciding, { key, said, isOfIssuer, tries }: Notified): Decided {
  const { document, attempts } = d.state;
  const isError = said?.state === 'error';
  const isDropped = document.state === 'cancelled';
  if (document.state === 'authorized' || (isDropped && isError)) return;
  if (isError && d.rules.wasSaid(bearingTold(attempts, key.accessKey))) return;
  if (said && !isDropped && d.rules.speaksForItself(attempts, key.accessKey, isOfIssuer)) {
    const isInQuestion = said.state === 'error' && keysInQuestion(d, { key, ...said }).length > 0;
    if (!isInQuestion) return apply(d, key, said);
  }
  const asker: Asker = { kind: 'notified', key, isError, tries };
  const because: Because = isDropped ? { step: 'dropped', asker } : { step: 'state', asker, n: null };
  does(d, { kind: 'ask', accessKey: key.accessKey, because });
}

/** The service shows what it was asked about. */
export function stateFound(
  d: Deciding,
  key: NamedKey,
  standing: Standing,
  { asker, n }: Step<'state'>,
): Decided {
  if (asker.kind === 'follow-up' && n !== null) {
    if (asker.keys !== 'foreseen') shownAfterAll(d, n, asker.from);
    else if (!takeForeseen(d, key, standing, n)) return goOn(d, asker);
  }
  confirm(d, key, standing, asker);
}

/** What is found under the foreseen key of a lost attempt becomes that attempt's, as after a 409: its XML says whose it is. */
function takeForeseen(d: Deciding, { accessKey }: NamedKey, standing: Standing, n: number): boolean {
  const attempt = attemptOf(d, n);
  if (!attempt || !d.rules.outcomeUnknown(attempt) || attempt.accessKey !== null) return false;
  if (standing.state === 'error' && d.rules.isOfEarlier(d.state.attempts, accessKey)) return false;
  const note = { cause: 'foreseen key', attempt: n, accessKey } as const;
  if (!move(d, ['uncertain'], 'processing', { accessKey, code: null, reason: null }, note)) return false;
  endAttempt(d, n, { outcome: 'adopted', accessKey });
  return true;
}

/**
 * Believed where our POST was answered with the key, else where its XML is ours. A key we were never told belongs to the
 * attempt whose answer is still out, if there is one. A number the authority has already is looked for under our other keys.
 */
function confirm(d: Deciding, key: NamedKey, standing: Standing, asker: Asker): Decided {
  const { accessKey } = key;
  const told = bearingTold(d.state.attempts, accessKey);
  const isTold = told !== undefined || d.state.document.accessKey === accessKey;
  const untold = isTold ? undefined : bearingNew(d, key);
  const isAuthorized = standing.state === 'authorized';
  if (!isAuthorized && !isTold && !(untold && d.rules.outcomeUnknown(untold))) return goOn(d, asker);
  const attempt = told ?? untold;
  if (isAuthorized && !(attempt && d.rules.wasAnswered(attempt)))
    return does(d, { kind: 'compare', accessKey, because: { step: 'whose', asker, at: standing.at } });
  if (standing.state === 'error' && !d.rules.wasSaid(attempt)) {
    const error = { key, cause: standing.cause, errors: standing.errors };
    return lookForHolder(d, asker, error, keysInQuestion(d, error), false);
  }
  take(d, key, standing, asker);
}

/** It is ours: a key we were never told is borne by the attempt whose answer is out. */
function take(d: Deciding, key: NamedKey, standing: Standing, asker: Asker): Decided {
  const { accessKey } = key;
  const isTold =
    bearingTold(d.state.attempts, accessKey) !== undefined || d.state.document.accessKey === accessKey;
  const untold = isTold ? undefined : bearingNew(d, key);
  if (untold) endAttempt(d, untold.n, { outcome: untold.outcome, accessKey });
  apply(d, key, standing);
  goOn(d, asker);
}

/** The authorised XML of a key that no POST was answered with. */
export function ownCompared(
  d: Deciding,
  key: NamedKey,
  stored: Stored,
  { asker, at }: Step<'whose'>,
): Decided {
  if (stored.kind === 'unreadable') return unsure(d, asker);
  const told = bearingTold(d.state.attempts, key.accessKey);
  if (d.rules.isAlike(stored)) apply(d, key, { state: 'authorized', at }, sendingOf(d, key, stored));
  // What is known to be somebody else's does not stop the series again that a person has corrected since.
  else if (told && !d.rules.isKnownConflict(d.state.document)) disown(d, told, stored);
  else if (stored.kind === 'another-order') noteUnknown(d, key.accessKey);
  else does(d, { kind: 'foreign-seen' });
  goOn(d, asker);
}

/** Not known yet: an event comes again, a follow-up goes on. */
function unsure(d: Deciding, asker: Asker): Decided {
  if (asker.kind === 'notified')
    does(d, { kind: 'try-again', why: 'it is not known yet whose document it is' });
  else goOn(d, asker);
}

/** The other keys of ours, told or foreseen, that may hold the number; none where the error does not speak of that. */
function keysInQuestion(d: Deciding, { key, cause }: Pick<Ended, 'key' | 'cause'>): string[] {
  if (!d.rules.hasNumber(cause)) return [];
  const keys = d.state.attempts.flatMap(({ accessKey, foreseenKey }) => [accessKey, foreseenKey]);
  return [...new Set(keys)].filter((one): one is string => one !== null && one !== key.accessKey);
}

/** One that ended with an error may have been reprocessed by somebody else since: each other key is asked about. */
function lookForHolder(
  d: Deciding,
  asker: Asker,
  error: Ended,
  keys: readonly string[],
  isUnsure: boolean,
): Decided {
  const [next, ...rest] = keys;
  if (next !== undefined) {
    const because = { step: 'holder', asker, error, rest, isUnsure } as const;
    return does(d, { kind: 'ask', accessKey: next, because });
  }
  if (isUnsure) return unsure(d, asker);
  const { key, cause, errors } = error;
  take(d, key, { state: 'error', cause, errors }, asker);
}

/** What the service says of one of them; `standing` null: it does not know it, `key` null as well: it does not answer. */
export function holderFound(
  d: Deciding,
  key: NamedKey | null,
  standing: Standing | null,
  because: Step<'holder'>,
): Decided {
  const { asker, error, rest, isUnsure } = because;
  if (key && standing?.state === 'authorized') {
    const whose = { ...because, step: 'holder-whose', at: standing.at } as const;
    return does(d, { kind: 'compare', accessKey: key.accessKey, because: whose });
  }
  lookForHolder(d, asker, error, rest, isUnsure || key === null || standing?.state === 'processing');
}

export function holderCompared(
  d: Deciding,
  key: NamedKey,
  stored: Stored,
  because: Step<'holder-whose'>,
): Decided {
  const { asker, error, rest, isUnsure, at } = because;
  if (!d.rules.isAlike(stored))
    return lookForHolder(d, asker, error, rest, isUnsure || stored.kind === 'unreadable');
  apply(d, key, { state: 'authorized', at }, sendingOf(d, key, stored));
  const { cause, errors } = error;
  take(d, error.key, { state: 'error', cause, errors }, asker);
}

/** What was dropped here may be authorised all the same: compared like any other key, and an alert. */
export function compareDropped(d: Deciding, { accessKey }: NamedKey, because: Step<'dropped'>): Decided {
  if (!d.state.document.isShadow) does(d, { kind: 'compare', accessKey, because });
}

export function droppedCompared(
  d: Deciding,
  { accessKey }: NamedKey,
  stored: Stored,
  { asker }: Step<'dropped'>,
): Decided {
  if (stored.kind === 'unreadable') unsure(d, asker);
  else if (d.rules.isAlike(stored)) does(d, { kind: 'alert', code: 'dropped-authorized', accessKey });
}

export const droppedNotShown = (d: Deciding, { asker }: Step<'dropped'>): Decided => notShown(d, asker);

/** One authorised attempt makes the document authorised, finally; an error ends only its attempt. */
export function apply(d: Deciding, key: NamedKey, standing: Standing, sending?: SentAttempt): Decided {
  if (standing.state === 'processing') return;
  const attempt = sending ?? bearing(d, key);
  if (standing.state === 'error') return endWithError(d, key, standing, attempt);
  authorise(d, key, standing.at, attempt);
  resumeSeries(d);
}

const notFinal: readonly DocumentState[] = ['held', 'ready', 'rejected', 'manual', ...open];

function authorise(
  d: Deciding,
  { accessKey }: NamedKey,
  at: string | null,
  attempt: SentAttempt | undefined,
): Decided {
  if (attempt) endAttempt(d, attempt.n, { outcome: 'authorized', accessKey });
  // An earlier sending than the last may have come true, and it may have been of another content.
  const sent = attempt ? { issueDate: attempt.issueDate, total: attempt.total } : {};
  const patch = { accessKey, authorizedAt: at, ...sent, code: null, reason: null };
  if (move(d, notFinal, 'authorized', patch, { accessKey })) {
    does(d, { kind: 'write-back' }, { kind: 'verify' }, { kind: 'wake-order', for: 'what-waits' });
    if (attempt?.outcome === 'created' && attempt.foreseenKey !== accessKey)
      does(d, { kind: 'learn-digits', accessKey, n: attempt.n });
  }
  // Questions nobody needs answered any more would still take a share of the rate limit.
  does(d, { kind: 'forget', job: 'follow-up' }, { kind: 'forget', job: 'reprocess' });
}

/**
 * comprobante.error | that attempt ends. Outside the body: reprocessed, so many times; in the body: rejected, the same number
 * after the fix. A number the authority has from elsewhere is for a person: 43, 45 and 70 never mean a new number.
 */
function endWithError(
  d: Deciding,
  { accessKey }: NamedKey,
  { cause, errors }: Extract<Outcome, { state: 'error' }>,
  attempt: SentAttempt | undefined,
): Decided {
  if (d.rules.wasSaid(attempt) || d.rules.isStillAtIt(cause, attempt, d.now, d.timings)) return;
  if (attempt) endAttempt(d, attempt.n, { outcome: 'error', accessKey, errors, cause });
  const others = d.state.attempts.filter(({ n }) => n !== attempt?.n);
  const isUncertain = others.some(d.rules.mayComeTrue);
  const after = isUncertain || !attempt ? null : reprocessAfter(d, cause, attempt, others);
  const isThere = d.rules.isThere(cause);
  const to = isUncertain ? 'uncertain' : after !== null ? 'processing' : isThere ? 'manual' : 'rejected';
  const code = isThere ? 'number-registered' : after === null ? 'not-authorised' : 'reprocess';
  const sentence = after !== null ? 'triedAgain' : isThere ? 'alreadyRegistered' : 'notAuthorised';
  const reason = { says: [sentence], words: errors } as const;
  if (!move(d, open, to, { code, reason }, { accessKey, errors, cause })) return;
  if (isUncertain) return wait(d, 'follow-up', d.now.at);
  does(d, { kind: 'forget', job: 'follow-up' });
  // Taken at its first sending: by a document of ours, perhaps, that the ledger lost.
  if (isThere && others.length === 0) lookBehind(d);
  if (after === null) showStopped(d);
  else wait(d, 'reprocess', d.now.at + after);
}

/** As long as nobody knows that the ledger has every number of the series, no other one of it leaves before it is known whose. */
function lookBehind(d: Deciding): Decided {
  const { series } = d.state;
  if (!series.isVerified) {
    if (series.stopped === null) d.state = { ...d.state, series: { ...series, stopped: 'suspect' } };
    does(d, { kind: 'stop-series', why: 'suspect' });
  }
  does(d, { kind: 'look-behind' });
}

/** How long until the key is reprocessed (on another day the number leaves anew); null when that cures nothing any more. */
function reprocessAfter(
  { rules, timings, now }: Deciding,
  cause: Ended['cause'],
  attempt: SentAttempt,
  others: readonly SentAttempt[],
): number | null {
  if (!rules.mayPass(cause)) return null;
  const tried = [...others, attempt].reduce((count, one) => count + one.reprocessed, 0);
  const left = others.filter(({ outcome }) => outcome === 'error').length;
  const after = timings.reprocess[tried + left] ?? null;
  if (cause !== 'date') return after;
  return after === null || !rules.dayIsOver(attempt, now) ? null : 0;
}
