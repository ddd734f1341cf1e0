import type { Access } from './access.ts';
import type { SessionRecord } from './panel-schema.ts';

/** Somebody signed in to the panel, for all processes. Instants are ISO texts. */
export interface Session {
  tokenHash: string;
  person: string;
  /** What the password was known by; whoever asks compares it with today's. */
  mark: string;
  beganAt: string;
  seenAt: string;
  /** A sentence for the next page. */
  notice: string | null;
}

export interface Sessions {
  begin(session: { tokenHash: string; person: string; mark: string; now: Date }): Promise<void>;
  get(tokenHash: string): Promise<Session | undefined>;
  seen(tokenHash: string, now: Date): Promise<void>;
  /** Leaves a sentence for the next page, or takes it away. */
  tell(tokenHash: string, notice: string | null): Promise<void>;
  /** False when there was none. */
  end(tokenHash: string): Promise<boolean>;
  /** Deletes those that nobody used since `seen`, and those that began before `began`. */
  prune(before: { seen: Date; began: Date }): Promise<void>;
}

export function sessionTable(access: Access): Sessions {
  const update = (tokenHash: string, set: Partial<SessionRecord>) =>
    access.db().updateTable('sessions').set(set).where('token_hash', '=', tokenHash).execute();
  return {
    async begin({ tokenHash, person, mark, now }) {
      const at = now.toISOString();
      await access
        .db()
        .insertInto('sessions')
        .values({ token_hash: tokenHash, person, mark, began_at: at, seen_at: at, notice: null })
        .execute();
    },

    async get(tokenHash) {
      const row = await access
        .db()
        .selectFrom('sessions')
        .selectAll()
        .where('token_hash', '=', tokenHash)
        .executeTakeFirst();
      return row && read(row);
    },

    async seen(tokenHash, now) {
      await update(tokenHash, { seen_at: now.toISOString() });
    },

    async tell(tokenHash, notice) {
      await update(tokenHash, { notice });
    },

    async end(tokenHash) {
      const ended = await access
        .db()
        .deleteFrom('sessions')
        .where('token_hash', '=', tokenHash)
        .executeTakeFirst();
      return ended.numDeletedRows > 0n;
    },

    async prune({ seen, began }) {
      await access
        .db()
        .deleteFrom('sessions')
        .where((row) =>
          row.or([row('seen_at', '<', seen.toISOString()), row('began_at', '<', began.toISOString())]),
        )
        .execute();
    },
  };
}

const read = (row: SessionRecord): Session => ({
  tokenHash: row.token_hash,
  person: row.person,
  mark: row.mark,
  beganAt: row.began_at,
  seenAt: row.seen_at,
  notice: row.notice,
});
