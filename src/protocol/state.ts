import type { Day } from '../domain/clock.ts';
import type { Attempt, Document, DocumentState, ErrorCause } from '../domain/document.ts';

/* What the protocol knows of one document, read from the ledger with its row locked. Instants are milliseconds. */

export interface State {
  document: SentDocument;
  /** Oldest first; `n` counts from 1. */
  attempts: readonly SentAttempt[];
  learnt: Learnt;
  series: Series;
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

/** What decides whether a document that waits for a person may exist at the authority. */
export interface Stopped {
  document: Pick<SentDocument, 'state' | 'code' | 'secuencial'>;
  attempts: readonly Pick<SentAttempt, 'outcome' | 'accessKey'>[];
  learnt: Pick<Learnt, 'wasUncertain'>;
}

export interface Series {
  /** Why it gives no more numbers. `suspect`: one was registered at the authority before this ledger used it. */
  stopped: 'number-conflict' | 'suspect' | 'ledger-older' | 'exhausted' | 'other' | null;
  /** It stopped for the number of this document, or of one that is authorised by now. */
  isForOurs: boolean;
  /** Other numbers of it have a number conflict. */
  hasOtherConflicts: boolean;
  check: SeriesCheck;
}

/** What this process has found out about the numbers of a series: a restored ledger may have lost some (send.ts). */
export interface SeriesCheck {
  /** The service was asked for numbers that the ledger does not know. */
  isAsked: boolean;
  /** The ledger knows every number that was used. */
  isVerified: boolean;
  /** The answer that verifies it: where the service may have a number under a key that was not asked about, `authorized`. */
  proof: 'created' | 'authorized';
  /** When it began, and when the process did. */
  since: number;
  startedAt: number;
  /** The last new document that was sent while no other was, and its state now. */
  sentAlone: { isThis: boolean; at: number; state: DocumentState } | null;
}

/** What the ledger says of a ready document's series, with the row of the series locked. */
export interface SeriesView {
  createdAt: number;
  /** No ready document has a lower number. */
  isLowest: boolean;
  /** Another document that was sent alone last, by any process: its state, and since when. */
  sentAlone: NonNullable<SeriesCheck['sentAlone']> | null;
}

export interface Now {
  at: number;
  /** Today in Ecuador: the only issue date the service accepts. */
  day: Day;
}

const minute = 60_000;

/** How long the protocol waits, in milliseconds, and how often it tries. */
export interface Timings {
  /** Before the n-th question; without a known key, before the number is repeated. The last wait repeats. */
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
  /** The waits before a document is sent again whose date was refused although it is today's. */
  dateRetries: readonly number[];
  /** The wait of a document that could not reach the service. */
  unreachable: number;
  /** The wait before a paused account is probed the first, second … time; the last repeats. */
  probes: readonly number[];
  /** Failures in a row, of as many documents, after which the service counts as down. */
  serviceDownAfter: number;
  /** How often a key is asked about that an event named and the service does not show yet: a replica may lag. */
  notifiedTries: number;
  series: {
    /** The wait of a document while another one of its series is sent alone. */
    pause: number;
    /** How long the others wait for the outcome of the document that is sent alone, and for a lower number that is ready. */
    outcome: number;
  };
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
  // The outcome: longer than the first follow-up.
  series: { pause: minute / 120, outcome: 5 * minute },
};

/** What the timeline of a document says beside its attempts. */
export interface Learnt {
  /** Each time the service said that it does not know a key, since anything else was learnt. */
  notFound: readonly { accessKey: string; at: number }[];
  /** When anything was learnt last. A repeat of the same number whose answer is lost again is no news. */
  newsAt: number;
  /** The last move recorded that a POST left nothing behind. */
  knownUnsent: boolean;
  /** The document was `uncertain` at some time. */
  wasUncertain: boolean;
  /** Every key on its number that a move names. */
  keys: readonly string[];
}
