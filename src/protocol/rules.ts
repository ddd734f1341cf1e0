import type { AttemptOutcome, DocumentState, ErrorCause } from '../domain/document.ts';
import type { NamedKey, Sending, Stored, Verdict } from './events.ts';
import type {
  Now,
  SentAttempt,
  SentDocument,
  Series,
  SeriesCheck,
  SeriesView,
  State,
  Stopped,
  Timings,
} from './state.ts';

/*
 * The guards of the protocol. test/protocol/mutations.ts switches each of them off by its name, and the model then finds a
 * sale that is invoiced twice, wrongly or never.
 */

const outcomes = (...some: AttemptOutcome[]) => new Set<AttemptOutcome>(some);
const unknown = outcomes('open', 'unknown');
const leftNothing = outcomes('unsent', 'refused');
const mayComeTrue = outcomes('open', 'unknown', 'created', 'adopted', 'reprocessed');
const settled = outcomes('error', 'reprocessed');
const knowsLess = outcomes('unsent', 'refused', 'unknown');
const hasKey = outcomes('created', 'adopted');
const answeredWithKey = outcomes('created', 'authorized');
const hasNumber = new Set<ErrorCause>(['registered', 'number-taken']);
const isThere = new Set<ErrorCause>(['registered', 'number-taken', 'in-process']);
const isPermanent = new Set<ErrorCause>(['document', 'number-taken']);
const preventsNewNumber = new Set<Verdict>(['ours', 'named', 'processing', 'unreadable', 'silent']);
const takesKey = new Set<DocumentState>(['processing', 'uncertain', 'rejected', 'manual']);

export const rules = {
  /** The POST may have reached the service, and its outcome is unknown. */
  outcomeUnknown: ({ outcome }: Pick<SentAttempt, 'outcome'>): boolean => unknown.has(outcome),

  /** The sending seems to have left nothing behind. The attempt keeps its key, because that may be wrong. */
  leftNothing: ({ outcome }: Pick<SentAttempt, 'outcome'>): boolean => leftNothing.has(outcome),

  /** An answer counts only if its key names this document: a cache or a proxy may have mixed two answers up. */
  keyIsOfThis: (key: NamedKey): boolean => key.isOfThis,

  /** The key of an accepted POST has its day, and is the foreseen one. Any other is asked about first. */
  keyIsExpected: (attempt: SentAttempt, key: NamedKey): boolean =>
    attempt.foreseenKey === null
      ? key.issueDate === attempt.issueDate
      : attempt.foreseenKey === key.accessKey,

  /** An event or a question knows more than the answer to the POST; a key found meanwhile is not taken back. */
  isSettled: ({ outcome }: SentAttempt, by: AttemptOutcome): boolean =>
    settled.has(outcome) || (knowsLess.has(by) && hasKey.has(outcome)),

  /** One authorised attempt makes the document authorised, finally. */
  isAuthorized: ({ outcome }: SentAttempt): boolean => outcome === 'authorized',

  /** Another POST of this number may have been stored: the document is neither unsent nor refused. */
  earlierIsUnknown: (attempts: readonly SentAttempt[], n: number): boolean =>
    attempts.some((one) => one.n !== n && unknown.has(one.outcome)),

  /** Midnight passed between mapping and answer: the refusal says nothing about the document. */
  dayIsOver: (attempt: SentAttempt, now: Now): boolean => attempt.issueDate !== now.day,

  /** In production a refusal may be about the account's credits, not the document. */
  mayLackCredits: ({ ambiente }: SentDocument): boolean => ambiente === 2,

  /** While an account is paused its documents stay ready. */
  isKeptBack: ({ isPaused, as }: Sending): boolean => isPaused && as === 'backlog',

  /** After so many failures in a row, of as many documents, the service is down; one document alone may be the cause. */
  isDown: (failures: number, timings: Timings): boolean => failures >= timings.serviceDownAfter,

  /** The ledger lost numbers of the series, or may have: none of it is sent, except the suspect one once more. */
  isBehind: ({ stopped, check, isForOurs }: Series): boolean =>
    stopped === 'suspect'
      ? !isForOurs
      : stopped === 'ledger-older' || (stopped !== null && stopped !== 'exhausted' && !check.isVerified),

  /** Numbers of a series are sent side by side only once one shows that the ledger lost none: by its proof, or after a while. */
  isVerified: ({ isVerified, proof, sentAlone }: SeriesCheck, at: number, { series }: Timings): boolean =>
    isVerified ||
    (proof === 'authorized' &&
      (sentAlone?.state === 'authorized' ||
        (sentAlone?.state === 'processing' && at - sentAlone.at > series.outcome))),

  /** The service is asked first for numbers that the ledger does not know. */
  isAsked: ({ isAsked }: SeriesCheck): boolean => isAsked,

  /** The lowest number goes first: one that the ledger lost is found before a higher one is sent. */
  goesFirst: ({ isLowest }: SeriesView, { since }: SeriesCheck, at: number, { series }: Timings): boolean =>
    isLowest || at - since > series.outcome,

  /** The outcome of the document that was sent alone is awaited before the next one is sent. */
  isUndecided: (
    { state, at: since }: { state: DocumentState; at: number },
    { proof }: SeriesCheck,
    at: number,
    { series }: Timings,
  ): boolean =>
    state === 'sending' ||
    (at - since <= series.outcome &&
      (state === 'uncertain' || (state === 'processing' && proof === 'authorized'))),

  /** A number that was reserved before the copy was made says nothing about those the ledger lost. */
  isNew: ({ createdAt }: SeriesView, { startedAt }: SeriesCheck): boolean => createdAt >= startedAt,

  /** A new key verifies the series only if every key its number may have was asked about. */
  isProof: ({ proof, sentAlone }: SeriesCheck): boolean => proof === 'created' && sentAlone?.isThis === true,

  /** A key is known that may still come true: the service is asked about it, the number is not sent again. */
  isKnown(attempts: readonly SentAttempt[]): boolean {
    const lost = attempts.findIndex(({ outcome }) => unknown.has(outcome));
    // An error of an earlier sending than the lost one says nothing about that.
    const isOver = ({ outcome }: SentAttempt, at: number) => outcome === 'error' && at < lost;
    return attempts.some(
      (one, at) => one.accessKey !== null && !leftNothing.has(one.outcome) && !isOver(one, at),
    );
  },

  /** The webhook had its time; across midnight, when the date must change, the time of all its retries. */
  hadItsTime: (due: number, now: Now): boolean => due <= now.at,

  /** The service shows a document only to the API key that issued it: to another key "not found" means nothing. */
  isUnderOtherKey: (isUnderOtherKey: boolean): boolean => isUnderOtherKey,

  /** One "not found" is not enough, a replica may lag; several over some time are. */
  isBelieved(at: readonly number[], now: Now, { notFound }: Timings): boolean {
    return at.length >= notFound.answers && now.at - (at[0] as number) >= notFound.over;
  },

  /** A key that the service denies since it named it is for a person: after a day if it answered our own POST. */
  isDenied: (at: readonly number[], { outcome }: SentAttempt, now: Now, timings: Timings): boolean =>
    at[0] !== undefined &&
    now.at - at[0] >= (outcome === 'adopted' ? timings.repeatAcrossMidnight : timings.unconfirmed),

  /** A number conflict needs a readable XML: a 409 alone may be a gateway's, for our own document. */
  isReadable: (stored: Stored): boolean => stored.kind !== 'unreadable',

  /** An error that ended an earlier sending under the same key says nothing about the lost one. */
  isOfEarlier: (attempts: readonly SentAttempt[], accessKey: string): boolean =>
    attempts.some((one) => one.accessKey === accessKey && one.outcome === 'error'),

  /** Only a key that answered our own POST is ours without a look at its XML. */
  wasAnswered: ({ outcome }: SentAttempt): boolean => answeredWithKey.has(outcome),

  /** Ours by its authorised XML: reference, number, buyer and total of one of our attempts. */
  isAlike: (stored: Stored): boolean => stored.kind === 'this-sale' && stored.alike.length > 0,

  /** An event is enough by itself only for a key that answered exactly one POST, and only if its issuer signed it. */
  speaksForItself(attempts: readonly SentAttempt[], accessKey: string, isOfIssuer: boolean): boolean {
    const matching = attempts.filter((one) => one.accessKey === accessKey);
    return isOfIssuer && matching.length === 1 && matching[0]?.outcome === 'created';
  },

  /** The error is known already: a late or repeated one changes nothing. */
  isKnownError: (attempt: SentAttempt | undefined): boolean => attempt?.outcome === 'error',

  /** 70: the authority may process the key for a day; it is neither sent nor reprocessed meanwhile. */
  isStillAtIt: (
    cause: ErrorCause,
    attempt: SentAttempt | undefined,
    now: Now,
    { inProcess }: Timings,
  ): boolean => cause === 'in-process' && !(attempt !== undefined && attempt.createdAt + inProcess <= now.at),

  /** An error ends only its attempt: while another may come true the document is uncertain. */
  mayComeTrue: ({ outcome }: Pick<SentAttempt, 'outcome'>): boolean => mayComeTrue.has(outcome),

  /** 43 and 45: the authority has the number, perhaps under another key of ours. */
  hasNumber: (cause: ErrorCause): boolean => hasNumber.has(cause),

  /** 43, 45 and 70: the authority has the document, under this key or another; it never gets a new number. */
  isThere: (cause: ErrorCause): boolean => isThere.has(cause),

  /** The cause lies outside the document and may pass: its key is reprocessed. */
  mayPass: (cause: ErrorCause): boolean => !isPermanent.has(cause),

  /** The cause lies in the document: a person fixes it. */
  isInBody: (cause: ErrorCause): boolean => cause === 'document',

  /** The conflict is known already: a person may have corrected the series since. */
  isKnownConflict: ({ code }: SentDocument): boolean => code === 'number-conflict',

  /** The document may exist at the authority: a mere retry never sends it once more. */
  mayExist({ document, attempts, learnt }: Stopped): boolean {
    const { code } = document;
    if (code === 'number-registered' || code === 'stored-differs') return true;
    if (attempts.some(({ outcome }) => mayComeTrue.has(outcome))) return true;
    if (code !== 'number-conflict') return false;
    return attempts.some(({ accessKey }) => accessKey !== null) || learnt.wasUncertain;
  },

  /** What the service shows of any known key, or that it does not answer, counts more than the word of a person. */
  preventsNewNumber: (verdict: Verdict): boolean => preventsNewNumber.has(verdict),

  /** A key became known, or the document moved, since the service was asked. */
  isOvertaken: ({ document, attempts }: State, version: number, asked: readonly string[]): boolean =>
    document.version !== version ||
    attempts.some(({ accessKey }) => accessKey !== null && !asked.includes(accessKey)),

  /** A person's key is accepted only where something was sent. */
  maySend: ({ document, attempts }: State): boolean =>
    document.secuencial !== null &&
    (document.state === 'ready' ? attempts.length > 0 : takesKey.has(document.state)),

  /** A series that stopped for a number of ours starts again if no other number of it has a conflict. */
  mayResume: ({ stopped, isForOurs, hasOtherConflicts }: Series): boolean =>
    (stopped === 'number-conflict' || stopped === 'suspect') && isForOurs && !hasOtherConflicts,
};

export type Rules = typeof rules;
