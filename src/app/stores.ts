import type { Alerts } from '../domain/alerts.ts';
import type { Clock } from '../domain/clock.ts';
import type { Log } from '../domain/log.ts';
import { firstNumber, seriesOf } from '../domain/series.ts';
import { addressOf, type Store } from '../domain/settings.ts';
import { isShadowShop } from '../domain/shadow.ts';
import { seriesAlert } from '../jobs/series-stop.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Kept, KeptStore, LiveSettings } from './settings.ts';

/** Where the ledger keeps them, beside what shops gave us and sealed like it. */
export const keptUnder = '@stores';

export interface Stores {
  /** Default of `invoiceFrom`: when the shop was first known here. */
  firstStart(store: Store): Date | undefined;
  /** Another process may have found that one was wrong (jobs/first-start.ts). */
  readFirstStarts(): Promise<void>;
  /** Takes up what `store add` and `store remove` changed, and shops that moved; answers the stores that are new or changed. */
  refresh(): Promise<Store[]>;
}

interface StoresDeps {
  ledger: Ledger;
  clock: Clock;
  alerts: Alerts;
  log: Log;
  live: LiveSettings;
}

/** Remembers the configured stores in the ledger, together with those it keeps itself. */
export async function openStores(deps: StoresDeps): Promise<Stores> {
  const { ledger, log, live } = deps;
  const { settings } = live;
  const first = new Map<string, Date>();
  let seen = '';

  async function readFirstStarts(): Promise<void> {
    for (const { id, firstStartedAt } of await ledger.stores.list())
      if (first.has(id)) first.set(id, new Date(firstStartedAt));
  }

  async function refresh(): Promise<Store[]> {
    await readFirstStarts();
    const versions = await ledger.credentials.versions(keptUnder);
    const now = JSON.stringify([versions, await ledger.shops.addresses()]);
    if (now === seen) return [];
    const before = new Set(settings.stores.values());
    for (const [id, error] of live.adopt(await keptIn(ledger)))
      log.error({ store: id, err: error }, 'A store of the ledger cannot be used; the others go on');
    seen = now;
    const added = [...settings.stores.values()].filter((store) => !before.has(store));
    await register(deps, added, first);
    return added;
  }

  // Called by their names first: a shop that moved begins no history at its new address.
  const added = new Set(await refresh());
  const rest = [...settings.stores.values()].filter((store) => !added.has(store));
  await register(deps, rest, first);
  return { firstStart: ({ id }) => first.get(id), readFirstStarts, refresh };
}

/** Refreshes, and hands new stores over. */
export async function takeNewStores(
  stores: Stores,
  take: (added: Store[]) => Promise<void>,
  log: Log,
): Promise<void> {
  const added = await stores.refresh();
  if (added.length === 0) return;
  log.info({ stores: added.map(({ id }) => id) }, 'Took up stores of the ledger');
  await take(added);
}

/** What the ledger adds to the config (LiveSettings.adopt). */
export async function keptIn(ledger: {
  credentials: Pick<Ledger['credentials'], 'get' | 'shops'> | null;
  shops: Pick<Ledger['shops'], 'addresses'>;
}): Promise<Kept> {
  const { credentials, shops } = ledger;
  return {
    stores: credentials ? await keptStores({ credentials }) : [],
    addresses: await shops.addresses(),
  };
}

/** All stores of the ledger, by id. */
export async function keptStores({
  credentials,
}: {
  credentials: Pick<Ledger['credentials'], 'get' | 'shops'>;
}): Promise<KeptStore[]> {
  const kept: KeptStore[] = [];
  for (const id of await credentials.shops(keptUnder)) {
    const found = await credentials.get({ platform: keptUnder, shop: id });
    if (found) kept.push({ id, version: found.version, raw: found.value });
  }
  return kept;
}

/** The shadow first: a store that waits for its own environment is searched from where its shadow begins. */
function withShadow(store: Store): { store: Store; waits: string | null }[] {
  const { shadow } = store;
  if (!shadow) return [{ store, waits: null }];
  return [
    { store: shadow.store, waits: null },
    { store, waits: shadow.only ? shadow.store.id : null },
  ];
}

async function register(
  { ledger, clock, alerts }: StoresDeps,
  stores: Iterable<Store>,
  first: Map<string, Date>,
): Promise<void> {
  for (const { store, waits } of [...stores].flatMap(withShadow)) {
    const { id, shop, platform, app } = store;
    // Its history begins when production does, not while it only throws a shadow.
    if (waits !== null) {
      first.set(id, first.get(waits) ?? clock.now());
      continue;
    }
    const address = addressOf(store);
    // The address is the name of a shop that moved away from there (nameShops).
    if (shop.startsWith(`${address}#`) && !isShadowShop(shop))
      await ledger.shops.begin({ platform: platform.name, address, shop }, clock.now());
    const { firstStartedAt } = await ledger.stores.register({
      id,
      platform: platform.name,
      shop,
      app: app?.id ?? null,
      now: clock.now(),
    });
    first.set(id, new Date(firstStartedAt));
    // The answer to a series that met a foreign number: the merchant names a free one and starts again.
    for (const kind of ['factura', 'nota-credito'] as const)
      if (await ledger.sequences.raise(seriesOf(store, kind), firstNumber(store, kind)))
        await alerts.over(seriesAlert(seriesOf(store, kind)));
  }
}
