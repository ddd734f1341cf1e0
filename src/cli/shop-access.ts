import { openOutbound } from '../app/outbound.ts';
import { userAgent } from '../app/platforms.ts';
import { openLiveSettings } from '../app/settings.ts';
import { calledByName, credentialsOf, keptIn } from '../app/stores.ts';
import { type Config, openClock } from '../config/load.ts';
import { openSecrets } from '../config/secret.ts';
import type { Clock } from '../domain/clock.ts';
import { ConfigError, LedgerError } from '../domain/errors.ts';
import type { Shop } from '../domain/platform.ts';
import { silentLog } from '../domain/ports.ts';
import { type Store, storeOf } from '../domain/settings.ts';
import type { Credentials } from '../domain/shop-identity.ts';
import { type LedgerReader, openLedgerReader } from '../ledger/read.ts';
import { type ConfigFlag, openOwnLedger, readConfig } from './own-ledger.ts';

/** A store and its shop, for commands that only read. */
export interface OpenedShop {
  store: Store;
  shop: Shop;
  clock: Clock;
}

export interface ShopFlags extends ConfigFlag {
  /** Optional where there is one store only. */
  store?: string;
}

/**
 * Opens the shop of a store, and closes it afterwards. The ledger is read beside a running `start`; it is opened for
 * writing only to renew an access token that expires meanwhile. Throws ConfigError, LedgerError and ShopError.
 */
export async function withShop<T>(flags: ShopFlags, task: (opened: OpenedShop) => Promise<T>): Promise<T> {
  const config = await readConfig(flags);
  const live = await openLiveSettings(config);
  const clock = openClock(config.testClock);
  const reader = await openReader(config);
  try {
    const known = reader?.credentials ?? null;
    if (reader) live.adopt(await keptIn(reader));
    const { stores } = live.settings;
    const [only] = stores.values();
    const store =
      flags.store === undefined && stores.size === 1 && only
        ? only
        : storeOf(live.settings, named(flags, stores));
    const { platform, connection, app } = store;
    const credentials = readCredentials(config, platform.name, known);
    const outbound = openOutbound(config.outbound.allow);
    const context = { clock, log: silentLog, userAgent, outbound, credentials };
    const shop = platform.openShop({ connection, app: app?.settings ?? null }, context);
    if (shop === null) throw new ConfigError('not-offered', { why: 'no-api', store: store.id });
    try {
      return await task({ store, shop: calledByName(store, shop), clock });
    } finally {
      await shop.close();
    }
  } finally {
    await reader?.close();
  }
}

/** Null before the first start; a store whose keys are in the config needs no ledger. */
async function openReader(config: Config): Promise<LedgerReader | null> {
  const { cipher } = await openSecrets(config);
  try {
    return openLedgerReader({ ...config.ledger, encryptionKey: cipher }, silentLog);
  } catch (error) {
    if (error instanceof LedgerError && error.code === 'ledger-missing') return null;
    throw error;
  }
}

function named({ store }: ShopFlags, stores: ReadonlyMap<string, unknown>): string {
  if (store !== undefined) return store;
  throw new ConfigError('ambiguous', { what: 'Este comando', found: [...stores.keys()].join(', ') });
}

/** The credentials of the ledger. To write them, the ledger is opened and the lock of the shop is taken. */
function readCredentials(config: Config, platform: string, known: LedgerReader['credentials']): Credentials {
  let own: Credentials | null = null;
  return {
    get: async (shop) => (own ? own.get(shop) : ((await known?.get({ platform, shop })) ?? null)),
    put: async (...put) => own?.put(...put) ?? false,
    remove: async (shop) => own?.remove(shop) ?? false,
    shops: async () => (await known?.shops(platform)) ?? [],
    async alone(shop, task) {
      const { ledger, clock } = await openOwnLedger(config);
      own = credentialsOf(platform, ledger, clock);
      try {
        return await own.alone(shop, task);
      } finally {
        own = null;
        await ledger.close();
      }
    },
  };
}
