import type { Behind } from '../domain/listing.ts';
import type { Scope } from '../domain/settings.ts';
import type { Credential, KnownShop, ShopAddress, ShopHold } from '../domain/shop-identity.ts';
import { type Access, ofShops, wrote } from './access.ts';
import type { Cipher } from './cipher.ts';
import { waiting } from './partitions.ts';
import type { ReconciliationRow, ShopKey } from './schema.ts';

const shopKey = ['platform', 'shop'] as const;

/** A shop is platform + shop; its store id may change in the config. */
export function storeTable({ db, jobChanged }: Access) {
  const find = ({ platform, shop }: ShopKey) =>
    db()
      .selectFrom('stores')
      .select(['firstStartedAt', 'app'])
      .where((is) => is.and({ platform, shop }))
      .executeTakeFirst();
  return {
    /** The first start never changes: it is the default of `invoiceFrom`. */
    register: (store: ShopKey & { id: string; app?: string | null; now: Date }) => {
      const { id, platform, shop, app = null, now } = store;
      return db()
        .insertInto('stores')
        .values({ platform, shop, id, app, firstStartedAt: now.toISOString() })
        .onConflict((known) => known.columns(shopKey).doUpdateSet({ id, app }))
        .returning('firstStartedAt')
        .executeTakeFirstOrThrow();
    },

    list: () =>
      db()
        .selectFrom('stores')
        .select(['platform', 'shop', 'id', 'firstStartedAt'])
        .orderBy('platform')
        .orderBy('shop')
        .execute(),

    firstStart: async (shop: ShopKey) => (await find(shop))?.firstStartedAt,

    lastApp: async (shop: ShopKey) => (await find(shop))?.app ?? null,

    async wake(storeId: string, now: Date): Promise<void> {
      await db()
        .updateTable('jobs')
        .set({ dueAt: now.toISOString() })
        .where((is) => is.and({ storeId, state: waiting }))
        .where('kind', 'in', ['sync-order', 'write-back', 'reconciliation', 'submit-document'])
        .where('dueAt', '>', now.toISOString())
        .execute();
      jobChanged();
    },
  };
}

export interface ShopRow extends KnownShop {
  platform: string;
  /** null while nothing may be read from it. */
  askedAt: string | null;
}

export interface HeldShop extends ShopKey, ShopHold {
  since: string;
}

export type Shops = ReturnType<typeof shopTable>;

export function shopTable(access: Access) {
  const { db } = access;
  const held = () => db().selectFrom('shopHolds').selectAll();
  /** The index `stores_identity` refuses the identity of another shop, also of one that is asked at the same time. */
  function ofAnother(error: unknown): false {
    if (access.dialect.blamesRow(error)) return false;
    throw error;
  }

  /** The shop of this name, or of this identity. */
  async function find(one: ShopKey | { platform: string; identity: string }): Promise<ShopRow | undefined> {
    const row = await db()
      .selectFrom('stores')
      .select(['platform', 'shop', 'id as storeId', 'identity', 'address', 'askedAt'])
      .where((is) => is.and(one))
      .executeTakeFirst();
    return row && { ...row, address: row.address ?? row.shop };
  }

  return {
    get: ({ platform, shop }: ShopKey) => find({ platform, shop }),

    ofIdentity: (platform: string, identity: string) => find({ platform, identity }),

    async addresses(): Promise<ShopAddress[]> {
      const rows = await db()
        .selectFrom('shopAddresses as known')
        .leftJoin('stores', (join) =>
          join.onRef('stores.platform', '=', 'known.platform').onRef('stores.shop', '=', 'known.shop'),
        )
        .select(['known.platform', 'known.address', 'known.shop', 'stores.address as last'])
        .orderBy('since')
        .orderBy('known.address')
        .execute();
      return rows.map(({ last, ...row }) => ({ ...row, isLast: last === row.address }));
    },

    begin: (at: { platform: string; address: string; shop?: string }, now: Date): Promise<string> =>
      access.atomic(async ({ db }) => {
        const { platform, address } = at;
        const rows = await db()
          .selectFrom('stores')
          .select('shop')
          .where('platform', '=', platform)
          .execute();
        const taken = new Set(rows.map((row) => row.shop));
        let shop = at.shop ?? `${address}#2`;
        for (let n = 3; at.shop === undefined && taken.has(shop); n += 1) shop = `${address}#${n}`;
        await db()
          .insertInto('shopAddresses')
          .values({ platform, address, shop, since: now.toISOString() })
          .onConflict((known) => known.columns(['platform', 'address']).doUpdateSet({ shop }))
          .execute();
        return shop;
      }),

    /** `identity` null where it states none. False, without a change, where another shop has it or this one has another. */
    answered: ({ platform, shop }: ShopKey, identity: string | null, now: Date): Promise<boolean> =>
      access
        .atomic(async ({ db, dialect }) => {
          const own = await db()
            .selectFrom('stores')
            .select('identity')
            .where((is) => is.and({ platform, shop }))
            .modifyEnd(dialect.lockRows)
            .executeTakeFirst();
          const known = own?.identity ?? identity;
          if (identity !== null && known !== identity) return false;
          await db()
            .updateTable('stores')
            .set({ askedAt: now.toISOString(), identity: known })
            .where((is) => is.and({ platform, shop }))
            .execute();
          // The address of a shop under its own name is no former address of another.
          await db()
            .deleteFrom('shopAddresses')
            .where((is) => is.and({ platform, address: shop }))
            .execute();
          return true;
        })
        .catch(ofAnother),

    replaceIdentity: ({ platform, shop }: ShopKey, identity: string): Promise<boolean> =>
      wrote(
        db()
          .updateTable('stores')
          .set({ identity })
          .where((is) => is.and({ platform, shop })),
      ).catch(ofAnother),

    move: ({ platform, address, shop }: ShopKey & { address: string }, now: Date): Promise<void> =>
      access.atomic(async ({ db }) => {
        if (address !== shop)
          await db()
            .insertInto('shopAddresses')
            .values({ platform, address, shop, since: now.toISOString() })
            .onConflict((known) => known.columns(['platform', 'address']).doUpdateSet({ shop }))
            .execute();
        // A shop that returns to the address that is its name.
        else
          await db()
            .deleteFrom('shopAddresses')
            .where((is) => is.and({ platform, address }))
            .execute();
        await db()
          .updateTable('stores')
          .set({ address, askedAt: now.toISOString() })
          .where((is) => is.and({ platform, shop }))
          .execute();
        // Deliveries that came there before the identity was known.
        const began = await db()
          .selectFrom('stores')
          .select('firstStartedAt')
          .where((is) => is.and({ platform, shop: address }))
          .executeTakeFirst();
        if (began && address !== shop)
          await db()
            .updateTable('deliveries')
            .set({ shop })
            .where('receivedAt', '>=', began.firstStartedAt)
            .where((is) => is.and({ platform, shop: address }))
            .execute();
      }),

    hold: ({ platform, shop }: ShopKey, { code, reason, found, owner }: ShopHold, now: Date) =>
      wrote(
        db()
          .insertInto('shopHolds')
          .values({ platform, shop, code, reason, found, owner, since: now.toISOString() })
          .onConflict((known) =>
            known
              .columns(shopKey)
              .doUpdateSet({ code, reason, found, owner })
              .where((is) => is.or([is('shopHolds.code', '<>', code), is('shopHolds.found', '<>', found)])),
          ),
      ),

    release: ({ platform, shop }: ShopKey) =>
      wrote(
        db()
          .deleteFrom('shopHolds')
          .where((is) => is.and({ platform, shop })),
      ),

    held: ({ platform, shop }: ShopKey): Promise<HeldShop | undefined> =>
      held()
        .where((is) => is.and({ platform, shop }))
        .executeTakeFirst(),

    allHeld: (): Promise<HeldShop[]> => held().orderBy('since').execute(),
  };
}

const place = ({ platform, shop }: ShopKey) => `credentials.encrypted ${platform} ${shop}`;

export function credentialTable({ db }: Access, cipher: Cipher) {
  async function versions(platform: string): Promise<[shop: string, version: number][]> {
    const rows = await db()
      .selectFrom('credentials')
      .select(['shop', 'version'])
      .where('platform', '=', platform)
      .orderBy('shop')
      .execute();
    return rows.map(({ shop, version }) => [shop, version]);
  }
  return {
    versions,

    shops: async (platform: string) => (await versions(platform)).map(([shop]) => shop),

    async get({ platform, shop }: ShopKey): Promise<Credential | null> {
      const row = await db()
        .selectFrom('credentials')
        .select(['encrypted', 'version'])
        .where((is) => is.and({ platform, shop }))
        .executeTakeFirst();
      if (!row) return null;
      const { encrypted, version } = row;
      return { value: JSON.parse(cipher.open(encrypted, place({ platform, shop }))), version };
    },

    /** Compare-and-set on the version; null: only where there is none yet. */
    put({ platform, shop }: ShopKey, value: unknown, version: number | null, now: Date): Promise<boolean> {
      const row = {
        encrypted: cipher.close(JSON.stringify(value), place({ platform, shop })),
        version: (version ?? 0) + 1,
        updatedAt: now.toISOString(),
      };
      if (version === null)
        return wrote(
          db()
            .insertInto('credentials')
            .values({ platform, shop, ...row })
            .onConflict((known) => known.columns(shopKey).doNothing()),
        );
      return wrote(
        db()
          .updateTable('credentials')
          .set(row)
          .where((is) => is.and({ platform, shop, version })),
      );
    },

    remove: ({ platform, shop }: ShopKey) =>
      wrote(
        db()
          .deleteFrom('credentials')
          .where((is) => is.and({ platform, shop })),
      ),
  };
}

export function lockTable({ db }: Access) {
  return {
    take: (lock: { name: string; holder: string; now: Date; until: Date }) => {
      const { name, holder, now } = lock;
      const until = lock.until.toISOString();
      return wrote(
        db()
          .insertInto('locks')
          .values({ name, holder, until })
          .onConflict((known) =>
            known
              .column('name')
              .doUpdateSet({ holder, until })
              .where((is) =>
                is.or([is('locks.holder', '=', holder), is('locks.until', '<=', now.toISOString())]),
              ),
          ),
      );
    },

    async giveBack({ name, holder }: { name: string; holder: string }): Promise<void> {
      await db()
        .deleteFrom('locks')
        .where((is) => is.and({ name, holder }))
        .execute();
    },
  };
}

export interface Freshness extends ShopKey {
  storeId: string;
  version: number;
  reconciledTo: string;
  behind: Behind;
}

export function reconciliationTable({ db }: Access) {
  return {
    async begin({ platform, shop }: ShopKey, reconciledTo: Date): Promise<void> {
      await db()
        .insertInto('reconciliations')
        .values({ platform, shop, version: 1, reconciledTo: reconciledTo.toISOString(), behind: '{}' })
        .onConflict((known) => known.columns(shopKey).doNothing())
        .execute();
    },

    async get<Progress>({ platform, shop }: ShopKey): Promise<ReconciliationRow<Progress> | undefined> {
      const row = await db()
        .selectFrom('reconciliations')
        .select(['version', 'reconciledTo', 'behindSince', 'behind', 'progress'])
        .where((is) => is.and({ platform, shop }))
        .executeTakeFirst();
      return row as ReconciliationRow<Progress> | undefined;
    },

    /** Compare-and-set; false when another process saved since `row` was read. */
    save: ({ platform, shop }: ShopKey, row: ReconciliationRow) => {
      const { version, reconciledTo, behindSince, behind, progress } = row;
      return wrote(
        db()
          .updateTable('reconciliations')
          .set({
            version: version + 1,
            reconciledTo,
            behindSince,
            behind: JSON.stringify(behind),
            progress: JSON.stringify(progress),
          })
          .where((is) => is.and({ platform, shop, version })),
      );
    },

    freshness: (scope: Scope | null = null): Promise<Freshness[]> =>
      db()
        .selectFrom('reconciliations as one')
        .innerJoin('stores', (join) =>
          join.onRef('stores.platform', '=', 'one.platform').onRef('stores.shop', '=', 'one.shop'),
        )
        .select(['one.platform', 'one.shop', 'stores.id as storeId', 'version', 'reconciledTo', 'behind'])
        .where(ofShops(scope, 'one'))
        .orderBy('stores.id')
        .execute(),
  };
}
