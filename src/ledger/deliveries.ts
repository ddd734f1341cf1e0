import type { Access } from './access.ts';
import { type Insert, insertMany } from './insert-many.ts';
import type { Deliveries, NewDelivery, StoredDelivery } from './shop-tables.ts';

/** How many are deleted at once: SQLite answers nobody else meanwhile. */
const pruneAtOnce = 500;

export function deliveryTable(access: Access): Deliveries {
  return {
    async ofOrder({ platform, shop, orderId }, limit) {
      const rows = await access
        .db()
        .selectFrom('deliveries')
        .select(columns)
        .where('platform', '=', platform)
        .where('shop', '=', shop)
        .where('order_id', '=', orderId)
        .orderBy('received_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(readDelivery);
    },

    async find({ connection, dedupeKey }) {
      const row = await access
        .db()
        .selectFrom('deliveries')
        .select(columns)
        .where('connection', '=', connection)
        .where('dedupe_key', '=', dedupeKey)
        .executeTakeFirst();
      return row && readDelivery(row);
    },

    async ofTopics(topics, limit) {
      const rows = await access
        .db()
        .selectFrom('deliveries')
        .select([...columns, 'platform', 'shop'])
        .where('topic', 'in', [...topics])
        .orderBy('received_at', 'desc')
        .limit(limit)
        .execute();
      return rows.map((row) => ({ ...readDelivery(row), platform: row.platform, shop: row.shop }));
    },

    async replaceBody(id, body) {
      await access.db().updateTable('deliveries').set({ body }).where('id', '=', id).execute();
    },

    async forgetOrder({ platform, shop, orderId }) {
      const result = await access
        .db()
        .updateTable('deliveries')
        .set({ body: new Uint8Array() })
        .where('platform', '=', platform)
        .where('shop', '=', shop)
        .where('order_id', '=', orderId)
        .executeTakeFirst();
      return Number(result.numUpdatedRows);
    },

    async forgetShop({ platform, shop }) {
      const result = await access
        .db()
        .updateTable('deliveries')
        .set({ body: new Uint8Array() })
        .where('platform', '=', platform)
        .where('shop', '=', shop)
        .executeTakeFirst();
      return Number(result.numUpdatedRows);
    },

    async prune(before) {
      let total = 0;
      for (;;) {
        const old = access
          .db()
          .selectFrom('deliveries')
          .select('id')
          .where('received_at', '<', before.toISOString())
          .orderBy('received_at')
          .limit(pruneAtOnce);
        const result = await access.db().deleteFrom('deliveries').where('id', 'in', old).executeTakeFirst();
        total += Number(result.numDeletedRows);
        if (result.numDeletedRows < pruneAtOnce) return total;
        // Lets the doors answer between two bites.
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

const columns = ['id', 'topic', 'body', 'received_at'] as const;

function readDelivery(row: {
  id: string | number;
  topic: string;
  body: Uint8Array;
  received_at: string;
}): StoredDelivery {
  return { id: String(row.id), topic: row.topic, body: row.body, receivedAt: row.received_at };
}

const key = ['connection', 'dedupe_key'] as const;
const others = ['topic', 'platform', 'shop', 'order_id', 'body', 'received_at'] as const;
export const deliveryColumns = [...key, ...others] as const;

/** What makes a delivery the same as another, as one text. */
export const deliveryName = (connection: string, dedupeKey: string): string => `${connection}\n${dedupeKey}`;

/** What is known already stays as it was. */
export const newToUs = (insert: Insert<'deliveries'>): Insert<'deliveries'> =>
  insert.onConflict((known) => known.columns(key).doNothing());

const insert = insertMany('deliveries', key, others, newToUs);

/** In the order of `deliveryColumns`. */
export const deliveryRow = (it: NewDelivery): unknown[] => [
  it.connection,
  it.dedupeKey,
  it.topic,
  it.platform,
  it.shop,
  it.orderId,
  it.body,
  it.receivedAt.toISOString(),
];

/** Stores what is new; says of each whether it was. No two may have the same connection and dedupeKey. */
export function storeDeliveries(access: Access, deliveries: readonly NewDelivery[]): Promise<boolean[]> {
  return insert(access, deliveries.map(deliveryRow));
}
