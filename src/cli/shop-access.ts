import { openOutbound } from '../app/outbound.ts';
import { userAgent } from '../app/platforms.ts';
import { openLiveSettings } from '../app/settings.ts';
import { calledByName } from '../app/stores.ts';
import { type Config, openClock } from '../config/load.ts';
import type { Clock } from '../domain/clock.ts';
import { ConfigError, LedgerError } from '../domain/errors.ts';
import type { Platform, Shop, ShopContext } from '../domain/platform.ts';
import { silentLog } from '../domain/ports.ts';
import { type Settings, type Store, storeOf } from '../domain/settings.ts';
import type { Credentials } from '../domain/shop-identity.ts';
import { withInstallation } from './carry-out.ts';
import { type ConfigFlag, readConfig } from './given.ts';

export interface OpenedShop {
  store: Store;
  shop: Shop;
  clock: Clock;
}

export interface ShopFlags extends ConfigFlag {
  store?: string;
}

/** Does not ask the shop's identity. Keys in the config need no ledger. Throws ConfigError, LedgerError and ShopError. */
export async function withShop<T>(flags: ShopFlags, task: (opened: OpenedShop) => Promise<T>): Promise<T> {
  const config = await readConfig(flags);
  const run = (settings: Settings, clock: Clock, contextOf: (platform: Platform) => ShopContext) =>
    withStore(namedStore(settings, flags), clock, contextOf, task);
  try {
    return await withInstallation(config, { role: 'rehearse' }, ({ settings, clock, shopContext }) =>
      run(settings, clock, shopContext),
    );
  } catch (error) {
    if (!(error instanceof LedgerError) || error.code !== 'ledger-missing') throw error;
    const { settings } = await openLiveSettings(config);
    const clock = openClock(config.testClock);
    return run(settings, clock, () => withoutLedger(config, clock));
  }
}

async function withStore<T>(
  store: Store,
  clock: Clock,
  contextOf: (platform: Platform) => ShopContext,
  task: (opened: OpenedShop) => Promise<T>,
): Promise<T> {
  const { platform, connection, app } = store;
  const shop = platform.openShop({ connection, app: app?.settings ?? null }, contextOf(platform));
  if (shop === null) throw new ConfigError('not-offered', { why: 'no-api', store: store.id });
  try {
    return await task({ store, shop: calledByName(store, shop), clock });
  } finally {
    await shop.close();
  }
}

function namedStore(settings: Settings, { store }: ShopFlags): Store {
  const [only, ...others] = settings.stores.values();
  if (store === undefined && only && others.length === 0) return only;
  if (store !== undefined) return storeOf(settings, store);
  throw new ConfigError('ambiguous', { what: 'Este comando', found: [...settings.stores.keys()].join(', ') });
}

/** Before the first start no shop has given access: only keys of the config open one. */
function withoutLedger({ outbound: { allow } }: Config, clock: Clock): ShopContext {
  const credentials: Credentials = {
    get: async () => null,
    put: async () => false,
    remove: async () => false,
    shops: async () => [],
    alone: async (_shop, task) => task(),
  };
  return { clock, log: silentLog, userAgent, outbound: openOutbound(allow), credentials };
}
