import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Outbound } from '../core/outbound.ts';
import type { Platform, Shop, ShopContext } from '../core/platform.ts';
import type { Store } from '../core/settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { credentialsOf } from './credentials.ts';
import { openOutbound } from './outbound.ts';
import { userAgent } from './version.ts';

/** What a platform's shops work with; one per platform, so that its credentials keep one line. */
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

/** The shop APIs of the configured stores, each opened when first used and kept; `watch` puts eyes on their calls. */
export function openShops(
  contextOf: (platform: Platform) => ShopContext,
  watch: (store: Store, shop: Shop) => Shop,
) {
  const opened = new Map<string, { store: Store; shop: Shop | null }>();
  return {
    /** Null for a store configured without API access. */
    of(store: Store): Shop | null {
      const known = opened.get(store.id);
      if (known?.store === store) return known.shop;
      // The store was changed while we ran: what is under way with the old one ends by itself.
      void known?.shop?.close();
      const { platform, connection, app } = store;
      const api = platform.openShop({ connection, app: app?.settings ?? null }, contextOf(platform));
      const shop = api && watch(store, api);
      opened.set(store.id, { store, shop });
      return shop;
    },
    async close(): Promise<void> {
      await Promise.all([...opened.values()].map(({ shop }) => shop?.close()));
    },
  };
}
