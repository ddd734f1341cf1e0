import type { Document } from '../core/document.ts';
import type { Store } from '../core/settings.ts';

export const keyOf = ({ platform, shop }: Store) => ({ platform: platform.name, shop });
/** An order of a shop as one text. */
export const orderName = ({
  platform,
  shop,
  orderId,
}: Pick<Document, 'platform' | 'shop' | 'orderId'>): string => JSON.stringify([platform, shop, orderId]);
/** Whether a document belongs to the shop of a store, whatever its id is today. */
export const isOf =
  ({ platform, shop }: Pick<Document, 'platform' | 'shop'>) =>
  (store: Store): boolean =>
    store.platform.name === platform && store.shop === shop;
