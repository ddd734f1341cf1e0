import { sql } from 'kysely';
import { type Access, wrote } from './access.ts';

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
