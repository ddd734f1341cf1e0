import { sql } from 'kysely';
import type { Day } from '../domain/calendar.ts';
import type { Access } from './access.ts';

/** What a count belongs to: one link of a buyer, all links of a store, or the whole store. */
export type Counted = 'link' | 'links-of-store' | 'store';

export interface LookUpRecord {
  day: string;
  counted: Counted;
  subject: string;
  count: number;
}

/** How many names were looked up in a registry, by day of Ecuador. */
export interface LookUps {
  /**
   * Counts one more and answers true; false, and nothing is counted, where `limit` (1 or more) were counted already.
   * One statement: processes that share the ledger never pass the limit together.
   */
  take(day: Day, one: { counted: Counted; subject: string; limit: number }): Promise<boolean>;
  /** The counts of one day. */
  ofDay(day: Day, counted: Counted): Promise<{ subject: string; count: number }[]>;
  /** Deletes the counts of days before. */
  prune(before: Day): Promise<void>;
}

export function lookUpTable(access: Access): LookUps {
  return {
    async take(day, { counted, subject, limit }) {
      const taken = await access
        .db()
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
      access
        .db()
        .selectFrom('look_ups')
        .select(['subject', 'count'])
        .where('day', '=', day)
        .where('counted', '=', counted)
        .orderBy('subject')
        .execute(),

    async prune(before) {
      await access.db().deleteFrom('look_ups').where('day', '<', before).execute();
    },
  };
}
