import { bearing } from './attempts.ts';
import {
  attemptOf,
  type Decided,
  type Deciding,
  does,
  endAttempt,
  move,
  open,
  record,
  resumeSeries,
  showStopped,
  wait,
} from './deciding.ts';
import type { Patch, Sentence } from './effects.ts';
import type { Because, NamedKey, Stored } from './events.ts';
import type { SentAttempt } from './state.ts';

/*
 * The service holds our number already. After a lost answer it is most likely ours, unless its authorised XML is none of our
 * attempts'. Without one it is a number conflict: the series gives no more numbers until a person has looked.
 */

type Step<S extends Because['step']> = Extract<Because, { step: S }>;

/** 409, or words that say the same. */
export function duplicate(d: Deciding, n: number, key: NamedKey | null, errors: readonly string[]): Decided {
  const attempt = attemptOf(d, n);
  // Its key came to light while this answer was on its way.
  if (key !== null && attempt?.accessKey === key.accessKey)
    return d.rules.outcomeUnknown(attempt) ? adopt(d, n, key, errors) : undefined;
  const lost = d.state.attempts.filter((one) => one.n !== n && d.rules.outcomeUnknown(one));
  if (lost.length === 0) return nothingMissing(d, n, key, errors);
  // Without a key nobody can look; the number leaves again in its time.
  if (key === null) return void record(d, n, { outcome: 'refused', errors }, 'uncertain');
  const because = { step: 'duplicate', n, lost: lost.map((one) => one.n), errors } as const;
  does(d, { kind: 'compare', accessKey: key.accessKey, because });
}

/**
 * Adopted unless the XML says otherwise. A number is stored once a day, so the other lost attempts of the key's day left nothing;
 * one of another day may be stored under a key of its own.
 */
export function duplicateCompared(
  d: Deciding,
  key: NamedKey,
  stored: Stored,
  because: Step<'duplicate'>,
): Decided {
  const { n, lost, errors } = because;
  const attempt = attemptOf(d, n);
  // Its key came to light while the XML was read, and what became of it is more than this answer knows.
  if (attempt?.accessKey === key.accessKey && !d.rules.outcomeUnknown(attempt)) return;
  if (stored.kind !== 'unreadable' && !d.rules.isAlike(stored)) return conflict(d, n, key, stored, errors);
  const before = d.state.attempts.filter((one) => one.n !== n);
  const { accessKey } = key;
  // What was notified meanwhile is more than this answer knows.
  if (before.some((one) => one.accessKey === accessKey && !d.rules.outcomeUnknown(one)))
    return nothingMissing(d, n, key, errors);
  const still = before.filter((one) => d.rules.outcomeUnknown(one) && lost.includes(one.n));
  const ours = bearing(d, key, still) ?? still.at(-1);
  for (const one of still)
    if (one === ours) endAttempt(d, one.n, { outcome: 'adopted', accessKey });
    else if (one.issueDate === key.issueDate) endAttempt(d, one.n, { outcome: 'unsent' });
  goOnWith(d, n, accessKey, errors);
}

/** This POST left nothing: what is stored came with an earlier one, and so under its API key. */
function goOnWith(d: Deciding, n: number, accessKey: string | null, errors: readonly string[]): Decided {
  const patch = { accessKey, issuer: 'before', code: null, reason: null } as const;
  record(d, n, { outcome: 'unsent', errors }, 'processing', patch);
}

/** No answer is missing: what is known of the key stands. */
function nothingMissing(d: Deciding, n: number, key: NamedKey | null, errors: readonly string[]): Decided {
  const keyed = d.state.attempts.filter((one) => one.n !== n && one.accessKey !== null);
  const told = keyed.findLast((one) => key === null || one.accessKey === key.accessKey);
  if (told?.accessKey && told.outcome === 'error') {
    const because = { step: 'still-refused', n, told: told.n, errors } as const;
    return does(d, { kind: 'ask', accessKey: told.accessKey, because });
  }
  if (told && !d.rules.leftNothing(told)) return goOnWith(d, n, told.accessKey, errors);
  const accessKey = key?.accessKey ?? told?.accessKey;
  if (accessKey == null) return conflict(d, n, null, null, errors);
  const because = { step: 'unexpected', n, told: told?.n ?? null, errors } as const;
  does(d, { kind: 'compare', accessKey, because });
}

/**
 * Nothing of ours should stand there. It is ours all the same where its XML says so (the service had not known what it held;
 * a gateway delivered one POST twice) or, until that can be read, where an attempt bears its key.
 */
export function unexpectedCompared(
  d: Deciding,
  key: NamedKey,
  stored: Stored,
  because: Step<'unexpected'>,
): Decided {
  const { n, told, errors } = because;
  const isReadable = stored.kind !== 'unreadable';
  if (isReadable ? !d.rules.isAlike(stored) : told === null) return conflict(d, n, key, stored, errors);
  return told === null ? adopt(d, n, key, errors) : reopen(d, n, told, errors);
}

/** It came with this very POST; its XML says for sure, once it is authorised. */
function adopt(d: Deciding, n: number, { accessKey }: NamedKey, errors: readonly string[]): Decided {
  const patch = { accessKey, code: null, reason: null };
  record(d, n, { outcome: 'adopted', accessKey, errors }, 'processing', patch);
}

/** 409 with the key of an attempt that the authority refused: the service was asked whether it still stands so. */
export function refusedBefore(d: Deciding, because: Step<'still-refused'>, isRefused: boolean): Decided {
  const { n, told, errors } = because;
  const ended = attemptOf(d, told);
  if (!ended) return;
  if (!isRefused) return reopen(d, n, told, errors);
  // In the body: it stays rejected, and the service keeps its number. Else the key is reprocessed, once.
  if (ended.cause === null || d.rules.isInBody(ended.cause)) {
    const reason = { says: ['notAuthorised'], words: ended.errors } as const;
    return void record(d, n, { outcome: 'unsent', errors }, 'rejected', { code: 'not-authorised', reason });
  }
  const again = ended.reprocessed === 0;
  const reason = { says: ['heldByRejected'] } as const;
  const patch = { accessKey: ended.accessKey, code: 'number-registered', reason };
  const moved = record(d, n, { outcome: 'unsent', errors }, again ? 'processing' : 'manual', patch);
  if (moved && again) wait(d, 'reprocess', d.now.at);
}

/** What was believed of an attempt does not hold: its key is asked about, and its XML compared, once more. */
function reopen(d: Deciding, n: number, told: number, errors: readonly string[]): Decided {
  endAttempt(d, told, { outcome: 'adopted' });
  goOnWith(d, n, attemptOf(d, told)?.accessKey ?? null, errors);
}

/** The number is somebody else's. Whether a lost sending of ours is elsewhere all the same, only a person can find out. */
function conflict(
  d: Deciding,
  n: number,
  key: NamedKey | null,
  stored: Stored | null,
  errors: readonly string[],
): Decided {
  const also: Sentence[] = d.rules.earlierIsUnknown(d.state.attempts, n) ? ['lostBefore'] : [];
  const patch = stopSeries(d, key?.accessKey ?? null, stored, also);
  const note = key === null ? {} : { foreignKey: key.accessKey };
  record(d, n, { outcome: 'refused', errors }, 'manual', patch, note);
  resumeSeries(d);
}

/**
 * A key that was adopted is somebody else's: its XML says so, or it is never shown to us. One that was never seen stays
 * known, and a person reads that it may be ours all the same.
 */
export function disown(
  d: Deciding,
  { n, accessKey: foreignKey }: SentAttempt,
  stored: Stored | 'unseen',
): Decided {
  const isUnseen = stored === 'unseen';
  const patch = stopSeries(d, foreignKey, isUnseen ? null : stored, isUnseen ? ['maybeOurs'] : []);
  endAttempt(d, n, { outcome: 'refused', ...(isUnseen ? {} : { accessKey: null }) });
  const note = { cause: 'foreign key', foreignKey } as const;
  if (move(d, open, 'manual', patch, note)) showStopped(d);
  else resumeSeries(d);
}

/** What the document says of a number that none of its attempts holds, and what becomes of the series. */
function stopSeries(d: Deciding, accessKey: string | null, stored: Stored | null, also: Sentence[]): Patch {
  if (stored?.kind === 'this-sale' && accessKey !== null)
    // Reference and number are ours, buyer or total are not: a person compares them.
    return {
      accessKey: null,
      code: 'stored-differs',
      reason: { says: ['storedDiffers', ...also], accessKey },
    };
  if (stored?.kind === 'another-order' && accessKey !== null) {
    noteUnknown(d, accessKey);
    return { accessKey: null, code: 'ledger-older', reason: { says: ['numberOfAnother', ...also] } };
  }
  // The first reason is the one to look at.
  if (d.state.series.stopped === null)
    d.state = { ...d.state, series: { ...d.state.series, stopped: 'foreign-number', isForOurs: true } };
  // Whose it is cannot be read yet: it may be one of ours that the ledger lost.
  if (stored?.kind === 'unreadable') does(d, { kind: 'look-behind' });
  does(d, { kind: 'stop-series', why: 'taken' }, { kind: 'alert', code: 'series-stopped' });
  return { accessKey: null, code: 'foreign-number', reason: { says: ['takenBySomebody', ...also] } };
}

/** Ours, of another order that the ledger does not know: it is older than the service, and its order is bound to it first. */
export function noteUnknown(d: Deciding, accessKey: string): Decided {
  if (d.state.series.stopped === null)
    d.state = { ...d.state, series: { ...d.state.series, stopped: 'ledger-older', isForOurs: false } };
  does(d, { kind: 'note-unknown-document', accessKey });
}
