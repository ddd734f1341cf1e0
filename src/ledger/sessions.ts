import type { Access } from './access.ts';
import type { SessionRecord, SessionStage } from './panel-schema.ts';
import type { Seal } from './seal.ts';

export type { SessionStage };

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
  stage: SessionStage;
}

export interface Sessions {
  begin(session: {
    tokenHash: string;
    person: string;
    mark: string;
    stage: SessionStage;
    now: Date;
  }): Promise<void>;
  get(tokenHash: string): Promise<Session | undefined>;
  seen(tokenHash: string, now: Date): Promise<void>;
  /** Leaves a sentence for the next page, or takes it away. */
  tell(tokenHash: string, notice: string | null): Promise<void>;
  /** The secret of a second factor this session is about to enrol: `fresh`, or the one it was given before. */
  draft(tokenHash: string, fresh: string): Promise<string>;
  /** False when there was none. */
  end(tokenHash: string): Promise<boolean>;
  /** Ends every session of a person. */
  endOf(person: string): Promise<void>;
  /** Deletes those that nobody used since `seen`, and those that began before `began`. */
  prune(before: { seen: Date; began: Date }): Promise<void>;
}

const secretPlace = (tokenHash: string): string => `sessions.sealed_secret ${tokenHash}`;

export function sessionTable(access: Access, seal: Seal): Sessions {
  const update = (tokenHash: string, set: Partial<SessionRecord>) =>
    access.db().updateTable('sessions').set(set).where('token_hash', '=', tokenHash).execute();
  return {
    async begin({ tokenHash, person, mark, stage, now }) {
      const at = now.toISOString();
      await access
        .db()
        .insertInto('sessions')
        .values({
          token_hash: tokenHash,
          person,
          mark,
          began_at: at,
          seen_at: at,
          notice: null,
          stage,
          sealed_secret: null,
        })
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

    async draft(tokenHash, fresh) {
      const db = access.db();
      const place = secretPlace(tokenHash);
      // Two pages of one session may ask at once: both show what the first one kept.
      await db
        .updateTable('sessions')
        .set({ sealed_secret: seal.close(fresh, place) })
        .where('token_hash', '=', tokenHash)
        .where('sealed_secret', 'is', null)
        .execute();
      const { sealed_secret: sealed } = await db
        .selectFrom('sessions')
        .select('sealed_secret')
        .where('token_hash', '=', tokenHash)
        .executeTakeFirstOrThrow();
      return seal.open(sealed ?? '', place);
    },

    async endOf(person) {
      await access.db().deleteFrom('sessions').where('person', '=', person).execute();
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
  stage: row.stage,
});
