import { definePlatform } from '../../src/domain/platform.ts';
import type { PlatformPage } from '../../src/domain/platform-page.ts';
import { openShop } from './api.ts';
import { authPath, begin, callbackPath } from './auth/begin.ts';
import { callback } from './auth/callback.ts';
import { buyerRequests, onEvent } from './events.ts';
import { install, installFiles } from './install/index.ts';
import { keepWaiting, tend } from './install/tend.ts';
import { uninstall } from './install/uninstall.ts';
import { readOrder } from './order.ts';
import { receive } from './receive.ts';
import { readRefunds } from './refund.ts';
import { App, Connection } from './settings.ts';
import { readInstall } from './tokens/record.ts';

/** The way in for merchants: the authorization code grant, outside of Shopify's admin. */
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
  receive: (delivery, door) => receive(delivery, door.app),
  hasAccess: async (shop, app, credentials) => (await readInstall(credentials, shop, app.clientId)) !== null,
  buyerRequests,
  onEvent,
  readOrder,
  readRefunds,
  openShop: ({ connection, app }, context) => (app === null ? null : openShop(connection, app, context)),
  // Rates have no ids and products no tax classes; tags and collections come with the API, if asked for.
  cannotTell: ({ productDetails }) =>
    productDetails ? ['rateId', 'taxClass'] : ['rateId', 'taxClass', 'tag', 'collection'],
  pages,
  install,
  installFiles,
  uninstall,
  tend,
  keepWaiting,
  demoConnection: () => Connection.parse({ app: 'demo', shop: 'demo-ec.myshopify.com' }),
});
