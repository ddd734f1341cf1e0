import { sql } from 'kysely';
import type { OpenBreaker } from '../core/circuit-breaker.ts';
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

/** How the lanes of the jobs begin that call the shop of a store (work/lanes.ts). */
const lanesOf = sql`'shop:' || breakers.store_id || '/'`;

/**
 * Whether the jobs of a lane call a shop whose breaker is open at `openAt`, or at least half-open. `sweepOf` is the
 * column of the store of one job: reconciliations of all stores share a lane.
 */
export const hasBreaker = (lane: string, { openAt, sweepOf }: { openAt?: Date; sweepOf?: string }) => {
  const calls = sql`substr(${sql.ref(lane)}, 1, length(${lanesOf})) = ${lanesOf}`;
  const sweeps = sql`or (${sql.ref(lane)} = 'sweep' and ${sql.ref(sweepOf ?? lane)} = breakers.store_id)`;
  const open = openAt === undefined ? sql`` : sql`and breakers.retry_at > ${openAt.toISOString()}`;
  return sql<boolean>`exists (select 1 from breakers where (${calls} ${sweepOf ? sweeps : sql``}) ${open})`;
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
