import { randomUUID } from 'node:crypto';
import type { Access } from './access.ts';

/** The name of the installation this ledger is of: random, made once, and the same for all its processes. */
export interface Installation {
  id(now: Date): Promise<string>;
}

const name = 'facturapuente';

export const installationTable = (access: Access): Installation => ({
  async id(now) {
    const db = access.db();
    await db
      .insertInto('installation')
      .values({ name, id: randomUUID(), began_at: now.toISOString() })
      .onConflict((known) => known.column('name').doNothing())
      .execute();
    const { id } = await db
      .selectFrom('installation')
      .select('id')
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    return id;
  },
});
