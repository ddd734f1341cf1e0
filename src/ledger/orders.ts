import type { Access } from './access.ts';
import type { Orders } from './shop-tables.ts';

export function orderTable(access: Access): Orders {
  return {
    async get({ platform, shop, orderId }) {
      const row = await access
        .db()
        .selectFrom('orders')
        .selectAll()
        .where('platform', '=', platform)
        .where('shop', '=', shop)
        .where('order_id', '=', orderId)
        .executeTakeFirst();
      if (!row) return undefined;
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
      };
    },

    async save({ platform, shop, orderId, storeId, name, snapshot, sourceUpdatedAt, now }) {
      const current = {
        store_id: storeId,
        name,
        snapshot: JSON.stringify(snapshot),
        // Platforms write offsets as they please; only one form sorts as it reads.
        source_updated_at: new Date(sourceUpdatedAt).toISOString(),
        synced_at: now.toISOString(),
      };
      const saved = await access
        .db()
        .insertInto('orders')
        .values({ platform, shop, order_id: orderId, ...current })
        .onConflict((known) =>
          known
            .columns(['platform', 'shop', 'order_id'])
            .doUpdateSet(current)
            .where('orders.source_updated_at', '<=', current.source_updated_at),
        )
        .returning('order_id')
        .executeTakeFirst();
      return saved !== undefined;
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
