import { type Document, documentKinds, type Series } from '../domain/document.ts';
import { CommandError } from '../domain/errors.ts';
import { firstNumber, type Scope, type Store, seriesOf } from '../domain/settings.ts';

/** `scope`: a store's id, several ids with commas, or "*" for all. */
export interface ChosenStores {
  stores: Store[];
  scope: string;
}

/** Throws CommandError `store-unknown`. */
export function chosenStores(
  all: ReadonlyMap<string, Store>,
  id: string | undefined,
  scope: Scope | null = null,
): ChosenStores {
  const stores = scope?.stores ?? all;
  const store = stores.get(id ?? '');
  if (store) return { stores: [store], scope: store.id };
  if (id === undefined && (scope === null || stores.size > 0))
    return {
      stores: [...stores.values()],
      scope: scope?.label ?? '*',
    };
  throw new CommandError('store-unknown', {
    store: id ?? scope?.label ?? '',
    known: [...stores.keys()].join(', '),
    why: 'name',
  });
}

export type OpenSeries = Series & { first: number };

export function seriesOfStores(stores: Iterable<Store>): OpenSeries[] {
  const found = new Map<string, OpenSeries>();
  for (const store of stores)
    for (const kind of documentKinds) {
      const series = seriesOf(store, kind);
      const name = JSON.stringify(series);
      const first = Math.min(firstNumber(store, kind), found.get(name)?.first ?? Number.POSITIVE_INFINITY);
      found.set(name, { ...series, first });
    }
  return [...found.values()];
}

export const keyOf = ({ platform, shop }: Store) => ({ platform: platform.name, shop });
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

export const isOf =
  (document: Place) =>
  (store: Store): boolean =>
    isOfShop(document)(store) && store.issuer.ambiente === document.ambiente;

/** A close of all stores includes shops no longer configured. */
export function isAbout(document: Place, stores: readonly Store[], scope: string): boolean {
  return stores.some(isOf(document)) || (scope === '*' && !stores.some(isOfShop(document)));
}
