import { sql } from 'kysely';
import type { Ambiente, Document, DocumentKind, DocumentState } from '../domain/document.ts';
import type { Amount } from '../domain/money.ts';
import type { Scope } from '../domain/settings.ts';
import { type Access, ofShops } from './access.ts';
import { documentOf } from './documents.ts';
import type { OrderRow } from './schema.ts';

export interface DocumentFilter {
  storeId?: string;
  state?: DocumentState;
  kind?: DocumentKind;
  ambiente?: Ambiente;
  from?: Date;
  before?: Date;
}

export interface PagePlace {
  createdAt: string;
  id: string;
}

export interface DocumentPage {
  documents: Document[];
  /** null when there is nothing older. A page may be short and still have a next one. */
  next: PagePlace | null;
}

/** A filter without an index takes several pages instead of blocking SQLite (4,000 documents: some 40 ms). */
const mostExamined = 4_000;
const rare = (state: DocumentState): boolean => state !== 'authorized' && state !== 'cancelled';

export function documentPageTable({ db }: Access, most = mostExamined, scope: Scope | null = null) {
  async function onePage(
    { storeId, state, kind, ambiente, from, before }: DocumentFilter,
    after: PagePlace | null,
    size: number,
  ): Promise<DocumentPage> {
    const byState = state !== undefined && (storeId === undefined || rare(state));
    const byStore = storeId !== undefined && !byState;
    const inOrder = db()
      .selectFrom('documents')
      .$if(byState, (query) => query.where('state', '=', state ?? 'held'))
      .$if(byStore, (query) => query.where('storeId', '=', storeId ?? ''))
      .$if(from !== undefined, (query) => query.where('createdAt', '>=', from?.toISOString() ?? ''))
      .$if(before !== undefined, (query) => query.where('createdAt', '<', before?.toISOString() ?? ''))
      .$if(after !== null, (query) => query.where('createdAt', '<=', after?.createdAt ?? ''))
      .orderBy('createdAt', 'desc');
    const end = await inOrder.select('createdAt').offset(most).limit(1).executeTakeFirst();
    const reach = inOrder
      .selectAll()
      .$if(end !== undefined, (query) => query.where('createdAt', '>=', end?.createdAt ?? ''))
      .orderBy('id', 'desc')
      // The limit keeps the engines from choosing the index by the conditions below.
      .limit(10_000_000);
    const rows = await db()
      .selectFrom(reach.as('documents'))
      .selectAll()
      .where(ofShops(scope, 'documents'))
      .$if(state !== undefined && !byState, (query) => query.where('state', '=', state ?? 'held'))
      .$if(storeId !== undefined && !byStore, (query) => query.where('storeId', '=', storeId ?? ''))
      .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'factura'))
      .$if(ambiente !== undefined, (query) => query.where('ambiente', '=', ambiente ?? 1))
      .$if(after !== null, (query) =>
        query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('createdAt', 'id'), '<', tuple(after?.createdAt ?? '', after?.id ?? '')),
        ),
      )
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(size + 1)
      .execute();
    const documents = rows.slice(0, size).map(documentOf);
    const last = documents.at(-1);
    if (rows.length > size && last) return { documents, next: { createdAt: last.createdAt, id: last.id } };
    // The empty id sorts first: the next page begins after this instant.
    return { documents, next: end ? { createdAt: end.createdAt, id: '' } : null };
  }

  return {
    async page(filter: DocumentFilter, after: PagePlace | null, size: number): Promise<DocumentPage> {
      if (scope === null) return onePage(filter, after, size);
      const { storeId } = filter;
      const ids = [...scope.storeIds].filter((id) => storeId === undefined || id === storeId);
      const pages = await Promise.all(ids.map((id) => onePage({ ...filter, storeId: id }, after, size)));
      return mergePages(pages, size);
    },
  };
}

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

export type FoundOrder = Pick<OrderRow, (typeof named)[number]>;

const named = ['platform', 'shop', 'orderId', 'storeId', 'name', 'syncedAt'] as const;

export type Finding = ReturnType<typeof findingTable>;

export function findingTable({ db }: Access, scope: Scope | null = null) {
  const documents = () =>
    db().selectFrom('documents').selectAll('documents').where(ofShops(scope, 'documents'));
  const listed = async (query: ReturnType<typeof documents>): Promise<Document[]> =>
    (await query.execute()).map(documentOf);
  return {
    async orders(
      { id, names }: { id: string; names: readonly string[] },
      limit: number,
    ): Promise<FoundOrder[]> {
      const byName = await db()
        .selectFrom('orders')
        .select(named)
        .where('name', 'in', names)
        .where(ofShops(scope, 'orders'))
        .limit(limit)
        .execute();
      // Each of the few shops has at most one order of that id.
      const byId = await db()
        .selectFrom('stores')
        // A cross join keeps SQLite to this order: the few shops first.
        .crossJoin('orders')
        .whereRef('orders.platform', '=', 'stores.platform')
        .whereRef('orders.shop', '=', 'stores.shop')
        .select(named.map((column) => `orders.${column}` as const))
        .where('orders.orderId', '=', id)
        .where(ofShops(scope, 'stores'))
        .limit(limit)
        .execute();
      const all = [...byId, ...byName];
      const keys = new Map(all.map((one) => [JSON.stringify([one.platform, one.shop, one.orderId]), one]));
      return [...keys.values()]
        .toSorted((a, b) => Number(b.syncedAt > a.syncedAt) - Number(b.syncedAt < a.syncedAt))
        .slice(0, limit);
    },

    async byNumber(
      asked: { establecimiento?: string; puntoEmision?: string; secuencial: string },
      limit: number,
    ): Promise<Document[]> {
      const { establecimiento, puntoEmision, secuencial } = asked;
      const rows = await db()
        .selectFrom('series')
        // The few series first, as above.
        .crossJoin('documents')
        .whereRef('documents.ruc', '=', 'series.ruc')
        .whereRef('documents.ambiente', '=', 'series.ambiente')
        .whereRef('documents.codDoc', '=', 'series.codDoc')
        .whereRef('documents.establecimiento', '=', 'series.establecimiento')
        .whereRef('documents.puntoEmision', '=', 'series.puntoEmision')
        .selectAll('documents')
        .where('documents.secuencial', '=', secuencial)
        .where(ofShops(scope, 'documents'))
        .$if(establecimiento !== undefined, (query) =>
          query.where('series.establecimiento', '=', establecimiento ?? ''),
        )
        .$if(puntoEmision !== undefined, (query) =>
          query.where('series.puntoEmision', '=', puntoEmision ?? ''),
        )
        .orderBy('documents.createdAt', 'desc')
        .limit(limit)
        .execute();
      return rows.map(documentOf);
    },

    byCharged: (amount: Amount, limit: number) =>
      listed(documents().where('charged', '=', amount).orderBy('createdAt', 'desc').limit(limit)),

    byBuyer: (identification: string, limit: number) => {
      const ids = db()
        .selectFrom('attempts')
        .innerJoin('documents', 'documents.id', 'attempts.documentId')
        .select('documentId')
        .distinct()
        .where('buyerId', '=', identification)
        // SQLite uses the index only for this exact condition.
        .where(sql<boolean>`buyer_id <> '9999999999999'`)
        .where(ofShops(scope, 'documents'))
        .limit(limit);
      return listed(documents().where('id', 'in', ids));
    },
  };
}
