import { answered, balanceKnown } from './answers.ts';
import {
  add,
  attemptOf,
  type Decided,
  type Deciding,
  endAttempt,
  mayRepeat,
  move,
  patchAttempt,
  says,
  schedule,
  showStopped,
} from './deciding.ts';
import type { Effect } from './effects.ts';
import type { Event, EventOf, Purpose, Sending } from './events.ts';
import {
  duplicateCompared,
  followUp,
  nextFollowUp,
  noAnswerTo,
  notFound,
  notShown,
  refusedBefore,
  unexpectedCompared,
  unseenCompared,
} from './lost.ts';
import {
  clockJumped,
  compareDropped,
  droppedCompared,
  holderCompared,
  holderFound,
  notified,
  ownCompared,
  stateFound,
} from './outcome.ts';
import { keyCompared, keyFound, keyGiven, reprocessAsked, retryAsked, searched } from './person.ts';
import { type Rules, rules } from './rules.ts';
import { type Now, type SentAttempt, type State, type Timings, timings } from './state.ts';

export interface Decision {
  state: State;
  effects: readonly Effect[];
}

/**
 * What becomes of a document after an event: the one function that decides it. Pure. A handler reads the state, passes one
 * event, writes state and effects in one transaction, makes the request that is left, and passes its answer.
 */
export function decide(
  state: State,
  event: Event,
  now: Now,
  how: { rules?: Rules; timings?: Timings } = {},
): Decision {
  const d: Deciding = { state, effects: [], now, rules, timings, ...how };
  handle(d, event);
  return { state: d.state, effects: d.effects };
}

function handle(d: Deciding, event: Event): Decided {
  switch (event.kind) {
    case 'due':
      if (event.job === 'submit') return submit(d, event.sending);
      if (event.job === 'follow-up') return followUp(d, event.foreseen);
      return handOver(d);
    case 'permitted':
      return permitted(d, event);
    case 'prepared':
      return prepared(d, event);
    // The answer to the POST.
    case 'answered':
      return answered(d, event.n, event.answer);
    case 'balance':
      return balanceKnown(d, event);
    // What the authority says: by webhook, or to a question.
    case 'notified':
      return notified(d, event);
    case 'found':
      return found(d, event);
    case 'not-found':
      return missing(d, event);
    case 'silent':
      return silent(d, event);
    case 'compared':
      return compared(d, event);
    case 'handed-over':
      return handedOver(d, event);
    // What a person says.
    case 'key-given':
      return keyGiven(d, event);
    case 'retry-asked':
      return retryAsked(d, event.newNumber);
    case 'searched':
      return searched(d, event);
    case 'reprocess-asked':
      return reprocessAsked(d);
    case 'clock-jumped':
      return clockJumped(d);
  }
}

/** The service shows the document. */
function found(d: Deciding, { key, standing, purpose }: EventOf<'found'>): Decided {
  switch (purpose.kind) {
    case 'state':
      return stateFound(d, key, standing, purpose);
    case 'holder':
      return holderFound(d, key, standing, purpose);
    case 'dropped':
      return standing.state === 'authorized' ? compareDropped(d, key, purpose) : undefined;
    case 'still-refused':
      return refusedBefore(d, purpose, standing.state === 'error');
    case 'given':
      return keyFound(d, standing, purpose);
    default:
      return never(purpose);
  }
}

function missing(d: Deciding, { key, isUnderOtherKey, purpose }: EventOf<'not-found'>): Decided {
  switch (purpose.kind) {
    case 'state':
      return notFound(d, key, isUnderOtherKey, purpose);
    case 'holder':
      return holderFound(d, key, null, purpose);
    case 'dropped':
      return notShown(d, purpose.asker);
    case 'still-refused':
      return refusedBefore(d, purpose, true);
    case 'given':
      return keyFound(d, null, purpose);
    default:
      return never(purpose);
  }
}

function silent(d: Deciding, { why, purpose }: EventOf<'silent'>): Decided {
  switch (purpose.kind) {
    case 'state':
    case 'dropped':
      return noAnswerTo(d, purpose.asker, why);
    case 'holder':
      return holderFound(d, null, null, purpose);
    case 'still-refused':
      return refusedBefore(d, purpose, false);
    case 'given':
      return why === 'no-answer'
        ? add(d, { kind: 'refused', why: 'service-silent' })
        : keyFound(d, null, purpose);
    default:
      return never(purpose);
  }
}

function compared(d: Deciding, { key, stored, purpose }: EventOf<'compared'>): Decided {
  switch (purpose.kind) {
    case 'whose':
      return ownCompared(d, key, stored, purpose);
    case 'unseen':
      return unseenCompared(d, stored, purpose);
    case 'holder-whose':
      return holderCompared(d, key, stored, purpose);
    case 'dropped':
      return droppedCompared(d, key, stored, purpose);
    case 'duplicate':
      return duplicateCompared(d, key, stored, purpose);
    case 'unexpected':
      return unexpectedCompared(d, key, stored, purpose);
    case 'given-whose':
      return keyCompared(d, key, stored, purpose);
    default:
      return never(purpose);
  }
}

/** An answer that no request with this purpose gets is a defect of the handler. */
function never({ kind }: Purpose): never {
  throw new Error(`An answer came for the purpose ${kind}, which makes no such request.`);
}

/*
 * Reprocessing: a key that ended with an error outside the document is handed to the authority again. Doing it twice is
 * harmless: at most one document can come of a key. On another day the authority would refuse its date (65), so the number
 * leaves again with today's.
 */

/** The job `reprocess` is due. */
function handOver(d: Deciding): Decided {
  const { document, attempts } = d.state;
  const ended = attempts.findLast(({ outcome }) => outcome === 'error');
  if (document.state !== 'processing' || !ended?.accessKey) return;
  // Another sending may still come true: it is asked about first.
  if (attempts.some(d.rules.mayComeTrue)) {
    schedule(d, 'follow-up', d.now.at);
    return schedule(d, 'reprocess', nextFollowUp(d), 'another sending of it may still come true');
  }
  if (document.code === 'reprocess' && d.rules.dayIsOver(ended, d.now)) return leaveAgain(d);
  const { n, accessKey } = ended;
  const reported = attempts.findLast((one) => one.accessKey === accessKey && one.serviceId !== null);
  add(d, { kind: 'reprocess', n, accessKey, serviceId: reported?.serviceId ?? null });
}

function leaveAgain(d: Deciding): Decided {
  move(d, ['processing'], 'rejected', {}, { cause: 'known not authorised' });
  const patch = { accessKey: null, code: null, reason: null };
  move(d, ['rejected'], 'ready', patch, { cause: 'sent again with today’s date' });
  schedule(d, 'submit', d.now.at);
}

function handedOver(d: Deciding, { n, answer }: EventOf<'handed-over'>): Decided {
  switch (answer.kind) {
    case 'reprocessing':
      return withAuthority(d, n, d.timings.followUp[0] ?? 0);
    case 'not-ended':
      return withAuthority(d, n, 0);
    case 'no-credits':
      return pause(d, 'credits');
    case 'refused':
      return giveUp(d, answer.errors);
    case 'throttled':
      return schedule(d, 'reprocess', d.now.at + answer.retryAfter, 'the service asks to slow down');
    case 'unauthorized':
      return answer.isOlderKey
        ? schedule(d, 'reprocess', d.now.at, 'an older API key was revoked')
        : pause(d, 'api-key');
    case 'unknown':
      return add(d, { kind: 'try-again', why: 'the key could not be reprocessed yet' });
  }
}

const pause = (d: Deciding, cause: 'credits' | 'api-key'): Decided =>
  add(d, { kind: 'put-back', job: 'reprocess' }, { kind: 'pause-account', cause });

/** The outcome of the key is open again. */
function withAuthority(d: Deciding, n: number, after: number): Decided {
  const ended = attemptOf(d, n);
  if (!ended) return;
  const { accessKey } = ended;
  const note = { cause: 'reprocessed', accessKey } as const;
  if (!move(d, ['processing'], 'processing', { code: null, reason: null }, note)) return;
  add(d, { kind: 'end-attempt', n, outcome: 'reprocessed' });
  patchAttempt(d, { ...ended, outcome: 'reprocessed', reprocessed: ended.reprocessed + 1 });
  schedule(d, 'follow-up', d.now.at + after);
}

/** The service refuses to reprocess: the error stands, and its reason says what to fix. */
function giveUp(d: Deciding, errors: readonly string[]): Decided {
  const isRegistered = d.state.document.code === 'number-registered';
  const code = isRegistered ? 'number-registered' : 'not-authorised';
  const note = { cause: 'not reprocessed', errors } as const;
  if (move(d, ['processing'], isRegistered ? 'manual' : 'rejected', { code }, note)) showStopped(d);
}

/* Sending: what is decided before a byte leaves. The attempt is written with the move to `sending`, then the POST leaves. */

/** The job `submit` is due. */
function submit(d: Deciding, sending: Sending): Decided {
  switch (d.state.document.state) {
    case 'ready':
      return first(d, sending);
    case 'sending':
      return senderDied(d);
    case 'uncertain':
      return repeat(d, sending);
    default:
  }
}

function first(d: Deciding, sending: Sending): Decided {
  const reason = { sentences: ['planned'] } as const;
  // A number names one document of one issuer; what is left from the trials is dropped.
  if (sending.issuer !== 'same') {
    const to = sending.issuer === 'trial' ? 'cancelled' : 'held';
    move(d, ['ready'], to, { code: 'other-issuer', reason }, { code: 'other-issuer' });
    add(d, { kind: 'write-back' });
    return to === 'cancelled' ? add(d, { kind: 'wake-order', for: 'order' }) : undefined;
  }
  if (d.rules.isBehind(d.state.series)) {
    move(d, ['ready'], 'held', { code: 'series-stopped', reason }, { code: 'series-stopped' });
    return add(d, { kind: 'write-back' });
  }
  add(d, { kind: 'permit', sending });
}

/** Until a process has verified a series, one number of it leaves at a time. */
function permitted(d: Deciding, { permit, sending }: EventOf<'permitted'>): Decided {
  if (permit.kind === 'leaves') return add(d, { kind: 'prepare', sending });
  if (permit.kind === 'unasked') return add(d, { kind: 'look-ahead' });
  schedule(d, 'submit', permit.until, 'the first document of its series is on its way');
}

/** The order was mapped: the document leaves, or is held and keeps its number. */
function prepared(d: Deciding, { prepared: made, sending }: EventOf<'prepared'>): Decided {
  if (d.state.document.state !== 'ready') return;
  // The order changed meanwhile: it is read once more.
  if (made.kind === 'nothing') return add(d, { kind: 'wake-order', for: 'order' });
  if (made.kind === 'send') return leave(d, sending, made, null);
  const { to, code } = made;
  move(d, ['ready'], to, { code, reason: says('planned') }, { code });
  if (to === 'manual' || code === 'fully-refunded') showStopped(d);
  else add(d, { kind: 'write-back' });
}

/**
 * The same number once more, with the content of the last sending; only the date may change. If its key became known
 * since the repeat was scheduled, the service is asked instead.
 */
function repeat(d: Deciding, sending: Sending): Decided {
  const last = d.state.attempts.at(-1);
  const verdict = mayRepeat(d);
  if (!last || verdict.may === 'not') return schedule(d, 'follow-up', d.now.at);
  if (verdict.may === 'later')
    return schedule(d, 'submit', verdict.at, 'waiting for the service to tell the lost answer');
  leave(d, sending, last, last.n);
}

function leave(
  d: Deciding,
  { as, foreseenKey }: Sending,
  { total, buyerId }: Pick<SentAttempt, 'total' | 'buyerId'>,
  contentOf: number | null,
): Decided {
  const { account, document, attempts } = d.state;
  if (d.rules.isKeptBack(account, as)) return add(d, { kind: 'put-back', job: 'submit' });
  const n = attempts.length + 1;
  const issueDate = d.now.day;
  const secuencial = document.secuencial ?? '';
  move(d, [document.state], 'sending', { issueDate, total, issuer: 'sending' }, { issueDate });
  add(d, { kind: 'attempt', n, issueDate, secuencial, total, buyerId, foreseenKey, contentOf });
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
  add(d, { kind: 'post', n });
}

/** A document found in `sending` may have left: its answer counts as lost. */
function senderDied(d: Deciding): Decided {
  for (const { n, outcome } of d.state.attempts)
    if (outcome === 'open') endAttempt(d, n, { outcome: 'unknown' });
  const patch = { code: 'answer-lost', reason: says('answerLost') };
  move(d, ['sending'], 'uncertain', patch, { cause: 'the process that sent it died' });
  schedule(d, 'follow-up', d.now.at);
}
