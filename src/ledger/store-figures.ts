import { sql } from 'kysely';
import { type DocumentKind, type DocumentState, documentKinds, type Series } from '../domain/document.ts';
import type { Scope } from '../domain/scope.ts';
import type { WorkKind } from '../domain/work.ts';
import type { Access } from './access.ts';
import { readSeries } from './sequences.ts';
import { ofSeries, ofShops, ofStores } from './within.ts';

/** Open documents of a store. */
export interface StoreDocuments {
  storeId: string;
  kind: DocumentKind;
  state: DocumentState;
  count: number;
  oldest: string;
}

/** Work of a store that waits for its time. */
export interface StoreWork {
  storeId: string;
  kind: WorkKind;
  count: number;
  /** How many of them failed at least once. */
  failed: number;
  firstDue: string;
}

export interface SeriesRow extends Series {
  /** null while the series was stopped before its first use. */
  next: number | null;
  stoppedReason: string | null;
}

/** How stores stand, each question once for all of them. */
export interface StoreFigures {
  openDocuments(): Promise<StoreDocuments[]>;
  work(): Promise<StoreWork[]>;
  /** When each connection last delivered, among the newest 2,000 deliveries of all. */
  lastDeliveries(): Promise<Map<string, string>>;
  /** Of a store's newest 200 documents the one last written back onto its order. */
  lastWrittenBack(storeId: string): Promise<{ id: string; orderName: string; updatedAt: string } | null>;
  series(): Promise<SeriesRow[]>;
}

/** @param scope only what is of its stores, shops and series. */
export function storeFigureTable(access: Access, scope: Scope | null = null): StoreFigures {
  return {
    async openDocuments() {
      const rows = await access
        .db()
        .selectFrom('documents')
        .select(({ fn }) => [
          'store_id',
          'kind',
          'state',
          fn.countAll().as('count'),
          fn.min('created_at').as('oldest'),
        ])
        // All there are; without it SQLite would rather walk through every document by store.
        .where('kind', 'in', documentKinds)
        .where(sql<boolean>`state not in ('authorized', 'cancelled')`)
        .$call((query) => (scope === null ? query : query.where(ofStores(scope, 'documents'))))
        .groupBy(['store_id', 'kind', 'state'])
        .execute();
      return rows.map(({ store_id, count, ...row }) => ({ ...row, storeId: store_id, count: Number(count) }));
    },

    async work() {
      const rows = await access
        .db()
        .selectFrom('work')
        .select(({ fn }) => [
          'store_id',
          'kind',
          fn.countAll().as('count'),
          fn.sum<number>(sql`case when attempts > 0 then 1 else 0 end`).as('failed'),
          fn.min('due_at').as('firstDue'),
        ])
        .$call((query) => (scope === null ? query : query.where(ofStores(scope, 'work'))))
        .groupBy(['store_id', 'kind'])
        .execute();
      return rows.map(({ store_id, kind, count, failed, firstDue }) => ({
        storeId: store_id,
        kind,
        count: Number(count),
        failed: Number(failed),
        firstDue,
      }));
    },

    async lastDeliveries() {
      const newest = access
        .db()
        .selectFrom('deliveries')
        .select(['connection', 'platform', 'shop', 'received_at'])
        .orderBy('received_at', 'desc')
        .limit(2_000);
      const rows = await access
        .db()
        .selectFrom(newest.as('newest'))
        .select(({ fn }) => ['connection', fn.max('received_at').as('at')])
        .$call((query) => (scope === null ? query : query.where(ofShops(scope, 'newest'))))
        .groupBy('connection')
        .execute();
      return new Map(rows.map(({ connection, at }) => [connection, at]));
    },

    async lastWrittenBack(storeId) {
      const newest = access
        .db()
        .selectFrom('documents')
        .select(['id', 'platform', 'shop', 'order_name', 'written_back', 'updated_at'])
        .where('store_id', '=', storeId)
        .orderBy('created_at', 'desc')
        .limit(200);
      const row = await access
        .db()
        .selectFrom(newest.as('newest'))
        .select(['id', 'order_name', 'updated_at'])
        .where('written_back', 'is not', null)
        .$call((query) => (scope === null ? query : query.where(ofShops(scope, 'newest'))))
        .orderBy('updated_at', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row ? { id: row.id, orderName: row.order_name, updatedAt: row.updated_at } : null;
    },

    async series() {
      const rows = await access
        .db()
        .selectFrom('series')
        .selectAll()
        .$call((query) => (scope === null ? query : query.where(ofSeries(scope))))
        .orderBy('ruc')
        .orderBy('ambiente')
        .orderBy('establecimiento')
        .orderBy('punto_emision')
        .orderBy('cod_doc')
        .execute();
      return rows.map((row) => ({
        ...readSeries(row),
        next: row.next,
        stoppedReason: row.stopped_reason,
      }));
    },
  };
}
