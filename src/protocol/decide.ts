import { answered, balanceKnown } from './answers.ts';
import type { Deciding } from './deciding.ts';
import type { Effect, Reply, Request } from './effects.ts';
import type { Event, EventOf, Purpose } from './events.ts';
import { followUp, followUpQuestions } from './follow-up.ts';
import { conflictQuestions } from './number-conflict.ts';
import { notified, outcomeQuestions } from './outcome.ts';
import { keyGiven, personQuestions, reprocessAsked, retryAsked, searched } from './person.ts';
import type { Question, Questions } from './questions.ts';
import { reprocess, reprocessAnswered } from './reprocess.ts';
import { type Rules, rules } from './rules.ts';
import { resend, sendFirst } from './send.ts';
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
