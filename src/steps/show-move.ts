import type { Document } from '../core/document.ts';
import type { Move } from '../ledger/document-tables.ts';
import { askWriteBack } from './ask.ts';
import type { StepDeps } from './deps.ts';

/** A move that people must see on the order: with the move its write-back is asked for, in one COMMIT. */
export function showMove(deps: StepDeps, id: string, move: Move): Promise<Document | undefined> {
  return deps.ledger.transaction(async (tables) => {
    const moved = await tables.documents.move(id, move);
    if (moved) await askWriteBack(tables, moved, move.now);
    return moved;
  });
}
