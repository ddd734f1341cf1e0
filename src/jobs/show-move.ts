import type { Document } from '../domain/document.ts';
import type { Move } from '../ledger/document-tables.ts';
import type { Tables } from '../ledger/ledger.ts';
import { nothingLeft } from '../planner/refunds/sentences.ts';
import { askWriteBack } from './ask.ts';
import type { StepDeps } from './deps.ts';
import { showStopped } from './wake-order.ts';

/** A move that people must see on the order: with the move its write-back is asked for, in one COMMIT. */
export function showMove(deps: StepDeps, id: string, move: Move): Promise<Document | undefined> {
  return deps.ledger.transaction((tables) => moveShown(tables, id, move));
}

/** The same inside the transaction that `tables` belongs to. */
export async function moveShown(tables: Tables, id: string, move: Move): Promise<Document | undefined> {
  const moved = await tables.documents.move(id, move);
  if (moved) await (isStopped(moved) ? showStopped : askWriteBack)(tables, moved, move.now);
  return moved;
}

/** Any other hold is the planner's own word, and says already what becomes of the refunds. */
const isStopped = ({ state, code }: Document): boolean =>
  state === 'rejected' || state === 'manual' || (state === 'held' && code === nothingLeft.code);
