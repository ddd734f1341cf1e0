import type { Shop, ShopContext } from './core/platform.ts';
import type { Store } from './core/settings.ts';
import type { Observer } from './observe/observer.ts';

/** The shop APIs of the configured stores, each opened when first used and kept. */
export function openShops(context: ShopContext, observer: Pick<Observer, 'shop'>) {
  const opened = new Map<string, Shop | null>();
  return {
    /** Null for a store configured without API access. */
    of(store: Store): Shop | null {
      let shop = opened.get(store.id);
      if (shop === undefined) {
        const { platform, connection, app } = store;
        const api = platform.openShop({ connection, app: app?.settings ?? null }, context);
        shop = api && observer.shop(platform.name, api);
        opened.set(store.id, shop);
      }
      return shop;
    },
    async close(): Promise<void> {
      await Promise.all([...opened.values()].map((shop) => shop?.close()));
    },
  };
}
