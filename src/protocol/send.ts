import type { MoveNote } from '../domain/document.ts';
import type { PauseCause } from '../domain/job.ts';
import {
  attemptOf,
  because,
  type Deciding,
  emit,
  endAttempt,
  endAttemptAndMove,
  mayResend,
  move,
  request,
  schedule,
  showStopped,
  waitBefore,
} from './deciding.ts';
import type { Answer, EventOf, NamedKey, Permit, Prepared, RefusedFor, Sending } from './events.ts';
import { duplicate } from './number-conflict.ts';
import { rules as everyRule, type Rules } from './rules.ts';
import {
  timings as inProduction,
  type SentAttempt,
  type SeriesCheck,
  type SeriesView,
  type Timings,
} from './state.ts';

/* The attempt is written with the move to `sending`; then the POST is made. */

export function sendFirst(
  d: Deciding,
  { issuer, permit, prepared, sending }: EventOf<'send-due'>,
): undefined {
  const reason = because('planned');
  // A number names one document of one issuer; one from the trials is cancelled.
  if (issuer !== 'same') {
    const to = issuer === 'trial' ? 'cancelled' : 'held';
    move(d, ['ready'], to, { code: 'other-issuer', reason }, { code: 'other-issuer' });
    emit(d, { kind: 'write-back' });
    return to === 'cancelled' ? emit(d, { kind: 'replan-order', for: 'order' }) : undefined;
  }
  if (d.rules.isBehind(d.state.series)) {
    move(d, ['ready'], 'held', { code: 'series-stopped', reason }, { code: 'series-stopped' });
    return emit(d, { kind: 'write-back' });
  }
  if (permit.kind === 'check-series') return request(d, { kind: 'check-series' });
  if (permit.kind === 'wait')
    return schedule(d, 'submit', permit.until, 'the first document of its series is on its way');
  if (permit.kind === 'send' && !d.state.series.check.isVerified) emit(d, { kind: 'series-verified' });
  if (!prepared || prepared.kind === 'nothing') return emit(d, { kind: 'replan-order', for: 'order' });
  if (prepared.kind === 'held') return hold(d, prepared);
  if (d.rules.isKeptBack(sending)) return emit(d, { kind: 'put-back', job: 'submit' });
  if (permit.kind === 'send-alone') emit(d, permit);
  startAttempt(d, sending, prepared, null);
}

function hold(d: Deciding, { to, code }: Extract<Prepared, { kind: 'held' }>): undefined {
  move(d, ['ready'], to, { code, reason: because('planned') }, { code });
  if (to === 'manual' || code === 'fully-refunded') showStopped(d);
  else emit(d, { kind: 'write-back' });
}

/** The same number once more, with the content of the last sending and today's date. */
export function resend(d: Deciding, sending: Sending): undefined {
  const { document, attempts } = d.state;
  if (document.state === 'sending') return senderDied(d);
  if (document.state !== 'uncertain') return;
  const last = attempts.at(-1);
  const verdict = mayResend(d);
  if (!last || verdict.may === 'not') return schedule(d, 'follow-up', d.now.at);
  if (verdict.may === 'later')
    return schedule(d, 'submit', verdict.at, 'waiting for the service to state the lost answer');
  if (d.rules.isKeptBack(sending)) return emit(d, { kind: 'put-back', job: 'submit' });
  startAttempt(d, sending, last, last.n);
}

/** A document found in `sending` may have been sent: its answer counts as lost. */
function senderDied(d: Deciding): undefined {
  for (const { n, outcome } of d.state.attempts)
    if (outcome === 'open') endAttempt(d, n, { outcome: 'unknown' });
  const patch = { code: 'answer-lost', reason: because('answerLost') };
  move(d, ['sending'], 'uncertain', patch, { cause: 'the process that sent it died' });
  schedule(d, 'follow-up', d.now.at);
}

function startAttempt(
  d: Deciding,
  { foreseenKey }: Sending,
  { total, buyerId }: Pick<SentAttempt, 'total' | 'buyerId'>,
  contentOf: number | null,
): undefined {
  const { document, attempts } = d.state;
  const n = attempts.length + 1;
  const issueDate = d.now.day;
  const secuencial = document.secuencial ?? '';
  move(d, [document.state], 'sending', { issueDate, total, issuer: 'sending' }, { issueDate });
  emit(d, { kind: 'start-attempt', n, issueDate, secuencial, total, buyerId, foreseenKey, contentOf });
  const attempt: SentAttempt = {
    n,
    issueDate,
    total,
    buyerId,
    foreseenKey,
    createdAt: d.now.at,
    outcome: 'open',
    accessKey: null,
    serviceId: null,
    reprocessed: 0,
    errors: [],
    cause: null,
  };
  d.state = { ...d.state, attempts: [...attempts, attempt] };
  request(d, { kind: 'post', n });
}

/* A restored ledger lacks numbers: until a series is verified, one document at a time is sent, the lowest number first. */

export function permitOf(
  check: SeriesCheck,
  view: SeriesView,
  at: number,
  { rules = everyRule, timings = inProduction }: { rules?: Rules; timings?: Timings } = {},
): Permit {
  if (rules.isVerified(check, at, timings)) return { kind: 'send' };
  if (!rules.isAsked(check)) return { kind: 'check-series' };
  const until = at + timings.series.pause;
  if (!rules.goesFirst(view, check, at, timings)) return { kind: 'wait', until };
  if (view.sentAlone && rules.isUndecided(view.sentAlone, check, at, timings)) return { kind: 'wait', until };
  return { kind: 'send-alone', isNew: rules.isNew(view, check) };
}

/* What comes back of a POST, and what follows. "Unknown": the number is neither free nor refused; the move schedules a follow-up. */
export function answered(d: Deciding, n: number, answer: Answer): undefined {
  if ('key' in answer && answer.key !== null && !d.rules.keyIsOfThis(answer.key))
    // creado, 409 or 500 with a key that names anything else | outcome unknown; the key is a hint for a person
    return mixedUp(d, n, answer.key);
  switch (answer.kind) {
    case 'created':
      return created(d, n, answer);
    // 409 | ours after a lost answer if its XML agrees; else a number conflict
    case 'duplicate':
      return duplicate(d, n, answer.key, answer.errors);
    case 'refused':
      return refused(d, n, answer.names, answer.errors);
    case 'unauthorized':
      return answer.isOlderKey
        ? backOff(d, n, 0, 'an older API key was revoked')
        : pauseUnsent(d, n, 'api-key');
    case 'throttled':
      return backOff(d, n, answer.retryAfter, 'the service asks to slow down');
    // connection refused | nothing was sent: later; after many the service is down
    case 'unreachable':
      return d.rules.isDown(answer.failures, d.timings)
        ? pauseUnsent(d, n, 'service')
        : backOff(d, n, d.timings.unreachable, 'nobody answers at the service');
    // 500, timeout, broken connection, HTML | outcome unknown: asked by key, or the webhook's time and the same number
    case 'unknown':
      return outcomeUnknown(d, n, answer);
  }
}

function created(
  d: Deciding,
  n: number,
  { key, serviceId }: Extract<Answer, { kind: 'created' }>,
): undefined {
  const attempt = attemptOf(d, n);
  const { accessKey } = key;
  if (!d.rules.keyIsExpected(attempt, key)) {
    // Another day or other free digits: the key may belong to an earlier sending.
    const patch = { accessKey, code: 'key-unexpected', reason: because('keyUnexpected') };
    const isOfItsDay = key.issueDate === attempt.issueDate;
    const note: MoveNote = { cause: 'unexpected key', accessKey };
    const end = { outcome: 'unknown', accessKey } as const;
    const moved = endAttemptAndMove(d, { n, end, to: 'uncertain', patch, note });
    return moved && isOfItsDay ? emit(d, { kind: 'digits-varied' }) : undefined;
  }
  if (d.rules.isProof(d.state.series.check)) emit(d, { kind: 'series-verified' });
  const patch = { accessKey, code: null, reason: null };
  endAttemptAndMove(d, { n, end: { outcome: 'created', accessKey, serviceId }, to: 'processing', patch });
}

function mixedUp(d: Deciding, n: number, { accessKey: otherKey }: NamedKey): undefined {
  const patch = { code: 'key-unexpected', reason: because('keyUnexpected') };
  const note: MoveNote = { cause: 'unexpected key', otherKey };
  endAttemptAndMove(d, { n, end: { outcome: 'unknown' }, to: 'uncertain', patch, note });
  // The handler counts, and alerts from the second within a day on.
  emit(d, { kind: 'alert', code: 'answers-mixed-up', accessKey: otherKey });
}

function refused(d: Deciding, n: number, names: RefusedFor, errors: readonly string[]): undefined {
  const attempt = attemptOf(d, n);
  // Midnight meanwhile | the same number is sent again with the new date
  if (d.rules.dayIsOver(attempt, d.now)) return backOff(d, n, 0, 'the day in Ecuador changed');
  if (names.kind === 'date' && names.clocks === 'differ') return pauseUnsent(d, n, 'clock');
  if (names.kind === 'date' && names.midnight !== null)
    return backOff(d, n, names.midnight, 'the day changes at the service and here some moments apart');
  // Refusals name no document: one that was kept and given to another request speaks of yesterday.
  if (names.kind === 'date' && n <= d.timings.dateRetries.length)
    return backOff(d, n, waitBefore(d.timings.dateRetries, n - 1), 'the service refused the date of today');
  // In production | credits and provider data first
  if (d.rules.mayLackCredits(d.state.document)) {
    if (names.kind === 'provider-data') return pauseUnsent(d, n, 'provider-data');
    if (names.kind === 'credits') return pauseUnsent(d, n, 'credits');
    return request(d, { kind: 'ask-balance', n, errors });
  }
  refusedForItself(d, n, errors);
}

export function balanceKnown(d: Deciding, { isEmpty, n, errors }: EventOf<'balance'>): undefined {
  if (isEmpty) pauseUnsent(d, n, 'credits');
  else refusedForItself(d, n, errors);
}

/** The cause is the document: a person fixes the order, and the same number is sent. After a lost answer it may be stored. */
function refusedForItself(d: Deciding, n: number, errors: readonly string[]): undefined {
  const isUnknown = d.rules.earlierIsUnknown(d.state.attempts, n);
  const words = errors.length > 0 ? errors : ['El servicio no dio un motivo.'];
  const reason = because(isUnknown ? 'refusedAfterLost' : 'refused', words);
  const to = isUnknown ? 'manual' : 'rejected';
  endAttemptAndMove(d, { n, end: { outcome: 'refused', errors }, to, patch: { code: 'refused', reason } });
}

function outcomeUnknown(d: Deciding, n: number, answer: Extract<Answer, { kind: 'unknown' }>): undefined {
  const { key, errors, failures } = answer;
  const known = key === null ? {} : { accessKey: key.accessKey };
  const patch = { ...known, code: 'answer-lost', reason: because('answerLost', errors) };
  const note: MoveNote = errors.length > 0 ? { errors } : {};
  endAttemptAndMove(d, { n, end: { outcome: 'unknown', ...known }, to: 'uncertain', patch, note });
  if (d.rules.isDown(failures, d.timings)) emit(d, { kind: 'pause-account', cause: 'service' });
}

/** This POST left nothing behind; the state depends on whether an earlier one may have. */
function endUnsent(d: Deciding, n: number, at: number, why?: string): undefined {
  const to = d.rules.earlierIsUnknown(d.state.attempts, n) ? 'uncertain' : 'ready';
  const resend = { at, ...(why && { why }) };
  endAttemptAndMove(d, { n, end: { outcome: 'unsent' }, to, resend });
}

function backOff(d: Deciding, n: number, after: number, why: string): undefined {
  const at = d.now.at + after;
  endUnsent(d, n, at, why);
  schedule(d, 'submit', at, why);
}

function pauseUnsent(d: Deciding, n: number, cause: PauseCause): undefined {
  endUnsent(d, n, d.now.at);
  emit(d, { kind: 'put-back', job: 'submit' }, { kind: 'pause-account', cause });
}
