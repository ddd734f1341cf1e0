import { PayloadError } from '../domain/errors.ts';
import { readJson } from '../domain/json.ts';
import type { Order } from '../domain/order.ts';
import { fingerprintOf, isSameOrder, paidTotalOf } from '../domain/order-fingerprint.ts';
import { addressOf, type Store } from '../domain/settings.ts';
import { shopBehind } from '../domain/shadow.ts';
import type { OrderKey } from '../ledger/shop-tables.ts';
import type { StepDeps } from './deps.ts';

/** More bodies than one order ever has in flight; older ones can only be older states. */
const recentDeliveries = 50;

/**
 * The newest state among the signed bodies that came about an order: by the order's own modification time,
 * since deliveries are reordered; among equals the one that came last. Nothing is of later than when it came: a shop whose
 * clock ran ahead does not outdo what it says once that is put right. Bodies that hold no order are passed over, and
 * those that are no longer kept, or were forgotten for their buyer, do not make the order go away: then it is as it was
 * last read.
 */
export async function newestDelivered(deps: StepDeps, store: Store, key: OrderKey): Promise<Order | null> {
  let newest: Told | null = null;
  for (const { body, receivedAt } of await deps.ledger.deliveries.ofOrder(key, recentDeliveries)) {
    const order = readDelivered(store, body);
    const told = order && toldAt(order, receivedAt);
    if (told && (newest === null || told.at > newest.at)) newest = told;
  }
  const row = await deps.ledger.orders.get(key);
  const last = row && toldAt(row.snapshot as Order, row.syncedAt);
  return (last && (newest === null || last.at > newest.at) ? last : newest)?.order ?? null;
}

interface Told {
  order: Order;
  at: number;
}

const toldAt = (order: Order, cameAt: string): Told => ({
  order,
  at: Math.min(Date.parse(order.updatedAt), Date.parse(cameAt)),
});

/**
 * The order as the shop told of it when it was paid: of the signed bodies that are kept the first of that payment, where
 * the order was changed since. A shop whose clock ran ahead when it was paid tells an earlier time of the change.
 */
export async function firstPaid(
  { ledger }: Pick<StepDeps, 'ledger'>,
  store: Store,
  order: Order,
): Promise<Order | null> {
  const { platform, paidAt, updatedAt, id: orderId } = order;
  if (paidAt === null || Date.parse(updatedAt) === Date.parse(paidAt)) return null;
  const shop = shopBehind(order.shop);
  let first: Told | null = null;
  // Newest first, and deliveries are reordered: the order's own time decides, as far as it can be.
  for (const { body, receivedAt } of await ledger.deliveries.ofOrder(
    { platform, shop, orderId },
    recentDeliveries,
  )) {
    const told = readDelivered(store, body);
    if (!told || told.paidAt !== paidAt || paidTotalOf(told) === null) continue;
    if (!isSameOrder(fingerprintOf(told), fingerprintOf(order))) continue;
    const came = toldAt(told, receivedAt);
    if (first === null || came.at <= first.at) first = came;
  }
  return first?.order ?? null;
}

function readDelivered(store: Store, body: Uint8Array): Order | null {
  try {
    const order = store.platform.readOrder(readJson(new TextDecoder().decode(body)), store.connection);
    return order.shop === addressOf(store) ? { ...order, shop: store.shop } : order;
  } catch (error) {
    if (error instanceof PayloadError || error instanceof SyntaxError) return null;
    throw error;
  }
}
