import type { KnownShop, ShopAddress, ShopHold } from '../domain/shop-identity.ts';
import type { Access } from './access.ts';
import type { ShopHoldRecord } from './shop-schema.ts';
import type { ShopKey } from './sweep-tables.ts';

/** A shop of the ledger and what is known of who it is. */
export interface ShopRow extends KnownShop {
  platform: string;
  /** When it last said who it is; null while nothing may be read from it. */
  askedAt: string | null;
}

export interface HeldShop extends ShopKey, ShopHold {
  since: string;
}

/** Which shop stands behind each name of the ledger, and where it is. */
export interface Shops {
  /** Undefined for one that was never registered. */
  get(shop: ShopKey): Promise<ShopRow | undefined>;
  ofIdentity(platform: string, identity: string): Promise<ShopRow | undefined>;
  /** In the order they were noted. */
  addresses(): Promise<ShopAddress[]>;
  /**
   * Notes that the shop answered, and who it says it is where it had not told before; null where it tells nothing.
   * False, and nothing is noted, where it is known by another identity or another shop has this one, however close together
   * both were asked.
   */
  told(shop: ShopKey, identity: string | null, now: Date): Promise<boolean>;
  /** The shop is known by this identity from now on; false where another shop has it. */
  replaceIdentity(shop: ShopKey, identity: string): Promise<boolean>;
  /** What was known by another name, or not at all, at this address is the shop from now on. */
  move(to: ShopKey & { address: string }, now: Date): Promise<void>;
  /** Begins a shop of its own at an address whose name is another's; answers its name. A name that is given is taken. */
  begin(at: { platform: string; address: string; shop?: string }, now: Date): Promise<string>;
  /** False where it is held for this already. */
  hold(shop: ShopKey, hold: ShopHold, now: Date): Promise<boolean>;
  /** False where it was not held. */
  release(shop: ShopKey): Promise<boolean>;
  held(shop: ShopKey): Promise<HeldShop | undefined>;
  allHeld(): Promise<HeldShop[]>;
}

export function shopTable(access: Access): Shops {
  const rows = () =>
    access
      .db()
      .selectFrom('stores')
      .leftJoin('shop_identities as own', (join) =>
        join.onRef('own.platform', '=', 'stores.platform').onRef('own.shop', '=', 'stores.shop'),
      )
      .select(['stores.platform', 'stores.shop', 'own.identity', 'address', 'asked_at']);
  const read = (row: {
    platform: string;
    shop: string;
    identity: string | null;
    address: string | null;
    asked_at: string | null;
  }): ShopRow => ({
    platform: row.platform,
    shop: row.shop,
    identity: row.identity,
    address: row.address ?? row.shop,
    askedAt: row.asked_at,
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
      const row = await access
        .db()
        .selectFrom('shop_identities as own')
        .leftJoin('stores', (join) =>
          join.onRef('stores.platform', '=', 'own.platform').onRef('stores.shop', '=', 'own.shop'),
        )
        .select(['own.platform', 'own.shop', 'own.identity', 'address', 'asked_at'])
        .where('own.platform', '=', platform)
        .where('own.identity', '=', identity)
        .executeTakeFirst();
      return row && read(row);
    },

    async addresses() {
      return access
        .db()
        .selectFrom('shop_addresses as known')
        .leftJoin('stores', (join) =>
          join.onRef('stores.platform', '=', 'known.platform').onRef('stores.shop', '=', 'known.shop'),
        )
        .select(['known.platform', 'known.address', 'known.shop', 'stores.address as last'])
        .orderBy('since')
        .orderBy('known.address')
        .execute()
        .then((rows) => rows.map(({ last, ...row }) => ({ ...row, isLast: last === row.address })));
    },

    async begin({ platform, address, shop }, now) {
      return access.atomic(async (inside) => {
        const db = inside.db();
        const taken = new Set(
          (await db.selectFrom('stores').select('shop').where('platform', '=', platform).execute()).map(
            (row) => row.shop,
          ),
        );
        let name = shop ?? `${address}#2`;
        for (let n = 3; shop === undefined && taken.has(name); n += 1) name = `${address}#${n}`;
        await db
          .insertInto('shop_addresses')
          .values({ platform, address, shop: name, since: now.toISOString() })
          .onConflict((known) => known.columns(['platform', 'address']).doUpdateSet({ shop: name }))
          .execute();
        return name;
      });
    },

    async told({ platform, shop }, identity, now) {
      return access.atomic(async (inside) => {
        if (identity !== null) {
          await inside
            .db()
            .insertInto('shop_identities')
            .values({ platform, shop, identity })
            .onConflict((known) => known.doNothing())
            .execute();
          const own = await inside
            .db()
            .selectFrom('shop_identities')
            .select('identity')
            .where('platform', '=', platform)
            .where('shop', '=', shop)
            .executeTakeFirst();
          if (own?.identity !== identity) return false;
        }
        await inside
          .db()
          .updateTable('stores')
          .set({ asked_at: now.toISOString() })
          .where('platform', '=', platform)
          .where('shop', '=', shop)
          .execute();
        // A shop that is here under its own name is no former place of another.
        await inside
          .db()
          .deleteFrom('shop_addresses')
          .where('platform', '=', platform)
          .where('address', '=', shop)
          .execute();
        return true;
      });
    },

    async replaceIdentity({ platform, shop }, identity) {
      return access.atomic(async (inside) => {
        const other = await inside
          .db()
          .selectFrom('shop_identities')
          .select('shop')
          .where('platform', '=', platform)
          .where('identity', '=', identity)
          .executeTakeFirst();
        if (other && other.shop !== shop) return false;
        await inside
          .db()
          .insertInto('shop_identities')
          .values({ platform, shop, identity })
          .onConflict((known) => known.columns(['platform', 'shop']).doUpdateSet({ identity }))
          .execute();
        return true;
      });
    },

    async move({ platform, address, shop }, now) {
      await access.atomic(async (inside) => {
        const db = inside.db();
        if (address !== shop)
          await db
            .insertInto('shop_addresses')
            .values({ platform, address, shop, since: now.toISOString() })
            .onConflict((known) => known.columns(['platform', 'address']).doUpdateSet({ shop }))
            .execute();
        // A shop that goes back to the address it has its name of.
        else
          await db
            .deleteFrom('shop_addresses')
            .where('platform', '=', platform)
            .where('address', '=', address)
            .execute();
        await db
          .updateTable('stores')
          .set({ address, asked_at: now.toISOString() })
          .where('platform', '=', platform)
          .where('shop', '=', shop)
          .execute();
        // What came there before anybody knew who it is.
        const began = await db
          .selectFrom('stores')
          .select('first_started_at')
          .where('platform', '=', platform)
          .where('shop', '=', address)
          .executeTakeFirst();
        if (began && address !== shop)
          await db
            .updateTable('deliveries')
            .set({ shop })
            .where('received_at', '>=', began.first_started_at)
            .where('platform', '=', platform)
            .where('shop', '=', address)
            .execute();
      });
    },

    async hold({ platform, shop }, { code, reason, found, owner }, now) {
      const made = await access
        .db()
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
      const gone = await access
        .db()
        .deleteFrom('shop_holds')
        .where('platform', '=', platform)
        .where('shop', '=', shop)
        .executeTakeFirst();
      return gone.numDeletedRows > 0n;
    },

    async held({ platform, shop }) {
      return access
        .db()
        .selectFrom('shop_holds')
        .selectAll()
        .where('platform', '=', platform)
        .where('shop', '=', shop)
        .executeTakeFirst();
    },

    async allHeld(): Promise<ShopHoldRecord[]> {
      return access.db().selectFrom('shop_holds').selectAll().orderBy('since').execute();
    },
  };
}
