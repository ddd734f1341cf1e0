import { sql } from 'kysely';
import {
  type Ambiente,
  type Document,
  type DocumentKind,
  type DocumentState,
  statesUnderWay,
} from '../domain/document.ts';
import type { JobKind } from '../domain/job.ts';
import type { Scope } from '../domain/settings.ts';
import { type Access, ofShops } from './access.ts';
import { readDocument } from './documents.ts';
import type { ShopKey } from './shop-tables.ts';

export interface DocumentFilter {
  storeId?: string;
  state?: DocumentState;
  kind?: DocumentKind;
  ambiente?: Ambiente;
  /** Instants: created from the first on, and before the second. */
  from?: Date;
  before?: Date;
}

/** Where the next page begins: after the last document that was examined. */
export interface PagePlace {
  createdAt: string;
  id: string;
}

export interface DocumentPage {
  documents: Document[];
  /** null when there is nothing older. A page may be short and still have a next one. */
  next: PagePlace | null;
}

/** Documents page by page, newest first. */
export interface DocumentPages {
  page(filter: DocumentFilter, after: PagePlace | null, size: number): Promise<DocumentPage>;
}

/**
 * The most documents one page examines: a filter without an index (a rare kind in a store of a million) takes several
 * pages instead of blocking SQLite, which reads 4,000 documents in some 40 ms.
 */
const mostExamined = 4_000;
/** A state of few documents. */
const rare = (state: DocumentState): boolean => state !== 'authorized' && state !== 'cancelled';

/** @param scope only documents of its shops, under the current ids of its stores; each store is read by its own index. */
export function documentPageTable(
  { db }: Access,
  most = mostExamined,
  scope: Scope | null = null,
): DocumentPages {
  const table: DocumentPages = {
    async page({ storeId, state, kind, ambiente, from, before }, after, size) {
      const byState = state !== undefined && (storeId === undefined || rare(state));
      const byStore = storeId !== undefined && !byState;
      const inOrder = db()
        .selectFrom('documents')
        .$if(byState, (query) => query.where('state', '=', state ?? 'held'))
        .$if(byStore, (query) => query.where('store_id', '=', storeId ?? ''))
        .$if(from !== undefined, (query) => query.where('created_at', '>=', from?.toISOString() ?? ''))
        .$if(before !== undefined, (query) => query.where('created_at', '<', before?.toISOString() ?? ''))
        .$if(after !== null, (query) => query.where('created_at', '<=', after?.createdAt ?? ''))
        .orderBy('created_at', 'desc');
      // Read from the index alone. Documents of the same instant are still examined.
      const end = await inOrder.select('created_at').offset(most).limit(1).executeTakeFirst();
      const reach = inOrder
        .selectAll()
        .$if(end !== undefined, (query) => query.where('created_at', '>=', end?.created_at ?? ''))
        .orderBy('id', 'desc')
        // The limit keeps the engines from choosing the index by the conditions below.
        .limit(10_000_000);
      const rows = await db()
        .selectFrom(reach.as('documents'))
        .selectAll()
        .where(ofShops(scope, 'documents'))
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
      // The empty id sorts first: the next page begins after this instant.
      return { documents, next: end ? { createdAt: end.created_at, id: '' } : null };
    },
  };
  if (scope === null) return table;
  return {
    async page(filter, after, size) {
      const { storeId } = filter;
      const ids = [...scope.storeIds].filter((id) => storeId === undefined || id === storeId);
      const pages = await Promise.all(ids.map((id) => table.page({ ...filter, storeId: id }, after, size)));
      return mergePages(pages, size);
    },
  };
}

/** One page of the pages of several stores. */
function mergePages(pages: readonly DocumentPage[], size: number): DocumentPage {
  const newestFirst = (a: PagePlace, b: PagePlace) =>
    b.createdAt.localeCompare(a.createdAt) || (b.id < a.id ? -1 : Number(b.id > a.id));
  // A page may lack documents older than its end.
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

/** The documents under way; read by the index of open documents, however many final ones there are. */
export interface OpenDocuments {
  /** Those after `after` that no job will move on, by their ids. */
  withoutJob(after: string, limit: number): Promise<Document[]>;
  /** How many each shop has. */
  byShop(): Promise<OpenOfShop[]>;
}

export interface OpenOfShop extends ShopKey {
  /** The store's id on one of its documents. */
  storeId: string;
  count: number;
}

/** The jobs that move a document on to a final state. */
const leading: readonly JobKind[] = ['submit-document', 'follow-up', 'reprocess-document'];

// The first condition is that of the index of open documents, the second one uses its first column.
const isUnderWay = sql<boolean>`documents.state not in ('authorized', 'cancelled')
  and documents.kind in ('factura', 'nota-credito')
  and documents.state in (${sql.join(statesUnderWay.map((state) => sql.lit(state)))})`;

export function openDocumentTable({ db }: Access): OpenDocuments {
  return {
    async withoutJob(after, limit) {
      const rows = await db()
        .selectFrom('documents')
        .selectAll()
        .where(isUnderWay)
        .where('id', '>', after)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('jobs')
                .select('jobs.id')
                .whereRef('jobs.subject', '=', 'documents.id')
                .where('jobs.kind', 'in', leading),
            ),
          ),
        )
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(readDocument);
    },

    async byShop() {
      const rows = await db()
        .selectFrom('documents')
        .select(({ fn }) => [
          'platform',
          'shop',
          fn.max('store_id').as('store_id'),
          fn.countAll().as('count'),
        ])
        .where(isUnderWay)
        .groupBy(['platform', 'shop'])
        .execute();
      return rows.map(({ store_id, count, ...shop }) => ({
        ...shop,
        storeId: store_id,
        count: Number(count),
      }));
    },
  };
}
