import { PayloadError } from '../core/errors.ts';
import { readJson } from '../core/json.ts';
import type { Order } from '../core/order.ts';
import type { Store } from '../core/settings.ts';
import type { OrderKey } from '../ledger/shop-tables.ts';
import type { StepDeps } from './deps.ts';

/** More bodies than one order ever has in flight; older ones can only be older states. */
const recentDeliveries = 50;

/**
 * The newest state among the signed bodies that came about an order: by the order's own modification time,
 * since deliveries are reordered; among equals the one that came last. Bodies that hold no order are passed over, and
 * those that are no longer kept, or were forgotten for their buyer, do not make the order go away: then it is as it was
 * last read.
 */
export async function newestDelivered(deps: StepDeps, store: Store, key: OrderKey): Promise<Order | null> {
  let newest: Order | null = null;
  for (const delivery of await deps.ledger.deliveries.ofOrder(key, recentDeliveries)) {
    const order = readDelivered(store, delivery.body);
    if (order && (newest === null || order.updatedAt > newest.updatedAt)) newest = order;
  }
  const last = (await deps.ledger.orders.get(key))?.snapshot as Order | undefined;
  return last && (newest === null || last.updatedAt > newest.updatedAt) ? last : newest;
}

function readDelivered(store: Store, body: Uint8Array): Order | null {
  try {
    return store.platform.readOrder(readJson(new TextDecoder().decode(body)), store.connection);
  } catch (error) {
    if (error instanceof PayloadError || error instanceof SyntaxError) return null;
    throw error;
  }
}
