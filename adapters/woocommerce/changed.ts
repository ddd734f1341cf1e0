import { z } from 'zod';
import type { Asked, ChangesPage, ListedOrder } from '../../src/domain/listing.ts';
import { word } from '../../src/domain/text.ts';
import { unexpected } from './answers.ts';
import type { Api, OrderList } from './api.ts';
import { pageSize } from './pages.ts';

/**
 * Where a listing goes on, times in seconds since 1970. Page numbers would skip orders: what changes moves to the end
 * of the list, and all behind it one place forward. So each page starts at the second of the last change seen, less
 * the orders of that second that were seen. Where those are too many for an address, that one second is read by page
 * numbers, from the last page to the first: what leaves it moves orders only to pages still to come.
 */
const place = z.union([
  z.object({ from: z.int(), seen: z.array(word) }),
  z.object({ only: z.int(), page: z.int().nullable() }),
]);
type Place = z.output<typeof place>;

/** Addresses of more than 8 KB are refused by common servers; over plain http the client writes each id twice. */
const mostSeen = 300;

/** One page of the orders that changed at or after `since`, the oldest change first. Throws ShopError. */
export async function changedOrders(api: Api, { since, cursor }: Asked): Promise<ChangesPage> {
  const at: Place =
    cursor === null
      ? { from: Math.max(Math.floor(since.getTime() / 1000), 1), seen: [] }
      : place.parse(JSON.parse(cursor));
  const { list, next } =
    'only' in at ? await oneSecond(api, at.only, at.page) : await fromOn(api, at.from, at.seen);
  return { rows: list.rows, next: next && JSON.stringify(next), asOf: list.date };
}

interface Part {
  list: OrderList;
  next: Place | null;
}

/** Rows of one second come in no certain order (WooCommerce's source), so the last second is never taken as whole. */
async function fromOn(api: Api, from: number, seen: readonly string[]): Promise<Part> {
  const exclude = seen.length > 0 ? `&exclude=${seen.join(',')}` : '';
  const query = `${after(from)}&orderby=modified&order=asc&per_page=${pageSize}${exclude}`;
  const list = await api.orders(query);
  const { rows, pages } = list;
  if (pages === null ? rows.length < pageSize : pages <= 1) return { list, next: null };
  const last = Math.max(...rows.map(secondOf));
  const fresh = rows.filter(({ id }) => !seen.includes(id));
  if (fresh.length === 0 || last < from) throw unexpected({ method: 'get', path: 'orders' }, unsorted);
  const ofLast = fresh.filter((row) => secondOf(row) === last).map(({ id }) => id);
  const known = last === from ? [...seen, ...ofLast] : ofLast;
  return { list, next: known.length > mostSeen ? { only: last, page: null } : { from: last, seen: known } };
}

const unsorted =
  'a list that neither goes on nor ends (are modified_after and exclude taken away on the way?)';

async function oneSecond(api: Api, only: number, page: number | null): Promise<Part> {
  const query = `${after(only)}&modified_before=${naive(only + 1)}&orderby=id&order=asc&per_page=${pageSize}`;
  const list = await api.orders(`${query}&page=${page ?? 1}`);
  const before = page === null ? list.pages : page - 1;
  if (before === null) throw unexpected({ method: 'get', path: 'orders' }, 'no header X-WP-TotalPages');
  return { list, next: before < 1 ? { from: only + 1, seen: [] } : { only, page: before } };
}

/**
 * `modified_after` means strictly later, to the second; naive UTC with `dates_are_gmt` is its only exact form
 * (measured on WooCommerce 11.0.1): with a Z or milliseconds a shop west of Greenwich loses hours of orders.
 */
const after = (second: number): string => `modified_after=${naive(second - 1)}&dates_are_gmt=true`;
const naive = (second: number): string => new Date(second * 1000).toISOString().slice(0, 19);
const secondOf = ({ updatedAt }: ListedOrder): number => Date.parse(updatedAt) / 1000;
