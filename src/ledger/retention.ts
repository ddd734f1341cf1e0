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

/** What housekeeping asks for to take old buyers out; see steps/forget-old.ts. */
export interface Retention {
  /** How far a walk has come; before everything where it never began. */
  mark(walk: string): Promise<Mark>;
  setMark(walk: string, mark: Mark): Promise<void>;
  /** Every shop that was ever known here. */
  shops(): Promise<{ platform: string; shop: string }[]>;
  /** The documents made after `mark` and before `before`, the oldest first. */
  documents(mark: Mark, before: Date, limit: number): Promise<Mark[]>;
  /** Puts `without` of each body that was sent in its place, takes away whom it named, and deletes the files. */
  forgetDocument(id: string, without: (body: string) => string): Promise<void>;
}

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
