import { z } from 'zod';
import { PayloadError } from '../../src/domain/errors.ts';
import type { Order } from '../../src/domain/order.ts';
import { mixedUp, unexpected } from './answers.ts';
import type { Api, OrderAnswer, RefundAnswer } from './api.ts';
import { readOrder } from './order.ts';
import { namedRefunds } from './payload.ts';
import { type ProductDetails, productIds, readProducts } from './products.ts';
import { readRefunds } from './refund.ts';
import type { Connection } from './settings.ts';

/**
 * The order as the shop has it now, with every refund in full; null when it does not exist. Of an order's refunds
 * the list `orders/{id}/refunds` is the truth. Throws ShopError.
 */
export async function fetchOrder(api: Api, connection: Connection, orderId: string): Promise<Order | null> {
  const found = await withRefunds(api, orderId);
  if (found === null) return null;
  const products = connection.productDetails ? await detailsOf(api, found.order) : undefined;
  const refunds = read(`orders/${orderId}/refunds`, () => readRefunds(found.refunds, found.order));
  return read(`orders/${orderId}`, () =>
    readOrder(found.order, connection, { refunds, ...(products && { products }) }),
  );
}

/**
 * Most orders have no refund and cost one call. A refund that is gone from the list was deleted meanwhile, and
 * perhaps the order with it: the list of a deleted order is empty, not missing (WooCommerce's source, not measured),
 * and would make a refunded order look paid. So the order is asked for again. A list that is not the order's then
 * either is another order's (a cache, a proxy), and nothing of it is believed.
 */
async function withRefunds(
  api: Api,
  orderId: string,
): Promise<{ order: OrderAnswer; refunds: RefundAnswer[] } | null> {
  const order = await api.order(orderId);
  if (order === null) return null;
  const named = refundIds(order);
  if (named.length === 0) return { order, refunds: [] };
  const refunds = await api.refunds(orderId);
  if (refunds === null) return null;
  if (isSame(named, refunds)) return { order, refunds };
  const again = await api.order(orderId);
  if (again !== null && !isSame(refundIds(again), refunds))
    throw mixedUp(
      { method: 'get', path: `orders/${orderId}/refunds` },
      'its refunds are not those the order names',
    );
  return again && { order: again, refunds };
}

/** Both sides: what the order names, and what is listed. */
const isSame = (named: readonly string[], listed: readonly RefundAnswer[]): boolean =>
  named.length === listed.length && listed.every(({ id }) => named.includes(id));

const naming = z.object({ refunds: namedRefunds });

/** The refunds an order names; of what is not readable none, which is refused when the order is read. */
export function refundIds(order: OrderAnswer): string[] {
  return naming.safeParse(order).data?.refunds ?? [];
}

async function detailsOf(api: Api, order: OrderAnswer): Promise<ProductDetails> {
  const pages = await Promise.all(productIds(order).map((ids) => api.products(ids)));
  return readProducts(pages.flat());
}

/** What the shop answered is not what wc/v3 answers. */
function read<T>(path: string, reader: () => T): T {
  try {
    return reader();
  } catch (error) {
    if (!(error instanceof PayloadError)) throw error;
    if (error.code === 'refund-of-another-order')
      throw mixedUp({ method: 'get', path }, error.message, error);
    throw unexpected({ method: 'get', path }, error.message, { merchant: error.merchant, cause: error });
  }
}
