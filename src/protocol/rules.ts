import type { AttemptOutcome, DocumentState } from '../domain/document.ts';
import type { ErrorCause } from '../domain/move-note.ts';
import type { NamedKey, Stored, Verdict } from './events.ts';
import type { Account, Now, SentAttempt, SentDocument, Series, State, Stopped, Timings } from './state.ts';

/*
 * The guards of the protocol, each under the name by which test/protocol/mutations.ts switches it off: without any one of
 * them the model finds a sale that is invoiced twice, wrongly or never. What they decide stands in decide.ts.
 */

const may = (...outcomes: AttemptOutcome[]) => new Set<AttemptOutcome>(outcomes);
const unknown = may('open', 'unknown');
const leftNothing = may('unsent', 'refused');
const mayComeTrue = may('open', 'unknown', 'created', 'adopted', 'reprocessed');
const settled = may('error', 'reprocessed');
const knowsLess = may('unsent', 'refused', 'unknown');
const hasKey = may('created', 'adopted');
const answeredWithKey = may('created', 'authorized');
const hasNumber = new Set<ErrorCause>(['registered', 'number-taken']);
const isThere = new Set<ErrorCause>(['registered', 'number-taken', 'in-process']);
const uncurable = new Set<ErrorCause>(['document', 'number-taken']);
const standsInTheWay = new Set<Verdict>(['ours', 'named', 'processing', 'unreadable', 'silent']);

export const rules = {
  /** The POST may have reached the service without our knowing its fate. */
  outcomeUnknown: ({ outcome }: Pick<SentAttempt, 'outcome'>): boolean => unknown.has(outcome),

  /** It is believed that it left nothing behind. It keeps the key it was told: what is believed may be wrong. */
  leftNothing: ({ outcome }: Pick<SentAttempt, 'outcome'>): boolean => leftNothing.has(outcome),

  /** An answer counts only where its key names this document: a cache or a proxy may have mixed two up. */
  keyIsOfThis: (key: NamedKey): boolean => key.isOfThis,

  /** The key of an accepted POST is of its day, and the one that was foreseen. Any other is asked about first. */
  keyIsExpected: (attempt: SentAttempt, key: NamedKey): boolean =>
    attempt.foreseenKey === null
      ? key.issueDate === attempt.issueDate
      : attempt.foreseenKey === key.accessKey,

  /** What an event or a question settled is more than the POST's answer knows; a key found meanwhile is not taken back. */
  isSettled: ({ outcome }: SentAttempt, by: AttemptOutcome): boolean =>
    settled.has(outcome) || (knowsLess.has(by) && hasKey.has(outcome)),

  /** One authorised attempt makes the document authorised, finally. */
  isAuthorized: ({ outcome }: SentAttempt): boolean => outcome === 'authorized',

  /** Another POST of this number may have been stored: nothing may be called unsent or refused. */
  earlierIsUnknown: (attempts: readonly SentAttempt[], n: number): boolean =>
    attempts.some((one) => one.n !== n && unknown.has(one.outcome)),

  /** Midnight passed between mapping and answer: the refusal says nothing of the document. */
  dayIsOver: (attempt: SentAttempt, now: Now): boolean => attempt.issueDate !== now.day,

  /** In production a refusal may mean the account's credits, not the document. */
  mayLackCredits: ({ ambiente }: SentDocument): boolean => ambiente === 2,

  /** While an account is paused its documents stay ready. */
  isKeptBack: (account: Account, as: 'backlog' | 'probe'): boolean => account.isPaused && as === 'backlog',

  /** So many failures in a row, of as many documents: the service is down, not one document indigestible. */
  isDown: (failures: number, { isShadow }: SentDocument, timings: Timings): boolean =>
    !isShadow && failures >= timings.serviceDownAfter,

  /** The series waits for what its ledger lost, or may have lost: no number of it leaves. */
  isBehind: ({ stopped, isVerified }: Series): boolean =>
    stopped === 'ledger-older' ||
    stopped === 'suspect' ||
    (stopped !== null && stopped !== 'exhausted' && !isVerified),

  /** A key is known that may still come true: the service is asked about it, the number does not leave again. */
  isKnown(attempts: readonly SentAttempt[]): boolean {
    const lost = attempts.findIndex(({ outcome }) => unknown.has(outcome));
    // An error of a sending before the lost one says nothing of that.
    const isOver = ({ outcome }: SentAttempt, at: number) => outcome === 'error' && at < lost;
    return attempts.some(
      (one, at) => one.accessKey !== null && !leftNothing.has(one.outcome) && !isOver(one, at),
    );
  },

  /** The webhook had its time; across midnight, when the date must change, all its retries. */
  hadItsTime: (due: number, now: Now): boolean => due <= now.at,

  /** A document that the service does not show to another API key than issued it may be there all the same. */
  isUnderOtherKey: (isUnderOtherKey: boolean): boolean => isUnderOtherKey,

  /** One "not found" proves nothing, behind it may stand a replica that lags; several over some time do. */
  isBelieved(at: readonly number[], now: Now, { notFound }: Timings): boolean {
    return at.length >= notFound.answers && now.at - (at[0] ?? now.at) >= notFound.over;
  },

  /** An error that ended an earlier sending under the same key says nothing of the lost one. */
  isOfEarlier: (attempts: readonly SentAttempt[], accessKey: string): boolean =>
    attempts.some((one) => one.accessKey === accessKey && one.outcome === 'error'),

  /** Only what our own POST was answered with is ours without a look at its XML. */
  wasAnswered: ({ outcome }: SentAttempt): boolean => answeredWithKey.has(outcome),

  /** Ours by its authorised XML: reference, number, buyer and total of one of our attempts. */
  isAlike: (stored: Stored): boolean => stored.kind === 'this-sale' && stored.alike.length > 0,

  /** An event settles by itself only a key that answered exactly one POST, and that its issuer signed. */
  speaksForItself(attempts: readonly SentAttempt[], accessKey: string, isOfIssuer: boolean): boolean {
    const bearing = attempts.filter((one) => one.accessKey === accessKey);
    return isOfIssuer && bearing.length === 1 && bearing[0]?.outcome === 'created';
  },

  /** Said before: a late or repeated error asks for nothing. */
  wasSaid: (attempt: SentAttempt | undefined): boolean => attempt?.outcome === 'error',

  /** 70: for a day the authority may be at it; it is neither sent nor reprocessed. */
  isStillAtIt: (
    cause: ErrorCause,
    attempt: SentAttempt | undefined,
    now: Now,
    { inProcess }: Timings,
  ): boolean => cause === 'in-process' && !(attempt !== undefined && attempt.createdAt + inProcess <= now.at),

  /** An error ends only its attempt: while another may come true the document is uncertain. */
  mayComeTrue: ({ outcome }: SentAttempt): boolean => mayComeTrue.has(outcome),

  /** 43 and 45: the authority has the number, perhaps under another key of ours. */
  hasNumber: (cause: ErrorCause): boolean => hasNumber.has(cause),

  /** 43, 45 and 70: the authority has the document, under this key or another; never a number for the plan. */
  isThere: (cause: ErrorCause): boolean => isThere.has(cause),

  /** The cause lies outside the document and may pass: its key is reprocessed. */
  mayPass: (cause: ErrorCause): boolean => !uncurable.has(cause),

  /** The cause lies in the document: a person fixes it. */
  isInBody: (cause: ErrorCause): boolean => cause === 'document',

  /** A conflict is known already: a person may have corrected the series since. */
  isKnownConflict: ({ code }: SentDocument): boolean => code === 'foreign-number',

  /** Something of the document may stand at the authority: a mere retry never sends it once more. */
  mayStand({ document, attempts, learnt }: Stopped): boolean {
    const { code } = document;
    if (code === 'number-registered' || code === 'stored-differs') return true;
    if (attempts.some(({ outcome }) => mayComeTrue.has(outcome))) return true;
    if (code !== 'foreign-number') return false;
    return attempts.some(({ accessKey }) => accessKey !== null) || learnt.wasUncertain;
  },

  /** What the service shows, or does not say, of any key there is stands above the word of a person. */
  standsInTheWay: (verdict: Verdict): boolean => standsInTheWay.has(verdict),

  /** A key came to light, or the document moved, since the service was asked. */
  isOvertaken: ({ document, attempts }: State, version: number, asked: readonly string[]): boolean =>
    document.version !== version ||
    attempts.some(({ accessKey }) => accessKey !== null && !asked.includes(accessKey)),

  /** A person's key is taken only where something left. */
  maySend: ({ document, attempts }: State): boolean =>
    document.secuencial !== null &&
    (document.state === 'ready' ? attempts.length > 0 : takesKey.has(document.state)),

  /** A series that stopped for our own number starts again where no other number of it is somebody else's. */
  mayResume: ({ stopped, isForOurs, hasOtherConflicts }: Series): boolean =>
    (stopped === 'foreign-number' || stopped === 'suspect') && isForOurs && !hasOtherConflicts,
};

const takesKey = new Set<DocumentState>(['processing', 'uncertain', 'rejected', 'manual']);

export type Rules = typeof rules;
