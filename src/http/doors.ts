import type { Platform } from '../core/platform.ts';
import type { Settings, Store } from '../core/settings.ts';

/** What stands behind `/webhooks/:connection`. */
export interface Door {
  id: string;
  platform: Platform;
  app: unknown;
  connection: unknown;
  /** The store a hint is for; undefined when the shop is not in the config. */
  storeOf(shop: string): Store | undefined;
}

/** One door per app, shared by its shops, and one per store that has none; by their ids in the config. */
export function openDoors(settings: Settings): Map<string, Door> {
  const doors = new Map<string, Door>();
  const stores = [...settings.stores.values()];
  for (const store of stores) {
    if (store.app !== null) continue;
    const { id, platform, connection } = store;
    doors.set(id, { id, platform, app: null, connection, storeOf: () => store });
  }
  for (const { id, platform, settings: app } of settings.apps.values()) {
    const shops = new Map(
      stores.filter((store) => store.app?.id === id).map((store) => [store.shop.toLowerCase(), store]),
    );
    doors.set(id, { id, platform, app, connection: null, storeOf: (shop) => shops.get(shop.toLowerCase()) });
  }
  return doors;
}
