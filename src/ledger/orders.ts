import { sql } from 'kysely';
import type { Order } from '../domain/order.ts';
import { isSameOrder } from '../domain/order-fingerprint.ts';
import type { Access } from './access.ts';
import type { OrderRecord } from './shop-schema.ts';
import type { OrderKey, OrderRow, Orders, Reading } from './shop-tables.ts';

export function readOrder(row: OrderRecord): OrderRow {
  return {
    platform: row.platform,
    shop: row.shop,
    orderId: row.order_id,
    storeId: row.store_id,
    name: row.name,
    snapshot: JSON.parse(row.snapshot),
    sourceUpdatedAt: row.source_updated_at,
    decision: row.decision === null ? null : JSON.parse(row.decision),
    syncedAt: row.synced_at,
    fingerprint: row.fingerprint === null ? null : JSON.parse(row.fingerprint),
    paid: row.paid === null ? null : JSON.parse(row.paid),
    readings: row.readings,
    olderSince: row.older_since,
  };
}

export function orderTable(access: Access): Orders {
  const find = ({ platform, shop, orderId }: OrderKey) =>
    access
      .db()
      .selectFrom('orders')
      .selectAll()
      .where('platform', '=', platform)
      .where('shop', '=', shop)
      .where('order_id', '=', orderId)
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
        // Platforms write offsets as they please; only one form sorts as it reads.
        source_updated_at: new Date(sourceUpdatedAt).toISOString(),
        synced_at: readAt.toISOString(),
        older_since: null,
        ...(fingerprint && { fingerprint: JSON.stringify(fingerprint) }),
        ...(paid && { paid: JSON.stringify(paid) }),
      };
      const next = { ...current, readings: sql<number>`orders.readings + 1` };
      // PostgreSQL locks the row that conflicts, also where it stays as it is: nobody else saves it until our COMMIT.
      const alone = await access
        .db()
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
      // Both saw the same: there is nothing to decide between them.
      const isSame =
        beside?.snapshot === current.snapshot &&
        beside.name === name &&
        beside.source_updated_at === current.source_updated_at;
      if (isSame) return 'saved';
      const stored = beside?.source_updated_at ?? '';
      if (stored > current.source_updated_at) return 'older';
      if (stored === current.source_updated_at && isLater && !(await isLater())) return 'older';
      await access
        .db()
        .updateTable('orders')
        .set(next)
        .where('platform', '=', platform)
        .where('shop', '=', shop)
        .where('order_id', '=', orderId)
        .execute();
      return since < 0 && stored < current.source_updated_at ? 'saved' : 'overlapped';
    },

    async older({ platform, shop, orderId }, now) {
      await access
        .db()
        .updateTable('orders')
        .set({ older_since: now.toISOString() })
        .where('platform', '=', platform)
        .where('shop', '=', shop)
        .where('order_id', '=', orderId)
        .where('older_since', 'is', null)
        .execute();
    },

    async bind({ platform, shop, orderId }, { fingerprint, paid }) {
      await access
        .db()
        .updateTable('orders')
        .set({
          ...(fingerprint && { fingerprint: JSON.stringify(fingerprint) }),
          ...(paid !== undefined && { paid: paid && JSON.stringify(paid) }),
          // What is being read now was understood otherwise.
          readings: sql<number>`readings + 1`,
        })
        .where('platform', '=', platform)
        .where('shop', '=', shop)
        .where('order_id', '=', orderId)
        .execute();
    },

    async readings({ platform, shop }, orderIds) {
      if (orderIds.length === 0) return [];
      const rows = await access
        .db()
        .selectFrom('orders')
        .select(compared)
        .where('platform', '=', platform)
        .where('shop', '=', shop)
        .where('order_id', 'in', [...orderIds])
        .execute();
      return rows.map(readReading);
    },

    async changedAfter({ platform, shop }, { sourceUpdatedAt, orderId }, limit) {
      const rows = await access
        .db()
        .selectFrom('orders')
        .select(compared)
        .where('platform', '=', platform)
        .where('shop', '=', shop)
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
      const rows = await access
        .db()
        .selectFrom('orders')
        .select('snapshot')
        .where('platform', '=', platform)
        .where('shop', '=', shop)
        .where('order_id', '>', after)
        .orderBy('order_id')
        .limit(limit)
        .execute();
      return rows.map(({ snapshot }) => JSON.parse(snapshot) as Order);
    },

    async readAsHistory({ platform, shop }) {
      const rows = await access
        .db()
        .selectFrom('orders')
        .selectAll()
        .where('platform', '=', platform)
        .where('shop', '=', shop)
        .where('decision', 'like', '%"before-start"%')
        .execute();
      return rows.map(readOrder);
    },

    async rewrite({ platform, shop, orderId, sourceUpdatedAt, syncedAt }, snapshot) {
      const result = await access
        .db()
        .updateTable('orders')
        .set({ snapshot: JSON.stringify(snapshot), decision: null })
        .where('platform', '=', platform)
        .where('shop', '=', shop)
        .where('order_id', '=', orderId)
        .where('source_updated_at', '=', sourceUpdatedAt)
        .where('synced_at', '=', syncedAt)
        .executeTakeFirst();
      return result.numUpdatedRows > 0;
    },

    async decide({ platform, shop, orderId }, decision, now) {
      await access
        .db()
        .updateTable('orders')
        .set({ decision: JSON.stringify(decision), decided_at: now.toISOString() })
        .where('platform', '=', platform)
        .where('shop', '=', shop)
        .where('order_id', '=', orderId)
        .execute();
    },
  };
}

const compared = ['order_id', 'source_updated_at', 'synced_at', 'snapshot'] as const;

function readReading(row: Pick<OrderRecord, (typeof compared)[number]>): Reading {
  const { settlement, status, refunds } = JSON.parse(row.snapshot) as Order;
  return {
    orderId: row.order_id,
    sourceUpdatedAt: row.source_updated_at,
    syncedAt: row.synced_at,
    settlement,
    status,
    refunds: refunds.map(({ id }) => id),
  };
}
