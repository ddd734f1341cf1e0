import { sql } from 'kysely';
import type { Ambiente } from '../domain/document.ts';
import type { AccountPause, OpenBreaker } from '../domain/job.ts';
import { camelCased, snakeCased } from '../domain/text.ts';
import type { Access } from './access.ts';
import { emissionsOf, shutBy, waiting } from './jobs/partitions.ts';
import type { PauseRecord } from './schema.ts';

/** Paused accounts, for all processes. The dispatcher skips their partitions. */
export interface Pauses {
  /** Begins a pause; false when the account is paused for this cause already. Another cause replaces the first. */
  begin(pause: Pick<AccountPause, 'account' | 'ambiente' | 'cause'> & { now: Date }): Promise<boolean>;
  get(account: string, ambiente: Ambiente | null): Promise<AccountPause | undefined>;
  list(): Promise<AccountPause[]>;
  /** Whether emissions of the account in this ambiente are paused. */
  shuts(account: string, ambiente: Ambiente): Promise<boolean>;
  /** Counts a probe that found the cause still there. */
  probed(account: string, ambiente: Ambiente | null): Promise<void>;
  /** Ends a pause; its jobs are due as before. False when there was none for this cause. */
  end(pause: Pick<AccountPause, 'account' | 'ambiente' | 'cause'>): Promise<boolean>;
  /** Ids of the documents whose sending waits behind a pause and was due first, at most `limit`. */
  firstWaiting(account: string, ambiente: Ambiente | null, now: Date, limit: number): Promise<string[]>;
}

/** Both ambientes: a primary key takes no null. */
const both = 0;

export function pauseTable(access: Access): Pauses {
  const { db } = access;
  const read = ({ emissions, questions, ...row }: PauseRecord): AccountPause => ({
    ...row,
    ambiente: row.ambiente === both ? null : row.ambiente,
  });

  return {
    async begin({ account, ambiente, cause, now }) {
      const shut = shutBy({ account, ambiente, cause });
      const since = now.toISOString();
      const made = await db()
        .insertInto('pauses')
        .values({ account, ambiente: ambiente ?? both, cause, since, probes: 0, ...shut })
        .onConflict((known) =>
          known
            .columns(['account', 'ambiente'])
            .doUpdateSet({ cause, since, probes: 0, ...shut })
            .where('pauses.cause', '<>', cause),
        )
        .returning('account')
        .executeTakeFirst();
      return made !== undefined;
    },

    async get(account, ambiente) {
      const row = await db()
        .selectFrom('pauses')
        .selectAll()
        .where((is) => is.and({ account, ambiente: ambiente ?? both }))
        .executeTakeFirst();
      return row && read(row);
    },

    async list() {
      const rows = await db().selectFrom('pauses').selectAll().orderBy('since').execute();
      return rows.map(read);
    },

    async shuts(account, ambiente) {
      const shut = await db()
        .selectFrom('pauses')
        .select('cause')
        .where('account', '=', account)
        .where('ambiente', 'in', [both, ambiente])
        .executeTakeFirst();
      return shut !== undefined;
    },

    async probed(account, ambiente) {
      await db()
        .updateTable('pauses')
        .set({ probes: sql`probes + 1` })
        .where((is) => is.and({ account, ambiente: ambiente ?? both }))
        .execute();
    },

    async end({ account, ambiente, cause }) {
      const gone = await db()
        .deleteFrom('pauses')
        .where((is) => is.and({ account, ambiente: ambiente ?? both, cause }))
        .executeTakeFirst();
      if (gone.numDeletedRows > 0n) access.jobChanged();
      return gone.numDeletedRows > 0n;
    },

    async firstWaiting(account, ambiente, now, limit) {
      const emissions = emissionsOf({ account, ambiente });
      // The partitions of a pause are one range of the index: '0' follows '/'.
      const rows = await db()
        .selectFrom('jobs')
        .select('subject')
        .where('state', '=', waiting)
        .where('partition', '>=', emissions)
        .where('partition', '<', `${emissions.slice(0, -1)}0`)
        .where('due_at', '<=', now.toISOString())
        .orderBy('due_at')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(({ subject }) => subject);
    },
  };
}

/** The open circuit breakers of shops, for all processes. Jobs that call such a shop are due, but not released. */
export interface Breakers {
  get(storeId: string): Promise<OpenBreaker | undefined>;
  put(breaker: OpenBreaker): Promise<void>;
  /** Its jobs are released again; false when it was closed already. */
  close(storeId: string): Promise<boolean>;
  /** In the order they opened. */
  list(): Promise<OpenBreaker[]>;
}

/** The record of a store that left the config is deleted after this time. */
const keptMs = 7 * 24 * 3_600_000;

/**
 * Whether the jobs of a partition call a shop whose breaker is open at `openAt`, or at least half-open. The partition's
 * name begins with the store, "shop:tienda" (jobs/partitions.ts). `reconciliationOf` is the column with the store of one
 * job: reconciliations of all stores share a partition.
 */
export const hasBreaker = (
  { dialect }: Pick<Access, 'dialect'>,
  partition: string,
  { openAt, reconciliationOf }: { openAt?: Date; reconciliationOf?: string },
) => {
  const name = sql.ref(partition);
  const called = sql`case when ${name} like 'shop:%' then substr(${dialect.part(name, 1)}, 6) end`;
  const store = reconciliationOf
    ? sql`case when ${name} = 'reconciliation' then ${sql.ref(reconciliationOf)} else ${called} end`
    : called;
  const open = openAt === undefined ? sql`` : sql`and breakers.retry_at > ${openAt.toISOString()}`;
  return sql<boolean>`exists (select 1 from breakers where breakers.store_id = ${store} ${open})`;
};

export function breakerTable(access: Access): Breakers {
  const { db } = access;
  return {
    async get(storeId) {
      const row = await db()
        .selectFrom('breakers')
        .selectAll()
        .where('store_id', '=', storeId)
        .executeTakeFirst();
      return row && camelCased(row);
    },

    async put(breaker) {
      const { store_id, ...row } = snakeCased(breaker);
      await db()
        .insertInto('breakers')
        .values({ store_id, ...row })
        .onConflict((known) => known.column('store_id').doUpdateSet(row))
        .execute();
      const forgotten = new Date(Date.parse(breaker.retryAt) - keptMs).toISOString();
      await db().deleteFrom('breakers').where('retry_at', '<', forgotten).execute();
    },

    async close(storeId) {
      const gone = await db().deleteFrom('breakers').where('store_id', '=', storeId).executeTakeFirst();
      if (gone.numDeletedRows > 0n) access.jobChanged();
      return gone.numDeletedRows > 0n;
    },

    async list() {
      return (await db().selectFrom('breakers').selectAll().orderBy('since').execute()).map(camelCased);
    },
  };
}
