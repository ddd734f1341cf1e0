import type { DocumentState } from '../domain/document.ts';
import {
  add,
  attemptForNewKey,
  attemptOfStored,
  type Decided,
  type Deciding,
  endAttempt,
  matchingAttempt,
  move,
  schedule,
} from './deciding.ts';
import type { Refusal } from './effects.ts';
import type { EventOf, NamedKey, PurposeOf, Standing, Stored } from './events.ts';
import { noteUnknown } from './lost.ts';
import { apply } from './outcome.ts';
import { rules } from './rules.ts';
import type { SentAttempt, Stopped } from './state.ts';

/* What a person says. A document that may exist at the authority is never sent once more because of it. */

const refuse = (d: Deciding, why: Refusal): Decided => add(d, { kind: 'refused', why });

/** `adopt`: the key a person found, for a document that may have left. */
export function keyGiven(d: Deciding, { key, vouched }: EventOf<'key-given'>): Decided {
  if (d.state.document.state === 'authorized') return refuse(d, 'finished');
  if (!d.rules.maySend(d.state)) return refuse(d, 'not-sent');
  if (!d.rules.keyIsOfThis(key)) return refuse(d, 'key-of-another');
  add(d, { kind: 'ask', accessKey: key.accessKey, purpose: { kind: 'given', key, vouched } });
}

/** `standing` null: the service does not show the key. */
export function keyFound(
  d: Deciding,
  standing: Standing | null,
  { key, vouched }: PurposeOf<'given'>,
): Decided {
  if (standing === null)
    return vouched ? adopt(d, key, { state: 'authorized', at: null }, true) : refuse(d, 'key-unseen');
  if (standing.state === 'error') return refuse(d, 'key-not-authorized');
  if (standing.state === 'processing') return adopt(d, key, standing, false);
  const purpose = { kind: 'given-whose', vouched, at: standing.at } as const;
  add(d, { kind: 'compare', accessKey: key.accessKey, purpose });
}

export function keyCompared(
  d: Deciding,
  key: NamedKey,
  stored: Stored,
  { vouched, at }: PurposeOf<'given-whose'>,
): Decided {
  const standing = { state: 'authorized', at } as const;
  if (stored.kind === 'unreadable') return refuse(d, 'xml-unreadable');
  if (stored.kind === 'another-order') {
    noteUnknown(d, key.accessKey);
    return refuse(d, 'key-of-another-order');
  }
  if (d.rules.isAlike(stored)) return adopt(d, key, standing, false, attemptOfStored(d, key, stored));
  // Reference and number are ours, buyer or total differ: a person who was shown both answers for it.
  const isShown = stored.kind === 'this-sale' && d.state.document.code === 'stored-differs';
  return isShown && vouched ? adopt(d, key, standing, true) : refuse(d, 'key-not-ours');
}

const takesKey: readonly DocumentState[] = ['ready', 'processing', 'uncertain', 'rejected', 'manual'];

function adopt(
  d: Deciding,
  key: NamedKey,
  standing: Standing,
  vouched: boolean,
  sending?: SentAttempt,
): Decided {
  const { accessKey } = key;
  const note = { cause: 'key given by hand', accessKey, checked: !vouched } as const;
  if (!move(d, takesKey, 'manual', {}, note)) return refuse(d, 'overtaken');
  const attempt = sending ?? matchingAttempt(d, key) ?? attemptForNewKey(d, key) ?? d.state.attempts.at(-1);
  if (attempt) endAttempt(d, attempt.n, { outcome: 'adopted', accessKey });
  if (standing.state === 'processing') {
    move(d, ['manual'], 'processing', { accessKey, code: null, reason: null }, { accessKey });
    schedule(d, 'follow-up', d.now.at);
    return add(d, { kind: 'done', what: 'processing' });
  }
  apply(d, key, standing, sending);
  add(d, { kind: 'done', what: 'authorized', ...(vouched && { isVouched: true }) });
}

/** `retry`. With `newNumber` a person has searched the service and the authority, and found no document of this sale. */
export function retryAsked(d: Deciding, newNumber: boolean): Decided {
  const { state, code, secuencial } = d.state.document;
  if (state === 'authorized' || state === 'cancelled') return refuse(d, 'finished');
  const isStopped = state === 'rejected' || state === 'manual';
  if (!isStopped && state !== 'held') return refuse(d, 'on-its-way');
  if (state === 'held' || secuencial === null)
    return newNumber
      ? refuse(d, 'new-number-not-needed')
      : add(d, { kind: 'wake-order', for: 'order' }, { kind: 'done', what: 'read-again' });
  if (code === 'ledger-older') return refuse(d, 'ledger-older');
  const mayStand = d.rules.mayStand(d.state);
  if (newNumber) return mayTakeNewNumber(d.state) ? search(d, true) : refuse(d, 'new-number-not-needed');
  if (mayStand) return refuse(d, 'may-be-authorized');
  if (code === 'number-conflict') return search(d, false);
  move(d, [state], 'ready', { code: null, reason: null }, { cause: 'retry' });
  schedule(d, 'submit', d.now.at);
  add(d, { kind: 'done', what: 'sent-again' });
}

/** Whether a person may answer for a new number: the old one cannot simply leave again. */
export function mayTakeNewNumber(state: Stopped): boolean {
  const { document } = state;
  const isStopped = document.state === 'rejected' || document.state === 'manual';
  if (!isStopped || document.secuencial === null) return false;
  return document.code === 'number-conflict' || rules.mayStand(state);
}

/** First the service is asked about every key the document has, had, or was foreseen to get. */
function search(d: Deciding, vouched: boolean): Decided {
  const { document, attempts, learnt } = d.state;
  const sent = attempts.flatMap(({ accessKey, foreseenKey }) => [accessKey, foreseenKey]);
  const keys = [...sent, document.accessKey, ...learnt.otherKeys].filter((key) => key !== null);
  // With nothing to ask about, nobody has looked.
  if (!vouched && keys.length === 0) return refuse(d, 'may-be-authorized');
  add(d, { kind: 'search', vouched, keys: [...new Set(keys)], version: document.version });
}

/** No document of the sale exists: this one is dropped, its number stays as a gap, and the sale takes a new number. */
export function searched(d: Deciding, { vouched, version, verdicts }: EventOf<'searched'>): Decided {
  if (verdicts.some(({ verdict }) => d.rules.standsInTheWay(verdict))) return refuse(d, 'stands');
  const asked = verdicts.map(({ accessKey }) => accessKey);
  if (d.rules.isOvertaken(d.state, version, asked)) return refuse(d, 'overtaken');
  const { state } = d.state.document;
  const reason = { sentences: [vouched ? 'vouchedFor' : 'replaced'] } as const;
  const note = vouched ? ({ cause: 'new number', vouched } as const) : ({ cause: 'retry' } as const);
  if (!move(d, [state], 'cancelled', { code: 'replaced', reason }, note)) return;
  add(d, { kind: 'write-back' }, { kind: 'wake-order', for: 'order' }, { kind: 'done', what: 'replaced' });
}

/** `reprocess`: a person has fixed what the authority refused the document for, outside of the document. */
export function reprocessAsked(d: Deciding): Decided {
  const { document, attempts } = d.state;
  const ended = attempts.findLast(({ outcome }) => outcome === 'error');
  if (document.state !== 'rejected' || document.accessKey === null) return refuse(d, 'not-reprocessable');
  if (!ended) return refuse(d, 'not-refused');
  if (ended.cause === null || d.rules.isInBody(ended.cause)) return refuse(d, 'refused-for-its-body');
  move(d, ['rejected'], 'processing', { code: 'reprocess' }, { cause: 'reprocess' });
  schedule(d, 'reprocess', d.now.at);
  add(d, { kind: 'done', what: 'reprocessing' });
}
