import { sql } from 'kysely';
import type { Ambiente } from '../domain/document.ts';
import type { AccountPause } from '../domain/job.ts';
import { type Access, wrote } from './access.ts';
import { emissionsOf, shutBy, waiting } from './partitions.ts';
import type { RateLimitState } from './schema.ts';

/** Both ambientes: a primary key takes no null. */
const both = 0;

export type Pauses = ReturnType<typeof pauseTable>;

export function pauseTable({ db, jobChanged }: Access) {
  const all = () => db().selectFrom('pauses').select(['account', 'ambiente', 'cause', 'since', 'probes']);
  const listed = async (query: ReturnType<typeof all>): Promise<AccountPause[]> =>
    (await query.execute()).map((row) => ({
      ...row,
      ambiente: row.ambiente === both ? null : row.ambiente,
    }));

  return {
    begin: (pause: Pick<AccountPause, 'account' | 'ambiente' | 'cause'> & { now: Date }) => {
      const { account, ambiente, cause, now } = pause;
      const begun = { cause, since: now.toISOString(), probes: 0, ...shutBy(pause) };
      return wrote(
        db()
          .insertInto('pauses')
          .values({ account, ambiente: ambiente ?? both, ...begun })
          .onConflict((known) =>
            known.columns(['account', 'ambiente']).doUpdateSet(begun).where('pauses.cause', '<>', cause),
          ),
      );
    },

    async get(account: string, ambiente: Ambiente | null): Promise<AccountPause | undefined> {
      return (await listed(all().where((is) => is.and({ account, ambiente: ambiente ?? both }))))[0];
    },

    list: () => listed(all().orderBy('since')),

    async shuts(account: string, ambiente: Ambiente): Promise<boolean> {
      const shut = all().where('account', '=', account).where('ambiente', 'in', [both, ambiente]);
      return (await shut.execute()).length > 0;
    },

    async probed(account: string, ambiente: Ambiente | null): Promise<void> {
      await db()
        .updateTable('pauses')
        .set({ probes: sql`probes + 1` })
        .where((is) => is.and({ account, ambiente: ambiente ?? both }))
        .execute();
    },

    async end({ account, ambiente, cause }: Pick<AccountPause, 'account' | 'ambiente' | 'cause'>) {
      const ended = await wrote(
        db()
          .deleteFrom('pauses')
          .where((is) => is.and({ account, ambiente: ambiente ?? both, cause })),
      );
      if (ended) jobChanged();
      return ended;
    },

    async firstWaiting(account: string, ambiente: Ambiente | null, now: Date, limit: number) {
      const emissions = emissionsOf({ account, ambiente });
      // The partitions of a pause are one range of the index: '0' follows '/'.
      const rows = await db()
        .selectFrom('jobs')
        .select('subject')
        .where('state', '=', waiting)
        .where('partition', '>=', emissions)
        .where('partition', '<', `${emissions.slice(0, -1)}0`)
        .where('dueAt', '<=', now.toISOString())
        .orderBy('dueAt')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(({ subject }) => subject);
    },
  };
}

export type RateLimitTable = ReturnType<typeof rateLimitTable>;

export function rateLimitTable({ db }: Access) {
  return {
    async read(keyHash: string): Promise<RateLimitState | null> {
      const row = await db()
        .selectFrom('rateLimits')
        .select(['tat', 'reserveTat', 'slowUntil'])
        .where('keyHash', '=', keyHash)
        .executeTakeFirst();
      return row ?? null;
    },

    swap(keyHash: string, expected: RateLimitState | null, next: RateLimitState): Promise<boolean> {
      if (expected === null)
        return wrote(
          db()
            .insertInto('rateLimits')
            .values({ keyHash, ...next })
            .onConflict((known) => known.column('keyHash').doNothing()),
        );
      return wrote(
        db()
          .updateTable('rateLimits')
          .set(next)
          .where((is) => is.and({ keyHash, ...expected })),
      );
    },
  };
}

/** The first count opens the window; after its end the count is 0 again. */
export function counterTable({ db }: Access) {
  const one = (name: string, endsAt: Date) =>
    db().insertInto('counters').values({ name, endsAt: endsAt.toISOString(), count: 1 });
  const open = (now: Date) => db().selectFrom('counters').where('endsAt', '>', now.toISOString());
  const next = { count: sql<number>`counters.count + 1` };
  async function prune(now: Date): Promise<void> {
    await db().deleteFrom('counters').where('endsAt', '<=', now.toISOString()).execute();
  }
  return {
    async add(name: string, { endsAt, now }: { endsAt: Date; now: Date }) {
      await prune(now);
      return one(name, endsAt)
        .onConflict((known) => known.column('name').doUpdateSet(next))
        .returning(['count', 'endsAt'])
        .executeTakeFirstOrThrow();
    },

    /** False, without counting, where `limit` was reached; processes never exceed it together. */
    async take(name: string, { limit, endsAt, now }: { limit: number; endsAt: Date; now: Date }) {
      await prune(now);
      return wrote(
        one(name, endsAt).onConflict((known) =>
          known.column('name').doUpdateSet(next).where('counters.count', '<', limit),
        ),
      );
    },

    async read(names: readonly string[], now: Date): Promise<number[]> {
      const rows = await open(now).select(['name', 'count']).where('name', 'in', names).execute();
      const known = new Map(rows.map((row) => [row.name, row.count]));
      return names.map((name) => known.get(name) ?? 0);
    },

    async startingWith(prefix: string, now: Date): Promise<{ name: string; count: number }[]> {
      const rows = await open(now)
        .select(['name', 'count'])
        .where(sql<string>`substr(name, 1, ${sql.lit(prefix.length)})`, '=', prefix)
        .orderBy('name')
        .execute();
      return rows.map((row) => ({ ...row, name: row.name.slice(prefix.length) }));
    },

    async clear(name: string): Promise<void> {
      await db().deleteFrom('counters').where('name', '=', name).execute();
    },
  };
}
