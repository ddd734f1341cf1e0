import type { Ambiente, Document, DocumentKind, DocumentState } from '../domain/document.ts';
import type { Scope } from '../domain/scope.ts';
import type { Access } from './access.ts';
import { readDocument } from './document-rows.ts';
import { ofShops } from './within.ts';

export interface DocumentFilter {
  storeId?: string;
  state?: DocumentState;
  kind?: DocumentKind;
  ambiente?: Ambiente;
  /** Instants; came in from the first on and before the second. */
  from?: Date;
  before?: Date;
}

/** Where a page goes on: the last document looked at. */
export interface PagePlace {
  createdAt: string;
  id: string;
}

export interface DocumentPage {
  documents: Document[];
  /** null when there is nothing older. A page may be short and still have a next one. */
  next: PagePlace | null;
}

/** Documents page by page, newest first, however many there are. */
export interface DocumentPages {
  page(filter: DocumentFilter, after: PagePlace | null, size: number): Promise<DocumentPage>;
}

/**
 * So many documents a page looks at, and no more: what no index is made for (a rare kind in a store of a million) then
 * takes several pages instead of holding up everybody else on SQLite, which reads 4,000 in some 40 ms.
 */
const mostLookedAt = 4_000;
/** A state few documents stand in. */
const rare = (state: DocumentState): boolean => state !== 'authorized' && state !== 'cancelled';

/** @param scope only documents of its shops, under the ids its stores have now: each store is read through its own index. */
export function documentPageTable(
  access: Access,
  most = mostLookedAt,
  scope: Scope | null = null,
): DocumentPages {
  const table: DocumentPages = {
    async page({ storeId, state, kind, ambiente, from, before }, after, size) {
      const byState = state !== undefined && (storeId === undefined || rare(state));
      const byStore = storeId !== undefined && !byState;
      const inOrder = access
        .db()
        .selectFrom('documents')
        .$if(byState, (query) => query.where('state', '=', state ?? 'held'))
        .$if(byStore, (query) => query.where('store_id', '=', storeId ?? ''))
        .$if(from !== undefined, (query) => query.where('created_at', '>=', from?.toISOString() ?? ''))
        .$if(before !== undefined, (query) => query.where('created_at', '<', before?.toISOString() ?? ''))
        .$if(after !== null, (query) => query.where('created_at', '<=', after?.createdAt ?? ''))
        .orderBy('created_at', 'desc');
      // Read from the index alone. Everything of the same instant is still looked at.
      const end = await inOrder.select('created_at').offset(most).limit(1).executeTakeFirst();
      const reach = inOrder
        .selectAll()
        .$if(end !== undefined, (query) => query.where('created_at', '>=', end?.created_at ?? ''))
        .orderBy('id', 'desc')
        // Keeps the engines from mixing the conditions below with those the index is chosen by.
        .limit(10_000_000);
      const rows = await access
        .db()
        .selectFrom(reach.as('documents'))
        .selectAll()
        .$call((query) => (scope === null ? query : query.where(ofShops(scope, 'documents'))))
        .$if(state !== undefined && !byState, (query) => query.where('state', '=', state ?? 'held'))
        .$if(storeId !== undefined && !byStore, (query) => query.where('store_id', '=', storeId ?? ''))
        .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'factura'))
        .$if(ambiente !== undefined, (query) => query.where('ambiente', '=', ambiente ?? 1))
        .$if(after !== null, (query) =>
          query.where(({ eb, refTuple, tuple }) =>
            eb(refTuple('created_at', 'id'), '<', tuple(after?.createdAt ?? '', after?.id ?? '')),
          ),
        )
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(size + 1)
        .execute();
      const documents = rows.slice(0, size).map(readDocument);
      const last = documents.at(-1);
      if (rows.length > size && last) return { documents, next: { createdAt: last.createdAt, id: last.id } };
      // No id comes before the empty one: the next page begins behind this instant.
      return { documents, next: end ? { createdAt: end.created_at, id: '' } : null };
    },
  };
  if (scope === null) return table;
  return {
    async page(filter, after, size) {
      const { storeId } = filter;
      const ids = [...scope.storeIds].filter((id) => storeId === undefined || id === storeId);
      const pages = await Promise.all(ids.map((id) => table.page({ ...filter, storeId: id }, after, size)));
      return together(pages, size);
    },
  };
}

/** One page of the pages of several stores. */
function together(pages: readonly DocumentPage[], size: number): DocumentPage {
  const newestFirst = (a: PagePlace, b: PagePlace) =>
    b.createdAt.localeCompare(a.createdAt) || (b.id < a.id ? -1 : Number(b.id > a.id));
  // What is older than where one of them ends may still be missing from it.
  const [end = null] = pages.flatMap(({ next }) => next ?? []).toSorted(newestFirst);
  const known = pages
    .flatMap(({ documents }) => documents)
    .filter((one) => end === null || newestFirst(one, end) <= 0)
    .toSorted(newestFirst);
  const documents = known.slice(0, size);
  const last = documents.at(-1);
  if (known.length > size && last) return { documents, next: { createdAt: last.createdAt, id: last.id } };
  return { documents, next: end };
}
