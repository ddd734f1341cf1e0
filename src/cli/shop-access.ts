import { credentialsOf } from '../app/credentials.ts';
import { storeOf } from '../app/installing.ts';
import { openOutbound } from '../app/outbound.ts';
import { openLiveSettings } from '../app/settings.ts';
import { calledByName } from '../app/shops.ts';
import { keptIn } from '../app/stores.ts';
import { userAgent } from '../app/version.ts';
import { openClock } from '../config/clock.ts';
import { type Config, loadConfig } from '../config/load.ts';
import { openSecrets } from '../config/secret.ts';
import type { Clock } from '../domain/clock.ts';
import type { Credentials } from '../domain/credentials.ts';
import { ConfigError, LedgerError, ShopError } from '../domain/errors.ts';
import { silentLog } from '../domain/log.ts';
import type { Shop } from '../domain/platform.ts';
import type { Store } from '../domain/settings.ts';
import { type LedgerReader, openLedgerReader } from '../ledger/read.ts';
import { openOwnLedger } from './own-ledger.ts';

/** A store and its shop for a command that only reads them, also while `start` holds the ledger. */
export interface OpenedShop {
  store: Store;
  shop: Shop;
  clock: Clock;
}

export interface ShopFlags {
  config?: string;
  /** May be left out where there is only one. */
  store?: string;
}

/**
 * Opens the shop of a store of the config or the ledger, and closes it afterwards. The ledger is looked at and not
 * locked; only where the access to the shop lapses meanwhile it is opened for a moment, to renew it. Throws ConfigError,
 * LedgerError and ShopError.
 */
export async function withShop<T>(flags: ShopFlags, task: (opened: OpenedShop) => Promise<T>): Promise<T> {
  const path = flags.config;
  const config = await loadConfig({ ...(path ? { path } : {}), cwd: process.cwd(), env: process.env });
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
    const credentials = lookedAt(config, platform.name, known);
    const outbound = openOutbound(config.outbound.allow);
    const context = { clock, log: silentLog, userAgent, outbound, credentials };
    const shop = platform.openShop({ connection, app: app?.settings ?? null }, context);
    if (shop === null) throw withoutApi(store);
    try {
      return await task({ store, shop: calledByName(store, shop), clock });
    } finally {
      await shop.close();
    }
  } finally {
    await reader?.close();
  }
}

/** Null before the first start: a store whose keys stand in the config needs none. */
async function openReader(config: Config): Promise<LedgerReader | null> {
  const { seal } = await openSecrets(config);
  try {
    return openLedgerReader({ ...config.ledger, sealKey: seal }, silentLog);
  } catch (error) {
    if (error instanceof LedgerError && error.code === 'ledger-missing') return null;
    throw error;
  }
}

function named({ store }: ShopFlags, stores: ReadonlyMap<string, unknown>): string {
  if (store !== undefined) return store;
  const known = [...stores.keys()].join(', ');
  const sentence = `Hay varias tiendas: indique una con --store: ${known}.`;
  throw new ConfigError('which-store', sentence, `Say with --store which of ${known} is meant.`);
}

/** What shops gave us, as the ledger has it; whoever must write does so in turn with all other processes. */
function lookedAt(config: Config, platform: string, known: LedgerReader['credentials']): Credentials {
  let own: Credentials | null = null;
  return {
    get: async (shop) => (own ? own.get(shop) : ((await known?.get({ platform, shop })) ?? null)),
    put: async (...put) => own?.put(...put) ?? false,
    remove: async (shop) => own?.remove(shop) ?? false,
    shops: async () => (await known?.shops(platform)) ?? [],
    async alone(shop, task) {
      const { ledger, clock } = await openOwnLedger(config);
      if (ledger === null) throw heldElsewhere(shop);
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

/** A refresh token may be spent only once, and by who can keep what it is spent for. */
function heldElsewhere(shop: string): ShopError {
  return new ShopError(
    'renewal-elsewhere',
    'El acceso a la tienda vence ahora y solo facturapuente start, que está en marcha, puede renovarlo: lo hace en cuanto pregunta a la tienda (a más tardar en una hora). Repita entonces este comando.',
    `The access to ${shop} lapses, and its renewal has to be kept by the process that holds the ledger; repeat after it has.`,
    { retryable: false },
  );
}

function withoutApi({ id }: Store): ConfigError {
  return new ConfigError(
    'no-api',
    `La tienda «${id}» no tiene acceso a la API de la tienda y no se puede preguntar por sus pedidos: complete su conexión.`,
    `Store ${id} is configured without API access; its shop cannot be read.`,
  );
}
