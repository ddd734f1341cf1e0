import type { Document } from '../domain/document.ts';
import type { Action } from '../planner/action.ts';

/**
 * What came after its factura that only a person can do something about, in the merchant's sentences: an edit that added
 * to the order, a refund that was deleted though its nota de crédito left. `decision` is the last plan as kept with the
 * order; what a document itself says is not said twice.
 */
export function laterSaleOf(decision: unknown, documents: readonly Document[] = []): string | null {
  if (!Array.isArray(decision)) return null;
  // The first action is about the sale as it was invoiced.
  const later = (decision as Pick<Action, 'kind' | 'action' | 'code' | 'reason'>[])
    .slice(1)
    .filter(
      ({ kind, action, code }) => action === 'manual' && (kind === 'factura' || code === 'refund-deleted'),
    )
    .map(({ reason }) => reason)
    .filter((reason) => !documents.some((document) => document.reason === reason));
  return later.length > 0 ? later.join(' ') : null;
}

/** The document on whose order it is told. */
export function toldOn(documents: readonly Document[]): Document | undefined {
  return documents.find(({ kind, state }) => kind === 'factura' && state === 'authorized');
}
