import type { Order } from '../../src/core/order.ts';
import type { Shop, ShopContext } from '../../src/core/platform.ts';
import { type AnswerLine, type AnswerOrder, LinesAnswer, OrderAnswer } from './answer.ts';
import { orderChanged } from './changed.ts';
import { type Client, openClient } from './client.ts';
import { fromGraphql } from './from-graphql.ts';
import { linesQuery, orderQuery } from './graphql.ts';
import { globalId } from './ids.ts';
import { changedOrders, listOrders } from './lists.ts';
import { defineMetafields } from './metafield-definitions.ts';
import { buildOrder } from './order.ts';
import { fetchRefunds } from './refunds/fetch.ts';
import type { App, Connection } from './settings.ts';
import { writeBack } from './write-back.ts';

/** Opens a shop's Admin API; nothing is loaded or called before the first method is. */
export function openShop(connection: Connection, app: App, context: ShopContext): Shop {
  const client = openClient(app, connection, context);
  let defined: Promise<void> | undefined;
  return {
    fetchOrder: (orderId) => fetchOrder(client, connection, orderId),
    async writeBack(orderId, documents) {
      if (documents.length === 0) return;
      // Once per process: without definitions the merchant cannot see what was written.
      defined ??= defineMetafields(client, connection.customerAccess, context.log);
      try {
        await defined;
      } catch (error) {
        defined = undefined;
        throw error;
      }
      await writeBack(client, orderId, documents);
    },
    changedOrders: (asked) => changedOrders(client, asked),
    // Every refund moves its order's updatedAt.
    newRefunds: async () => ({ rows: [], next: null }),
    listOrders: (ids) => listOrders(client, ids),
    async close() {},
  };
}

async function fetchOrder(client: Client, connection: Connection, orderId: string): Promise<Order | null> {
  if (!/^\d+$/.test(orderId)) return null;
  const id = globalId(orderId);
  const doing = `reading order ${orderId}`;
  const { order } = await client.query(
    orderQuery,
    { id, idKeys: metafieldKeys(connection), products: connection.productDetails },
    OrderAnswer,
    doing,
  );
  if (order === null) return null;
  const lines = await allLines(client, order, { id, products: connection.productDetails }, doing);
  const refunds = await fetchRefunds(client, order, doing);
  return buildOrder(fromGraphql(order, lines, refunds), connection);
}

async function allLines(
  client: Client,
  order: AnswerOrder,
  asked: { id: string; products: boolean },
  doing: string,
): Promise<AnswerLine[]> {
  const lines = [...order.lineItems.nodes];
  let { pageInfo } = order.lineItems;
  while (pageInfo.hasNextPage) {
    const page = await client.query(linesQuery, { ...asked, after: pageInfo.endCursor }, LinesAnswer, doing);
    if (page.order?.updatedAt !== order.updatedAt) throw orderChanged(doing);
    lines.push(...page.order.lineItems.nodes);
    pageInfo = page.order.lineItems.pageInfo;
  }
  return lines;
}

function metafieldKeys(connection: Connection): string[] {
  const keys = connection.idSources.flatMap((source) =>
    source.kind === 'customer-metafield' ? [`${source.namespace}.${source.key}`] : [],
  );
  // An empty list would mean "all of them"; a key nobody has means none.
  return keys.length > 0 ? keys : ['facturapuente.none'];
}
