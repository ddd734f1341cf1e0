import type { Asked, ListedOrder, ListedRefund, ListPage } from '../../src/domain/listing.ts';
import type { Api } from './api.ts';
import { pageSize } from './pages.ts';

/** What the shop has of these orders; the list leaves out the trash (measured on WooCommerce 11.0.1). */
export async function listOrders(api: Api, ids: readonly string[]): Promise<ListedOrder[]> {
  if (ids.length === 0) return [];
  return (await api.orders(`include=${ids.join(',')}&per_page=${pageSize}`)).rows;
}

/**
 * Refunds of the whole shop since an instant, page by page from the newest back. What is refunded meanwhile pushes
 * rows to the next page, where they come again; what is deleted meanwhile pulls one past us, and the list of changed
 * orders has it.
 */
export async function newRefunds(api: Api, { since, cursor }: Asked): Promise<ListPage<ListedRefund>> {
  const page = cursor === null ? 1 : Number(cursor);
  const answer = await api.shopRefunds(page);
  if (answer === null) return { rows: [], next: null };
  const { rows, pages } = answer;
  const wanted = rows.filter((row) => Date.parse(row.date_created_gmt) >= since.getTime());
  const isLast = pages === null ? rows.length < pageSize : page >= pages;
  return {
    rows: wanted.map(({ id, parent_id }) => ({ id, orderId: parent_id })),
    next: isLast || wanted.length < rows.length ? null : String(page + 1),
  };
}
