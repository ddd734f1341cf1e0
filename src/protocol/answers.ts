import type { MoveNote } from '../domain/document.ts';
import type { PauseCause } from '../domain/job.ts';
import {
  attemptOf,
  because,
  type Deciding,
  emit,
  endAttemptAndMove,
  request,
  schedule,
  waitBefore,
} from './deciding.ts';
import type { Answer, EventOf, NamedKey, RefusedFor } from './events.ts';
import { duplicate } from './number-conflict.ts';

/* The table of docs/exactly-once.md from top to bottom. "Unknown": the number is neither free nor refused. */
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
