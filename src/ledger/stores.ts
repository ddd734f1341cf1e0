import type { Access } from './access.ts';
import type { Stores } from './shop-tables.ts';
import { waiting } from './work/states.ts';

export function storeTable(access: Access): Stores {
  return {
    async register({ id, platform, shop, app = null, now }) {
      const row = await access
        .db()
        .insertInto('stores')
        .values({
          platform,
          shop,
          id,
          app,
          first_started_at: now.toISOString(),
          address: null,
          asked_at: null,
        })
        .onConflict((known) => known.columns(['platform', 'shop']).doUpdateSet({ id, app }))
        .returning('first_started_at')
        .executeTakeFirstOrThrow();
      return { firstStartedAt: row.first_started_at };
    },

    async list() {
      const rows = await access
        .db()
        .selectFrom('stores')
        .select(['platform', 'shop', 'id', 'first_started_at'])
        .execute();
      return rows.map(({ first_started_at, ...row }) => ({ ...row, firstStartedAt: first_started_at }));
    },

    async firstStart({ platform, shop }) {
      const row = await access
        .db()
        .selectFrom('stores')
        .select('first_started_at')
        .where('platform', '=', platform)
        .where('shop', '=', shop)
        .executeTakeFirst();
      return row?.first_started_at;
    },

    async moveFirstStart({ platform, shop }, to) {
      await access
        .db()
        .updateTable('stores')
        .set({ first_started_at: to.toISOString() })
        .where('platform', '=', platform)
        .where('shop', '=', shop)
        .execute();
    },

    async lastApp({ platform, shop }) {
      const row = await access
        .db()
        .selectFrom('stores')
        .select('app')
        .where('platform', '=', platform)
        .where('shop', '=', shop)
        .executeTakeFirst();
      return row?.app ?? null;
    },

    async wake(storeId, now) {
      await access
        .db()
        .updateTable('work')
        .set({ due_at: now.toISOString() })
        .where('store_id', '=', storeId)
        .where('state', '=', waiting)
        .where('kind', 'in', ['sync-order', 'write-back', 'sweep', 'submit-document'])
        .where('due_at', '>', now.toISOString())
        .execute();
      access.workChanged();
    },
  };
}
