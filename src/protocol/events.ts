import type { Day } from '../domain/calendar.ts';
import type { Attempt, DocumentState } from '../domain/document.ts';
import type { ErrorCause } from '../domain/move-note.ts';

/*
 * What can happen to a document, as data. An event says what was observed, never what follows from it. The answer to a
 * question carries the question's `because`, so that a process that dies between the two loses nothing but the question.
 */

export type Event =
  | Due
  | Permitted
  | Prepared
  | Answered
  | Balance
  | Notified
  | Found
  | NotFound
  | Silent
  | Compared
  | HandedOver
  | KeyGiven
  | Searched
  | { kind: 'retry-asked'; newNumber: boolean }
  | { kind: 'reprocess-asked' }
  | { kind: 'clock-jumped' }
  /** A document on its way that has no job, found at a start. */
  | { kind: 'left-idle' };

/** The jobs of a document that call the service. */
export type Job = 'submit' | 'follow-up' | 'reprocess';

/** A job is due. A `submit` that finds `sending` says that its former holder died with the POST possibly under way. */
export type Due =
  | { kind: 'due'; job: 'submit'; sending: Sending }
  /** `foreseen`: keys of lost attempts by the digits known now, where none was foreseen when they left. */
  | { kind: 'due'; job: 'follow-up'; foreseen: readonly { n: number; accessKey: string }[] }
  | { kind: 'due'; job: 'reprocess' };

export interface Sending {
  /** A probe leaves although the account is paused. */
  as: 'backlog' | 'probe';
  /** Whether its store still issues with the RUC and ambiente of its number; `trial`: this one is left of ambiente 1. */
  issuer: 'same' | 'other' | 'trial';
  /** The key a sending of today gets, where the digits of the account are known to be constant. */
  foreseenKey: string | null;
}

/**
 * Whether a number may leave beside the others of its series, inside the transaction that lets it leave; `unasked`: the
 * service was not asked yet for numbers of the series that the ledger does not know.
 */
export interface Permitted {
  kind: 'permitted';
  sending: Sending;
  permit: { kind: 'leaves' } | { kind: 'unasked' } | { kind: 'later'; until: number };
}

/** The order mapped with today's date, inside the transaction that lets the document leave. */
export interface Prepared {
  kind: 'prepared';
  sending: Sending;
  prepared:
    | { kind: 'send'; total: Attempt['total']; buyerId: string }
    | { kind: 'held'; to: 'held' | 'manual'; code: string }
    | { kind: 'nothing' };
}

/** An access key from anybody, and what its own digits say. */
export interface NamedKey {
  accessKey: string;
  /** Its type, RUC, ambiente and number are this document's, and its check digit is right. */
  isOfThis: boolean;
  issueDate: Day;
}

/** What came back from the POST of attempt `n`. */
export interface Answered {
  kind: 'answered';
  n: number;
  answer: Answer;
}

export type Answer =
  | { kind: 'created'; key: NamedKey; serviceId: number | null }
  | { kind: 'duplicate'; key: NamedKey | null; errors: readonly string[] }
  /** `creado: false` with 200 or 400. `names`: what its words speak of; `day`: today by the header `Date`. */
  | { kind: 'refused'; names: RefusedFor; errors: readonly string[] }
  | { kind: 'unauthorized'; isOlderKey: boolean }
  | { kind: 'throttled'; retryAfter: number }
  /** Not one byte left. `failures`: in a row, this one included. */
  | { kind: 'unreachable'; failures: number }
  /** 500, timeout, broken connection, HTML: it may have arrived. */
  | { kind: 'unknown'; key: NamedKey | null; errors: readonly string[]; failures: number };

export type RefusedFor =
  | { kind: 'words' }
  | { kind: 'provider-data' }
  | { kind: 'credits' }
  /** The date of issue. `clocks`: the service's time is of another day than ours; `midnight`: is near, for so long. */
  | { kind: 'date'; clocks: 'agree' | 'differ'; midnight: number | null };

/** The account's balance, asked because of a refusal in production. */
export interface Balance {
  kind: 'balance';
  isEmpty: boolean;
  because: Extract<Because, { step: 'credits' }>;
}

/** A signed event of the service about a key that names this document. */
export interface Notified {
  kind: 'notified';
  key: NamedKey;
  /** null where it does not say the state. */
  said: Outcome | null;
  /** Signed by the account that issued the document. */
  isOfIssuer: boolean;
  /** How often it was tried before. */
  tries: number;
}

/** How a document ended at the authority. */
export type Outcome =
  | { state: 'authorized'; at: string | null }
  | { state: 'error'; cause: ErrorCause; errors: readonly string[] };

export type Standing = Outcome | { state: 'processing' };

export interface Found {
  kind: 'found';
  key: NamedKey;
  standing: Standing;
  because: Because;
}

export interface NotFound {
  kind: 'not-found';
  key: NamedKey;
  /** The API key that issued the document left the config: another one cannot see it. */
  isUnderOtherKey: boolean;
  because: Because;
}

/** Nothing was learnt: no answer, 429, an answer that is of another document, a key that is refused. */
export interface Silent {
  kind: 'silent';
  why: 'no-answer' | 'unauthorized' | 'older-key-unauthorized';
  because: Because;
}

/** The authorised XML under a key, compared with every attempt. */
export interface Compared {
  kind: 'compared';
  key: NamedKey;
  stored: Stored;
  because: Because;
}

export type Stored =
  | { kind: 'unreadable' }
  /** Our reference and number; `alike`: the attempts whose buyer and total it has, those nearest to it line by line. */
  | { kind: 'this-sale'; alike: readonly number[] }
  /** Its reference names another order of our shops, of which the ledger knows nothing. */
  | { kind: 'another-order' }
  | { kind: 'foreign' };

/** What the service made of a key that was to be reprocessed. */
export interface HandedOver {
  kind: 'handed-over';
  n: number;
  answer:
    | { kind: 'reprocessing' }
    /** 409: it did not end with an error. */
    | { kind: 'not-ended' }
    | { kind: 'no-credits' }
    | { kind: 'refused'; errors: readonly string[] }
    | { kind: 'throttled'; retryAfter: number }
    | { kind: 'unauthorized'; isOlderKey: boolean }
    | { kind: 'unknown' };
}

/** A person gave a key; `vouched`: and answers for it where the service does not show it. */
export interface KeyGiven {
  kind: 'key-given';
  key: NamedKey;
  vouched: boolean;
}

/** What the service says of every key there is of the document, under each API key, by state and by XML. */
export interface Searched {
  kind: 'searched';
  vouched: boolean;
  /** The document's version when the search began. */
  version: number;
  verdicts: readonly { accessKey: string; verdict: Verdict }[];
}

export type Verdict =
  | 'ours'
  | 'named'
  | 'processing'
  | 'unreadable'
  | 'silent'
  | 'foreign'
  | 'error'
  | 'not-found';

/** Who asks, and so what happens after the answer. */
export type Asker =
  | {
      kind: 'follow-up';
      /** Where the document stood when the job began. */
      from: DocumentState;
      /** `open`: keys of attempts that may come true; `foreseen`: of lost ones; `given-up`: of those that ended. */
      keys: 'open' | 'foreseen' | 'given-up';
      rest: readonly { n: number; accessKey: string }[];
    }
  | { kind: 'notified'; key: NamedKey; isError: boolean; tries: number };

/** Why a question was asked: all that is needed to go on with its answer. */
export type Because =
  /** What became of attempt `n`, or of the key that was notified. */
  | { step: 'state'; asker: Asker; n: number | null }
  /** Whether what is authorised under the key is ours. */
  | { step: 'whose'; asker: Asker; at: string | null }
  /** Whether a key that is never shown is ours all the same. */
  | { step: 'unseen'; asker: Asker; n: number }
  /** Which of our other keys holds a number that the authority has already. */
  | { step: 'holder'; asker: Asker; error: Ended; rest: readonly string[]; isUnsure: boolean }
  | {
      step: 'holder-whose';
      asker: Asker;
      error: Ended;
      rest: readonly string[];
      isUnsure: boolean;
      at: string | null;
    }
  /** Whether a document that was dropped here was authorised. */
  | { step: 'dropped'; asker: Asker }
  /** Whether what a 409 names is one of the `lost` attempts. */
  | { step: 'duplicate'; n: number; lost: readonly number[]; errors: readonly string[] }
  /** The same where no answer was missing; `told`: the attempt that bears the key. */
  | { step: 'unexpected'; n: number; told: number | null; errors: readonly string[] }
  /** Whether the key of an attempt that ended with an error still stands so. */
  | { step: 'still-refused'; n: number; told: number; errors: readonly string[] }
  | { step: 'credits'; n: number; errors: readonly string[] }
  | { step: 'given'; key: NamedKey; vouched: boolean }
  | { step: 'given-whose'; vouched: boolean; at: string | null };

/** A key whose document ended with an error. */
export interface Ended {
  key: NamedKey;
  cause: ErrorCause;
  errors: readonly string[];
}
