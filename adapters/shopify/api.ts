import type { Shop, ShopContext } from '../../src/domain/platform.ts';
import { openCatalog } from './catalog.ts';
import { openClient } from './client.ts';
import { fetchOrder } from './fetch.ts';
import { readIdentity } from './identity.ts';
import { changedOrders, listOrders } from './lists.ts';
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
