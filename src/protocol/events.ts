import type { Day } from '../domain/clock.ts';
import type { Attempt, DocumentState, ErrorCause } from '../domain/document.ts';

/* An event says what was observed, never what follows. An answer carries the purpose of its request. */

export type Event =
  /** The job `submit` of a document that is ready. */
  | {
      kind: 'send-due';
      sending: Sending;
      /** Whether the store still issues with the RUC and ambiente of the number. `trial`: the number is left from ambiente 1. */
      issuer: 'same' | 'other' | 'trial';
      permit: Permit;
      /** The order, mapped with today's date in the transaction that sends it; null where it may not be sent yet. */
      prepared: Prepared | null;
    }
  /** The job `submit` of a document whose answer is missing. One found in `sending`: its process died, the POST may have been made. */
  | { kind: 'resend-due'; sending: Sending }
  /** `foreseen`: keys of lost attempts, from the free digits known now, where none was foreseen at sending time. */
  | { kind: 'follow-up-due'; foreseen: readonly { n: number; accessKey: string }[] }
  | { kind: 'reprocess-due' }
  /** The answer to the POST of attempt `n`. */
  | { kind: 'answered'; n: number; answer: Answer }
  /** The account's balance, requested after a refusal in production. */
  | { kind: 'balance'; isEmpty: boolean; n: number; errors: readonly string[] }
  /** `said` null: the event does not say the state. `isOfIssuer`: signed by the account that issued the document. */
  | { kind: 'notified'; key: NamedKey; said: Outcome | null; isOfIssuer: boolean; tries: number }
  | { kind: 'found'; key: NamedKey; serviceState: ServiceState; purpose: Purpose }
  /** `isUnderOtherKey`: the API key that issued the document is no longer configured, and another one cannot see it. */
  | { kind: 'not-found'; key: NamedKey; isUnderOtherKey: boolean; purpose: Purpose }
  /** Nothing was learnt: no answer, 429, an answer about another document, a refused API key. */
  | { kind: 'silent'; why: 'no-answer' | 'unauthorized' | 'older-key-unauthorized'; purpose: Purpose }
  /** The authorised XML under a key, compared with every attempt. */
  | { kind: 'compared'; key: NamedKey; stored: Stored; purpose: Purpose }
  /** What the service answered when the key of attempt `n` was to be reprocessed. */
  | { kind: 'reprocess-answered'; n: number; answer: ReprocessAnswer }
  /** A person gave a key. `confirmed`: the person also confirms it where the service does not show the document. */
  | { kind: 'key-given'; key: NamedKey; confirmed: boolean }
  | { kind: 'retry-asked'; newNumber: boolean }
  /** What the service says of each known key, by state and by XML. `version`: the document's when the search began. */
  | {
      kind: 'searched';
      confirmed: boolean;
      version: number;
      verdicts: readonly { accessKey: string; verdict: Verdict }[];
    }
  | { kind: 'reprocess-asked' };

export type EventOf<K extends Event['kind']> = Extract<Event, { kind: K }>;

/** The jobs of a document that call the service. */
export type Job = 'submit' | 'follow-up' | 'reprocess';

export interface Sending {
  /** A probe is sent although the account is paused. */
  as: 'backlog' | 'probe';
  isPaused: boolean;
  /** The key that a document sent today gets, where the free digits of the account are known to be constant. */
  foreseenKey: string | null;
}

/** Whether a number may be sent beside the others of its series (send.ts). */
export type Permit =
  | { kind: 'send' }
  /** While no other one is. `isNew`: it was made since the process began. */
  | { kind: 'send-alone'; isNew: boolean }
  /** The service has to be asked first for numbers that the ledger does not know. */
  | { kind: 'check-series' }
  | { kind: 'wait'; until: number };

export type Prepared =
  | { kind: 'send'; total: Attempt['total']; buyerId: string }
  | { kind: 'held'; to: 'held' | 'manual'; code: string }
  | { kind: 'nothing' };

/** An access key from any source, and what its own digits say. */
export interface NamedKey {
  accessKey: string;
  /** Type, RUC, ambiente and number are this document's, and the check digit is right. */
  isOfThis: boolean;
  issueDate: Day;
}

export type Answer =
  | { kind: 'created'; key: NamedKey; serviceId: number | null }
  | { kind: 'duplicate'; key: NamedKey | null; errors: readonly string[] }
  /** `creado: false` with 200 or 400. `names`: what its words are about. */
  | { kind: 'refused'; names: RefusedFor; errors: readonly string[] }
  | { kind: 'unauthorized'; isOlderKey: boolean }
  | { kind: 'throttled'; retryAfter: number }
  /** Nothing was sent. `failures`: in a row, this one included. */
  | { kind: 'unreachable'; failures: number }
  /** 500, timeout, broken connection, HTML: the POST may have arrived. */
  | { kind: 'unknown'; key: NamedKey | null; errors: readonly string[]; failures: number };

export type RefusedFor =
  | { kind: 'words' }
  | { kind: 'provider-data' }
  | { kind: 'credits' }
  /** The issue date. `clocks: 'differ'`: the service has another day. `midnight`: milliseconds to wait; null where it is far. */
  | { kind: 'date'; clocks: 'agree' | 'differ'; midnight: number | null };

/** How a document ended at the authority. */
export type Outcome =
  | { state: 'authorized'; at: string | null }
  | { state: 'error'; cause: ErrorCause; errors: readonly string[] };

export type ServiceState = Outcome | { state: 'processing' };

export type Stored =
  | { kind: 'unreadable' }
  /** Our reference and number. `alike`: the attempts with its buyer and total that are nearest to it line by line. */
  | { kind: 'this-sale'; alike: readonly number[] }
  /** Its reference names another order of our shops that the ledger has no such document of. */
  | { kind: 'another-order' }
  | { kind: 'not-ours' };

export type ReprocessAnswer =
  | { kind: 'reprocessing' }
  /** 409: the document did not end with an error. */
  | { kind: 'not-ended' }
  | { kind: 'no-credits' }
  | { kind: 'refused'; errors: readonly string[] }
  | { kind: 'throttled'; retryAfter: number }
  | { kind: 'unauthorized'; isOlderKey: boolean }
  | { kind: 'unknown' };

export type Verdict =
  | 'ours'
  | 'named'
  | 'processing'
  | 'unreadable'
  | 'silent'
  | 'not-ours'
  | 'error'
  | 'not-found';

/** Who asks, and so what happens after the answer. */
export type Asker =
  | {
      kind: 'follow-up';
      /** The state of the document when the job began. */
      from: DocumentState;
      /** `open`: keys of attempts that may come true; `foreseen`: of lost ones; `every`: of all attempts. */
      keys: 'open' | 'foreseen' | 'every';
      rest: readonly { n: number; accessKey: string }[];
    }
  | { kind: 'notified'; key: NamedKey; isError: boolean; tries: number };

/** What a request is for: all that is needed to go on with its answer. */
export type Purpose =
  /** What became of attempt `n`, or of the key of an event. */
  | { kind: 'state'; asker: Asker; n: number | null }
  /** Whether the document authorised under the key is ours. */
  | { kind: 'whose'; asker: Asker; at: string | null }
  /** Whether a key that the service never shows is ours all the same. */
  | { kind: 'unseen'; asker: Asker; n: number }
  /** Which of our other keys has the number that the authority says is registered. */
  | ({ kind: 'holder' } & HolderSearch)
  | ({ kind: 'holder-whose'; at: string | null } & HolderSearch)
  /** Whether a document that was dropped here was authorised. */
  | { kind: 'dropped'; asker: Asker }
  /** Whether the document named by a 409 is one of the `lost` attempts. */
  | { kind: 'duplicate'; n: number; lost: readonly number[]; errors: readonly string[] }
  /** The same where no answer is missing. `matching`: the attempt with that key. */
  | { kind: 'unexpected'; n: number; matching: number | null; errors: readonly string[] }
  /** Whether the key of an attempt that ended with an error (`matching`) is still refused. */
  | { kind: 'still-refused'; n: number; matching: number; errors: readonly string[] }
  | { kind: 'given'; key: NamedKey; confirmed: boolean }
  | { kind: 'given-whose'; confirmed: boolean; at: string | null };

export type PurposeOf<K extends Purpose['kind']> = Extract<Purpose, { kind: K }>;

export interface HolderSearch {
  asker: Asker;
  error: Ended;
  /** The keys that were not asked about yet. */
  rest: readonly string[];
  /** One of the answers so far was no answer. */
  isUnsure: boolean;
}

/** A key whose document ended with an error. */
export interface Ended {
  key: NamedKey;
  cause: ErrorCause;
  errors: readonly string[];
}
