import { z } from 'zod';
import type { Asked, ChangesPage, ListedOrder } from '../../src/domain/listing.ts';
import type { Shop, ShopContext } from '../../src/domain/platform.ts';
import { word } from '../../src/domain/text.ts';
import { gid, instant as instantText, pageInfo } from './answer-values.ts';
import { openCatalog } from './catalog.ts';
import { type Client, openClient } from './client.ts';
import { fetchOrder } from './fetch.ts';
import { readIdentity } from './identity.ts';
import { globalId, numericId } from './ids.ts';
import { instant } from './instant.ts';
import { changedQuery, listedQuery, refundsListed } from './lists-query.ts';
import { defineMetafields } from './metafield-definitions.ts';
import type { App, Connection } from './settings.ts';
import { writeBack } from './write-back.ts';

/** Opens a shop's Admin API; nothing is loaded or called before the first method is. */
export function openShop(connection: Connection, app: App, context: ShopContext): Shop {
  const client = openClient(app, connection, context);
  let defined: Promise<void> | undefined;
  return {
    identity: () => readIdentity(client),
    fetchOrder: (orderId) => fetchOrder(client, connection, orderId),
    async writeBack(orderId, documents, mayWrite) {
      if (documents.length === 0) return;
      // Once per process: without definitions the merchant cannot see what was written.
      defined ??= defineMetafields(client, connection.customerAccess, context.log);
      try {
        await defined;
      } catch (error) {
        defined = undefined;
        throw error;
      }
      await writeBack(client, orderId, documents, mayWrite);
    },
    changedOrders: (asked) => changedOrders(client, asked),
    // Every refund moves its order's updatedAt.
    newRefunds: async () => ({ rows: [], next: null }),
    listOrders: (ids) => listOrders(client, ids),
    catalog: openCatalog(client, connection),
    async close() {},
  };
}

const Listed = z.object({ id: gid, updatedAt: instantText, refunds: z.array(z.object({ id: gid })) });
const ChangedAnswer = z.object({ orders: z.object({ nodes: z.array(Listed), pageInfo }) });
const ListedAnswer = z.object({ nodes: z.array(Listed.nullable()) });

/** A listing in steps of its own: Shopify hands out at most 25,000 orders of one list. */
const Place = z.object({ since: word, after: word.nullable(), read: z.int() });
const mostOfOneList = 20_000;

/**
 * One page of the orders updated at or after `since`, whatever their status: a refunded order is no longer "paid".
 * The list comes from a search index that lags (up to ten minutes are reported); who asks looks back further.
 */
async function changedOrders(client: Client, { since, cursor }: Asked): Promise<ChangesPage> {
  const place =
    cursor === null ? { since: since.toISOString(), after: null, read: 0 } : Place.parse(JSON.parse(cursor));
  const { data, date } = await client.dated(
    changedQuery,
    { query: `updated_at:>='${place.since}'`, after: place.after },
    ChangedAnswer,
    'listing changed orders',
  );
  const { nodes, pageInfo } = data.orders;
  const rows = nodes.map(toListed);
  const read = place.read + rows.length;
  const last = rows.at(-1)?.updatedAt ?? place.since;
  const anew = read >= mostOfOneList && last > place.since;
  const next = anew
    ? { since: last, after: null, read: 0 }
    : { since: place.since, after: pageInfo.endCursor, read };
  return { rows, next: pageInfo.hasNextPage ? JSON.stringify(next) : null, asOf: date };
}

/** What the shop shows of these orders; without read_all_orders none that is older than 60 days. */
async function listOrders(client: Client, ids: readonly string[]): Promise<ListedOrder[]> {
  if (ids.length === 0) return [];
  const answer = await client.query(listedQuery, { ids: ids.map(globalId) }, ListedAnswer, 'listing orders');
  return answer.nodes.flatMap((node) => (node === null ? [] : [toListed(node)]));
}

function toListed({ id, updatedAt, refunds }: z.output<typeof Listed>): ListedOrder {
  return {
    id: numericId(id),
    updatedAt: instant(updatedAt),
    refunds: refunds.length < refundsListed ? refunds.map((refund) => numericId(refund.id)) : null,
  };
}
