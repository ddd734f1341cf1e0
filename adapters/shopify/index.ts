import { definePlatform, type PlatformPage, type Shop, type ShopContext } from '../../src/domain/platform.ts';
import { openCatalog } from './catalog.ts';
import { readAppScopes, readIdentity } from './client.ts';
import { authPath, begin, callback, callbackPath } from './connect.ts';
import { openShopClient, readInstall } from './credentials.ts';
import { changedOrders, fetchOrder, listOrders } from './fetch.ts';
import { install, installFiles, maintain, refreshPending, uninstall } from './install.ts';
import { readOrder } from './order.ts';
import { buyerRequests, onEvent, receive } from './receive.ts';
import { readRefunds } from './refund.ts';
import { App, allOrdersScope, Connection, shownDays } from './settings.ts';
import { defineMetafields, writeBack } from './write-back.ts';

const pages: readonly PlatformPage[] = [
  { method: 'GET', path: authPath, answer: begin },
  { method: 'GET', path: callbackPath, answer: callback },
];

/** Shopify, through webhooks of an app and the Admin GraphQL API. */
export const shopify = definePlatform<Connection, App>({
  name: 'shopify',
  title: 'Shopify',
  // Orders with hundreds of lines exceed Express' default of 100 kB; a 413 is retried, then lost.
  bodyLimit: 2 * 1024 * 1024,
  connection: Connection,
  app: App,
  shopOf: (connection) => connection.shop,
  appOf: (connection) => connection.app,
  receive: (delivery, endpoint) => receive(delivery, endpoint.app),
  hasAccess: async (shop, app, credentials) => (await readInstall(credentials, shop, app.clientId)) !== null,
  buyerRequests,
  onEvent,
  deletionTopics: ['orders/delete'],
  readOrder,
  readRefunds,
  openShop: ({ connection, app }, context) => (app === null ? null : openShop(connection, app, context)),
  // Rates have no ids and products no tax classes; tags and collections come with `productDetails` only.
  unstatedFacts: ({ productDetails }) =>
    productDetails ? ['rateId', 'taxClass'] : ['rateId', 'taxClass', 'tag', 'collection'],
  pages,
  install,
  installFiles,
  uninstall,
  maintain,
  refreshPending,
  demoConnection: () => Connection.parse({ app: 'demo', shop: 'demo-ec.myshopify.com' }),
});

export type { App, Connection } from './settings.ts';

/** Opens the Admin API of a shop; loads and calls nothing before the first method is used. */
export function openShop(connection: Connection, app: App, context: ShopContext): Shop {
  const client = openShopClient(app, connection, context);
  let defined: Promise<void> | undefined;
  return {
    identity: () => readIdentity(client),
    fetchOrder: (orderId) => fetchOrder(client, connection, orderId),
    async writeBack(orderId, documents, guards) {
      if (documents.length === 0) return;
      // Once per process; without definitions the merchant does not see the metafields.
      defined ??= defineMetafields(client, connection.customerAccess, context.log);
      try {
        await defined;
      } catch (error) {
        defined = undefined;
        throw error;
      }
      await writeBack(client, orderId, documents, guards);
    },
    changedOrders: (asked) => changedOrders(client, asked),
    // A refund changes its order's updatedAt.
    newRefunds: async () => ({ rows: [], next: null }),
    listOrders: (ids) => listOrders(client, ids),
    async hidesAfter() {
      const granted = await readAppScopes(client);
      return granted.includes(allOrdersScope) ? null : { days: shownDays, permission: allOrdersScope };
    },
    catalog: openCatalog(client, connection),
    async close() {},
  };
}
