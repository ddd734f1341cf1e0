import { sql } from 'kysely';
import type { Ambiente } from '../domain/document.ts';
import type { Access } from './access.ts';

/** Whose keys may bear the same free digits: one account's documents of one issuer, environment and type. */
export interface KeyIssuer {
  account: string;
  ruc: string;
  ambiente: Ambiente;
  codDoc: string;
}

/** The row of one of them. `varied_at`: when a key was last answered with other digits. */
export interface KeyDigitsRecord {
  account: string;
  ruc: string;
  ambiente: Ambiente;
  cod_doc: string;
  digits: string;
  seen: number;
  varied_at: string | null;
}

/** The free digits of access keys (src/service/access-key.ts), as far as they are known to be always the same. */
export interface KeyDigits {
  /** Those of the next key: the last two documents bore them. Null while nothing is known. */
  constant(issuer: KeyIssuer): Promise<string | null>;
  /** Those the newest document bore, whether the next one bears them or not: good for a question. Null while there is none. */
  latest(issuer: KeyIssuer): Promise<string | null>;
  /** A document bears them that was sent at `sentAt`; one that was sent before the digits last varied says nothing. */
  learn(issuer: KeyIssuer, digits: string, sentAt: string): Promise<void>;
  /** A key was answered with others: nothing is known until two documents sent from now on bear the same ones. */
  varied(issuer: KeyIssuer, now: Date): Promise<void>;
}

/** So many documents with different numbers: by chance two bear the same eight digits once in a hundred million. */
const enough = 2;

const row = ({ account, ruc, ambiente, codDoc }: KeyIssuer) => ({ account, ruc, ambiente, cod_doc: codDoc });
const key = ['account', 'ruc', 'ambiente', 'cod_doc'] as const;

export function keyDigitsTable(access: Access): KeyDigits {
  return {
    async constant(issuer) {
      const known = await access
        .db()
        .selectFrom('key_digits')
        .select('digits')
        .where((where) => where.and(row(issuer)))
        .where('seen', '>=', enough)
        .executeTakeFirst();
      return known?.digits ?? null;
    },

    async latest(issuer) {
      const known = await access
        .db()
        .selectFrom('key_digits')
        .select('digits')
        .where((where) => where.and(row(issuer)))
        .executeTakeFirst();
      return known?.digits || null;
    },

    async learn(issuer, digits, sentAt) {
      await access
        .db()
        .insertInto('key_digits')
        .values({ ...row(issuer), digits, seen: 1, varied_at: null })
        .onConflict((known) =>
          known
            .columns(key)
            .doUpdateSet({
              digits,
              seen: sql`case when key_digits.digits = excluded.digits then key_digits.seen + 1 else 1 end`,
            })
            .where((is) =>
              is.and([
                is.or([is('key_digits.varied_at', 'is', null), is('key_digits.varied_at', '<', sentAt)]),
                is.or([is('key_digits.digits', '<>', digits), is('key_digits.seen', '<', enough)]),
              ]),
            ),
        )
        .execute();
    },

    async varied(issuer, now) {
      const unknown = { digits: '', seen: 0, varied_at: now.toISOString() };
      await access
        .db()
        .insertInto('key_digits')
        .values({ ...row(issuer), ...unknown })
        .onConflict((known) => known.columns(key).doUpdateSet(unknown))
        .execute();
    },
  };
}
