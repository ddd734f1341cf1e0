import type { Credential, KnownShop, ShopAddress, ShopHold } from '../domain/shop-identity.ts';
import type { Access } from './access.ts';
import type { Cipher } from './cipher.ts';
import type { ShopKey } from './shop-tables.ts';

/** A shop of the ledger and its identity, as far as it is known. */
export interface ShopRow extends KnownShop {
  platform: string;
  /** When it last stated its identity; null while nothing may be read from it. */
  askedAt: string | null;
}

export interface HeldShop extends ShopKey, ShopHold {
  since: string;
}

/** The identity and address of each shop of the ledger. */
export interface Shops {
  /** Undefined for a shop that was never registered. */
  get(shop: ShopKey): Promise<ShopRow | undefined>;
  ofIdentity(platform: string, identity: string): Promise<ShopRow | undefined>;
  /** In the order they were recorded. */
  addresses(): Promise<ShopAddress[]>;
  /**
   * Records that the shop answered, and its identity where none was known; null where it states none. False, without a
   * change, where it has another identity or another shop has this one, even when both answer at the same time.
   */
  notified(shop: ShopKey, identity: string | null, now: Date): Promise<boolean>;
  /** Sets the identity of a shop; false where another shop has it. */
  replaceIdentity(shop: ShopKey, identity: string): Promise<boolean>;
  /** The shop is at this address from now on, whatever was known there before. */
  move(to: ShopKey & { address: string }, now: Date): Promise<void>;
  /** Begins a new shop at an address that is the name of another; answers its name: `shop` if given, else a free one. */
  begin(at: { platform: string; address: string; shop?: string }, now: Date): Promise<string>;
  /** False where it is held for this reason already. */
  hold(shop: ShopKey, hold: ShopHold, now: Date): Promise<boolean>;
  /** False where it was not held. */
  release(shop: ShopKey): Promise<boolean>;
  held(shop: ShopKey): Promise<HeldShop | undefined>;
  allHeld(): Promise<HeldShop[]>;
}

type Row = ShopKey & {
  id: string | null;
  identity: string | null;
  address: string | null;
  asked_at: string | null;
};

export function shopTable(access: Access): Shops {
  const { db } = access;
  const rows = () =>
    db()
      .selectFrom('stores')
      .leftJoin('shop_identities as own', (join) =>
        join.onRef('own.platform', '=', 'stores.platform').onRef('own.shop', '=', 'stores.shop'),
      )
      .select(['stores.platform', 'stores.shop', 'id', 'own.identity', 'address', 'asked_at']);
  const read = ({ id, address, asked_at, ...row }: Row): ShopRow => ({
    ...row,
    storeId: id,
    address: address ?? row.shop,
    askedAt: asked_at,
  });

  return {
    async get({ platform, shop }) {
      const row = await rows()
        .where('stores.platform', '=', platform)
        .where('stores.shop', '=', shop)
        .executeTakeFirst();
      return row && read(row);
    },

    async ofIdentity(platform, identity) {
      const row = await db()
        .selectFrom('shop_identities as own')
        .leftJoin('stores', (join) =>
          join.onRef('stores.platform', '=', 'own.platform').onRef('stores.shop', '=', 'own.shop'),
        )
        .select(['own.platform', 'own.shop', 'id', 'own.identity', 'address', 'asked_at'])
        .where('own.platform', '=', platform)
        .where('own.identity', '=', identity)
        .executeTakeFirst();
      return row && read(row);
    },

    async addresses() {
      const rows = await db()
        .selectFrom('shop_addresses as known')
        .leftJoin('stores', (join) =>
          join.onRef('stores.platform', '=', 'known.platform').onRef('stores.shop', '=', 'known.shop'),
        )
        .select(['known.platform', 'known.address', 'known.shop', 'stores.address as last'])
        .orderBy('since')
        .orderBy('known.address')
        .execute();
      return rows.map(({ last, ...row }) => ({ ...row, isLast: last === row.address }));
    },

    begin: ({ platform, address, shop }, now) =>
      access.atomic(async ({ db }) => {
        const rows = await db()
          .selectFrom('stores')
          .select('shop')
          .where('platform', '=', platform)
          .execute();
        const taken = new Set(rows.map((row) => row.shop));
        let name = shop ?? `${address}#2`;
        for (let n = 3; shop === undefined && taken.has(name); n += 1) name = `${address}#${n}`;
        await db()
          .insertInto('shop_addresses')
          .values({ platform, address, shop: name, since: now.toISOString() })
          .onConflict((known) => known.columns(['platform', 'address']).doUpdateSet({ shop: name }))
          .execute();
        return name;
      }),

    notified: ({ platform, shop }, identity, now) =>
      access.atomic(async ({ db }) => {
        if (identity !== null) {
          await db()
            .insertInto('shop_identities')
            .values({ platform, shop, identity })
            .onConflict((known) => known.doNothing())
            .execute();
          const own = await db()
            .selectFrom('shop_identities')
            .select('identity')
            .where((is) => is.and({ platform, shop }))
            .executeTakeFirst();
          if (own?.identity !== identity) return false;
        }
        await db()
          .updateTable('stores')
          .set({ asked_at: now.toISOString() })
          .where((is) => is.and({ platform, shop }))
          .execute();
        // The address of a shop under its own name is no former address of another.
        await db()
          .deleteFrom('shop_addresses')
          .where((is) => is.and({ platform, address: shop }))
          .execute();
        return true;
      }),

    replaceIdentity: ({ platform, shop }, identity) =>
      access.atomic(async ({ db }) => {
        const other = await db()
          .selectFrom('shop_identities')
          .select('shop')
          .where((is) => is.and({ platform, identity }))
          .executeTakeFirst();
        if (other && other.shop !== shop) return false;
        await db()
          .insertInto('shop_identities')
          .values({ platform, shop, identity })
          .onConflict((known) => known.columns(['platform', 'shop']).doUpdateSet({ identity }))
          .execute();
        return true;
      }),

    async move({ platform, address, shop }, now) {
      await access.atomic(async ({ db }) => {
        if (address !== shop)
          await db()
            .insertInto('shop_addresses')
            .values({ platform, address, shop, since: now.toISOString() })
            .onConflict((known) => known.columns(['platform', 'address']).doUpdateSet({ shop }))
            .execute();
        // A shop that returns to the address that is its name.
        else
          await db()
            .deleteFrom('shop_addresses')
            .where((is) => is.and({ platform, address }))
            .execute();
        await db()
          .updateTable('stores')
          .set({ address, asked_at: now.toISOString() })
          .where((is) => is.and({ platform, shop }))
          .execute();
        // Deliveries that came there before the identity was known.
        const began = await db()
          .selectFrom('stores')
          .select('first_started_at')
          .where((is) => is.and({ platform, shop: address }))
          .executeTakeFirst();
        if (began && address !== shop)
          await db()
            .updateTable('deliveries')
            .set({ shop })
            .where('received_at', '>=', began.first_started_at)
            .where((is) => is.and({ platform, shop: address }))
            .execute();
      });
    },

    async hold({ platform, shop }, { code, reason, found, owner }, now) {
      const made = await db()
        .insertInto('shop_holds')
        .values({ platform, shop, code, reason, found, owner, since: now.toISOString() })
        .onConflict((known) =>
          known
            .columns(['platform', 'shop'])
            .doUpdateSet({ code, reason, found, owner })
            .where((row) =>
              row.or([row('shop_holds.code', '<>', code), row('shop_holds.found', '<>', found)]),
            ),
        )
        .returning('shop')
        .executeTakeFirst();
      return made !== undefined;
    },

    async release({ platform, shop }) {
      const gone = await db()
        .deleteFrom('shop_holds')
        .where((is) => is.and({ platform, shop }))
        .executeTakeFirst();
      return gone.numDeletedRows > 0n;
    },

    held: ({ platform, shop }) =>
      db()
        .selectFrom('shop_holds')
        .selectAll()
        .where((is) => is.and({ platform, shop }))
        .executeTakeFirst(),

    allHeld: () => db().selectFrom('shop_holds').selectAll().orderBy('since').execute(),
  };
}

/** The credentials of shops, encrypted; see domain/shop-identity.ts. */
export interface CredentialTable {
  get(key: ShopKey): Promise<Credential | null>;
  put(key: ShopKey, value: unknown, version: number | null, now: Date): Promise<boolean>;
  remove(key: ShopKey): Promise<boolean>;
  shops(platform: string): Promise<string[]>;
  /** Shops with the versions of their records. */
  versions(platform: string): Promise<[shop: string, version: number][]>;
}

const place = ({ platform, shop }: ShopKey) => `credentials.encrypted ${platform} ${shop}`;

export function credentialTable({ db }: Access, cipher: Cipher): CredentialTable {
  return {
    async get(key) {
      const row = await db()
        .selectFrom('credentials')
        .select(['encrypted', 'version'])
        .where((is) => is.and({ platform: key.platform, shop: key.shop }))
        .executeTakeFirst();
      return row ? { value: JSON.parse(cipher.open(row.encrypted, place(key))), version: row.version } : null;
    },

    async put({ platform, shop }, value, version, now) {
      const row = {
        encrypted: cipher.close(JSON.stringify(value), place({ platform, shop })),
        version: (version ?? 0) + 1,
        updated_at: now.toISOString(),
      };
      if (version === null) {
        const made = await db()
          .insertInto('credentials')
          .values({ platform, shop, ...row })
          .onConflict((known) => known.columns(['platform', 'shop']).doNothing())
          .executeTakeFirst();
        return (made.numInsertedOrUpdatedRows ?? 0n) > 0n;
      }
      const saved = await db()
        .updateTable('credentials')
        .set(row)
        .where((is) => is.and({ platform, shop, version }))
        .executeTakeFirst();
      return saved.numUpdatedRows > 0n;
    },

    async remove({ platform, shop }) {
      const gone = await db()
        .deleteFrom('credentials')
        .where((is) => is.and({ platform, shop }))
        .executeTakeFirst();
      return gone.numDeletedRows > 0n;
    },

    async versions(platform) {
      const rows = await db()
        .selectFrom('credentials')
        .select(['shop', 'version'])
        .where('platform', '=', platform)
        .orderBy('shop')
        .execute();
      return rows.map(({ shop, version }) => [shop, version]);
    },

    async shops(platform) {
      return (await this.versions(platform)).map(([shop]) => shop);
    },
  };
}

/** Locks that one holder has at a time, in all processes. */
export interface Locks {
  /** Takes the lock, or extends it; false while another holder has it. */
  take(lock: { name: string; holder: string; now: Date; until: Date }): Promise<boolean>;
  /** Releases it, unless another holder has it meanwhile. */
  giveBack(lock: { name: string; holder: string }): Promise<void>;
}

export function lockTable({ db }: Access): Locks {
  return {
    async take({ name, holder, now, until }) {
      const taken = await db()
        .insertInto('locks')
        .values({ name, holder, until: until.toISOString() })
        .onConflict((known) =>
          known
            .column('name')
            .doUpdateSet({ holder, until: until.toISOString() })
            .where((row) =>
              row.or([row('locks.holder', '=', holder), row('locks.until', '<=', now.toISOString())]),
            ),
        )
        .returning('name')
        .executeTakeFirst();
      return taken !== undefined;
    },

    async giveBack({ name, holder }) {
      await db()
        .deleteFrom('locks')
        .where((is) => is.and({ name, holder }))
        .execute();
    },
  };
}
