import { ivaRates } from '../../mappers/tables/iva.ts';
import { parseFragment, withFragment } from '../config/fragment.ts';
import type { Config } from '../config/load.ts';
import { loadPlatforms } from '../config/platforms.ts';
import { resolveSettings } from '../config/resolve.ts';
import { FacturapuenteError } from '../domain/errors.ts';
import type { Platform } from '../domain/platform.ts';
import { addressOf, type Settings, type Store } from '../domain/settings.ts';
import { shadowShop } from '../domain/shadow.ts';
import { nameShops, type ShopAddress } from '../domain/shop-identity.ts';
import { builtInPlatforms } from './platforms.ts';

/** A store of the ledger, as `store add` was given it. */
export interface KeptStore {
  id: string;
  version: number;
  /** See config/fragment.ts. */
  raw: unknown;
}

/** What the ledger adds to the config: its own stores, and the addresses of shops it knows by another. */
export interface Kept {
  stores: readonly KeptStore[];
  addresses: readonly ShopAddress[];
}

/** The config together with the stores of the ledger, in one object that is the same as long as the process runs. */
export interface LiveSettings {
  settings: Settings;
  /**
   * Puts these stores in the place of those adopted before, and calls each shop what the ledger calls it. One that
   * cannot be used keeps no other out; answers why by its id.
   */
  adopt(kept: Kept): Map<string, FacturapuenteError>;
  /** The config with these stores; throws ConfigError where it could not be used. */
  check(kept: readonly KeptStore[]): { settings: Settings; merged: Pick<Config, 'production' | 'issuers'> };
  /** The issuers as they are written, those of stores of the ledger too. */
  readonly issuers: Config['issuers'];
  /** RUC whose production the config, or a store of the ledger, confirms. */
  readonly production: Config['production'];
}

/**
 * The config resolved with all there is: the built-in platforms, `more`, those the config names, and the rates of
 * the law. Throws ConfigError.
 */
export async function openSettings(config: Config, more: readonly Platform[] = []): Promise<Settings> {
  return (await openLiveSettings(config, more)).settings;
}

/** The same, for processes that take up stores of the ledger while they run. */
export async function openLiveSettings(
  config: Config,
  more: readonly Platform[] = [],
): Promise<LiveSettings> {
  const platforms = [...builtInPlatforms, ...more, ...(await loadPlatforms(config.platforms, config.file))];
  const merge = (merged: Config, { id, raw }: KeptStore) =>
    withFragment(merged, parseFragment(raw, `store ${id}`), `store ${id}`);
  const resolveAll = (kept: readonly KeptStore[]) => {
    const merged = kept.reduce(merge, config);
    return { settings: resolveSettings(merged, platforms, ivaRates), merged };
  };
  const resolve = (kept: readonly KeptStore[]) => resolveAll(kept).settings;
  const base = resolve([]);
  let written: Pick<Config, 'production' | 'issuers'> = config;
  const settings: { -readonly [K in keyof Settings]: Settings[K] } = { ...base };
  let adopted = new Map<string, number>();

  function usable(kept: readonly KeptStore[], refused: Map<string, FacturapuenteError>): KeptStore[] {
    try {
      resolve(kept);
      return [...kept];
    } catch {
      // One of them spoils all: each is tried beside those that are good.
    }
    const good: KeptStore[] = [];
    for (const one of kept) {
      try {
        resolve([...good, one]);
        good.push(one);
      } catch (error) {
        if (!(error instanceof FacturapuenteError)) throw error;
        refused.set(one.id, error);
      }
    }
    return good;
  }

  return {
    settings,
    check: resolveAll,
    get production() {
      return written.production;
    },
    get issuers() {
      return written.issuers;
    },
    adopt({ stores: kept, addresses }) {
      const refused = new Map<string, FacturapuenteError>();
      const good = usable(kept, refused);
      const { settings: fresh, merged } = resolveAll(good);
      written = merged;
      // Whoever holds a store or account that did not change goes on holding the same one.
      const same = ({ id }: { id: string }) =>
        good.some((one) => one.id === id && adopted.get(id) === one.version);
      const stores = [...fresh.stores].map(
        ([id, store]) => base.stores.get(id) ?? (same(store) ? (settings.stores.get(id) ?? store) : store),
      );
      const places = stores.map((store) => ({
        id: store.id,
        platform: store.platform.name,
        address: addressOf(store),
      }));
      const names = nameShops(places, addresses);
      settings.stores = new Map(
        stores.map((store) => {
          const shop = names.get(store.id) ?? store.shop;
          const before = settings.stores.get(store.id);
          const isBefore = before?.shop === shop && before.connection === store.connection;
          return [store.id, isBefore ? before : named(store, shop)];
        }),
      );
      settings.accounts = new Map(
        [...fresh.accounts].map(([id, account]) => [id, base.accounts.get(id) ?? account]),
      );
      adopted = new Map(good.map(({ id, version }) => [id, version]));
      return refused;
    },
  };
}

/** The same store, its shop called otherwise. */
function named(store: Store, shop: string): Store {
  if (store.shop === shop) return store;
  const { shadow } = store;
  const shaded = shadow && { ...shadow, store: { ...shadow.store, shop: shadowShop(shop) } };
  return { ...store, shop, ...(shaded && { shadow: shaded }) };
}
