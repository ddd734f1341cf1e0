import { answered, lackedCredits } from './answers.ts';
import type { Decided, Deciding } from './deciding.ts';
import type { Effect } from './effects.ts';
import type { Because, Event } from './events.ts';
import { clockJumped, idleAgain } from './idle.ts';
import { lookUp, noAnswerTo, notFound, unseenCompared } from './lost.ts';
import { duplicateCompared, refusedBefore, unexpectedCompared } from './number-taken.ts';
import {
  compareDropped,
  droppedCompared,
  droppedNotShown,
  holderCompared,
  holderFound,
  notified,
  ownCompared,
  stateFound,
} from './outcome.ts';
import { keyCompared, keyFound, keyGiven, reprocessAsked, retryAsked, searched } from './person.ts';
import { handedOver, handOver } from './reprocess.ts';
import { type Rules, rules } from './rules.ts';
import { permitted, prepared, submit } from './sending.ts';
import { type Now, type State, type Timings, timings } from './state.ts';

export interface Decision {
  state: State;
  effects: readonly Effect[];
}

/**
 * What becomes of a document: the one function that decides it, whatever happened. Pure; a handler reads the state, feeds
 * one event, writes state and effects in one transaction, and feeds the answer of what it was told to ask.
 */
export function decide(
  state: State,
  event: Event,
  now: Now,
  how: { rules?: Rules; timings?: Timings } = {},
): Decision {
  const d: Deciding = { state, effects: [], now, rules, timings, ...how };
  happen(d, event);
  return { state: d.state, effects: d.effects };
}

/** What came back, or happened, and where it is told what follows. */
function happen(d: Deciding, event: Event): Decided {
  switch (event.kind) {
    // A job is due: the first sending, a repeat, or a holder that died; a look at what is open; a key to hand over again.
    case 'due':
      if (event.job === 'submit') return submit(d, event.sending);
      if (event.job === 'follow-up') return lookUp(d, event.foreseen);
      return handOver(d);
    case 'permitted':
      return permitted(d, event);
    case 'prepared':
      return prepared(d, event);
    // What came back from the POST, row by row: answers.ts.
    case 'answered':
      return answered(d, event.n, event.answer);
    case 'balance':
      return lackedCredits(d, event);
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
    case 'left-idle':
      return idleAgain(d);
  }
}

type Answer<K extends Event['kind']> = Extract<Event, { kind: K }>;

/** The service shows the document: what follows depends on why it was asked. */
function found(d: Deciding, { key, standing, because }: Answer<'found'>): Decided {
  switch (because.step) {
    case 'state':
      return stateFound(d, key, standing, because);
    case 'holder':
      return holderFound(d, key, standing, because);
    case 'dropped':
      return standing.state === 'authorized' ? compareDropped(d, key, because) : undefined;
    case 'still-refused':
      return refusedBefore(d, because, standing.state === 'error');
    case 'given':
      return keyFound(d, standing, because);
    default:
      return never(because);
  }
}

function missing(d: Deciding, { key, isUnderOtherKey, because }: Answer<'not-found'>): Decided {
  switch (because.step) {
    case 'state':
      return notFound(d, key, isUnderOtherKey, because);
    case 'holder':
      return holderFound(d, key, null, because);
    case 'dropped':
      return droppedNotShown(d, because);
    case 'still-refused':
      return refusedBefore(d, because, true);
    case 'given':
      return keyFound(d, null, because);
    default:
      return never(because);
  }
}

function silent(d: Deciding, { why, because }: Answer<'silent'>): Decided {
  switch (because.step) {
    case 'state':
    case 'dropped':
      return noAnswerTo(d, because.asker, why);
    case 'holder':
      return holderFound(d, null, null, because);
    case 'still-refused':
      return refusedBefore(d, because, false);
    case 'given':
      return why === 'no-answer'
        ? void d.effects.push({ kind: 'refused', why: 'service-silent' })
        : keyFound(d, null, because);
    default:
      return never(because);
  }
}

function compared(d: Deciding, { key, stored, because }: Answer<'compared'>): Decided {
  switch (because.step) {
    case 'whose':
      return ownCompared(d, key, stored, because);
    case 'unseen':
      return unseenCompared(d, key, stored, because);
    case 'holder-whose':
      return holderCompared(d, key, stored, because);
    case 'dropped':
      return droppedCompared(d, key, stored, because);
    case 'duplicate':
      return duplicateCompared(d, key, stored, because);
    case 'unexpected':
      return unexpectedCompared(d, key, stored, because);
    case 'given-whose':
      return keyCompared(d, key, stored, because);
    default:
      return never(because);
  }
}

/** An answer to a question that was never asked in this way is a defect of the handler. */
function never({ step }: Because): never {
  throw new Error(`An answer came for the step ${step}, which asks no such question.`);
}
