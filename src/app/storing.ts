import type { Alerts } from '../domain/alerts.ts';
import type { Clock } from '../domain/clock.ts';
import { statesUnderWay } from '../domain/document.ts';
import { ConfigError, ShopError } from '../domain/errors.ts';
import type { Platform, ShopContext } from '../domain/platform.ts';
import { addressOf, type Store, storeOf } from '../domain/settings.ts';
import { type Confirmed, confirmedAs } from '../domain/shop-identity.ts';
import type { StoreList, Storing } from '../domain/storing.ts';
import { release } from '../jobs/verify-shop.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { alertTexts } from '../messages/alerts.ts';
import { refuseUnconfirmed } from './observation.ts';
import type { LiveSettings } from './settings.ts';
import { keptStores, keptUnder } from './stores.ts';

export function openStoring({
  ledger,
  clock,
  live,
  alerts,
  contextOf,
}: {
  ledger: Ledger;
  clock: Clock;
  live: LiveSettings;
  alerts: Alerts;
  contextOf(platform: Platform): ShopContext;
}): Storing {
  const key = (id: string) => ({ platform: keptUnder, shop: id });
  return {
    async add(id, raw) {
      const others = (await keptStores(ledger.credentials)).filter((one) => one.id !== id);
      const { settings, merged } = live.check([...others, { id, version: 0, raw }]);
      const added = [...settings.stores].filter(([name]) => name === id);
      await refuseUnconfirmed(new Map(added), merged, ledger);
      for (const [, store] of added) await refuseTwice({ ledger, live, contextOf }, store);
      const before = await ledger.credentials.get(key(id));
      if (JSON.stringify(before?.value) === JSON.stringify(raw)) return 'same';
      if (!(await ledger.credentials.put(key(id), raw, before?.version ?? null, clock.now())))
        throw raced(id);
      return before === null ? 'added' : 'changed';
    },
    async remove(id) {
      await refuseBusy(ledger, id);
      if (!(await ledger.credentials.remove(key(id))))
        throw new ConfigError('store-unknown', { why: 'not-added', store: id });
    },
    async confirm(id, as) {
      const store = storeOf(live.settings, id);
      const platform = store.platform.name;
      const shop = { platform, shop: store.shop };
      const held = await ledger.shops.held(shop);
      if (!held) throw new ConfigError('nothing-to-do', { why: 'not-held', store: id });
      const confirmed = confirmedAs(held, as);
      if (!confirmed)
        throw new ConfigError('input-invalid', {
          why: 'answer',
          as,
          held: `${held.reason} ${alertTexts(held.code, { store: id, known: held.owner !== null }).resolution}`,
        });
      await writeConfirmed({ ledger, clock }, store, confirmed);
      await release({ ledger, clock, alerts }, shop, id);
      return { code: held.code };
    },
    async list(): Promise<StoreList> {
      const allHeld = await ledger.shops.allHeld();
      const heldOf = (platform: Platform, shop: string) => {
        const hold = allHeld.find((one) => one.platform === platform.name && one.shop === shop);
        return hold
          ? `${hold.reason}${hold.owner === null ? '' : ` Su identidad es la de ${hold.owner}.`}`
          : null;
      };
      const kept = new Set(await ledger.credentials.shops(keptUnder));
      const shops = await installedShops(ledger, live);
      const stores = [...live.settings.stores.values()].map(
        ({ id, platform, shop, connection, account, issuer }) => ({
          id,
          platform: platform.name,
          shop: platform.shopOf(connection),
          account: account.id,
          ruc: issuer.ruc,
          ambiente: issuer.ambiente,
          from: kept.has(id) ? ('ledger' as const) : ('config' as const),
          held: heldOf(platform, shop),
        }),
      );
      const known = new Set(stores.map(({ platform, shop }) => `${platform} ${shop}`));
      return { stores, waiting: shops.filter(({ platform, shop }) => !known.has(`${platform} ${shop}`)) };
    },
  };
}

async function writeConfirmed(
  { ledger, clock }: { ledger: Ledger; clock: Clock },
  store: Store,
  confirmed: Confirmed,
): Promise<void> {
  const { id, shop } = store;
  const place = { platform: store.platform.name, address: addressOf(store) };
  switch (confirmed.kind) {
    case 'begins':
      await refuseBusy(ledger, id);
      await ledger.shops.begin(place, clock.now());
      return;
    case 'moved':
      return ledger.shops.move({ ...place, shop: confirmed.shop }, clock.now());
    case 'same':
      if (!(await ledger.shops.replaceIdentity({ ...place, shop }, confirmed.identity))) throw raced(id);
  }
}

async function installedShops({ credentials }: Ledger, { settings }: LiveSettings) {
  const names = new Set([...settings.apps.values()].map(({ platform }) => platform.name));
  const all: { platform: string; shop: string }[] = [];
  for (const platform of names)
    for (const shop of await credentials.shops(platform))
      if (!shop.includes(' ')) all.push({ platform, shop });
  return all;
}

/** Documents under way have numbers already and could not be finished. */
async function refuseBusy({ documents }: Ledger, id: string): Promise<void> {
  const open = await documents.list({ states: statesUnderWay, limit: 10_000 });
  const { length } = open.filter(({ storeId }) => storeId === id);
  if (length === 0) return;
  throw new ConfigError('store-busy', { store: id, documents: length });
}

/** Compares known addresses and identity. A shop that cannot be asked now is asked before anything is read from it. */
async function refuseTwice(
  { ledger, live, contextOf }: Pick<Parameters<typeof openStoring>[0], 'ledger' | 'live' | 'contextOf'>,
  store: Store,
): Promise<void> {
  const { id, platform, connection, app } = store;
  const address = addressOf(store);
  const api = platform.openShop({ connection, app: app?.settings ?? null }, contextOf(platform));
  const said = await api
    ?.identity()
    .catch((error: unknown) => {
      if (error instanceof ShopError) return null;
      throw error;
    })
    .finally(() => api.close());
  const byIdentity = said?.id ? await ledger.shops.ofIdentity(platform.name, said.id) : undefined;
  const known = await ledger.shops.addresses();
  const byAddress = known.find((one) => one.platform === platform.name && one.address === address);
  for (const shop of [byIdentity?.shop, byAddress?.shop])
    for (const other of live.settings.stores.values())
      if (other.id !== id && other.platform === platform && other.shop === shop)
        throw new ConfigError('shop-twice', { store: other.id, address, shop: other.shop, reason: '' });
}

function raced(id: string): ConfigError {
  return new ConfigError('busy-elsewhere', { why: 'store', store: id });
}
