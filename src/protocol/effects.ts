import type { PauseCause } from '../domain/account-pause.ts';
import type { Attempt, AttemptOutcome, Document, DocumentState } from '../domain/document.ts';
import type { ErrorCause, MoveNote } from '../domain/move-note.ts';
import type { Because, Job, Sending } from './events.ts';

/*
 * What a handler is to do, as data, in this order: what is written belongs into the transaction that read the state,
 * what is asked or sent happens after its COMMIT, one effect at most, and its answer is the next event.
 */

export type Effect = Written | Asked | Said;

/** Written in the transaction of the decision. */
export type Written =
  | { kind: 'move'; from: DocumentState; to: DocumentState; patch: Patch; note: MoveNote }
  /** A new attempt, open. `contentOf`: the attempt whose body leaves again with today's date; null: what was prepared. */
  | ({ kind: 'attempt'; contentOf: number | null } & Pick<
      Attempt,
      'n' | 'issueDate' | 'secuencial' | 'total' | 'buyerId' | 'foreseenKey'
    >)
  | ({ kind: 'end-attempt'; n: number } & AttemptEnd)
  /** The job is due at this instant, or earlier if it was so before; asked for while it runs it runs once more. */
  | { kind: 'wait'; job: Job; until: number; why: string }
  | { kind: 'forget'; job: Job }
  /** The job is as due as it was; the pause of the account keeps it back. */
  | { kind: 'put-back'; job: Job }
  /** The job that asks fails, and comes back with backoff. */
  | { kind: 'try-again'; why: string }
  /** `taken`: its number is somebody else's; `suspect`: it was registered before, and it is found out whose it is. */
  | { kind: 'stop-series'; why: 'taken' | 'suspect' }
  | { kind: 'resume-series' }
  /** An alert of its own, a probe that comes back until the cause is gone. */
  | { kind: 'pause-account'; cause: PauseCause }
  | { kind: 'alert'; code: 'series-stopped' }
  | { kind: 'alert'; code: 'document-unconfirmed' }
  | { kind: 'alert'; code: 'answers-mixed-up' | 'dropped-authorized'; accessKey: string }
  | { kind: 'write-back' }
  /** The order is planned anew; of `what-waits` only where something of it waits for this document. */
  | { kind: 'wake-order'; for: 'order' | 'what-waits' }
  | { kind: 'verify' }
  | { kind: 'learn-digits'; accessKey: string; n: number }
  | { kind: 'digits-varied' }
  /** The ledger is older than the service: the document under this key is noted, its series waits, its order is read. */
  | { kind: 'note-unknown-document'; accessKey: string }
  /** The service took it as new: where it left alone behind all others, its ledger lost no number of the series. */
  | { kind: 'number-is-new' }
  /** Somebody else's document was shown under the number: a line of the log. */
  | { kind: 'foreign-seen' }
  /** The service may know numbers of the series that the ledger lost. */
  | { kind: 'look-behind' };

/** Asked or sent after COMMIT; the answer is an event. */
export type Asked =
  | { kind: 'post'; n: number }
  | { kind: 'ask'; accessKey: string; because: Because }
  | { kind: 'compare'; accessKey: string; because: Because }
  | { kind: 'ask-balance'; because: Extract<Because, { step: 'credits' }> }
  | { kind: 'reprocess'; n: number; accessKey: string; serviceId: number | null }
  | { kind: 'search'; vouched: boolean; keys: readonly string[]; version: number }
  /** These two are answered in the same transaction. */
  | { kind: 'permit'; sending: Sending }
  | { kind: 'prepare'; sending: Sending }
  /** Asks the service for numbers the ledger does not know; then the job is due again. */
  | { kind: 'look-ahead' };

/** What a person who asked for something reads. */
export type Said =
  | {
      kind: 'done';
      what: 'authorized' | 'processing' | 'sent-again' | 'replaced' | 'read-anew' | 'reprocessing';
      /** By the word of a person alone: the service does not show it. */
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
  /** What the merchant reads: the sentences of these names, with these words of the service. */
  reason?: Reason | null;
  /** The key it leaves under, or the one it bore before it left. */
  issuer?: 'sending' | 'before';
}

export interface Reason {
  says: readonly Sentence[];
  words?: readonly string[];
  accessKey?: string;
}

/** The sentences of sentences.ts. */
export type Sentence =
  | 'answerLost'
  | 'keyUnexpected'
  | 'refused'
  | 'refusedAfterLost'
  | 'notAuthorised'
  | 'triedAgain'
  | 'alreadyRegistered'
  | 'heldByRejected'
  | 'findTheKey'
  | 'keyGone'
  | 'unconfirmed'
  | 'takenBySomebody'
  | 'maybeOurs'
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
