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

/** The list of a deleted order is empty and makes it look paid, so the order is read again when a refund is missing. */
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

/** A shop that shows prices without cents also rounds what its API answers, even of orders made before. */
const isExact = (order: OrderAnswer | null): boolean =>
  typeof order?.total !== 'string' || hasCents(order.total);

/** Amounts with two decimals, whatever the shop shows (class-wc-rest-orders-v2-controller.php). */
const twoDecimals = 'dp=2';

const isSame = (named: readonly string[], listed: readonly RefundAnswer[]): boolean =>
  named.length === listed.length && listed.every(({ id }) => named.includes(id));

const naming = z.object({ refunds: namedRefunds });

export function refundIds(order: OrderAnswer): string[] {
  return naming.safeParse(order).data?.refunds ?? [];
}

async function detailsOf(api: Api, order: OrderAnswer): Promise<ProductDetails> {
  const pages = await Promise.all(productIds(order).map((ids) => api.products(ids)));
  return readProducts(pages.flat());
}

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
