import type { NamedBy } from '../domain/legal-names.ts';
import { currentFactura, verdictBeforeMapping } from './eligibility.ts';
import { nameToLookUp } from './identity-gate.ts';
import type { PlanInput } from './input.ts';

/**
 * Whose legal name the plan of this order would use if it were known; null where none is wanted. Only for orders
 * that are about to become a document: a look-up costs money.
 */
export function legalNameWanted(input: PlanInput): NamedBy | null {
  if (verdictBeforeMapping(input, currentFactura(input.documents)) !== null) return null;
  return nameToLookUp(input.order, input.store.policy);
}
