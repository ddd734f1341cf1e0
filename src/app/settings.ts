import { ivaRates } from '../../mappers/tables/taxes.ts';
import type { Config, ProcessClock } from '../config/load.ts';
import { loadPlatforms, parseFragment, resolveSettings, withFragment } from '../config/resolve.ts';
import { FacturapuenteError } from '../domain/errors.ts';
import type { RateLimit, RateLimits } from '../domain/job.ts';
import type { Platform } from '../domain/platform.ts';
import type { Log } from '../domain/ports.ts';
import { addressOf, type Settings, type Store } from '../domain/settings.ts';
import { nameShops, type ShopAddress } from '../domain/shop-identity.ts';
import type { Observer } from '../observability/observer.ts';
import { rateLimitFor } from '../queue/rate-limit.ts';
import { openServiceClient, type ServiceClient } from '../service/client.ts';
import { builtInPlatforms, userAgent } from './platforms.ts';

export interface KeptStore {
  id: string;
  version: number;
  raw: unknown;
}

export interface Kept {
  stores: readonly KeptStore[];
  addresses: readonly ShopAddress[];
}

export interface LiveSettings {
  settings: Settings;
  /** A store that cannot be used does not affect the others; answers the errors by store id. */
  adopt(kept: Kept): Map<string, FacturapuenteError>;
  check(kept: readonly KeptStore[]): { settings: Settings; merged: Pick<Config, 'production' | 'issuers'> };
  readonly issuers: Config['issuers'];
  readonly production: Config['production'];
}

/** Throws ConfigError. */
export async function openSettings(config: Config, more: readonly Platform[] = []): Promise<Settings> {
  return (await openLiveSettings(config, more)).settings;
}

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
      // One of them is not usable: each is tried with those that are.
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
      // A store or account that did not change stays the same object.
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

const named = (store: Store, shop: string): Store => (store.shop === shop ? store : { ...store, shop });

export function openAccounts(
  settings: Settings,
  {
    rateLimits,
    clock,
    log,
    observer,
  }: {
    rateLimits: RateLimits;
    clock: ProcessClock;
    log: Log;
    observer: Observer;
  },
) {
  const opened = new Map<string, { client: ServiceClient; rateLimit: RateLimit }>();
  return {
    get(accountId: string, hash?: string) {
      const account = settings.accounts.get(accountId);
      const key = account?.keys.find((one) => one.keyHash === (hash ?? account.keyHash));
      if (!account || !key) return undefined;
      const { apiKey, keyHash } = key;
      const name = `${accountId}/${keyHash}`;
      let found = opened.get(name);
      if (!found) {
        const { baseUrl, reprocess } = account;
        const reprocessIdField = reprocess.idField;
        const client = openServiceClient({ baseUrl, apiKey, userAgent, log, reprocessIdField });
        found = {
          client: {
            ...observer.service(accountId, client),
            with: (rateLimit) => observer.service(accountId, client.with(rateLimit)),
            close: client.close,
          },
          rateLimit: rateLimitFor(rateLimits, keyHash, clock, clock.rate),
        };
        opened.set(name, found);
      }
      return found;
    },
    async close() {
      await Promise.all([...opened.values()].map(({ client }) => client.close()));
    },
  };
}
