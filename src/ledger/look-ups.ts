import { sql } from 'kysely';
import type { Day } from '../domain/clock.ts';
import type { Access } from './access.ts';
import type { Counted } from './schema.ts';

/** Counts the look-ups in a registry, by day in Ecuador. */
export interface LookUps {
  /**
   * Counts one more; false, without counting, where `limit` (1 or more) was reached. Processes that share the ledger
   * never exceed the limit together.
   */
  take(day: Day, one: { counted: Counted; subject: string; limit: number }): Promise<boolean>;
  /** The counts of one day. */
  ofDay(day: Day, counted: Counted): Promise<{ subject: string; count: number }[]>;
  /** Deletes the counts of days before. */
  prune(before: Day): Promise<void>;
}

export function lookUpTable({ db }: Access): LookUps {
  return {
    async take(day, { counted, subject, limit }) {
      const taken = await db()
        .insertInto('look_ups')
        .values({ day, counted, subject, count: 1 })
        .onConflict((known) =>
          known
            .columns(['day', 'counted', 'subject'])
            .doUpdateSet({ count: sql`look_ups.count + 1` })
            .where('look_ups.count', '<', limit),
        )
        .returning('count')
        .executeTakeFirst();
      return taken !== undefined;
    },

    ofDay: (day, counted) =>
      db()
        .selectFrom('look_ups')
        .select(['subject', 'count'])
        .where((is) => is.and({ day, counted }))
        .orderBy('subject')
        .execute(),

    async prune(before) {
      await db().deleteFrom('look_ups').where('day', '<', before).execute();
    },
  };
}
