import type { Day } from '../domain/calendar.ts';
import type { Attempt, Document } from '../domain/document.ts';
import type { ErrorCause } from '../domain/move-note.ts';

/*
 * What the protocol knows of one document. The handlers read it from the ledger before each decision, under the lock of
 * the document's row, and write the next one in the same transaction. Fields have the names of the ledger; instants are
 * milliseconds, so that they are compared without parsing.
 */

export interface State {
  document: SentDocument;
  /** Oldest first; `n` counts from 1. */
  attempts: readonly SentAttempt[];
  learnt: Learnt;
  series: Series;
  account: Account;
}

export interface SentDocument
  extends Pick<
    Document,
    'ambiente' | 'state' | 'version' | 'code' | 'secuencial' | 'accessKey' | 'issueDate' | 'total'
  > {
  createdAt: number;
  /** The shadow of a store: nobody is alerted because of it, and it pauses no account for a service that is down. */
  isShadow: boolean;
}

export interface SentAttempt
  extends Pick<
    Attempt,
    'n' | 'issueDate' | 'total' | 'buyerId' | 'foreseenKey' | 'accessKey' | 'serviceId' | 'outcome'
  > {
  reprocessed: number;
  errors: readonly string[];
  /** Where the cause of those errors lies (authority-errors.ts); null while there are none. */
  cause: ErrorCause | null;
  createdAt: number;
}

/** What the timeline of the document tells beside its attempts. */
export interface Learnt {
  /** Each time the service said that it does not know a key, since anything else became of the document. */
  notFound: readonly { accessKey: string; at: number }[];
  /** When anything was learnt last; the same number sent once more and lost once more is no news. */
  newsAt: number;
  /** Its last move said that a sending is known unsent. */
  knownUnsent: boolean;
  /** Whether it ever stood in `uncertain`. */
  wasUncertain: boolean;
  /** Keys on its number that were notified or taken from it, and that no attempt bears. */
  otherKeys: readonly string[];
}

/** What tells of a document that waits for a person whether something of it may stand at the authority. */
export interface Stopped {
  document: Pick<SentDocument, 'state' | 'code' | 'secuencial'>;
  attempts: readonly Pick<SentAttempt, 'outcome' | 'accessKey'>[];
  learnt: Pick<Learnt, 'wasUncertain'>;
}

export interface Series {
  /** Why it gives no more numbers; `suspect`: one of them proved to be registered before this ledger used it. */
  stopped: 'foreign-number' | 'suspect' | 'ledger-older' | 'exhausted' | 'other' | null;
  /** This process has seen that the ledger knows every number of it that was used. */
  isVerified: boolean;
  /** The number it stopped for is this document's, or of another one that is authorised by now. */
  isForOurs: boolean;
  /** Other numbers of it are somebody else's. */
  hasOtherConflicts: boolean;
}

export interface Account {
  /** A pause that keeps this document's emissions back. */
  isPaused: boolean;
}

export interface Now {
  at: number;
  /** Today in Ecuador: the only date of issue the service accepts. */
  day: Day;
}

const minute = 60_000;

/** How long the protocol waits, and how often it tries. */
export interface Timings {
  /**
   * How long after an emission the service is asked, first, second … time; and where there is no key to ask about, how
   * long the webhook may take before the number is repeated the same day, first, second … time. The last repeats.
   */
  followUp: readonly number[];
  /** Longer than all retries of a webhook (1 + 5 + 15 + 60 minutes; spec, delivery and retries). */
  repeatAcrossMidnight: number;
  /** So many answers, each so long after the one before, all of them over so long: the service does not know a key. */
  notFound: { answers: number; apart: number; over: number };
  /** After so long without news people are alerted. */
  unconfirmed: number;
  /** How long after each error a key is reprocessed whose cause may have gone; then no more. */
  reprocess: readonly number[];
  /** So long the authority may be at one key (ficha técnica SRI, error 70). */
  inProcess: number;
  /** How long a document waits that found nobody at the service's address. */
  unreachable: number;
  /** How long a paused account rests before its first, second … probe; the last repeats. */
  probes: readonly number[];
  /** So many failures in a row, of as many documents, and the service counts as down. */
  serviceDownAfter: number;
  /**
   * So often a key is asked about that the service notified and does not show, over some quarter of an hour: behind the
   * answer may stand a replica that lags, and nobody notifies it again.
   */
  notifiedTries: number;
}

export const timings: Timings = {
  followUp: [2 * minute, 4 * minute, 8 * minute, 15 * minute, 30 * minute, 60 * minute],
  repeatAcrossMidnight: 85 * minute,
  // The third of the first looks: 2, 6 and 14 minutes after the POST.
  notFound: { answers: 3, apart: 2 * minute, over: 10 * minute },
  unconfirmed: 24 * 60 * minute,
  reprocess: [15 * minute, 60 * minute, 180 * minute, 360 * minute, 480 * minute],
  inProcess: 24 * 60 * minute,
  unreachable: minute / 30,
  probes: [0.5 * minute, minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute],
  serviceDownAfter: 3,
  notifiedTries: 10,
};
