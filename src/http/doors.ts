import type { Platform } from '../core/platform.ts';
import type { Settings, Store } from '../core/settings.ts';
import { storeOfApp } from '../core/store-index.ts';

/** What stands behind `/webhooks/:connection`. */
export interface Door {
  id: string;
  platform: Platform;
  app: unknown;
  connection: unknown;
  /** The store a hint is for; undefined when the shop is not in the config. */
  storeOf(shop: string): Store | undefined;
}

/**
 * The door of an id of the config: one per app, shared by its shops, and one per store that has none. Looked up for
 * each delivery, since stores come and go.
 */
export function findDoor({ apps, stores }: Settings, id: string): Door | undefined {
  const app = apps.get(id);
  if (app) {
    const { platform, settings } = app;
    return { id, platform, app: settings, connection: null, storeOf: (shop) => storeOfApp(stores, id, shop) };
  }
  const store = stores.get(id);
  if (!store || store.app !== null) return undefined;
  const { platform, connection } = store;
  return { id, platform, app: null, connection, storeOf: () => store };
}
