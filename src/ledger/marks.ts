import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Access } from './access.ts';
import { attemptPlace } from './attempts.ts';
import type { Cipher } from './cipher.ts';
import type { Mark, ShopKey } from './schema.ts';

export async function setMark({ db }: Access, name: string, { at, id }: Mark): Promise<void> {
  await db()
    .insertInto('marks')
    .values({ name, at, id })
    .onConflict((known) => known.column('name').doUpdateSet({ at, id }))
    .execute();
}

async function keepMark({ db }: Access, name: string, { at, id }: Mark): Promise<void> {
  await db()
    .insertInto('marks')
    .values({ name, at, id })
    .onConflict((known) => known.column('name').doNothing())
    .execute();
}

const markOf = ({ db }: Access, name: string) =>
  db().selectFrom('marks').select(['at', 'id']).where('name', '=', name).executeTakeFirst();

export const installationTable = (access: Access) => ({
  async id(now: Date): Promise<string> {
    const fresh = { at: now.toISOString(), id: randomUUID() };
    await keepMark(access, 'installation', fresh);
    return (await markOf(access, 'installation'))?.id ?? fresh.id;
  },
});

/** A skipped id is a mark of its own; no walk's name contains this. */
const skippedMark = (walk: string, id: string): string => `${walk} waits ${id}`;

export function retentionTable(access: Access, cipher: Cipher) {
  const { db } = access;
  return {
    mark: async (walk: string): Promise<Mark> => (await markOf(access, walk)) ?? { at: '', id: '' },

    setMark: (walk: string, mark: Mark) => setMark(access, walk, mark),

    async skipped(walk: string): Promise<string[]> {
      const start = skippedMark(walk, '');
      const rows = await db()
        .selectFrom('marks')
        .select('id')
        .where(sql<string>`substr(name, 1, ${sql.lit(start.length)})`, '=', start)
        .orderBy('id')
        .execute();
      return rows.map(({ id }) => id);
    },

    skip: (walk: string, id: string) => keepMark(access, skippedMark(walk, id), { at: '', id }),

    async unskip(walk: string, id: string): Promise<void> {
      await db().deleteFrom('marks').where('name', '=', skippedMark(walk, id)).execute();
    },

    shops: (): Promise<ShopKey[]> =>
      db().selectFrom('stores').select(['platform', 'shop']).orderBy('platform').orderBy('shop').execute(),

    documents: ({ at, id }: Mark, before: Date, limit: number): Promise<Mark[]> =>
      db()
        .selectFrom('documents')
        .select(['createdAt as at', 'id'])
        .where('createdAt', '>=', at)
        .where('createdAt', '<', before.toISOString())
        .where(({ eb, refTuple, tuple }) => eb(refTuple('createdAt', 'id'), '>', tuple(at, id)))
        .orderBy('createdAt')
        .orderBy('id')
        .limit(limit)
        .execute(),

    /** It also clears the buyer and deletes the document's files. */
    forgetDocument: (documentId: string, without: (body: string) => string): Promise<void> =>
      access.atomic(async ({ db }) => {
        const rows = await db()
          .selectFrom('attempts')
          .select(['id', 'encryptedBody'])
          .where('documentId', '=', documentId)
          .execute();
        for (const { id, encryptedBody } of rows) {
          const body = without(cipher.open(encryptedBody, attemptPlace(id)));
          await db()
            .updateTable('attempts')
            .set({ encryptedBody: cipher.close(body, attemptPlace(id)), buyerId: '' })
            .where('id', '=', id)
            .execute();
        }
        await db().deleteFrom('files').where('documentId', '=', documentId).execute();
      }),
  };
}
