/** One page of a list; `pages` is what the shop says there are in all, null where it does not say. */
export interface Page<T> {
  rows: T[];
  pages: number | null;
}

export const pageSize = 100;
/** No order has as many refunds; the bound ends a shop that has a next page for ever. */
const mostPages = 50;

/**
 * Reads a list to its end, each id once: what is added at the top while we read pushes rows to the next page.
 * Counts pages instead of following `Link`, which repeats old signatures (measured on WooCommerce 11.0.1). Null
 * when the list does not exist, or no longer.
 */
export async function everyPage<T extends { id: string }>(
  read: (page: number) => Promise<Page<T> | null>,
  endless: () => Error,
): Promise<T[] | null> {
  const found = new Map<string, T>();
  for (let page = 1; page <= mostPages; page += 1) {
    const answer = await read(page);
    if (answer === null) return null;
    for (const row of answer.rows) found.set(row.id, row);
    // A host that strips the header leaves only the size of the page to go by.
    if (answer.pages === null ? answer.rows.length < pageSize : page >= answer.pages) {
      return [...found.values()];
    }
  }
  throw endless();
}
