import type { MoveNote } from '../domain/move-note.ts';
import type { Order } from '../domain/order.ts';
import type { HistoryEntry } from '../ledger/document-tables.ts';
import type { Tables } from '../ledger/ledger.ts';
import { isDocumentOf } from '../planner/bound.ts';
import { askWriteBack } from './ask.ts';
import type { Known } from './planned-documents.ts';

/** A shop that drops what we write is written to once in so long, however often it makes us read. */
const onceInMs = 24 * 3_600_000;

const cause = 'written again';

/**
 * An order that no longer bears the key of its authorised document, though it was written there: its shop was put back to a
 * backup, or somebody took it away. All that stands for the order is written once more.
 */
export async function writeAgain(
  tables: Pick<Tables, 'documents' | 'work'>,
  seen: { order: Order; documents: readonly Known[]; readAt: Date },
  now: Date,
): Promise<void> {
  for (const document of keysGone(seen)) {
    if (wasWrittenAgain(await tables.documents.history(document.id), now)) continue;
    await tables.documents.writtenAgain(document.id, { cause }, now);
    await askWriteBack(tables, document, now);
  }
}

/** Of several facturas the last one stands on the order. A reading that began before the key was written tells nothing. */
function keysGone({ order, documents, readAt }: Parameters<typeof writeAgain>[1]): Known[] {
  const isOwn = isDocumentOf(order);
  const current = documents.findLast((one) => one.kind === 'factura' && one.state !== 'cancelled');
  return documents.filter(
    (one) =>
      one.writtenBack === 'authorized' &&
      one.accessKey !== null &&
      !order.accessKeys.includes(one.accessKey) &&
      (one.kind !== 'factura' || one === current) &&
      Date.parse(one.updatedAt) < readAt.getTime() &&
      isOwn(one),
  );
}

const wasWrittenAgain = (history: readonly HistoryEntry[], now: Date): boolean =>
  history.some(
    ({ at, note }) => (note as MoveNote | null)?.cause === cause && now.getTime() - Date.parse(at) < onceInMs,
  );
