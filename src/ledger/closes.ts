import type { Day } from '../domain/calendar.ts';
import type { Access } from './access.ts';
import type { CloseRecord } from './close-schema.ts';

/** A close of a day as it was kept: what was found, and by whom it is vouched for. */
export interface KeptClose {
  /** Hex SHA-256 of `content`. */
  hash: string;
  /** Counts all closes of the ledger from 1, without a gap. */
  n: number;
  day: Day;
  /** The store it is about, several ids with commas, or "*" for all of them. */
  scope: string;
  /** "green", "red", "incomplete" or "partial". */
  result: string;
  /** The close as canonical JSON, with the hash of the one before it. */
  content: string;
  /** Ed25519 over the bytes of `content`, base64. */
  signature: string;
  /** The raw public key, base64. */
  publicKey: string;
  closedAt: string;
}

/** Closes are only ever added to. */
export interface Closes {
  /** The newest of all; undefined before the first. */
  last(): Promise<KeptClose | undefined>;
  /** Adds one; false when another process took its place `n` meanwhile. */
  add(close: KeptClose): Promise<boolean>;
  /** The newest of a day and scope (a store's id, several ids, or "*"). */
  ofDay(day: Day, scope: string): Promise<KeptClose | undefined>;
  /** Those of many days, the newest day first, then the newest close; only of these scopes where they are given. */
  recent(limit: number, scopes?: readonly string[]): Promise<KeptClose[]>;
  /** The chain from behind `after` on. */
  chain(after: number, limit: number): Promise<KeptClose[]>;
}

export function closeTable(access: Access): Closes {
  const all = () => access.db().selectFrom('closes').selectAll();
  const first = async (query: ReturnType<typeof all>) => {
    const row = await query.limit(1).executeTakeFirst();
    return row && readClose(row);
  };
  return {
    last: () => first(all().orderBy('n', 'desc')),

    async add({ publicKey, closedAt, ...close }) {
      const added = await access
        .db()
        .insertInto('closes')
        .values({ ...close, public_key: publicKey, closed_at: closedAt })
        .onConflict((known) => known.column('n').doNothing())
        .returning('n')
        .executeTakeFirst();
      return added !== undefined;
    },

    ofDay: (day, scope) =>
      first(all().where('day', '=', day).where('scope', '=', scope).orderBy('n', 'desc')),

    async recent(limit, scopes) {
      const rows = await all()
        .$if(scopes !== undefined, (query) => query.where('scope', 'in', [...(scopes ?? []), '']))
        .orderBy('day', 'desc')
        .orderBy('n', 'desc')
        .limit(limit)
        .execute();
      return rows.map(readClose);
    },

    async chain(after, limit) {
      const rows = await all().where('n', '>', after).orderBy('n').limit(limit).execute();
      return rows.map(readClose);
    },
  };
}

function readClose({ public_key, closed_at, ...row }: CloseRecord): KeptClose {
  return { ...row, n: Number(row.n), publicKey: public_key, closedAt: closed_at };
}
