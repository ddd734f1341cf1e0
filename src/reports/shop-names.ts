import type { Document } from '../domain/document.ts';
import type { Store } from '../domain/settings.ts';
import { isShadowShop } from '../domain/shadow.ts';

export const keyOf = ({ platform, shop }: Store) => ({ platform: platform.name, shop });
/** An order of a shop as one text. */
export const orderName = ({
  platform,
  shop,
  orderId,
}: Pick<Document, 'platform' | 'shop' | 'orderId'>): string => JSON.stringify([platform, shop, orderId]);
type Place = Pick<Document, 'platform' | 'shop' | 'ambiente'>;

const isOfShop =
  ({ platform, shop }: Place) =>
  (store: Store): boolean =>
    store.platform.name === platform && store.shop === shop;

/** Whether a document is one of a store, whatever its id is today; trials in the other environment are not. */
export const isOf =
  (document: Place) =>
  (store: Store): boolean =>
    isOfShop(document)(store) && store.issuer.ambiente === document.ambiente;

/**
 * Whether a close of these stores is about the document; one of all stores is also about those no longer configured. A
 * shadow has no tax value.
 */
export function isAbout(document: Place, stores: readonly Store[], scope: string): boolean {
  if (isShadowShop(document.shop)) return false;
  return stores.some(isOf(document)) || (scope === '*' && !stores.some(isOfShop(document)));
}
