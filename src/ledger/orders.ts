import { type Selectable, sql } from 'kysely';
import { isSameOrder, type Order } from '../domain/order.ts';
import { camelCased } from '../domain/text.ts';
import { type Access, insertMany } from './access.ts';
import type { OrderRecord, Schema } from './schema.ts';
import type {
  Deliveries,
  NewDelivery,
  OrderKey,
  OrderRow,
  Orders,
  Reading,
  StoredDelivery,
} from './shop-tables.ts';

function readOrder({ decided_at, parent_id, ...row }: OrderRecord): OrderRow {
  return {
    ...camelCased(row),
    snapshot: JSON.parse(row.snapshot),
    decision: row.decision === null ? null : JSON.parse(row.decision),
    fingerprint: row.fingerprint === null ? null : JSON.parse(row.fingerprint),
    paid: row.paid === null ? null : JSON.parse(row.paid),
  };
}

export function orderTable({ db }: Access): Orders {
  const find = ({ platform, shop, orderId }: OrderKey) =>
    db()
      .selectFrom('orders')
      .selectAll()
      .where((is) => is.and({ platform, shop, order_id: orderId }))
      .executeTakeFirst();
  const get: Orders['get'] = async (order) => {
    const row = await find(order);
    return row && readOrder(row);
  };
  return {
    get,

    async ofDocument(document) {
      const row = await get(document);
      if (!row?.fingerprint || !document.fingerprint) return row;
      return isSameOrder(document.fingerprint, row.fingerprint) ? row : undefined;
    },

    async save(reading, isLater) {
      const { platform, shop, orderId, storeId, name, snapshot, sourceUpdatedAt, readAt } = reading;
      const { fingerprint, paid, since = -1 } = reading;
      const current = {
        store_id: storeId,
        name,
        snapshot: JSON.stringify(snapshot),
        // Platforms write offsets in several forms; this one sorts by time.
        source_updated_at: new Date(sourceUpdatedAt).toISOString(),
        synced_at: readAt.toISOString(),
        older_since: null,
        parent_id: (snapshot as Partial<Order>).parentId ?? null,
        ...(fingerprint && { fingerprint: JSON.stringify(fingerprint) }),
        ...(paid && { paid: JSON.stringify(paid) }),
      };
      const next = { ...current, readings: sql<number>`orders.readings + 1` };
      // PostgreSQL locks the conflicting row even where it does not change it: no other process saves it until COMMIT.
      const alone = await db()
        .insertInto('orders')
        .values({ platform, shop, order_id: orderId, readings: 1, ...current })
        .onConflict((known) =>
          known
            .columns(['platform', 'shop', 'order_id'])
            .doUpdateSet(next)
            .where('orders.readings', '=', since),
        )
        .returning('readings')
        .executeTakeFirst();
      if (alone) return 'saved';
      const beside = await find({ platform, shop, orderId });
      const isSame =
        beside?.snapshot === current.snapshot &&
        beside.name === name &&
        beside.source_updated_at === current.source_updated_at;
      if (isSame) return 'saved';
      const stored = beside?.source_updated_at ?? '';
      if (stored > current.source_updated_at) return 'older';
      if (stored === current.source_updated_at && isLater && !(await isLater())) return 'older';
      await db()
        .updateTable('orders')
        .set(next)
        .where((is) => is.and({ platform, shop, order_id: orderId }))
        .execute();
      return since < 0 && stored < current.source_updated_at ? 'saved' : 'overlapped';
    },

    async children({ platform, shop, orderId }) {
      const rows = await db()
        .selectFrom('orders')
        .selectAll()
        .where((is) => is.and({ platform, shop, parent_id: orderId }))
        .orderBy('order_id')
        .limit(200)
        .execute();
      return rows.map(readOrder);
    },

    async lock({ platform, shop, orderId }) {
      await db()
        .updateTable('orders')
        .set({ readings: sql<number>`readings` })
        .where((is) => is.and({ platform, shop, order_id: orderId }))
        .execute();
    },

    async older({ platform, shop, orderId }, now) {
      await db()
        .updateTable('orders')
        .set({ older_since: now.toISOString() })
        .where((is) => is.and({ platform, shop, order_id: orderId }))
        .where('older_since', 'is', null)
        .execute();
    },

    async bind({ platform, shop, orderId }, { fingerprint, paid }) {
      await db()
        .updateTable('orders')
        .set({
          ...(fingerprint && { fingerprint: JSON.stringify(fingerprint) }),
          ...(paid !== undefined && { paid: paid && JSON.stringify(paid) }),
          // A reading that began before is out of date.
          readings: sql<number>`readings + 1`,
        })
        .where((is) => is.and({ platform, shop, order_id: orderId }))
        .execute();
    },

    async readings({ platform, shop }, orderIds) {
      if (orderIds.length === 0) return [];
      const rows = await db()
        .selectFrom('orders')
        .select(compared)
        .where((is) => is.and({ platform, shop }))
        .where('order_id', 'in', [...orderIds])
        .execute();
      return rows.map(readReading);
    },

    async changedAfter({ platform, shop }, { sourceUpdatedAt, orderId }, limit) {
      const rows = await db()
        .selectFrom('orders')
        .select(compared)
        .where((is) => is.and({ platform, shop }))
        .where(({ eb, refTuple, tuple }) =>
          eb(refTuple('source_updated_at', 'order_id'), '>', tuple(sourceUpdatedAt, orderId)),
        )
        .orderBy('source_updated_at')
        .orderBy('order_id')
        .limit(limit)
        .execute();
      return rows.map(readReading);
    },

    async ofShop({ platform, shop }, after, limit) {
      const rows = await db()
        .selectFrom('orders')
        .select('snapshot')
        .where((is) => is.and({ platform, shop }))
        .where('order_id', '>', after)
        .orderBy('order_id')
        .limit(limit)
        .execute();
      return rows.map(({ snapshot }) => JSON.parse(snapshot) as Order);
    },

    async readAsHistory({ platform, shop }) {
      const rows = await db()
        .selectFrom('orders')
        .selectAll()
        .where((is) => is.and({ platform, shop }))
        .where('decision', 'like', '%"before-start"%')
        .execute();
      return rows.map(readOrder);
    },

    async rewrite({ platform, shop, orderId, sourceUpdatedAt, syncedAt }, snapshot) {
      const result = await db()
        .updateTable('orders')
        .set({ snapshot: JSON.stringify(snapshot), decision: null })
        .where((is) =>
          is.and({
            platform,
            shop,
            order_id: orderId,
            source_updated_at: sourceUpdatedAt,
            synced_at: syncedAt,
          }),
        )
        .executeTakeFirst();
      return result.numUpdatedRows > 0;
    },

    async decide({ platform, shop, orderId }, decision, now) {
      await db()
        .updateTable('orders')
        .set({ decision: JSON.stringify(decision), decided_at: now.toISOString() })
        .where((is) => is.and({ platform, shop, order_id: orderId }))
        .execute();
    },
  };
}

const compared = ['order_id', 'source_updated_at', 'synced_at', 'snapshot'] as const;

function readReading({ snapshot, ...row }: Pick<OrderRecord, (typeof compared)[number]>): Reading {
  const { settlement, status, refunds } = JSON.parse(snapshot) as Order;
  return { ...camelCased(row), settlement, status, refunds: refunds.map(({ id }) => id) };
}

/** How many are deleted at once: a statement blocks every other query on SQLite. */
const pruneAtOnce = 500;

export function deliveryTable(access: Access): Deliveries {
  const { db } = access;
  const emptied = () => db().updateTable('deliveries').set({ body: new Uint8Array() });
  const emptyBodies = async (of: (rows: ReturnType<typeof emptied>) => ReturnType<typeof emptied>) =>
    Number((await of(emptied()).executeTakeFirst()).numUpdatedRows);
  return {
    async ofOrder({ platform, shop, orderId }, limit) {
      const rows = await db()
        .selectFrom('deliveries')
        .select(columns)
        .where((is) => is.and({ platform, shop, order_id: orderId }))
        .orderBy('received_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(readDelivery);
    },

    async keep(deliveries) {
      if (deliveries.length > 0) await storeDeliveries(access, deliveries);
    },

    async find({ connection, dedupeKey }) {
      const row = await db()
        .selectFrom('deliveries')
        .select(columns)
        .where((is) => is.and({ connection, dedupe_key: dedupeKey }))
        .executeTakeFirst();
      return row && readDelivery(row);
    },

    async ofTopics(topics, limit) {
      const rows = await db()
        .selectFrom('deliveries')
        .select([...columns, 'platform', 'shop'])
        .where('topic', 'in', [...topics])
        .orderBy('received_at', 'desc')
        .limit(limit)
        .execute();
      return rows.map((row) => ({ ...readDelivery(row), platform: row.platform, shop: row.shop }));
    },

    async replaceBody(id, body) {
      await db().updateTable('deliveries').set({ body }).where('id', '=', id).execute();
    },

    forgetOrder: ({ platform, shop, orderId }) =>
      emptyBodies((rows) => rows.where((is) => is.and({ platform, shop, order_id: orderId }))),

    forgetShop: ({ platform, shop }) => emptyBodies((rows) => rows.where((is) => is.and({ platform, shop }))),

    async prune(before) {
      let total = 0;
      for (;;) {
        const old = db()
          .selectFrom('deliveries')
          .select('id')
          .where('received_at', '<', before.toISOString())
          .orderBy('received_at')
          .limit(pruneAtOnce);
        const result = await db().deleteFrom('deliveries').where('id', 'in', old).executeTakeFirst();
        total += Number(result.numDeletedRows);
        if (result.numDeletedRows < pruneAtOnce) return total;
        // Lets the endpoints answer in between.
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

const columns = ['id', 'topic', 'body', 'received_at'] as const;

const readDelivery = (
  row: Pick<Selectable<Schema['deliveries']>, (typeof columns)[number]>,
): StoredDelivery => ({ id: String(row.id), topic: row.topic, body: row.body, receivedAt: row.received_at });

/** The identity of a delivery, as one text. */
export const deliveryName = ({ connection, dedupeKey }: NewDelivery): string => `${connection}\n${dedupeKey}`;

const key = ['connection', 'dedupe_key'] as const;
const others = ['topic', 'platform', 'shop', 'order_id', 'body', 'received_at'] as const;

const insertNew = insertMany('deliveries', key, others, (rows) =>
  rows.onConflict((known) => known.columns(key).doNothing()),
);

/** Stores new deliveries; answers of each whether it was new. No two may have the same connection and dedupeKey. */
export const storeDeliveries = (access: Access, deliveries: readonly NewDelivery[]): Promise<boolean[]> =>
  insertNew(
    access,
    deliveries.map(({ connection, dedupeKey, topic, platform, shop, orderId, body, receivedAt }) => [
      ...[connection, dedupeKey],
      ...[topic, platform, shop, orderId, body, receivedAt.toISOString()],
    ]),
  );
