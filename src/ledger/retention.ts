import { sql } from 'kysely';
import type { Access } from './access.ts';
import { attemptPlace } from './attempts.ts';
import type { Cipher } from './cipher.ts';
import type { Mark } from './schema.ts';

/** What the job `forget-old` needs to delete the data of old buyers (jobs/forget-old.ts). */
export interface Retention {
  /** How far a walk has come; the very beginning where it never ran. */
  mark(walk: string): Promise<Mark>;
  setMark(walk: string, mark: Mark): Promise<void>;
  /** Ids a walk skipped because they must wait; each later walk examines them again. */
  skipped(walk: string): Promise<string[]>;
  skip(walk: string, id: string): Promise<void>;
  unskip(walk: string, id: string): Promise<void>;
  /** Every shop that was ever registered. */
  shops(): Promise<{ platform: string; shop: string }[]>;
  /** The documents made after `mark` and before `before`, the oldest first. */
  documents(mark: Mark, before: Date, limit: number): Promise<Mark[]>;
  /** Replaces the body of each attempt by `without(body)`, clears its buyer, and deletes the document's files. */
  forgetDocument(id: string, without: (body: string) => string): Promise<void>;
}

/** A skipped id is a mark of its own; no walk's name contains this. */
const skippedMark = (walk: string, id: string): string => `${walk} waits ${id}`;

export function retentionTable(access: Access, cipher: Cipher): Retention {
  const { db } = access;
  return {
    async mark(walk) {
      const row = await db()
        .selectFrom('marks')
        .select(['at', 'id'])
        .where('walk', '=', walk)
        .executeTakeFirst();
      return row ?? { at: '', id: '' };
    },

    async setMark(walk, { at, id }) {
      await db()
        .insertInto('marks')
        .values({ walk, at, id })
        .onConflict((known) => known.column('walk').doUpdateSet({ at, id }))
        .execute();
    },

    async skipped(walk) {
      const start = skippedMark(walk, '');
      const rows = await db()
        .selectFrom('marks')
        .select('id')
        .where(sql<string>`substr(walk, 1, ${sql.lit(start.length)})`, '=', start)
        .orderBy('id')
        .execute();
      return rows.map(({ id }) => id);
    },

    async skip(walk, id) {
      await db()
        .insertInto('marks')
        .values({ walk: skippedMark(walk, id), at: '', id })
        .onConflict((known) => known.column('walk').doNothing())
        .execute();
    },

    async unskip(walk, id) {
      await db().deleteFrom('marks').where('walk', '=', skippedMark(walk, id)).execute();
    },

    shops: () =>
      db().selectFrom('stores').select(['platform', 'shop']).orderBy('platform').orderBy('shop').execute(),

    documents: ({ at, id }, before, limit) =>
      db()
        .selectFrom('documents')
        .select(['created_at as at', 'id'])
        .where('created_at', '>=', at)
        .where('created_at', '<', before.toISOString())
        .where(({ eb, refTuple, tuple }) => eb(refTuple('created_at', 'id'), '>', tuple(at, id)))
        .orderBy('created_at')
        .orderBy('id')
        .limit(limit)
        .execute(),

    async forgetDocument(id, without) {
      await access.atomic(async ({ db }) => {
        const rows = await db()
          .selectFrom('attempts')
          .select(['id', 'encrypted_body'])
          .where('document_id', '=', id)
          .execute();
        for (const row of rows) {
          const place = attemptPlace(row.id);
          const encrypted = cipher.close(without(cipher.open(row.encrypted_body, place)), place);
          await db()
            .updateTable('attempts')
            .set({ encrypted_body: encrypted, buyer_id: '' })
            .where('id', '=', row.id)
            .execute();
        }
        await db().deleteFrom('files').where('document_id', '=', id).execute();
      });
    },
  };
}
