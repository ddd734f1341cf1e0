import {
  attemptOf,
  because,
  type Deciding,
  emit,
  endAttempt,
  endAttemptAndMove,
  matchingAttempt,
  move,
  open,
  request,
  resumeSeries,
  schedule,
  showStopped,
} from './deciding.ts';
import type { AttemptEnd, Patch, Sentence } from './effects.ts';
import type { NamedKey, PurposeOf, Stored } from './events.ts';
import type { Questions } from './questions.ts';

/* A 409 is ours after a lost answer if the authorised XML is one of our attempts; else it stops the series. */

export function duplicate(
  d: Deciding,
  n: number,
  key: NamedKey | null,
  errors: readonly string[],
): undefined {
  const attempt = attemptOf(d, n);
  if (key !== null && attempt.accessKey === key.accessKey)
    return d.rules.outcomeUnknown(attempt) ? adopt(d, n, key, errors) : undefined;
  const lost = d.state.attempts.filter((one) => one.n !== n && d.rules.outcomeUnknown(one));
  if (lost.length === 0) return nothingLost(d, n, key, errors);
  if (key === null) return unnamed(d, n, errors);
  const purpose = { kind: 'duplicate', n, lost: lost.map((one) => one.n), errors } as const;
  request(d, { kind: 'compare', accessKey: key.accessKey, purpose });
}

/** Adopted unless the XML says otherwise. A number is stored once a day, so other lost attempts of it were not. */
function duplicateCompared(
  d: Deciding,
  key: NamedKey,
  stored: Stored,
  { n, lost, errors }: PurposeOf<'duplicate'>,
): undefined {
  const attempt = attemptOf(d, n);
  if (attempt.accessKey === key.accessKey && !d.rules.outcomeUnknown(attempt)) return;
  if (stored.kind !== 'unreadable' && !d.rules.isAlike(stored)) return conflict(d, n, key, stored, errors);
  const before = d.state.attempts.filter((one) => one.n !== n);
  const { accessKey } = key;
  if (before.some((one) => one.accessKey === accessKey && !d.rules.outcomeUnknown(one)))
    return nothingLost(d, n, key, errors);
  const still = before.filter((one) => d.rules.outcomeUnknown(one) && lost.includes(one.n));
  const ours = matchingAttempt(d, key, still) ?? still.at(-1);
  for (const one of still)
    if (one === ours) endAttempt(d, one.n, { outcome: 'adopted', accessKey });
    else if (one.issueDate === key.issueDate) endAttempt(d, one.n, { outcome: 'unsent' });
  useEarlier(d, n, accessKey, errors);
}

/** Nothing of this POST is stored: what the service has came with an earlier one, and so under its API key. */
function useEarlier(d: Deciding, n: number, accessKey: string | null, errors: readonly string[]): undefined {
  const patch = { accessKey, issuer: 'before', code: null, reason: null } as const;
  endAttemptAndMove(d, { n, end: { outcome: 'unsent', errors }, to: 'processing', patch });
}

function nothingLost(d: Deciding, n: number, key: NamedKey | null, errors: readonly string[]): undefined {
  const keyed = d.state.attempts.filter((one) => one.n !== n && one.accessKey !== null);
  const matching = keyed.findLast((one) => key === null || one.accessKey === key.accessKey);
  const isRefused = matching?.outcome === 'error';
  if (matching && !isRefused && !d.rules.leftNothing(matching))
    return useEarlier(d, n, matching.accessKey, errors);
  if (key === null) return unnamed(d, n, errors);
  const { accessKey } = key;
  if (isRefused) {
    const purpose = { kind: 'still-refused', n, matching: matching.n, errors } as const;
    return request(d, { kind: 'ask', accessKey, purpose });
  }
  const purpose = { kind: 'unexpected', n, matching: matching?.n ?? null, errors } as const;
  request(d, { kind: 'compare', accessKey, purpose });
}

const unnamed = (d: Deciding, n: number, errors: readonly string[]): undefined =>
  stayUnknown(d, n, { errors }, { code: 'number-registered', reason: because('registeredUnnamed') });

/** Without a readable XML it may be this very POST: a gateway may deliver it twice, or answer by itself. */
function notOurs(
  d: Deciding,
  n: number,
  key: NamedKey,
  stored: Stored,
  errors: readonly string[],
): undefined {
  if (d.rules.isReadable(stored)) return conflict(d, n, key, stored, errors);
  const { accessKey } = key;
  const patch = { accessKey, code: 'key-unexpected', reason: because('keyUnexpected') };
  stayUnknown(d, n, { accessKey, errors }, patch);
}

function stayUnknown(d: Deciding, n: number, end: Omit<AttemptEnd, 'outcome'>, patch: Patch): undefined {
  const moved = endAttemptAndMove(d, { n, end: { outcome: 'unknown', ...end }, to: 'uncertain', patch });
  const others = d.state.attempts.filter((one) => one.n !== n);
  if (moved && others.every(d.rules.leftNothing)) recoverSeries(d);
}

/** A lost document of ours may have the number. In a series that is not verified no other number is sent meanwhile. */
export function recoverSeries(d: Deciding): undefined {
  suspectSeries(d);
  emit(d, { kind: 'recover-series' });
}

/** The same while another sending of it may still come true: then it is known first whether the number is ours. */
export function suspectSeries(d: Deciding): undefined {
  const { series } = d.state;
  if (series.check.isVerified) return;
  if (series.stopped === null)
    d.state = { ...d.state, series: { ...series, stopped: 'suspect', isForOurs: true } };
  emit(d, { kind: 'stop-series', why: 'suspect' });
}

/**
 * None of our documents should be stored. It is ours all the same if its XML says so (the service did not know what it had,
 * a gateway delivered one POST twice). Until the XML can be read the outcome is unknown.
 */
function unexpectedCompared(
  d: Deciding,
  key: NamedKey,
  stored: Stored,
  { n, matching, errors }: PurposeOf<'unexpected'>,
): undefined {
  const isReadable = stored.kind !== 'unreadable';
  if (isReadable ? !d.rules.isAlike(stored) : matching === null) return notOurs(d, n, key, stored, errors);
  return matching === null ? adopt(d, n, key, errors) : reopen(d, n, matching, errors);
}

/** The document came with this very POST; its XML is compared once it is authorised. */
function adopt(d: Deciding, n: number, { accessKey }: NamedKey, errors: readonly string[]): undefined {
  const patch = { accessKey, code: null, reason: null };
  endAttemptAndMove(d, { n, end: { outcome: 'adopted', accessKey, errors }, to: 'processing', patch });
}

function refusedBefore(
  d: Deciding,
  { n, matching, errors }: PurposeOf<'still-refused'>,
  isRefused: boolean,
): undefined {
  const ended = attemptOf(d, matching);
  if (!isRefused) return reopen(d, n, matching, errors);
  const end = { outcome: 'unsent', errors } as const;
  // In the body: the document stays rejected, and the service keeps its number. Else the key is reprocessed, once.
  if (ended.cause === null || d.rules.isInBody(ended.cause)) {
    const reason = because('notAuthorised', ended.errors);
    const patch = { code: 'not-authorised', reason };
    return void endAttemptAndMove(d, { n, end, to: 'rejected', patch });
  }
  const again = ended.reprocessed === 0;
  const patch = { accessKey: ended.accessKey, code: 'number-registered', reason: because('heldByRejected') };
  const moved = endAttemptAndMove(d, { n, end, to: again ? 'processing' : 'manual', patch });
  if (moved && again) schedule(d, 'reprocess', d.now.at);
}

function reopen(d: Deciding, n: number, matching: number, errors: readonly string[]): undefined {
  endAttempt(d, matching, { outcome: 'adopted' });
  useEarlier(d, n, attemptOf(d, matching).accessKey, errors);
}

/** A number conflict at this POST. Only a person can find out whether an earlier, lost sending is stored elsewhere. */
function conflict(
  d: Deciding,
  n: number,
  key: NamedKey,
  stored: Stored,
  errors: readonly string[],
): undefined {
  const also: Sentence[] = d.rules.earlierIsUnknown(d.state.attempts, n) ? ['lostBefore'] : [];
  const { accessKey: otherKey } = key;
  const patch = stopSeries(d, otherKey, stored, also);
  endAttemptAndMove(d, { n, end: { outcome: 'refused', errors }, to: 'manual', patch, note: { otherKey } });
  resumeSeries(d);
}

/** A number conflict of a key that an attempt has: its XML is of another document. */
export function declareConflict(
  d: Deciding,
  n: number,
  { accessKey: otherKey }: NamedKey,
  stored: Stored,
): undefined {
  const patch = stopSeries(d, otherKey, stored, []);
  endAttempt(d, n, { outcome: 'refused', accessKey: null });
  const note = { cause: 'unknown key', otherKey } as const;
  if (move(d, ['ready', ...open], 'manual', patch, note)) showStopped(d);
  else resumeSeries(d);
}

function stopSeries(d: Deciding, accessKey: string, stored: Stored, also: Sentence[]): Patch {
  if (stored.kind === 'this-sale') {
    // Reference and number are ours, buyer or total differ: a person compares them.
    const reason = { sentences: ['storedDiffers', ...also] as const, accessKey };
    return { accessKey: null, code: 'stored-differs', reason };
  }
  if (stored.kind === 'another-order') {
    noteUnknown(d, accessKey);
    const reason = { sentences: ['numberOfAnother', ...also] as const };
    return { accessKey: null, code: 'ledger-older', reason };
  }
  // A series keeps the first reason it stopped for.
  if (d.state.series.stopped === null)
    d.state = { ...d.state, series: { ...d.state.series, stopped: 'number-conflict', isForOurs: true } };
  if (!d.rules.isKnownConflict(d.state.document))
    emit(d, { kind: 'stop-series', why: 'taken' }, { kind: 'alert', code: 'series-stopped' });
  const reason = { sentences: ['takenBySomebody', ...also] as const };
  return { accessKey: null, code: 'number-conflict', reason };
}

/** A document of ours, of an order without it in the ledger: the ledger is older than the service. */
export function noteUnknown(d: Deciding, accessKey: string): undefined {
  if (d.state.series.stopped === null)
    d.state = { ...d.state, series: { ...d.state.series, stopped: 'ledger-older', isForOurs: false } };
  emit(d, { kind: 'note-unknown-document', accessKey });
}

export const conflictQuestions: Questions<'duplicate' | 'unexpected' | 'still-refused'> = {
  duplicate: { compared: duplicateCompared },
  unexpected: { compared: unexpectedCompared },
  'still-refused': {
    found: (d, _key, { state }, purpose) => refusedBefore(d, purpose, state === 'error'),
    notFound: (d, _key, _isUnderOtherKey, purpose) => refusedBefore(d, purpose, true),
    silent: (d, _why, purpose) => refusedBefore(d, purpose, false),
  },
};
