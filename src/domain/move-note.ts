/**
 * Where the cause of an error of the tax authority lies, and so what may cure it:
 * `issuer`: outside the document, the merchant puts it right; `authority`: outside, it passes by itself; both are
 * cured by reprocessing the same key. `registered`: the authority has this very key already; `number-taken`: it has
 * the number under another key; `in-process`: it is still at it; `date`: the day it was made for is over. Every other
 * code: in the document itself.
 */
export type ErrorCause =
  | 'issuer'
  | 'authority'
  | 'registered'
  | 'number-taken'
  | 'in-process'
  | 'date'
  | 'document';

/** What moved a document, where no code of a plan or an answer says it. */
export type MoveCause =
  | ErrorCause
  /** A person asked for it. */
  | 'retry'
  | 'new number'
  | 'reprocess'
  | 'accepted'
  | 'key given by hand'
  /** What the service said of a key, or did not say. */
  | 'found'
  | 'not found'
  | 'foreign key'
  | 'foreseen key'
  | 'unexpected key'
  | 'no webhook told the key'
  | 'no final state'
  | 'known unsent'
  | 'known not authorised'
  | 'leaves anew with today’s date'
  | 'reprocessed'
  | 'not reprocessed'
  | 'the process that sent it died'
  | 'lost by the ledger'
  | 'written again';

/** What the history keeps of a move: small facts as JSON, no buyers' data. */
export interface MoveNote {
  /** A code of the catalogue (src/domain/error-catalogue). */
  code?: string;
  cause?: MoveCause;
  /** Who asked for it. */
  by?: string;
  [fact: string]: unknown;
}
