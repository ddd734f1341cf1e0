import { z } from 'zod';
import { PayloadError } from '../../src/domain/errors.ts';
import { hasCents, type Order } from '../../src/domain/order.ts';
import type { Api, OrderAnswer, RefundAnswer } from './api.ts';
import { type ProductDetails, productIds, readProducts } from './catalog.ts';
import { mixedUp, unexpected } from './errors.ts';
import { readOrder } from './order.ts';
import { namedRefunds } from './payload.ts';
import { readRefunds } from './refund.ts';
import type { Connection } from './settings.ts';

/**
 * The order as the shop has it now, with its refunds from `orders/{id}/refunds`; null when it does not exist. Throws
 * ShopError.
 */
export async function fetchOrder(
  api: Api,
  connection: Connection,
  orderId: string,
  ...query: readonly string[]
): Promise<Order | null> {
  const found = await withRefunds(api, orderId, query);
  if (found === null) return null;
  const products = connection.productDetails ? await detailsOf(api, found.order) : undefined;
  const refunds = read(`orders/${orderId}/refunds`, () => readRefunds(found.refunds, found.order));
  return read(`orders/${orderId}`, () =>
    readOrder(found.order, connection, { refunds, ...(products && { products }) }),
  );
}

/**
 * An order without refunds costs one call. Where the list lacks a refund the order names, it was deleted meanwhile, and
 * perhaps the order with it: the list of a deleted order is empty, not missing (WooCommerce's source, not measured),
 * and would make a refunded order look paid. So the order is read again. If the two still disagree, a cache or proxy
 * answered with the list of another order.
 */
async function withRefunds(
  api: Api,
  orderId: string,
  asked: readonly string[],
): Promise<{ order: OrderAnswer; refunds: RefundAnswer[] } | null> {
  const shown = await api.order(orderId, ...asked);
  const query = isExact(shown) ? asked : [...asked, twoDecimals];
  const order = query === asked ? shown : await api.order(orderId, ...query);
  if (order === null) return null;
  const named = refundIds(order);
  if (named.length === 0) return { order, refunds: [] };
  const refunds = await api.refunds(orderId, ...query);
  if (refunds === null) return null;
  if (isSame(named, refunds)) return { order, refunds };
  const again = await api.order(orderId, ...query);
  if (again !== null && !isSame(refundIds(again), refunds))
    throw mixedUp(
      { method: 'get', path: `orders/${orderId}/refunds` },
      'sus reembolsos no son los que nombra el pedido',
    );
  return again && { order: again, refunds };
}

/** A shop that shows its prices without cents rounds what its API answers, too, also of orders made before. */
const isExact = (order: OrderAnswer | null): boolean =>
  typeof order?.total !== 'string' || hasCents(order.total);

/** Amounts with two decimals, whatever the shop shows (class-wc-rest-orders-v2-controller.php). */
const twoDecimals = 'dp=2';

const isSame = (named: readonly string[], listed: readonly RefundAnswer[]): boolean =>
  named.length === listed.length && listed.every(({ id }) => named.includes(id));

const naming = z.object({ refunds: namedRefunds });

/** The refunds an order names; none where they are unreadable, which reading the order refuses later. */
export function refundIds(order: OrderAnswer): string[] {
  return naming.safeParse(order).data?.refunds ?? [];
}

async function detailsOf(api: Api, order: OrderAnswer): Promise<ProductDetails> {
  const pages = await Promise.all(productIds(order).map((ids) => api.products(ids)));
  return readProducts(pages.flat());
}

/** Turns the PayloadError of an answer into a ShopError. */
function read<T>(path: string, reader: () => T): T {
  try {
    return reader();
  } catch (error) {
    if (!(error instanceof PayloadError)) throw error;
    if (error.code === 'refund-of-another-order')
      throw mixedUp({ method: 'get', path }, 'llegó un reembolso de otro pedido', error);
    throw unexpected({ method: 'get', path }, String(error.params.problem), error);
  }
}
