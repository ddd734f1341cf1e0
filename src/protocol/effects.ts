import type {
  Attempt,
  AttemptOutcome,
  Document,
  DocumentState,
  ErrorCause,
  MoveNote,
} from '../domain/document.ts';
import type { PauseCause } from '../domain/job.ts';
import type { Job, Purpose } from './events.ts';

/** Written in this order in the transaction that read the state. */
export type Effect =
  | { kind: 'move'; from: DocumentState; to: DocumentState; patch: Patch; note: MoveNote }
  /** A new attempt, open. `contentOf`: the attempt whose body is sent again with today's date; null: what was prepared. */
  | ({ kind: 'start-attempt'; contentOf: number | null } & Pick<
      Attempt,
      'n' | 'issueDate' | 'secuencial' | 'total' | 'buyerId' | 'foreseenKey'
    >)
  | ({ kind: 'end-attempt'; n: number } & AttemptEnd)
  /** Makes the job due at this instant, or leaves it due earlier; a job that is running runs once more. */
  | { kind: 'schedule'; job: Job; at: number; why: string }
  | { kind: 'cancel-job'; job: Job }
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
  /** Enqueues the sync of the order. `what-waits`: only where something of it waits for this document. */
  | { kind: 'replan-order'; for: 'order' | 'what-waits' }
  | { kind: 'verify' }
  | { kind: 'learn-digits'; accessKey: string; n: number }
  | { kind: 'digits-varied' }
  /** The ledger is older than the service: notes the document under this key, stops its series, reads its order. */
  | { kind: 'note-unknown-document'; accessKey: string }
  /** It is the only document of its series that is being sent. `isNew`: it may verify the series. */
  | { kind: 'send-alone'; isNew: boolean }
  /** The ledger knows every number of the series. */
  | { kind: 'series-verified' }
  /** Another document was shown under the number: a line of the log. */
  | { kind: 'number-conflict-seen' }
  /** Looks for documents of the series that the ledger lost. */
  | { kind: 'recover-series' };

/** Made after COMMIT; the answer is an event. */
export type Request =
  | { kind: 'post'; n: number }
  | { kind: 'ask'; accessKey: string; purpose: Purpose }
  | { kind: 'compare'; accessKey: string; purpose: Purpose }
  | { kind: 'ask-balance'; n: number; errors: readonly string[] }
  | { kind: 'reprocess'; n: number; accessKey: string; serviceId: number | null }
  | { kind: 'search'; confirmed: boolean; keys: readonly string[]; version: number }
  /** Asks the service for numbers of the series that the ledger does not know; then the event is observed again. */
  | { kind: 'check-series' };

/** The answer to the person whose command or button this was. */
export type Reply =
  | {
      kind: 'done';
      what: 'authorized' | 'processing' | 'sent-again' | 'replaced' | 'read-again' | 'reprocessing';
      /** A person alone confirmed it: the service does not show it. */
      isConfirmed?: true;
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
  | 'found-at-service'
  | 'ledger-older'
  | 'not-reprocessable'
  | 'not-refused'
  | 'refused-for-its-body'
  | 'overtaken';

export interface Patch
  extends Partial<Pick<Document, 'code' | 'accessKey' | 'issueDate' | 'authorizedAt' | 'total'>> {
  reason?: Reason | null;
  /** The API key it is sent under, or the one it had before. */
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
  | 'confirmedByHand'
  | 'planned';

export interface AttemptEnd {
  outcome: AttemptOutcome;
  accessKey?: string | null;
  serviceId?: number | null;
  errors?: readonly string[];
  cause?: ErrorCause | null;
}
