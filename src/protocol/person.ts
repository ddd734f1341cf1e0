import type { DocumentState } from '../domain/document.ts';
import {
  attemptForNewKey,
  attemptOfStored,
  type Deciding,
  emit,
  endAttempt,
  matchingAttempt,
  move,
  reply,
  request,
  schedule,
} from './deciding.ts';
import type { Refusal } from './effects.ts';
import type { EventOf, NamedKey, PurposeOf, ServiceState, Stored } from './events.ts';
import { noteUnknown } from './number-conflict.ts';
import { applyServiceState } from './outcome.ts';
import type { Questions } from './questions.ts';
import { rules } from './rules.ts';
import type { SentAttempt, Stopped } from './state.ts';

/* A document that may exist at the authority is never sent once more because of what a person says. */

const refuse = (d: Deciding, why: Refusal): undefined => reply(d, { kind: 'refused', why });

export function keyGiven(d: Deciding, { key, confirmed }: EventOf<'key-given'>): undefined {
  if (d.state.document.state === 'authorized') return refuse(d, 'finished');
  if (!d.rules.maySend(d.state)) return refuse(d, 'not-sent');
  if (!d.rules.keyIsOfThis(key)) return refuse(d, 'key-of-another');
  request(d, { kind: 'ask', accessKey: key.accessKey, purpose: { kind: 'given', key, confirmed } });
}

/** `serviceState` null: the service does not show the key. */
function keyFound(
  d: Deciding,
  serviceState: ServiceState | null,
  { key, confirmed }: PurposeOf<'given'>,
): undefined {
  if (serviceState === null)
    return confirmed ? adopt(d, key, { state: 'authorized', at: null }, true) : refuse(d, 'key-unseen');
  if (serviceState.state === 'error') return refuse(d, 'key-not-authorized');
  if (serviceState.state === 'processing') return adopt(d, key, serviceState, false);
  const purpose = { kind: 'given-whose', confirmed, at: serviceState.at } as const;
  request(d, { kind: 'compare', accessKey: key.accessKey, purpose });
}

function keyCompared(
  d: Deciding,
  key: NamedKey,
  stored: Stored,
  { confirmed, at }: PurposeOf<'given-whose'>,
): undefined {
  const serviceState = { state: 'authorized', at } as const;
  if (stored.kind === 'unreadable') return refuse(d, 'xml-unreadable');
  if (stored.kind === 'another-order') {
    noteUnknown(d, key.accessKey);
    return refuse(d, 'key-of-another-order');
  }
  if (d.rules.isAlike(stored)) return adopt(d, key, serviceState, false, attemptOfStored(d, key, stored));
  // A person who was shown both confirms that this is the document, although buyer or total differ.
  const isShown = stored.kind === 'this-sale' && d.state.document.code === 'stored-differs';
  return isShown && confirmed ? adopt(d, key, serviceState, true) : refuse(d, 'key-not-ours');
}

const takesKey: readonly DocumentState[] = ['ready', 'processing', 'uncertain', 'rejected', 'manual'];

function adopt(
  d: Deciding,
  key: NamedKey,
  serviceState: ServiceState,
  confirmed: boolean,
  sending?: SentAttempt,
): undefined {
  const { accessKey } = key;
  const note = { cause: 'key given by hand', accessKey, checked: !confirmed } as const;
  if (!move(d, takesKey, 'manual', {}, note)) return refuse(d, 'overtaken');
  const attempt = sending ?? matchingAttempt(d, key) ?? attemptForNewKey(d, key) ?? d.state.attempts.at(-1);
  if (attempt) endAttempt(d, attempt.n, { outcome: 'adopted', accessKey });
  if (serviceState.state === 'processing') {
    move(d, ['manual'], 'processing', { accessKey, code: null, reason: null }, { accessKey });
    schedule(d, 'follow-up', d.now.at);
    return reply(d, { kind: 'done', what: 'processing' });
  }
  applyServiceState(d, key, serviceState, sending);
  reply(d, { kind: 'done', what: 'authorized', ...(confirmed && { isConfirmed: true }) });
}

/** With `newNumber` a person confirms, after a search at service and authority, that no document of this sale exists. */
export function retryAsked(d: Deciding, newNumber: boolean): undefined {
  const { state, code, secuencial } = d.state.document;
  if (state === 'authorized' || state === 'cancelled') return refuse(d, 'finished');
  const isStopped = state === 'rejected' || state === 'manual';
  if (!isStopped && state !== 'held') return refuse(d, 'on-its-way');
  if (state === 'held' || secuencial === null)
    return newNumber ? refuse(d, 'new-number-not-needed') : readAgain(d);
  if (code === 'ledger-older') return refuse(d, 'ledger-older');
  const mayExist = d.rules.mayExist(d.state);
  if (newNumber) return mayTakeNewNumber(d.state) ? search(d, true) : refuse(d, 'new-number-not-needed');
  if (mayExist) return refuse(d, 'may-be-authorized');
  if (code === 'number-conflict') return search(d, false);
  move(d, [state], 'ready', { code: null, reason: null }, { cause: 'retry' });
  schedule(d, 'submit', d.now.at);
  reply(d, { kind: 'done', what: 'sent-again' });
}

function readAgain(d: Deciding): undefined {
  emit(d, { kind: 'replan-order', for: 'order' });
  reply(d, { kind: 'done', what: 'read-again' });
}

export function mayTakeNewNumber(state: Stopped): boolean {
  const { document } = state;
  const isStopped = document.state === 'rejected' || document.state === 'manual';
  if (!isStopped || document.secuencial === null) return false;
  return document.code === 'number-conflict' || rules.mayExist(state);
}

function search(d: Deciding, confirmed: boolean): undefined {
  const { document, attempts, learnt } = d.state;
  const sent = attempts.flatMap(({ accessKey, foreseenKey }) => [accessKey, foreseenKey]);
  const keys = [...sent, document.accessKey, ...learnt.keys].filter((key) => key !== null);
  // With no key to ask about, nobody has searched.
  if (!confirmed && keys.length === 0) return refuse(d, 'may-be-authorized');
  request(d, { kind: 'search', confirmed, keys: [...new Set(keys)], version: document.version });
}

/** This document is dropped, its number stays as a gap, and the sale takes a new number. */
export function searched(d: Deciding, { confirmed, version, verdicts }: EventOf<'searched'>): undefined {
  if (verdicts.some(({ verdict }) => d.rules.preventsNewNumber(verdict)))
    return refuse(d, 'found-at-service');
  const asked = verdicts.map(({ accessKey }) => accessKey);
  if (d.rules.isOvertaken(d.state, version, asked)) return refuse(d, 'overtaken');
  const { state } = d.state.document;
  const reason = { sentences: [confirmed ? 'confirmedByHand' : 'replaced'] } as const;
  const note = confirmed ? ({ cause: 'new number', confirmed } as const) : ({ cause: 'retry' } as const);
  if (!move(d, [state], 'cancelled', { code: 'replaced', reason }, note)) return;
  emit(d, { kind: 'write-back' }, { kind: 'replan-order', for: 'order' });
  reply(d, { kind: 'done', what: 'replaced' });
}

export function reprocessAsked(d: Deciding): undefined {
  const { document, attempts } = d.state;
  const ended = attempts.findLast(({ outcome }) => outcome === 'error');
  if (document.state !== 'rejected' || document.accessKey === null) return refuse(d, 'not-reprocessable');
  if (!ended) return refuse(d, 'not-refused');
  if (ended.cause === null || d.rules.isInBody(ended.cause)) return refuse(d, 'refused-for-its-body');
  move(d, ['rejected'], 'processing', { code: 'reprocess' }, { cause: 'reprocess' });
  schedule(d, 'reprocess', d.now.at);
  reply(d, { kind: 'done', what: 'reprocessing' });
}

export const personQuestions: Questions<'given' | 'given-whose'> = {
  given: {
    found: (d, _key, serviceState, purpose) => keyFound(d, serviceState, purpose),
    notFound: (d, _key, _isUnderOtherKey, purpose) => keyFound(d, null, purpose),
    silent: (d, why, purpose) =>
      why === 'no-answer' ? refuse(d, 'service-silent') : keyFound(d, null, purpose),
  },
  'given-whose': { compared: keyCompared },
};
