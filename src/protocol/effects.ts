import type {
  Attempt,
  AttemptOutcome,
  Document,
  DocumentState,
  ErrorCause,
  MoveNote,
} from '../domain/document.ts';
import type { PauseCause } from '../domain/job.ts';
import type { Job, Purpose, PurposeOf, Sending } from './events.ts';

/*
 * What a handler is to do, as data, in this order. Writes belong into the transaction that read the state. A request (one
 * effect at most) is made after its COMMIT, and its answer is the next event.
 */

export type Effect = Write | Request | Reply;

/** Written in the transaction of the decision. */
export type Write =
  | { kind: 'move'; from: DocumentState; to: DocumentState; patch: Patch; note: MoveNote }
  /** A new attempt, open. `contentOf`: the attempt whose body leaves again with today's date; null: what was prepared. */
  | ({ kind: 'attempt'; contentOf: number | null } & Pick<
      Attempt,
      'n' | 'issueDate' | 'secuencial' | 'total' | 'buyerId' | 'foreseenKey'
    >)
  | ({ kind: 'end-attempt'; n: number } & AttemptEnd)
  /** Makes the job due at this instant, or leaves it due earlier; a job that is running runs once more. */
  | { kind: 'schedule'; job: Job; at: number; why: string }
  | { kind: 'forget'; job: Job }
  /** The job stays as due as it was; the pause of the account keeps it back. */
  | { kind: 'put-back'; job: Job }
  /** The job that is running fails, and comes back with backoff. */
  | { kind: 'try-again'; why: string }
  /** `taken`: another document has its number; `suspect`: the number was registered before, by whom is looked up. */
  | { kind: 'stop-series'; why: 'taken' | 'suspect' }
  | { kind: 'resume-series' }
  /** With an alert, and a probe that comes back until the cause is gone. */
  | { kind: 'pause-account'; cause: PauseCause }
  | { kind: 'alert'; code: 'series-stopped' }
  | { kind: 'alert'; code: 'unconfirmed' }
  | { kind: 'alert'; code: 'answers-mixed-up' | 'dropped-authorized'; accessKey: string }
  | { kind: 'write-back' }
  /** Enqueues the sync of the order; `what-waits`: only where something of it waits for this document. */
  | { kind: 'wake-order'; for: 'order' | 'what-waits' }
  | { kind: 'verify' }
  | { kind: 'learn-digits'; accessKey: string; n: number }
  | { kind: 'digits-varied' }
  /** The ledger is older than the service: notes the document under this key, stops its series, reads its order. */
  | { kind: 'note-unknown-document'; accessKey: string }
  /** The service took the number as new: where it left alone with the highest number, the ledger lost none of the series. */
  | { kind: 'number-is-new' }
  /** Another document was shown under the number: a line of the log. */
  | { kind: 'number-conflict-seen' }
  /** The service may know numbers of the series that the ledger lost. */
  | { kind: 'look-behind' };

/** Made after COMMIT; the answer is an event. */
export type Request =
  | { kind: 'post'; n: number }
  | { kind: 'ask'; accessKey: string; purpose: Purpose }
  | { kind: 'compare'; accessKey: string; purpose: Purpose }
  | { kind: 'ask-balance'; purpose: PurposeOf<'credits'> }
  | { kind: 'reprocess'; n: number; accessKey: string; serviceId: number | null }
  | { kind: 'search'; vouched: boolean; keys: readonly string[]; version: number }
  /** These two are answered in the same transaction. */
  | { kind: 'permit'; sending: Sending }
  | { kind: 'prepare'; sending: Sending }
  /** Asks the service for numbers the ledger does not know; then the job is due again. */
  | { kind: 'look-ahead' };

/** The answer to the person whose command or button this was. */
export type Reply =
  | {
      kind: 'done';
      what: 'authorized' | 'processing' | 'sent-again' | 'replaced' | 'read-again' | 'reprocessing';
      /** On the word of a person alone: the service does not show it. */
      isVouched?: true;
    }
  | { kind: 'refused'; why: Refusal };

export type Refusal =
  | 'finished'
  | 'on-its-way'
  | 'not-sent'
  | 'key-of-another'
  | 'key-not-authorized'
  | 'key-not-ours'
  | 'key-of-another-order'
  | 'key-unseen'
  | 'service-silent'
  | 'xml-unreadable'
  | 'may-be-authorized'
  | 'new-number-not-needed'
  | 'stands'
  | 'ledger-older'
  | 'not-reprocessable'
  | 'not-refused'
  | 'refused-for-its-body'
  | 'overtaken';

export interface Patch
  extends Partial<Pick<Document, 'code' | 'accessKey' | 'issueDate' | 'authorizedAt' | 'total'>> {
  reason?: Reason | null;
  /** The API key it leaves under, or the one it had before it left. */
  issuer?: 'sending' | 'before';
}

/** What the merchant reads: sentences by their names, and what they quote. */
export interface Reason {
  sentences: readonly Sentence[];
  /** Words of the service. */
  words?: readonly string[];
  accessKey?: string;
}

/** The sentences of jobs/sentences.ts. */
export type Sentence =
  | 'answerLost'
  | 'keyUnexpected'
  | 'refused'
  | 'refusedAfterLost'
  | 'notAuthorised'
  | 'triedAgain'
  | 'alreadyRegistered'
  | 'registeredUnnamed'
  | 'heldByRejected'
  | 'findTheKey'
  | 'keyGone'
  | 'denied'
  | 'unconfirmed'
  | 'takenBySomebody'
  | 'lostBefore'
  | 'storedDiffers'
  | 'numberOfAnother'
  | 'replaced'
  | 'vouchedFor'
  | 'planned';

export interface AttemptEnd {
  outcome: AttemptOutcome;
  accessKey?: string | null;
  serviceId?: number | null;
  errors?: readonly string[];
  cause?: ErrorCause | null;
}
