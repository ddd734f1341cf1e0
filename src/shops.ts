import type { Shop, ShopContext } from './core/platform.ts';
import type { Store } from './core/settings.ts';

/** The shop APIs of the configured stores, each opened when first used and kept. */
export function openShops(context: ShopContext) {
  const opened = new Map<string, Shop | null>();
  return {
    /** Null for a store configured without API access. */
    of(store: Store): Shop | null {
      let shop = opened.get(store.id);
      if (shop === undefined) {
        const { platform, connection, app } = store;
        shop = platform.openShop({ connection, app: app?.settings ?? null }, context);
        opened.set(store.id, shop);
      }
      return shop;
    },
    async close(): Promise<void> {
      await Promise.all([...opened.values()].map((shop) => shop?.close()));
    },
  };
}
