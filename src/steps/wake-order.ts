import type { Attempt, Document } from '../core/document.ts';
import { decimal } from '../core/money.ts';
import type { Order } from '../core/order.ts';
import type { Tables } from '../ledger/ledger.ts';
import { askSync, askWriteBack } from './ask.ts';

/*
 * What waits for a factura is planned anew by work written in the COMMIT that moves it on. The order is read after the
 * move, which holds the factura: a plan written meanwhile is either seen here, or sees the move (planned-documents.ts).
 */

/** After its authorisation refunds that waited, and what an edit added meanwhile, are looked at again. */
export async function wakeOrder(
  tables: Tables,
  document: Document,
  attempt: Attempt | undefined,
  now: Date,
): Promise<void> {
  const order = await orderOf(tables, document);
  if (!order) return;
  // What left may be less than what was planned at first: a refund came before it left, and went again since.
  const grown = decimal(order.total).gt(attempt?.total ?? document.charged ?? order.total);
  if (order.refunds.length > 0 || grown) await askSync(tables, document, now);
}

/**
 * A document that cannot go on without a person is shown on its order. Refunds that waited for such a factura wait for
 * something else now, or leave nothing to correct it for.
 */
export async function showStopped(tables: Tables, document: Document, now: Date): Promise<void> {
  await askWriteBack(tables, document, now);
  const order = await orderOf(tables, document);
  if (order && order.refunds.length > 0) await askSync(tables, document, now);
}

async function orderOf(tables: Tables, document: Document): Promise<Order | undefined> {
  if (document.kind !== 'factura') return undefined;
  return (await tables.orders.ofDocument(document))?.snapshot as Order | undefined;
}
