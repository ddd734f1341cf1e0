import { toGraphqlOrder } from './graphql-order.ts';
import type { Bag } from './graphql-types.ts';
import type { ShopStore, StoredOrder } from './store.ts';

interface ListArguments {
  first: number;
  after?: string | null;
  query: string;
  sortKey: string;
}

/** `orders(…)` by their last change, and `nodes(ids: …)`. Cursors name the row they stand behind, as Shopify's do. */
export function orderLists(store: ShopStore, withheld: ReadonlySet<string>): Bag {
  const shown = (order: StoredOrder) => ({ __typename: 'Order', ...toGraphqlOrder(order, withheld) });
  return {
    orders({ first, after, query, sortKey }: ListArguments) {
      if (sortKey !== 'UPDATED_AT') throw new Error(`The emulator sorts by UPDATED_AT, not ${sortKey}.`);
      const since = sinceOf(query);
      const rows = [...store.orders()]
        .filter((order) => Date.parse(order.updatedAt) >= since)
        .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
        .filter((order) => !after || placeOf(order) > after);
      const page = rows.slice(0, first);
      const last = page.at(-1);
      return {
        nodes: page.map(shown),
        pageInfo: { hasNextPage: rows.length > page.length, endCursor: last ? placeOf(last) : null },
      };
    },

    nodes: ({ ids }: { ids: string[] }) =>
      ids.map((id) => {
        const order = store.order(/^gid:\/\/shopify\/Order\/(\d+)$/.exec(id)?.[1] ?? '');
        return order ? shown(order) : null;
      }),
  };
}

/** The one search this shop understands: `updated_at:>='2026-11-20T10:00:00Z'`. */
function sinceOf(query: string): number {
  const since = Date.parse(/^updated_at:>='([^']+)'$/.exec(query.trim())?.[1] ?? '');
  if (Number.isNaN(since)) throw new Error(`The emulator cannot search for ${query}.`);
  return since;
}

const placeOf = ({ updatedAt, id }: StoredOrder): string =>
  `${new Date(updatedAt).toISOString()} ${id.padStart(20, '0')}`;
