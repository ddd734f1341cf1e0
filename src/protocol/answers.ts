import type { MoveNote } from '../domain/document.ts';
import type { PauseCause } from '../domain/job.ts';
import { add, attemptOf, type Decided, type Deciding, record, says, schedule } from './deciding.ts';
import type { Answer, EventOf, NamedKey, RefusedFor } from './events.ts';
import { duplicate } from './lost.ts';

/*
 * The answer to the POST of an attempt, and what follows: the table of docs/exactly-once.md from top to bottom. "Unknown"
 * means that the outcome is unknown: the number is not free, and is not refused.
 */
export function answered(d: Deciding, n: number, answer: Answer): Decided {
  if ('key' in answer && answer.key !== null && !d.rules.keyIsOfThis(answer.key))
    // creado, 409 or 500 with a key that names anything else | outcome unknown; the key is a hint for a person
    return mixedUp(d, n, answer.key);
  switch (answer.kind) {
    case 'created':
      return created(d, n, answer);
    // 409 | ours after a lost answer if its XML agrees; else a number conflict (lost.ts)
    case 'duplicate':
      return duplicate(d, n, answer.key, answer.errors);
    // 200 or 400 creado: false | rejected, unless the day changed or the account is the cause
    case 'refused':
      return refused(d, n, answer.names, answer.errors);
    // 401 | the account is paused and probed, the document stays ready; an older key: the newest takes over
    case 'unauthorized':
      return answer.isOlderKey
        ? backOff(d, n, 0, 'an older API key was revoked')
        : pauseUnsent(d, n, 'api-key');
    // 429 | later, not counted
    case 'throttled':
      return backOff(d, n, answer.retryAfter, 'the service asks to slow down');
    // connection refused | nothing left: later; after many the service is down
    case 'unreachable':
      return d.rules.isDown(answer.failures, d.timings)
        ? pauseUnsent(d, n, 'service')
        : backOff(d, n, restAfter(d, answer.failures), 'nobody answers at the service');
    // 500, timeout, broken connection, HTML | outcome unknown: asked by key, or the webhook's time and the same number
    case 'unknown':
      return outcomeUnknown(d, n, answer);
  }
}

/** `creado: true` with a key of our type, RUC, ambiente and number | processing, key stored. */
function created(d: Deciding, n: number, { key, serviceId }: Extract<Answer, { kind: 'created' }>): Decided {
  const attempt = attemptOf(d, n);
  if (!attempt) return;
  const { accessKey } = key;
  add(d, { kind: 'number-is-new' });
  if (!d.rules.keyIsExpected(attempt, key)) {
    // Another day or other free digits: the key may belong to an earlier sending.
    const patch = { accessKey, code: 'key-unexpected', reason: says('keyUnexpected') };
    const isOfItsDay = key.issueDate === attempt.issueDate;
    const note: MoveNote = { cause: 'unexpected key', accessKey };
    const moved = record(d, n, { outcome: 'unknown', accessKey }, 'uncertain', patch, note);
    return moved && isOfItsDay ? add(d, { kind: 'digits-varied' }) : undefined;
  }
  const patch = { accessKey, code: null, reason: null };
  record(d, n, { outcome: 'created', accessKey, serviceId }, 'processing', patch);
}

function mixedUp(d: Deciding, n: number, { accessKey: otherKey }: NamedKey): Decided {
  const patch = { code: 'key-unexpected', reason: says('keyUnexpected') };
  record(d, n, { outcome: 'unknown' }, 'uncertain', patch, { cause: 'unexpected key', otherKey });
  // The handler counts, and alerts from the second within a day on.
  add(d, { kind: 'alert', code: 'answers-mixed-up', accessKey: otherKey });
}

function refused(d: Deciding, n: number, names: RefusedFor, errors: readonly string[]): Decided {
  const attempt = attemptOf(d, n);
  if (!attempt) return;
  // Midnight meanwhile | the same number leaves again with the new date
  if (d.rules.dayIsOver(attempt, d.now)) return backOff(d, n, 0, 'the day in Ecuador changed');
  if (names.kind === 'date' && names.clocks === 'differ') return pauseUnsent(d, n, 'clock');
  if (names.kind === 'date' && names.midnight !== null)
    return backOff(d, n, names.midnight, 'the day changes at the service and here some moments apart');
  // Refusals name no document: one that was kept and given to another request speaks of yesterday.
  if (names.kind === 'date' && n <= d.timings.dateRetries.length)
    return backOff(d, n, d.timings.dateRetries[n - 1] ?? 0, 'the service refused the date of today');
  // In production | credits and provider data first
  if (d.rules.mayLackCredits(d.state.document)) {
    if (names.kind === 'provider-data') return pauseUnsent(d, n, 'provider-data');
    if (names.kind === 'credits') return pauseUnsent(d, n, 'credits');
    return add(d, { kind: 'ask-balance', purpose: { kind: 'credits', n, errors } });
  }
  refusedForItself(d, n, errors);
}

/** The balance after a refusal in production. */
export function balanceKnown(d: Deciding, { isEmpty, purpose }: EventOf<'balance'>): Decided {
  const { n, errors } = purpose;
  if (isEmpty) pauseUnsent(d, n, 'credits');
  else refusedForItself(d, n, errors);
}

/** The cause is the document: a person fixes the order, and the same number leaves. After a lost answer it may be stored. */
function refusedForItself(d: Deciding, n: number, errors: readonly string[]): Decided {
  const isUnknown = d.rules.earlierIsUnknown(d.state.attempts, n);
  const words = errors.length > 0 ? errors : ['El servicio no dio un motivo.'];
  const reason = says(isUnknown ? 'refusedAfterLost' : 'refused', words);
  const to = isUnknown ? 'manual' : 'rejected';
  record(d, n, { outcome: 'refused', errors }, to, { code: 'refused', reason });
}

function outcomeUnknown(d: Deciding, n: number, answer: Extract<Answer, { kind: 'unknown' }>): Decided {
  const { key, errors, failures } = answer;
  const known = key === null ? {} : { accessKey: key.accessKey };
  const patch = { ...known, code: 'answer-lost', reason: says('answerLost', errors) };
  const note: MoveNote = errors.length > 0 ? { errors } : {};
  record(d, n, { outcome: 'unknown', ...known }, 'uncertain', patch, note);
  if (d.rules.isDown(failures, d.timings)) add(d, { kind: 'pause-account', cause: 'service' });
}

/** This POST left nothing behind; the state depends on whether an earlier one may have. */
function endUnsent(d: Deciding, n: number, notBefore: number, why?: string): Decided {
  const to = d.rules.earlierIsUnknown(d.state.attempts, n) ? 'uncertain' : 'ready';
  record(d, n, { outcome: 'unsent' }, to, {}, {}, { notBefore, ...(why && { why }) });
}

function backOff(d: Deciding, n: number, after: number, why: string): Decided {
  const at = d.now.at + after;
  endUnsent(d, n, at, why);
  schedule(d, 'submit', at, why);
}

const restAfter = ({ timings }: Deciding, failures: number): number =>
  failures < timings.serviceDownAfter
    ? timings.unreachable
    : (timings.probes[failures] ?? timings.probes.at(-1) ?? 0);

function pauseUnsent(d: Deciding, n: number, cause: PauseCause): Decided {
  endUnsent(d, n, d.now.at);
  add(d, { kind: 'put-back', job: 'submit' }, { kind: 'pause-account', cause });
}
