import type { Document } from '../core/document.ts';
import type { Action } from '../planning/action.ts';

/**
 * What an edit added to an order after its factura, in the merchant's sentence: only a person can do something about
 * it, and no document stands for it. `decision` is the last plan as kept with the order.
 */
export function laterSaleOf(decision: unknown): string | null {
  if (!Array.isArray(decision)) return null;
  // The first action is about the sale as it was invoiced.
  const later = (decision as Pick<Action, 'kind' | 'action' | 'reason'>[])
    .slice(1)
    .find(({ kind, action }) => kind === 'factura' && action === 'manual');
  return later?.reason ?? null;
}

/** The document on whose order it is told. */
export function toldOn(documents: readonly Document[]): Document | undefined {
  return documents.find(({ kind, state }) => kind === 'factura' && state === 'authorized');
}
