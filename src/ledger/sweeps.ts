import type { Scope } from '../domain/scope.ts';
import type { Behind } from '../domain/sweep-lists.ts';
import type { Access } from './access.ts';
import type { Sweeps } from './sweep-tables.ts';
import { ofShops } from './within.ts';

export function sweepTable(access: Access): Sweeps {
  return {
    async begin({ platform, shop }, sweptTo) {
      await access
        .db()
        .insertInto('sweeps')
        .values({
          platform,
          shop,
          version: 1,
          swept_to: sweptTo.toISOString(),
          behind_since: null,
          behind: null,
          progress: null,
        })
        .onConflict((known) => known.columns(['platform', 'shop']).doNothing())
        .execute();
    },

    async get({ platform, shop }) {
      const row = await access
        .db()
        .selectFrom('sweeps')
        .selectAll()
        .where('platform', '=', platform)
        .where('shop', '=', shop)
        .executeTakeFirst();
      return (
        row && {
          version: row.version,
          sweptTo: row.swept_to,
          behindSince: row.behind_since,
          behind: readBehind(row.behind),
          progress: row.progress === null ? null : JSON.parse(row.progress),
        }
      );
    },

    async save({ platform, shop }, { version, sweptTo, behindSince, behind, progress }) {
      const saved = await access
        .db()
        .updateTable('sweeps')
        .set({
          version: version + 1,
          swept_to: sweptTo,
          behind_since: behindSince,
          behind: JSON.stringify(behind),
          progress: JSON.stringify(progress),
        })
        .where('platform', '=', platform)
        .where('shop', '=', shop)
        .where('version', '=', version)
        .executeTakeFirst();
      return saved.numUpdatedRows > 0n;
    },

    async freshness(scope: Scope | null = null) {
      const rows = await access
        .db()
        .selectFrom('sweeps')
        .innerJoin('stores', (join) =>
          join.onRef('stores.platform', '=', 'sweeps.platform').onRef('stores.shop', '=', 'sweeps.shop'),
        )
        .select(['sweeps.platform', 'sweeps.shop', 'stores.id', 'version', 'swept_to', 'behind'])
        .$call((query) => (scope === null ? query : query.where(ofShops(scope, 'sweeps'))))
        .orderBy('stores.id')
        .execute();
      return rows.map(({ platform, shop, id, version, swept_to, behind }) => ({
        platform,
        shop,
        storeId: id,
        version,
        sweptTo: swept_to,
        behind: readBehind(behind),
      }));
    },
  };
}

/** Our own JSON; null before the first run ended. */
function readBehind(text: string | null): Behind {
  return text === null ? {} : JSON.parse(text);
}
