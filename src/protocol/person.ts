import type { DocumentState } from '../domain/document.ts';
import { bearing, bearingNew, sendingOf } from './attempts.ts';
import { type Decided, type Deciding, does, endAttempt, move, wait } from './deciding.ts';
import type { Refusal } from './effects.ts';
import type { Because, KeyGiven, NamedKey, Searched, Standing, Stored } from './events.ts';
import { noteUnknown } from './number-taken.ts';
import { apply } from './outcome.ts';
import { rules } from './rules.ts';
import type { SentAttempt, Stopped } from './state.ts';

/* What a person says. What may stand at the authority is never sent once more because of it. */

type Step<S extends Because['step']> = Extract<Because, { step: S }>;

const refuse = (d: Deciding, why: Refusal): Decided => does(d, { kind: 'refused', why });

/** The key a person found, for a document that may have left. */
export function keyGiven(d: Deciding, { key, vouched }: KeyGiven): Decided {
  if (d.state.document.state === 'authorized') return refuse(d, 'finished');
  if (!d.rules.maySend(d.state)) return refuse(d, 'not-sent');
  if (!d.rules.keyIsOfThis(key)) return refuse(d, 'key-of-another');
  does(d, { kind: 'ask', accessKey: key.accessKey, because: { step: 'given', key, vouched } });
}

/** What the service says of it; null: it does not show it. */
export function keyFound(d: Deciding, standing: Standing | null, { key, vouched }: Step<'given'>): Decided {
  if (standing === null)
    return vouched ? bear(d, key, { state: 'authorized', at: null }, true) : refuse(d, 'key-unseen');
  if (standing.state === 'error') return refuse(d, 'key-not-authorized');
  if (standing.state === 'processing') return bear(d, key, standing, false);
  const because = { step: 'given-whose', vouched, at: standing.at } as const;
  does(d, { kind: 'compare', accessKey: key.accessKey, because });
}

export function keyCompared(
  d: Deciding,
  key: NamedKey,
  stored: Stored,
  because: Step<'given-whose'>,
): Decided {
  const standing = { state: 'authorized', at: because.at } as const;
  if (stored.kind === 'unreadable') return refuse(d, 'xml-unreadable');
  if (stored.kind === 'another-order') {
    noteUnknown(d, key.accessKey);
    return refuse(d, 'key-of-another-order');
  }
  if (d.rules.isAlike(stored)) return bear(d, key, standing, false, sendingOf(d, key, stored));
  // Reference and number are ours, buyer or total are not: a person who was shown both answers for it.
  const isShown = stored.kind === 'this-sale' && d.state.document.code === 'stored-differs';
  return isShown && because.vouched ? bear(d, key, standing, true) : refuse(d, 'key-not-ours');
}

const takesKey: readonly DocumentState[] = ['ready', 'processing', 'uncertain', 'rejected', 'manual'];

function bear(
  d: Deciding,
  key: NamedKey,
  standing: Standing,
  vouched: boolean,
  sending?: SentAttempt,
): Decided {
  const { accessKey } = key;
  const note = { cause: 'key given by hand', accessKey, checked: !vouched } as const;
  if (!move(d, takesKey, 'manual', {}, note)) return refuse(d, 'overtaken');
  const attempt = sending ?? bearing(d, key) ?? bearingNew(d, key) ?? d.state.attempts.at(-1);
  if (attempt) endAttempt(d, attempt.n, { outcome: 'adopted', accessKey });
  if (standing.state === 'processing') {
    move(d, ['manual'], 'processing', { accessKey, code: null, reason: null }, { accessKey });
    wait(d, 'follow-up', d.now.at);
    return does(d, { kind: 'done', what: 'processing' });
  }
  apply(d, key, standing, sending);
  does(d, { kind: 'done', what: 'authorized', ...(vouched && { isVouched: true }) });
}

/** `retry`; with `newNumber` a person has looked at the service and the authority, and found no document of this sale. */
export function retryAsked(d: Deciding, newNumber: boolean): Decided {
  const { state, code, secuencial } = d.state.document;
  if (state === 'authorized' || state === 'cancelled') return refuse(d, 'finished');
  const isStopped = state === 'rejected' || state === 'manual';
  if (!isStopped && state !== 'held') return refuse(d, 'on-its-way');
  if (state === 'held' || secuencial === null)
    return newNumber ? refuse(d, 'new-number-not-needed') : readAnew(d);
  if (code === 'ledger-older') return refuse(d, 'ledger-older');
  const mayStand = d.rules.mayStand(d.state);
  if (newNumber) return mayTakeNewNumber(d.state) ? search(d, true) : refuse(d, 'new-number-not-needed');
  if (mayStand) return refuse(d, 'may-be-authorized');
  if (code === 'foreign-number') return search(d, false);
  move(d, [state], 'ready', { code: null, reason: null }, { cause: 'retry' });
  wait(d, 'submit', d.now.at);
  does(d, { kind: 'done', what: 'sent-again' });
}

/** Whether a person may answer for a new number: the old one cannot simply leave again. */
export function mayTakeNewNumber(state: Stopped): boolean {
  const { document } = state;
  const isStopped = document.state === 'rejected' || document.state === 'manual';
  if (!isStopped || document.secuencial === null) return false;
  return document.code === 'foreign-number' || rules.mayStand(state);
}

const readAnew = (d: Deciding): Decided =>
  does(d, { kind: 'wake-order', for: 'order' }, { kind: 'done', what: 'read-anew' });

/** Every key there is of it, told or foreseen, also those that were taken from it since, is asked about first. */
function search(d: Deciding, vouched: boolean): Decided {
  const { document, attempts, learnt } = d.state;
  const told = attempts.flatMap(({ accessKey, foreseenKey }) => [accessKey, foreseenKey]);
  const keys = [...told, document.accessKey, ...learnt.otherKeys].filter((key) => key !== null);
  does(d, { kind: 'search', vouched, keys: [...new Set(keys)], version: document.version });
}

/** Nothing of it stands anywhere: it is dropped, its number stays as a gap, and the sale takes a new one. */
export function searched(d: Deciding, { vouched, version, verdicts }: Searched): Decided {
  if (verdicts.some(({ verdict }) => d.rules.standsInTheWay(verdict))) return refuse(d, 'stands');
  const asked = verdicts.map(({ accessKey }) => accessKey);
  if (d.rules.isOvertaken(d.state, version, asked)) return refuse(d, 'overtaken');
  const { state } = d.state.document;
  const reason = { says: [vouched ? 'vouchedFor' : 'replaced'] } as const;
  const note = vouched ? ({ cause: 'new number', vouched } as const) : ({ cause: 'retry' } as const);
  if (!move(d, [state], 'cancelled', { code: 'replaced', reason }, note)) return;
  does(d, { kind: 'write-back' }, { kind: 'wake-order', for: 'order' }, { kind: 'done', what: 'replaced' });
}

/** A person has put right, outside of the document, what the authority refused it for. */
export function reprocessAsked(d: Deciding): Decided {
  const { document, attempts } = d.state;
  const ended = attempts.findLast(({ outcome }) => outcome === 'error');
  if (document.state !== 'rejected' || document.accessKey === null) return refuse(d, 'not-reprocessable');
  if (!ended) return refuse(d, 'not-refused');
  if (ended.cause === null || d.rules.isInBody(ended.cause)) return refuse(d, 'refused-for-its-body');
  move(d, ['rejected'], 'processing', { code: 'reprocess' }, { cause: 'reprocess' });
  wait(d, 'reprocess', d.now.at);
  does(d, { kind: 'done', what: 'reprocessing' });
}
