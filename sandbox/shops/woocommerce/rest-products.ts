import { page, type RestAnswer } from './rest.ts';
import type { Store } from './store.ts';

/** Some products by their ids, or the list of all. */
export function answerProducts(store: Store, url: URL): RestAnswer {
  const wanted = url.searchParams.get('include');
  return list(wanted === null ? store.allProducts() : store.products(wanted.split(',')), url);
}

/** The newest first, unless the call asks otherwise; published or not. */
export function answerVariations(store: Store, productId: string, url: URL): RestAnswer {
  const way = url.searchParams.get('order') === 'asc' ? 1 : -1;
  return list(
    store.variations(productId).toSorted((a, b) => way * (a.id - b.id)),
    url,
  );
}

/** `_fields` names the keys wanted. */
function list(rows: readonly object[], url: URL): RestAnswer {
  const fields = (url.searchParams.get('_fields') ?? '').split(',').filter(Boolean);
  const some = (row: object) =>
    Object.fromEntries(Object.entries(row).filter(([key]) => fields.length === 0 || fields.includes(key)));
  return page(rows.map(some), url);
}
