import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Alerts } from '../domain/alerts.ts';
import type { Clock } from '../domain/clock.ts';
import { ShopError } from '../domain/errors.ts';
import type { Order } from '../domain/order.ts';
import type { Platform, Shop, ShopContext } from '../domain/platform.ts';
import type { Log, Outbound } from '../domain/ports.ts';
import { addressOf, firstNumber, type Store, seriesOf } from '../domain/settings.ts';
import type { Credentials } from '../domain/shop-identity.ts';
import { seriesAlert } from '../jobs/alerts.ts';
import { takeStores } from '../jobs/connection.ts';
import type { JobDeps } from '../jobs/deps.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { watchCalls } from '../observability/observer.ts';
import { openOutbound } from './outbound.ts';
import { userAgent } from './platforms.ts';
import type { Kept, KeptStore, LiveSettings } from './settings.ts';

/** The ledger keeps its stores among the credentials, encrypted, under this name. */
export const keptUnder = '@stores';

export interface Stores {
  /** Default of `invoiceFrom`; undefined before the first `start`. */
  firstStart(store: Store): Date | undefined;
  refresh(): Promise<Store[]>;
}

interface StoresDeps {
  ledger: Ledger;
  /** The first start of a store that is new. */
  firstStartNow(): Date;
  clock: Clock;
  alerts: Alerts;
  log: Log;
  live: LiveSettings;
  /** `start` registers stores; a command takes them as the ledger has them. */
  registers: boolean;
}

export async function openStores(deps: StoresDeps): Promise<Stores> {
  const { ledger, log, live } = deps;
  const { settings } = live;
  const first: FirstStarts = new Map();
  let seen = '';

  async function refresh(): Promise<Store[]> {
    const versions = await ledger.credentials.versions(keptUnder);
    const now = JSON.stringify([versions, await ledger.shops.addresses()]);
    if (now === seen) return [];
    for (const { platform, shop, firstStartedAt } of await ledger.stores.list())
      first.set(shopName(platform, shop), new Date(firstStartedAt));
    const before = new Set(settings.stores.values());
    for (const [id, error] of live.adopt(await keptIn(ledger)))
      log.error(
        { store: id, err: error },
        'A store of the ledger cannot be used; the others are not affected',
      );
    seen = now;
    const added = [...settings.stores.values()].filter((store) => !before.has(store));
    await register(deps, added, first);
    return added;
  }

  // After `refresh`, which names a moved shop as the ledger does, so that it begins no history at its new address.
  const added = new Set(await refresh());
  const rest = [...settings.stores.values()].filter((store) => !added.has(store));
  await register(deps, rest, first);
  const firstStart = ({ platform, shop }: Store) => first.get(shopName(platform.name, shop));
  return { firstStart, refresh };
}

/** Keyed by the ledger's name: a moved store was registered at its new address too, before the shop was known. */
type FirstStarts = Map<string, Date>;
const shopName = (platform: string, shop: string): string => `${platform} ${shop}`;

export async function takeNewStores(
  { stores, jobDeps }: { stores: Stores; jobDeps: JobDeps },
  log: Log,
): Promise<void> {
  const added = await stores.refresh();
  if (added.length === 0) return;
  log.info({ stores: added.map(({ id }) => id) }, 'Stores of the ledger were added');
  await takeStores(jobDeps, added);
}

async function keptIn({
  credentials,
  shops,
}: {
  credentials: Pick<Ledger['credentials'], 'get' | 'shops'> | null;
  shops: Pick<Ledger['shops'], 'addresses'>;
}): Promise<Kept> {
  return { stores: credentials ? await keptStores(credentials) : [], addresses: await shops.addresses() };
}

export async function keptStores(
  credentials: Pick<Ledger['credentials'], 'get' | 'shops'>,
): Promise<KeptStore[]> {
  const kept: KeptStore[] = [];
  for (const id of await credentials.shops(keptUnder)) {
    const found = await credentials.get({ platform: keptUnder, shop: id });
    if (found) kept.push({ id, version: found.version, raw: found.value });
  }
  return kept;
}

async function register(
  { ledger, clock, alerts, registers, firstStartNow }: StoresDeps,
  stores: Iterable<Store>,
  first: FirstStarts,
): Promise<void> {
  if (!registers) return;
  for (const store of stores) {
    const { id, shop, platform, app } = store;
    const address = addressOf(store);
    // Another shop, which moved away, has this address as its name (nameShops).
    if (shop.startsWith(`${address}#`))
      await ledger.shops.begin({ platform: platform.name, address, shop }, clock.now());
    const { firstStartedAt } = await ledger.stores.register({
      id,
      platform: platform.name,
      shop,
      app: app?.id ?? null,
      now: firstStartNow(),
    });
    first.set(shopName(platform.name, shop), new Date(firstStartedAt));
    // After a number conflict the merchant configures a free number and restarts.
    for (const kind of ['factura', 'nota-credito'] as const)
      if (await ledger.sequences.raise(seriesOf(store, kind), firstNumber(store, kind)))
        await alerts.over(seriesAlert(seriesOf(store, kind)));
  }
}

/** Longer than any call to a shop. */
const lockMs = 60_000;
const patienceMs = 30_000;
const lookMs = 100;

export function credentialsOf(
  platform: string,
  { credentials, locks }: Pick<Ledger, 'credentials' | 'locks'>,
  clock: Clock,
): Credentials {
  /** Only one task of a process waits for the lock of the ledger. */
  const last = new Map<string, Promise<unknown>>();

  async function withLock<T>(shop: string, task: () => Promise<T>): Promise<T> {
    const lock = { name: `credentials ${platform} ${shop}`, holder: randomUUID() };
    const giveUp = performance.now() + patienceMs;
    const take = () => {
      const now = clock.now();
      return locks.take({ ...lock, now, until: new Date(now.getTime() + lockMs) });
    };
    while (!(await take())) {
      if (performance.now() > giveUp)
        throw new ShopError(
          'busy-elsewhere',
          { why: 'access', shop, waitedMs: patienceMs },
          { retryable: true, retryAfterMs: patienceMs },
        );
      await pause(lookMs);
    }
    try {
      return await task();
    } finally {
      await locks.giveBack(lock);
    }
  }

  return {
    get: (shop) => credentials.get({ platform, shop }),
    put: (shop, value, version) => credentials.put({ platform, shop }, value, version, clock.now()),
    remove: (shop) => credentials.remove({ platform, shop }),
    shops: () => credentials.shops(platform),
    async alone(shop, task) {
      const before = last.get(shop) ?? Promise.resolve();
      const mine = before.then(() => withLock(shop, task));
      const settled = mine.catch(() => {});
      last.set(shop, settled);
      try {
        return await mine;
      } finally {
        if (last.get(shop) === settled) last.delete(shop);
      }
    },
  };
}

/** One context for each platform, so that its credentials share one queue. */
export function openShopContext({
  ledger,
  clock,
  log,
  outbound = openOutbound(),
}: {
  ledger: Ledger;
  clock: Clock;
  log: Log;
  outbound?: Outbound;
}) {
  const opened = new Map<string, ShopContext>();
  return ({ name }: Platform): ShopContext => {
    let context = opened.get(name);
    if (context === undefined) {
      context = { clock, log, userAgent, outbound, credentials: credentialsOf(name, ledger, clock) };
      opened.set(name, context);
    }
    return context;
  };
}

/** `verify` runs before the first call except `identity`; the call throws what it throws. */
export function openShops(
  contextOf: (platform: Platform) => ShopContext,
  {
    observe,
    verify,
  }: {
    observe(store: Store, shop: Shop): Shop;
    verify(store: Store, shop: Shop): Promise<void>;
  },
) {
  const opened = new Map<string, { store: Store; shop: Shop | null }>();
  return {
    /** null for a store configured without API access. */
    of(store: Store): Shop | null {
      const known = opened.get(store.id);
      if (known?.store === store) return known.shop;
      // The store changed; calls under way end with the old one.
      void known?.shop?.close();
      const { platform, connection, app } = store;
      const api = platform.openShop({ connection, app: app?.settings ?? null }, contextOf(platform));
      const shop =
        api && verifiedFirst(calledByName(store, observe(store, api)), (one) => verify(store, one));
      opened.set(store.id, { store, shop });
      return shop;
    },
    async close(): Promise<void> {
      await Promise.all([...opened.values()].map(({ shop }) => shop?.close()));
    },
  };
}

export function calledByName(store: Store, shop: Shop): Shop {
  const address = addressOf(store);
  if (store.shop === address) return shop;
  return watchCalls(shop, [], async (name, call) => {
    const answer = await call();
    if (name !== 'fetchOrder') return answer;
    const order = answer as Order | null;
    return order?.shop === address ? { ...order, shop: store.shop } : order;
  });
}

function verifiedFirst(shop: Shop, verify: (shop: Shop) => Promise<void>): Shop {
  let verified: Promise<void> | undefined;
  return watchCalls(shop, ['identity', 'close'], async (_name, call) => {
    verified ??= verify(shop).catch((error: unknown) => {
      verified = undefined;
      throw error;
    });
    await verified;
    return call();
  });
}
