import type { Order } from './order.ts';
import type { SeriesStart, Store } from './settings.ts';

/*
 * A store's shadow sends its sales once more, as documents of the test environment (docs/adr/0015). Towards ledger and
 * steps it is a store of its own, with a shop, documents, work and lanes of its own: whatever happens to it, production
 * does not meet it.
 */

/** No shop's address or domain has such an end, and no id in the config. */
export const shopMark = '#sombra';
const idMark = '.sombra';

export const isShadowShop = (shop: string): boolean => shop.endsWith(shopMark);
export const shadowShop = (shop: string): string => `${shop}${shopMark}`;
/** The real shop's identity, of a shadow's and of its own. */
export const shopBehind = (shop: string): string =>
  isShadowShop(shop) ? shop.slice(0, -shopMark.length) : shop;

export const isShadowStore = (storeId: string): boolean => storeId.endsWith(idMark);
/** The real store's id, of a shadow's and of its own. */
export const storeIdBehind = (storeId: string): string =>
  isShadowStore(storeId) ? storeId.slice(0, -idMark.length) : storeId;
export const shadowStoreId = (storeId: string): string => `${storeId}${idMark}`;

/** The store whose shop is called, of a shadow's id and of its own. */
export const storeBehind = (storeId: string): string =>
  isShadowStore(storeId) ? storeId.slice(0, -idMark.length) : storeId;

/** The store its shadow is worked on as. Buyers are asked by the real one alone. */
export function shadowStore(
  store: Omit<Store, 'shadow'>,
  { series, invoiceFrom }: { series: SeriesStart; invoiceFrom: Date | null },
): Store {
  const { policy } = store;
  return {
    ...store,
    id: shadowStoreId(store.id),
    shop: shadowShop(store.shop),
    issuer: { ...store.issuer, ambiente: 1 },
    series,
    policy: { ...policy, invoiceFrom, buyer: { ...policy.buyer, ask: false } },
  };
}

/**
 * The same sale for the shadow: without the address to which the service could send the document, and without the keys
 * of the documents that count.
 */
export function asShadow(order: Order): Order {
  const buyer = { ...order.buyer, email: null };
  return { ...order, shop: shadowShop(order.shop), buyer, accessKeys: [] };
}
