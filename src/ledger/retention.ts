import { sql } from 'kysely';
import type { Access } from './access.ts';
import { attemptPlace } from './attempts.ts';
import type { Seal } from './seal.ts';

/** A place in an order by time: the instant as the rows have it, and the id among those of one instant. */
export interface Mark {
  at: string;
  id: string;
}

export interface MarkRecord extends Mark {
  walk: string;
}

/** What housekeeping asks for to take old buyers out; see jobs/forget-old.ts. */
export interface Retention {
  /** How far a walk has come; before everything where it never began. */
  mark(walk: string): Promise<Mark>;
  setMark(walk: string, mark: Mark): Promise<void>;
  /** What a walk went past because it must wait: ids for each later walk to look at again, however far it has come. */
  passedBy(walk: string): Promise<string[]>;
  passBy(walk: string, id: string): Promise<void>;
  letGo(walk: string, id: string): Promise<void>;
  /** Every shop that was ever known here. */
  shops(): Promise<{ platform: string; shop: string }[]>;
  /** The documents made after `mark` and before `before`, the oldest first. */
  documents(mark: Mark, before: Date, limit: number): Promise<Mark[]>;
  /** Puts `without` of each body that was sent in its place, takes away whom it named, and deletes the files. */
  forgetDocument(id: string, without: (body: string) => string): Promise<void>;
}

/** What waits stands among the marks, as a walk of one place; no walk’s own name has this in it. */
const waiting = (walk: string, id: string): string => `${walk} waits ${id}`;

export function retentionTable(access: Access, seal: Seal): Retention {
  return {
    async mark(walk) {
      const row = await access
        .db()
        .selectFrom('marks')
        .select(['at', 'id'])
        .where('walk', '=', walk)
        .executeTakeFirst();
      return row ?? { at: '', id: '' };
    },

    async setMark(walk, { at, id }) {
      await access
        .db()
        .insertInto('marks')
        .values({ walk, at, id })
        .onConflict((known) => known.column('walk').doUpdateSet({ at, id }))
        .execute();
    },

    async passedBy(walk) {
      const start = waiting(walk, '');
      const rows = await access
        .db()
        .selectFrom('marks')
        .select('id')
        .where(sql<string>`substr(walk, 1, ${sql.lit(start.length)})`, '=', start)
        .orderBy('id')
        .execute();
      return rows.map(({ id }) => id);
    },

    async passBy(walk, id) {
      await access
        .db()
        .insertInto('marks')
        .values({ walk: waiting(walk, id), at: '', id })
        .onConflict((known) => known.column('walk').doNothing())
        .execute();
    },

    async letGo(walk, id) {
      await access.db().deleteFrom('marks').where('walk', '=', waiting(walk, id)).execute();
    },

    async shops() {
      return access
        .db()
        .selectFrom('stores')
        .select(['platform', 'shop'])
        .orderBy('platform')
        .orderBy('shop')
        .execute();
    },

    async documents({ at, id }, before, limit) {
      return access
        .db()
        .selectFrom('documents')
        .select(['created_at as at', 'id'])
        .where('created_at', '>=', at)
        .where('created_at', '<', before.toISOString())
        .where(({ eb, or, and }) =>
          or([eb('created_at', '>', at), and([eb('created_at', '=', at), eb('id', '>', id)])]),
        )
        .orderBy('created_at')
        .orderBy('id')
        .limit(limit)
        .execute();
    },

    async forgetDocument(id, without) {
      await access.atomic(async (inside) => {
        const rows = await inside
          .db()
          .selectFrom('attempts')
          .select(['id', 'sealed_body'])
          .where('document_id', '=', id)
          .execute();
        for (const row of rows) {
          const place = attemptPlace(row.id);
          const sealed = seal.close(without(seal.open(row.sealed_body, place)), place);
          await inside
            .db()
            .updateTable('attempts')
            .set({ sealed_body: sealed, buyer_id: '' })
            .where('id', '=', row.id)
            .execute();
        }
        await inside.db().deleteFrom('files').where('document_id', '=', id).execute();
      });
    },
  };
}
