import type { Attempt, Document } from '../core/document.ts';
import type { HistoryEntry } from '../ledger/document-tables.ts';
import { isAmbiguous } from './repeat.ts';

/** What became of a document so far. */
export interface Past {
  attempts: readonly Pick<Attempt, 'outcome' | 'accessKey'>[];
  history: readonly Pick<HistoryEntry, 'to'>[];
}

/** Whether something of this document may stand at the authority: then it is never sent once more by a mere retry. */
export function isInDoubt({ code }: Pick<Document, 'code'>, { attempts, history }: Past): boolean {
  if (code === 'number-registered' || code === 'stored-differs' || attempts.some(isAmbiguous)) return true;
  // What holds the number may be a sending of ours all the same: one has a key, or left and its fate was open.
  if (code !== 'foreign-number') return false;
  return attempts.some(({ accessKey }) => accessKey !== null) || history.some(({ to }) => to === 'uncertain');
}

/** Whether a person may answer for a new number (new-number.ts): the old one cannot simply leave again. */
export function mayTakeNewNumber(
  document: Pick<Document, 'state' | 'code' | 'secuencial'>,
  past: Past,
): boolean {
  const { state, code, secuencial } = document;
  const isStopped = (state === 'rejected' || state === 'manual') && secuencial !== null;
  return isStopped && (code === 'foreign-number' || isInDoubt(document, past));
}
