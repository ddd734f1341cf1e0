import { randomUUID } from 'node:crypto';
import { definePlatform, type Shop, type ShopContext } from '../../src/domain/platform.ts';
import { openApi } from './api.ts';
import { openCatalog } from './catalog.ts';
import { orderLimit, standsAt } from './client.ts';
import { connectedPage, connectForm, connectStart, keysEndpoint } from './connect.ts';
import { findKeys, requireKeys } from './credentials.ts';
import { changedOrders, fetchOrder, listOrders, newRefunds } from './fetch.ts';
import { install, maintain, uninstall } from './install.ts';
import { readOrder } from './order.ts';
import { receive } from './receive.ts';
import { readRefunds } from './refund.ts';
import { type Connection, connectionSchema } from './settings.ts';
import { writeBack } from './write-back.ts';

/** WooCommerce, API wc/v3 (measured on WooCommerce 11.0.1). Every store is its own webhook endpoint. */
export const woocommerce = definePlatform<Connection>({
  name: 'woocommerce',
  title: 'WooCommerce',
  bodyLimit: orderLimit,
  connection: connectionSchema,
  app: null,
  shopOf: (connection) => connection.url,
  appOf: () => null,
  receive: (delivery, endpoint, context) => receive(delivery, endpoint.connection, context?.credentials),
  deletionTopics: ['order.deleted', 'action.woocommerce_delete_order', 'action.woocommerce_trash_order'],
  readOrder,
  readRefunds,
  openShop: ({ connection }, context) => openShop(connection, context),
  standsAt,
  pages: [connectForm, connectStart, keysEndpoint, connectedPage],
  install,
  uninstall,
  maintain,
  unstatedFacts: ({ productDetails }) => (productDetails ? [] : ['tag', 'collection']),
  demoConnection: () =>
    connectionSchema.parse({ url: 'https://tienda.example.ec', webhookSecrets: ['secreto-de-demostracion'] }),
});

function openShop(connection: Connection, context: ShopContext): Shop | null {
  const { url, apiAccess } = connection;
  if (!apiAccess) return null;
  const api = openApi(connection, () => requireKeys(connection, context), context);
  // Also while the store is uninstalled: a copy of its shop may not be installed (src/app/installing.ts).
  const asking = openApi(
    connection,
    async () => (await findKeys(connection, context)) ?? requireKeys(connection, context),
    context,
  );
  return {
    identity: () => asking.identity(),
    async fetchOrder(orderId, pastCaches = false) {
      if (!/^[1-9]\d*$/.test(orderId)) return null;
      return fetchOrder(api, connection, orderId, ...(pastCaches ? [uncached()] : []));
    },
    writeBack: (orderId, documents, guards) =>
      oneAtATime(`${url} ${orderId}`, () => writeBack(api, orderId, documents, guards)),
    changedOrders: (asked) => changedOrders(api, asked),
    newRefunds: (asked) => newRefunds(api, asked),
    listOrders: (ids) => listOrders(api, ids, uncached()),
    catalog: openCatalog(api, connection),
    async close() {},
  };
}

/** Caches of hosts and plugins keep answers by their address; WordPress ignores this parameter. */
const uncached = (): string => `_=${randomUUID()}`;

const tails = new Map<string, Promise<void>>();

/** Parallel PUTs each make a new row of meta data, and notes come twice (measured on WooCommerce 11.0.1). */
async function oneAtATime(key: string, task: () => Promise<void>): Promise<void> {
  const before = tails.get(key) ?? Promise.resolve();
  const mine = before.then(task, task);
  tails.set(key, mine);
  try {
    await mine;
  } finally {
    if (tails.get(key) === mine) tails.delete(key);
  }
}
