import type { Credentials } from '../domain/credentials.ts';
import type { Platform } from '../domain/platform.ts';
import type { Settings, Store } from '../domain/settings.ts';
import { storeOfApp, storeOfShop } from '../domain/store-index.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** What stands behind `/webhooks/:connection`. */
export interface Door {
  id: string;
  platform: Platform;
  app: unknown;
  connection: unknown;
  /** The endpoint's own store; null for an app, which several stores share. */
  store: Store | null;
}

/**
 * The endpoint of an id of the config: one per app, shared by its shops, and one per store that has none. Looked up for
 * each delivery, since stores come and go.
 */
export function findDoor({ apps, stores }: Settings, id: string): Door | undefined {
  const app = apps.get(id);
  if (app) return { id, platform: app.platform, app: app.settings, connection: null, store: null };
  const store = stores.get(id);
  if (!store || store.app !== null) return undefined;
  const { platform, connection } = store;
  return { id, platform, app: null, connection, store };
}

/**
 * What the secret of an endpoint may say of a shop. `store`: anything a shop says. `waiting`: the shop gave this app
 * access and has no store yet; its deliveries are kept. `former`: it last sold through this app; it may still say that it
 * left and whom to forget. `none`: the shop is nobody's here, or another endpoint's, and whoever asks is not told which.
 */
export type Standing = { kind: 'store'; store: Store } | { kind: 'waiting' | 'former' | 'none'; store: null };

/** The one place that decides for which shop a webhook secret speaks; the shop's name in a delivery proves nothing. */
export async function standingOf(
  door: Door,
  shop: string,
  {
    settings: { stores },
    ledger,
    credentials,
  }: { settings: Settings; ledger: Pick<Ledger, 'stores'>; credentials: Pick<Credentials, 'get'> },
): Promise<Standing> {
  const { id, platform, app } = door;
  const none: Standing = { kind: 'none', store: null };
  // What comes to a store's own endpoint is of that store, by whatever name the shop calls itself.
  if (door.store !== null) return { kind: 'store', store: door.store };
  const store = storeOfApp(stores, id, shop);
  if (store) return { kind: 'store', store };
  if (storeOfShop(stores, platform.name, shop)) return none;
  if (await platform.hasAccess?.(shop, app, credentials)) return { kind: 'waiting', store: null };
  const last = await ledger.stores.lastApp({ platform: platform.name, shop });
  return last === id ? { kind: 'former', store: null } : none;
}
