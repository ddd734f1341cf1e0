import { addressOf, type Store } from './settings.ts';
import { isShadowShop, shadowShop } from './shadow.ts';

interface Index {
  byShop: ReadonlyMap<string, Store>;
  byApp: ReadonlyMap<string, Store>;
}

const indexes = new WeakMap<ReadonlyMap<string, Store>, Index>();

/** Of one state of the config's stores; made when first asked, since stores come and go while a process runs. */
function indexOf(stores: ReadonlyMap<string, Store>): Index {
  let index = indexes.get(stores);
  if (index === undefined) {
    const all = [...stores.values()];
    index = {
      byShop: new Map(
        all
          .flatMap((store) => [store, ...(store.shadow ? [store.shadow.store] : [])])
          .flatMap((store) => namesOf(store).map((name) => [`${store.platform.name} ${name}`, store])),
      ),
      byApp: new Map(
        all.flatMap((store) =>
          store.app ? namesOf(store).map((name) => [`${store.app?.id} ${name.toLowerCase()}`, store]) : [],
        ),
      ),
    };
    indexes.set(stores, index);
  }
  return index;
}

/** Where it is, and what the ledger calls it: that counts where another store is there now. */
function namesOf(store: Store): string[] {
  const address = addressOf(store);
  return [isShadowShop(store.shop) ? shadowShop(address) : address, store.shop];
}

/** The store of a shop, or its shadow, by the platform's name and the shop's address or name in the ledger. */
export function storeOfShop(
  stores: ReadonlyMap<string, Store>,
  platform: string,
  shop: string,
): Store | undefined {
  return indexOf(stores).byShop.get(`${platform} ${shop}`);
}

/** The store of a shop behind an app's door; the letter case of the shop does not count. */
export function storeOfApp(
  stores: ReadonlyMap<string, Store>,
  appId: string,
  shop: string,
): Store | undefined {
  return indexOf(stores).byApp.get(`${appId} ${shop.toLowerCase()}`);
}
