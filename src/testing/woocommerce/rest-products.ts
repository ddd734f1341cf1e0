import { page, type RestAnswer } from './rest.ts';
import type { Store } from './store.ts';

/** Some products by their ids, or the list of all; `_fields` names the keys wanted. */
export function answerProducts(store: Store, url: URL): RestAnswer {
  const wanted = url.searchParams.get('include');
  const fields = (url.searchParams.get('_fields') ?? '').split(',').filter(Boolean);
  const rows = wanted === null ? store.allProducts() : store.products(wanted.split(','));
  const some = (row: object) =>
    Object.fromEntries(Object.entries(row).filter(([key]) => fields.length === 0 || fields.includes(key)));
  return page(rows.map(some), url);
}
