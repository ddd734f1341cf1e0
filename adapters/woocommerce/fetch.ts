import { z } from 'zod';
import { PayloadError } from '../../src/domain/errors.ts';
import type { Asked, ChangesPage, ListedOrder, ListedRefund, ListPage } from '../../src/domain/listing.ts';
import { hasCents, type Order } from '../../src/domain/order.ts';
import { word } from '../../src/domain/text.ts';
import type { Api, OrderAnswer, OrderList, RefundAnswer } from './api.ts';
import { type ProductDetails, productIds, readProducts } from './catalog.ts';
import { isLastPage, pageSize } from './client.ts';
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

/** Seconds since 1970. Page numbers would skip orders, because a changed order moves to the end of the list. */
const position = z.union([
  z.object({ from: z.int(), seen: z.array(word) }),
  z.object({ only: z.int(), page: z.int().nullable() }),
]);
type Position = z.output<typeof position>;

/** Common servers refuse URLs of more than 8 KB; over plain http the client writes each id twice. */
const mostSeen = 300;

export async function changedOrders(api: Api, { since, cursor }: Asked): Promise<ChangesPage> {
  const at: Position =
    cursor === null
      ? { from: Math.max(Math.floor(since.getTime() / 1000), 1), seen: [] }
      : position.parse(JSON.parse(cursor));
  const { list, next } =
    'only' in at ? await withinSecond(api, at.only, at.page) : await fromSecond(api, at.from, at.seen);
  return { rows: list.rows, next: next && JSON.stringify(next), asOf: list.date };
}

interface Part {
  list: OrderList;
  next: Position | null;
}

/** Rows of one second have no defined order (WooCommerce's source), so the last second of a page may be incomplete. */
async function fromSecond(api: Api, from: number, seen: readonly string[]): Promise<Part> {
  const exclude = seen.length > 0 ? `&exclude=${seen.join(',')}` : '';
  const list = await api.orders(`${after(from)}&orderby=modified&order=asc&per_page=${pageSize}${exclude}`);
  const { rows } = list;
  if (isLastPage(list, 1)) return { list, next: null };
  const last = Math.max(...rows.map(secondOf));
  const fresh = rows.filter(({ id }) => !seen.includes(id));
  if (fresh.length === 0 || last < from)
    throw unexpected(
      { method: 'get', path: 'orders' },
      'una lista que no continúa ni termina (¿algo quita modified_after o exclude?)',
    );
  const ofLast = fresh.filter((row) => secondOf(row) === last).map(({ id }) => id);
  const known = last === from ? [...seen, ...ofLast] : ofLast;
  return { list, next: known.length > mostSeen ? { only: last, page: null } : { from: last, seen: known } };
}

async function withinSecond(api: Api, only: number, page: number | null): Promise<Part> {
  const query = `${after(only)}&modified_before=${naive(only + 1)}&orderby=id&order=asc&per_page=${pageSize}`;
  const list = await api.orders(`${query}&page=${page ?? 1}`);
  const before = page === null ? list.pages : page - 1;
  if (before === null)
    throw unexpected({ method: 'get', path: 'orders' }, 'falta la cabecera X-WP-TotalPages');
  return { list, next: before < 1 ? { from: only + 1, seen: [] } : { only, page: before } };
}

/** Strictly later. With a Z or milliseconds a shop west of Greenwich loses hours of orders (WooCommerce 11.0.1). */
const after = (second: number): string => `modified_after=${naive(second - 1)}&dates_are_gmt=true`;
const naive = (second: number): string => new Date(second * 1000).toISOString().slice(0, 19);
const secondOf = ({ updatedAt }: ListedOrder): number => Date.parse(updatedAt) / 1000;

/** The list omits the trash (measured on WooCommerce 11.0.1). */
export async function listOrders(api: Api, ids: readonly string[], query: string): Promise<ListedOrder[]> {
  if (ids.length === 0) return [];
  return (await api.orders(`include=${ids.join(',')}&per_page=${pageSize}&${query}`)).rows;
}

/** From the newest page back: a refund made meanwhile moves rows to the next page. */
export async function newRefunds(api: Api, { since, cursor }: Asked): Promise<ListPage<ListedRefund>> {
  const number = cursor === null ? 1 : Number(cursor);
  const page = await api.shopRefunds(number);
  if (page === null) return { rows: [], next: null };
  const wanted = page.rows.filter((row) => Date.parse(row.date_created_gmt) >= since.getTime());
  const isLast = isLastPage(page, number) || wanted.length < page.rows.length;
  return {
    rows: wanted.map(({ id, parent_id }) => ({ id, orderId: parent_id })),
    next: isLast ? null : String(number + 1),
  };
}
