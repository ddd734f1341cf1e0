import { type CamelCased, camelCased, snakeCased } from '../domain/text.ts';
import type { Access } from './access.ts';
import type { Cipher } from './cipher.ts';
import type { SessionRecord, SessionStage } from './schema.ts';

export type { SessionStage };

/** A sign-in to the panel, for all processes. Instants are ISO texts. */
export type Session = CamelCased<Omit<SessionRecord, 'encrypted_secret'>>;

export interface Sessions {
  begin(session: Pick<Session, 'tokenHash' | 'person' | 'mark' | 'stage'> & { now: Date }): Promise<void>;
  get(tokenHash: string): Promise<Session | undefined>;
  seen(tokenHash: string, now: Date): Promise<void>;
  /** Sets the sentence for the next page, or removes it. */
  notify(tokenHash: string, notice: string | null): Promise<void>;
  /** The secret of a second factor this session is about to enrol: `fresh`, or the one of an earlier call. */
  draft(tokenHash: string, fresh: string): Promise<string>;
  /** False when there was none. */
  end(tokenHash: string): Promise<boolean>;
  /** Ends every session of a person. */
  endOf(person: string): Promise<void>;
  /** Deletes those not used since `seen`, and those that began before `began`. */
  prune(before: { seen: Date; began: Date }): Promise<void>;
}

const secretPlace = (tokenHash: string): string => `sessions.encrypted_secret ${tokenHash}`;

export function sessionTable({ db }: Access, cipher: Cipher): Sessions {
  const update = (tokenHash: string, set: Partial<SessionRecord>) =>
    db().updateTable('sessions').set(set).where('token_hash', '=', tokenHash).execute();
  return {
    async begin({ now, ...session }) {
      const at = now.toISOString();
      await db()
        .insertInto('sessions')
        .values({ ...snakeCased(session), began_at: at, seen_at: at, notice: null, encrypted_secret: null })
        .execute();
    },

    async get(tokenHash) {
      const row = await db()
        .selectFrom('sessions')
        .selectAll()
        .where('token_hash', '=', tokenHash)
        .executeTakeFirst();
      return row && read(row);
    },

    async seen(tokenHash, now) {
      await update(tokenHash, { seen_at: now.toISOString() });
    },

    async notify(tokenHash, notice) {
      await update(tokenHash, { notice });
    },

    async draft(tokenHash, fresh) {
      const place = secretPlace(tokenHash);
      // Two pages of one session may call at once: both show the secret of the first.
      await db()
        .updateTable('sessions')
        .set({ encrypted_secret: cipher.close(fresh, place) })
        .where('token_hash', '=', tokenHash)
        .where('encrypted_secret', 'is', null)
        .execute();
      const { encrypted_secret: encrypted } = await db()
        .selectFrom('sessions')
        .select('encrypted_secret')
        .where('token_hash', '=', tokenHash)
        .executeTakeFirstOrThrow();
      return cipher.open(encrypted ?? '', place);
    },

    async endOf(person) {
      await db().deleteFrom('sessions').where('person', '=', person).execute();
    },

    async end(tokenHash) {
      const ended = await db().deleteFrom('sessions').where('token_hash', '=', tokenHash).executeTakeFirst();
      return ended.numDeletedRows > 0n;
    },

    async prune({ seen, began }) {
      await db()
        .deleteFrom('sessions')
        .where((row) =>
          row.or([row('seen_at', '<', seen.toISOString()), row('began_at', '<', began.toISOString())]),
        )
        .execute();
    },
  };
}

const read = ({ encrypted_secret, ...row }: SessionRecord): Session => camelCased(row);
