import type { Attempt, Document } from '../domain/document.ts';
import { decimal } from '../domain/money.ts';
import type { Order } from '../domain/order.ts';
import type { Tables } from '../ledger/ledger.ts';
import { askSync, askWriteBack } from './ask.ts';

/*
 * What waits for a factura is planned anew by work written in the COMMIT that moves it on. The order is read after the
 * move, which holds the factura: a plan written meanwhile is either seen here, or sees the move (planned-documents.ts).
 */

/**
 * After its authorisation refunds that waited, and what an edit added meanwhile, are looked at again. Refunds that waited
 * for a factura that is stopped wait for something else now, or leave nothing to correct it for.
 */
export async function wakeWaiting(
  tables: Tables,
  document: Document,
  attempts: readonly Attempt[],
  now: Date,
): Promise<void> {
  if (document.kind !== 'factura') return;
  const order = (await tables.orders.ofDocument(document))?.snapshot as Order | undefined;
  if (!order) return;
  // What left may be less than what was planned at first: a refund came before it left, and went again since.
  const sent = attempts.find(({ outcome }) => outcome === 'authorized');
  const isGrown =
    document.state === 'authorized' &&
    decimal(order.total).gt(sent?.total ?? document.charged ?? order.total);
  if (order.refunds.length > 0 || isGrown) await askSync(tables, document, now);
}

/** A document that cannot go on without a person is shown on its order. */
export async function showStopped(tables: Tables, document: Document, now: Date): Promise<void> {
  await askWriteBack(tables, document, now);
  await wakeWaiting(tables, document, [], now);
}
