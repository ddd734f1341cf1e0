import { deletedStatus, type Order } from '../domain/order.ts';
import type { Tables } from '../ledger/ledger.ts';
import type { OrderKey } from '../ledger/shop-tables.ts';

/** Whether an order was taken note of as deleted. */
export const isGone = ({ status }: Pick<Order, 'status'>): boolean => status === deletedStatus;

/** Shopify shows an app without read_all_orders the orders of the last 60 days; older ones may well be there. */
const surelyShownMs = 55 * 24 * 60 * 60_000;

/**
 * What is left of an order the shop has no more: as it was last read, and cancelled, so that what has not left for
 * the service is dropped with its reason. Null when the ledger never read it, has taken note of it already, or the
 * order is too old to be sure: then it stays as it is, but one whose buyer was forgotten is planned as it was left, for
 * what was to leave of it must say that it waits for him.
 */
export async function goneOrder(
  { orders }: Pick<Tables, 'orders'>,
  key: OrderKey,
  now: Date,
): Promise<Order | null> {
  const last = (await orders.get(key))?.snapshot as Order | undefined;
  if (last === undefined || isGone(last)) return null;
  if (now.getTime() - Date.parse(last.placedAt) > surelyShownMs) return last.buyer.forgotten ? last : null;
  return { ...last, status: deletedStatus, settlement: 'cancelled' };
}
