import type { Clock } from '../domain/clock.ts';
import type { Log } from '../domain/log.ts';
import type { Order } from '../domain/order.ts';
import type { Outbound } from '../domain/outbound.ts';
import type { Platform, Shop, ShopContext } from '../domain/platform.ts';
import { addressOf, type Store } from '../domain/settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { watchCalls } from '../observability/calls.ts';
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

/**
 * The shop APIs of the configured stores, each opened when first used and kept. `observe` sees every call; `prove` is
 * awaited before the first one that is not about who the shop is, and what it throws is thrown; `watch` sees what comes of
 * each call that was asked for, so that one that waits for the proof in vain fails like one of its own.
 */
export function openShops(
  contextOf: (platform: Platform) => ShopContext,
  {
    observe,
    prove,
    watch,
  }: {
    observe(store: Store, shop: Shop): Shop;
    prove(store: Store, shop: Shop): Promise<void>;
    watch(store: Store, shop: Shop): Shop;
  },
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
      const named = api && calledByName(store, observe(store, api));
      const shop =
        named &&
        watch(
          store,
          afterProof(named, (one) => prove(store, one)),
        );
      opened.set(store.id, { store, shop });
      return shop;
    },
    async close(): Promise<void> {
      await Promise.all([...opened.values()].map(({ shop }) => shop?.close()));
    },
  };
}

/** The orders of a shop under the name the ledger has for it. One of another shop stays one. */
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

/** A shop that is asked who it is before anything is read from it or written to it; once, unless that failed. */
function afterProof(shop: Shop, prove: (shop: Shop) => Promise<void>): Shop {
  let proven: Promise<void> | undefined;
  return watchCalls(shop, ['identity', 'close'], async (_name, call) => {
    proven ??= prove(shop).catch((error: unknown) => {
      proven = undefined;
      throw error;
    });
    await proven;
    return call();
  });
}
