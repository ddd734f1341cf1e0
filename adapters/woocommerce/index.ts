import { definePlatform, type Shop, type ShopContext } from '../../src/domain/platform.ts';
import { accessTo } from './access.ts';
import { openApi } from './api.ts';
import { openCatalog } from './catalog.ts';
import { changedOrders } from './changed.ts';
import { connectedPage } from './connect/connected.ts';
import { connectForm, connectStart } from './connect/form.ts';
import { keysDoor } from './connect/keys.ts';
import { fetchOrder } from './fetch.ts';
import { readIdentity, standsAt } from './identity.ts';
import { install, tend } from './install/install.ts';
import { uninstall } from './install/uninstall.ts';
import { listOrders, newRefunds } from './lists.ts';
import { readOrder } from './order.ts';
import { bodyLimit, receive } from './receive.ts';
import { readRefunds } from './refund.ts';
import { type Connection, connectionSchema } from './settings.ts';
import { writeBack } from './write-back.ts';

/** WooCommerce, API wc/v3 (measured on WooCommerce 11.0.1). Every store is its own webhook door. */
export const woocommerce = definePlatform<Connection>({
  name: 'woocommerce',
  title: 'WooCommerce',
  bodyLimit,
  connection: connectionSchema,
  app: null,
  shopOf: (connection) => connection.url,
  appOf: () => null,
  receive: (delivery, door, context) => receive(delivery, door.connection, context?.credentials),
  readOrder,
  readRefunds,
  openShop: ({ connection }, context) => openShop(connection, context),
  standsAt,
  pages: [connectForm, connectStart, keysDoor, connectedPage],
  install,
  uninstall,
  tend,
  // An order of wc/v3 names neither; the API has to be asked for the products.
  cannotTell: ({ productDetails }) => (productDetails ? [] : ['tag', 'collection']),
  demoConnection: () =>
    connectionSchema.parse({ url: 'https://tienda.example.ec', webhookSecrets: ['secreto-de-demostracion'] }),
});

function openShop(connection: Connection, context: ShopContext): Shop | null {
  const { url, apiAccess } = connection;
  if (!apiAccess) return null;
  const api = openApi(connection, () => accessTo(connection, context), context);
  return {
    identity: () => readIdentity(api),
    async fetchOrder(orderId) {
      return /^[1-9]\d*$/.test(orderId) ? fetchOrder(api, connection, orderId) : null;
    },
    writeBack: (orderId, documents, mayWrite, orderKey) =>
      inTurn(`${url} ${orderId}`, () => writeBack(api, orderId, documents, mayWrite, orderKey)),
    changedOrders: (asked) => changedOrders(api, asked),
    newRefunds: (asked) => newRefunds(api, asked),
    listOrders: (ids) => listOrders(api, ids),
    catalog: openCatalog(api, connection),
    async close() {},
  };
}

/** The last task of each key; module-wide, because two openings of one shop must wait for each other too. */
const tails = new Map<string, Promise<void>>();

/**
 * Runs tasks of one key one after the other. WooCommerce makes a new row of meta data per parallel PUT
 * (measured on WooCommerce 11.0.1) and takes the same note twice, so writes to one order must queue. In all processes
 * whoever calls sees to that (src/jobs/order-turn.ts); in one process this keeps apart also a run that slept through
 * its turn and the one that took it.
 */
async function inTurn(key: string, task: () => Promise<void>): Promise<void> {
  const before = tails.get(key) ?? Promise.resolve();
  const mine = before.then(task, task);
  tails.set(key, mine);
  try {
    await mine;
  } finally {
    if (tails.get(key) === mine) tails.delete(key);
  }
}
