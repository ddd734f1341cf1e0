import {
  attemptOf,
  type Deciding,
  emit,
  move,
  patchAttempt,
  request,
  schedule,
  showStopped,
  waitBefore,
} from './deciding.ts';
import type { Effect, Reply, Request } from './effects.ts';
import type { Event, EventOf, Purpose } from './events.ts';
import { followUp, followUpQuestions, nextFollowUp } from './follow-up.ts';
import { conflictQuestions } from './number-conflict.ts';
import { notified, outcomeQuestions } from './outcome.ts';
import { keyGiven, personQuestions, reprocessAsked, retryAsked, searched } from './person.ts';
import type { Question, Questions } from './questions.ts';
import { type Rules, rules } from './rules.ts';
import { answered, balanceKnown, resend, sendFirst } from './send.ts';
import { type Now, type State, type Timings, timings } from './state.ts';

export interface Decision {
  state: State;
  effects: readonly Effect[];
  request: Request | null;
  reply: Reply | null;
}

/** Pure: a handler writes the effects in one transaction, makes the request after its COMMIT, and passes the answer. */
export function decide(
  state: State,
  event: Event,
  now: Now,
  how: { rules?: Rules; timings?: Timings } = {},
): Decision {
  const d: Deciding = { state, effects: [], request: null, reply: null, now, rules, timings, ...how };
  handle(d, event);
  return { state: d.state, effects: d.effects, request: d.request, reply: d.reply };
}

function handle(d: Deciding, event: Event): undefined {
  switch (event.kind) {
    case 'send-due':
      return sendFirst(d, event);
    case 'resend-due':
      return resend(d, event.sending);
    case 'follow-up-due':
      return followUp(d, event.foreseen);
    case 'reprocess-due':
      return reprocess(d);
    case 'answered':
      return answered(d, event.n, event.answer);
    case 'balance':
      return balanceKnown(d, event);
    case 'reprocess-answered':
      return reprocessAnswered(d, event);
    case 'notified':
      return notified(d, event);
    case 'found':
    case 'not-found':
    case 'silent':
    case 'compared':
      return answerTo(d, event);
    case 'key-given':
      return keyGiven(d, event);
    case 'retry-asked':
      return retryAsked(d, event.newNumber);
    case 'searched':
      return searched(d, event);
    case 'reprocess-asked':
      return reprocessAsked(d);
  }
}

const questions: Questions = {
  ...followUpQuestions,
  ...conflictQuestions,
  ...outcomeQuestions,
  ...personQuestions,
};

function answerTo(d: Deciding, event: EventOf<'found' | 'not-found' | 'silent' | 'compared'>): undefined {
  const { purpose } = event;
  const { found, notFound, silent, compared } = questions[purpose.kind] as Question<Purpose['kind']>;
  if (event.kind === 'found' && found) return found(d, event.key, event.serviceState, purpose);
  if (event.kind === 'not-found' && notFound) return notFound(d, event.key, event.isUnderOtherKey, purpose);
  if (event.kind === 'silent' && silent) return silent(d, event.why, purpose);
  if (event.kind === 'compared' && compared) return compared(d, event.key, event.stored, purpose);
  throw new Error(`The purpose ${purpose.kind} has no answer of the kind ${event.kind}.`);
}

/* Reprocessing twice is harmless: at most one document can come of a key. On another day the date is refused (65). */

export function reprocess(d: Deciding): undefined {
  const { document, attempts } = d.state;
  const ended = attempts.findLast(({ outcome }) => outcome === 'error');
  if (document.state !== 'processing' || !ended?.accessKey) return;
  // Another sending may still come true: it is asked about first.
  if (attempts.some(d.rules.mayComeTrue)) {
    schedule(d, 'follow-up', d.now.at);
    return schedule(d, 'reprocess', nextFollowUp(d), 'another sending of it may still come true');
  }
  if (document.code === 'reprocess' && d.rules.dayIsOver(ended, d.now)) return sendAgainToday(d);
  const { n, accessKey } = ended;
  const reported = attempts.findLast((one) => one.accessKey === accessKey && one.serviceId !== null);
  request(d, { kind: 'reprocess', n, accessKey, serviceId: reported?.serviceId ?? null });
}

function sendAgainToday(d: Deciding): undefined {
  move(d, ['processing'], 'rejected', {}, { cause: 'known not authorised' });
  const patch = { accessKey: null, code: null, reason: null };
  move(d, ['rejected'], 'ready', patch, { cause: 'sent again with today’s date' });
  schedule(d, 'submit', d.now.at);
}

export function reprocessAnswered(d: Deciding, { n, answer }: EventOf<'reprocess-answered'>): undefined {
  switch (answer.kind) {
    case 'reprocessing':
      return reopenKey(d, n, waitBefore(d.timings.followUp, 0));
    case 'not-ended':
      return reopenKey(d, n, 0);
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
      return emit(d, { kind: 'try-again', why: 'the key could not be reprocessed yet' });
  }
}

const pause = (d: Deciding, cause: 'credits' | 'api-key'): undefined =>
  emit(d, { kind: 'put-back', job: 'reprocess' }, { kind: 'pause-account', cause });

function reopenKey(d: Deciding, n: number, after: number): undefined {
  const ended = attemptOf(d, n);
  const { accessKey } = ended;
  const note = { cause: 'reprocessed', accessKey } as const;
  if (!move(d, ['processing'], 'processing', { code: null, reason: null }, note)) return;
  emit(d, { kind: 'end-attempt', n, outcome: 'reprocessed' });
  patchAttempt(d, { ...ended, outcome: 'reprocessed', reprocessed: ended.reprocessed + 1 });
  schedule(d, 'follow-up', d.now.at + after);
}

/** The service refuses to reprocess: the error stays, and its reason says what to fix. */
function giveUp(d: Deciding, errors: readonly string[]): undefined {
  const isRegistered = d.state.document.code === 'number-registered';
  const code = isRegistered ? 'number-registered' : 'not-authorised';
  const note = { cause: 'not reprocessed', errors } as const;
  if (move(d, ['processing'], isRegistered ? 'manual' : 'rejected', { code }, note)) showStopped(d);
}
