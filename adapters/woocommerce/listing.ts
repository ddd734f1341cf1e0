import { z } from 'zod';
import type { Asked, ChangesPage, ListedOrder, ListedRefund, ListPage } from '../../src/domain/listing.ts';
import { word } from '../../src/domain/text.ts';
import type { Api, OrderList } from './api.ts';
import { isLastPage, pageSize } from './client.ts';
import { unexpected } from './errors.ts';

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
