import type { Day } from '../domain/clock.ts';
import type { Attempt, Document, ErrorCause } from '../domain/document.ts';

/*
 * What the protocol knows of one document. Handlers read it from the ledger before each decision, under the lock of the
 * document's row. Fields have the names of the ledger; instants are milliseconds.
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
}

export interface SentAttempt
  extends Pick<
    Attempt,
    'n' | 'issueDate' | 'total' | 'buyerId' | 'foreseenKey' | 'accessKey' | 'serviceId' | 'outcome'
  > {
  reprocessed: number;
  errors: readonly string[];
  /** Where the cause of those errors lies (jobs/sentences.ts); null while there are none. */
  cause: ErrorCause | null;
  createdAt: number;
}

/** What the document's timeline says beside its attempts. */
export interface Learnt {
  /** Each time the service said that it does not know a key, since anything else was learnt. */
  notFound: readonly { accessKey: string; at: number }[];
  /** When anything was learnt last. A repeat of the same number that is lost again is no news. */
  newsAt: number;
  /** The last move recorded that a sending left nothing. */
  knownUnsent: boolean;
  /** The document was `uncertain` at some time. */
  wasUncertain: boolean;
  /** Keys on its number that an event named or that were taken from it, and that no attempt has. */
  otherKeys: readonly string[];
}

/** What decides whether a document that waits for a person may exist at the authority. */
export interface Stopped {
  document: Pick<SentDocument, 'state' | 'code' | 'secuencial'>;
  attempts: readonly Pick<SentAttempt, 'outcome' | 'accessKey'>[];
  learnt: Pick<Learnt, 'wasUncertain'>;
}

export interface Series {
  /** Why it gives no more numbers. `suspect`: one was registered at the authority before this ledger used it. */
  stopped: 'number-conflict' | 'suspect' | 'ledger-older' | 'exhausted' | 'other' | null;
  /** This process has checked that the ledger knows every number of it that was used. */
  isVerified: boolean;
  /** It stopped for the number of this document, or of one that is authorised by now. */
  isForOurs: boolean;
  /** Other numbers of it have a number conflict. */
  hasOtherConflicts: boolean;
}

export interface Account {
  /** A pause keeps this document's emissions back. */
  isPaused: boolean;
}

export interface Now {
  at: number;
  /** Today in Ecuador: the only issue date the service accepts. */
  day: Day;
}

const minute = 60_000;

/** How long the protocol waits, in milliseconds, and how often it tries. */
export interface Timings {
  /**
   * The waits before the service is asked the first, second … time after an emission. Where no key is known: how long
   * the webhook may take before the number is repeated on the same day. The last repeats.
   */
  followUp: readonly number[];
  /** Longer than all retries of a webhook (1 + 5 + 15 + 60 minutes; spec, delivery and retries). */
  repeatAcrossMidnight: number;
  /** A key is unknown to the service after `answers` "not found", each `apart` from the one before, `over` in all. */
  notFound: { answers: number; apart: number; over: number };
  /** After so long without news people are alerted. */
  unconfirmed: number;
  /** The wait before a key is reprocessed after its first, second … error whose cause may pass; then no more. */
  reprocess: readonly number[];
  /** How long the authority may take for one key (ficha técnica SRI, error 70). */
  inProcess: number;
  /** The waits before a document leaves again whose date was refused although it is today's. */
  dateRetries: readonly number[];
  /** The wait of a document that could not reach the service. */
  unreachable: number;
  /** The wait before a paused account is probed the first, second … time; the last repeats. */
  probes: readonly number[];
  /** Failures in a row, of as many documents, after which the service counts as down. */
  serviceDownAfter: number;
  /** How often a key is asked about that an event named and the service does not show yet: a replica may lag. */
  notifiedTries: number;
}

export const timings: Timings = {
  followUp: [2 * minute, 4 * minute, 8 * minute, 15 * minute, 30 * minute, 60 * minute],
  repeatAcrossMidnight: 85 * minute,
  // Reached at the third follow-up: 2, 6 and 14 minutes after the POST.
  notFound: { answers: 3, apart: 2 * minute, over: 10 * minute },
  unconfirmed: 24 * 60 * minute,
  reprocess: [15 * minute, 60 * minute, 180 * minute, 360 * minute, 480 * minute],
  inProcess: 24 * 60 * minute,
  dateRetries: [minute, 5 * minute],
  unreachable: minute / 30,
  probes: [0.5 * minute, minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute],
  serviceDownAfter: 3,
  notifiedTries: 10,
};
