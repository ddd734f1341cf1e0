import type { Credential } from '../domain/credentials.ts';
import type { Access } from './access.ts';
import type { Seal } from './seal.ts';

/** Whose credential it is. */
export interface CredentialKey {
  platform: string;
  shop: string;
}

/** What shops gave us; see domain/credentials.ts. */
export interface CredentialTable {
  get(key: CredentialKey): Promise<Credential | null>;
  put(key: CredentialKey, value: unknown, version: number | null, now: Date): Promise<boolean>;
  remove(key: CredentialKey): Promise<boolean>;
  shops(platform: string): Promise<string[]>;
  /** Shops with the versions of their records, in one look. */
  versions(platform: string): Promise<[shop: string, version: number][]>;
}

const place = ({ platform, shop }: CredentialKey) => `credentials.sealed ${platform} ${shop}`;

export function credentialTable(access: Access, seal: Seal): CredentialTable {
  return {
    async get(key) {
      const row = await access
        .db()
        .selectFrom('credentials')
        .select(['sealed', 'version'])
        .where('platform', '=', key.platform)
        .where('shop', '=', key.shop)
        .executeTakeFirst();
      return row ? { value: JSON.parse(seal.open(row.sealed, place(key))), version: row.version } : null;
    },

    async put({ platform, shop }, value, version, now) {
      const row = {
        sealed: seal.close(JSON.stringify(value), place({ platform, shop })),
        version: (version ?? 0) + 1,
        updated_at: now.toISOString(),
      };
      if (version === null) {
        const made = await access
          .db()
          .insertInto('credentials')
          .values({ platform, shop, ...row })
          .onConflict((known) => known.columns(['platform', 'shop']).doNothing())
          .executeTakeFirst();
        return (made.numInsertedOrUpdatedRows ?? 0n) > 0n;
      }
      const saved = await access
        .db()
        .updateTable('credentials')
        .set(row)
        .where('platform', '=', platform)
        .where('shop', '=', shop)
        .where('version', '=', version)
        .executeTakeFirst();
      return saved.numUpdatedRows > 0n;
    },

    async remove({ platform, shop }) {
      const gone = await access
        .db()
        .deleteFrom('credentials')
        .where('platform', '=', platform)
        .where('shop', '=', shop)
        .executeTakeFirst();
      return gone.numDeletedRows > 0n;
    },

    async versions(platform) {
      const rows = await access
        .db()
        .selectFrom('credentials')
        .select(['shop', 'version'])
        .where('platform', '=', platform)
        .orderBy('shop')
        .execute();
      return rows.map(({ shop, version }) => [shop, version]);
    },

    async shops(platform) {
      const rows = await access
        .db()
        .selectFrom('credentials')
        .select('shop')
        .where('platform', '=', platform)
        .orderBy('shop')
        .execute();
      return rows.map(({ shop }) => shop);
    },
  };
}
