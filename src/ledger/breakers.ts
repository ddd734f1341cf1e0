import { sql } from 'kysely';
import type { OpenBreaker } from '../domain/circuit-breaker.ts';
import type { Access } from './access.ts';

export interface BreakerRecord {
  store_id: string;
  since: string;
  retry_at: string;
  probes: number;
  reason: string;
}

/** The open circuit breakers of shops, for all processes. The jobs behind one are due and not released. */
export interface Breakers {
  get(storeId: string): Promise<OpenBreaker | undefined>;
  put(breaker: OpenBreaker): Promise<void>;
  /** What waited behind it goes on; false when it was closed already. */
  close(storeId: string): Promise<boolean>;
  /** The one that opened first before the others. */
  list(): Promise<OpenBreaker[]>;
}

/** Nobody tries the shop of a store that left the config: its record goes after so long. */
const keptMs = 7 * 24 * 3_600_000;

/**
 * Whether the jobs of a lane call a shop whose breaker is open at `openAt`, or at least half-open. The store is in the
 * first part of its name, "shop:tienda" (work/lanes.ts), and found there however many breakers there are. `sweepOf` is
 * the column of the store of one job: reconciliations of all stores share a lane.
 */
export const hasBreaker = (
  { dialect }: Pick<Access, 'dialect'>,
  lane: string,
  { openAt, sweepOf }: { openAt?: Date; sweepOf?: string },
) => {
  const name = sql.ref(lane);
  const called = sql`case when ${name} like 'shop:%' then substr(${dialect.part(name, 1)}, 6) end`;
  const store = sweepOf
    ? sql`case when ${name} = 'sweep' then ${sql.ref(sweepOf)} else ${called} end`
    : called;
  const open = openAt === undefined ? sql`` : sql`and breakers.retry_at > ${openAt.toISOString()}`;
  return sql<boolean>`exists (select 1 from breakers where breakers.store_id = ${store} ${open})`;
};

export function breakerTable(access: Access): Breakers {
  const read = ({ store_id, since, retry_at, probes, reason }: BreakerRecord): OpenBreaker => ({
    storeId: store_id,
    since,
    retryAt: retry_at,
    probes,
    reason,
  });

  return {
    async get(storeId) {
      const row = await access
        .db()
        .selectFrom('breakers')
        .selectAll()
        .where('store_id', '=', storeId)
        .executeTakeFirst();
      return row && read(row);
    },

    async put({ storeId, since, retryAt, probes, reason }) {
      const row = { since, retry_at: retryAt, probes, reason };
      await access
        .db()
        .insertInto('breakers')
        .values({ store_id: storeId, ...row })
        .onConflict((known) => known.column('store_id').doUpdateSet(row))
        .execute();
      const forgotten = new Date(Date.parse(retryAt) - keptMs).toISOString();
      await access.db().deleteFrom('breakers').where('retry_at', '<', forgotten).execute();
    },

    async close(storeId) {
      const gone = await access
        .db()
        .deleteFrom('breakers')
        .where('store_id', '=', storeId)
        .executeTakeFirst();
      if (gone.numDeletedRows > 0n) access.workChanged();
      return gone.numDeletedRows > 0n;
    },

    async list() {
      const rows = await access.db().selectFrom('breakers').selectAll().orderBy('since').execute();
      return rows.map(read);
    },
  };
}
