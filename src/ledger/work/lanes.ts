import { waitsForShop } from '../../domain/circuit-breaker.ts';
import { isShadowStore, storeBehind } from '../../domain/shadow.ts';
import type { WorkRequest } from '../../domain/work.ts';

/**
 * A lane holds what waits behind one another: the work of one store, under one account and ambiente, of one
 * urgency. Lanes of one key are served in turn, so that stores share it fairly; an account is paused by passing
 * over its lanes, however much stands in them. Written "emission/principal/2/tienda/<key hash>"; what is only read
 * back is paused like a question, in a lane of its own: "question/principal/2/tienda/<key hash>/xml". Searches for
 * changes stand behind one another, whatever their stores, so that they never take the places of orders. Jobs that
 * call the shop stand in a lane for each kind, "shop:tienda/sync-order", which its circuit breaker passes over.
 */
export function laneOf({ kind, storeId, budget, account }: WorkRequest): string {
  if (kind === 'sweep') return 'sweep';
  if (budget === null && waitsForShop.has(kind))
    return `shop:${storeBehind(storeId)}/${kind}${isShadowStore(storeId) ? '/sombra' : ''}`;
  if (budget === null) return `store:${storeId}`;
  const { id, ambiente } = account ?? { id: '-', ambiente: 0 };
  const urgency = kind === 'submit-document' ? 'emission' : 'question';
  const own = kind === 'verify-document' ? '/xml' : '';
  return `${urgency}/${id}/${ambiente}/${storeId}/${budget}${own}`;
}

/**
 * How the lanes begin that a pause shuts: emissions of the account in one ambiente, or everything the account
 * asks of the service (`ambiente` null).
 */
export function shutBy({ account, ambiente }: { account: string; ambiente: 1 | 2 | null }): {
  emissions: string;
  questions: string | null;
} {
  if (ambiente === null) return { emissions: `emission/${account}/`, questions: `question/${account}/` };
  return { emissions: `emission/${account}/${ambiente}/`, questions: null };
}
