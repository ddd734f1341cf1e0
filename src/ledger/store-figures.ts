import { sql } from 'kysely';
import { type DocumentKind, type DocumentState, documentKinds, type Series } from '../domain/document.ts';
import type { JobKind } from '../domain/job.ts';
import type { Scope } from '../domain/settings.ts';
import { camelCased } from '../domain/text.ts';
import { type Access, ofSeries, ofShops, ofStores } from './access.ts';
import { readSeries } from './sequences.ts';

/** Open documents of a store. */
export interface StoreDocuments {
  storeId: string;
  kind: DocumentKind;
  state: DocumentState;
  count: number;
  oldest: string;
}

/** The jobs of a store. */
export interface StoreJob {
  storeId: string;
  kind: JobKind;
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

/** Figures of the stores, all stores in one query. */
export interface StoreFigures {
  openDocuments(): Promise<StoreDocuments[]>;
  jobs(): Promise<StoreJob[]>;
  /** When each connection last delivered, among the newest 2,000 deliveries. */
  lastDeliveries(): Promise<Map<string, string>>;
  /** Among a store's newest 200 documents, the one last written back. */
  lastWrittenBack(storeId: string): Promise<{ id: string; orderName: string; updatedAt: string } | null>;
  series(): Promise<SeriesRow[]>;
}

/** @param scope only what is of its stores, shops and series. */
export function storeFigureTable({ db }: Access, scope: Scope | null = null): StoreFigures {
  return {
    async openDocuments() {
      const rows = await db()
        .selectFrom('documents')
        .select(({ fn }) => [
          'store_id',
          'kind',
          'state',
          fn.countAll().as('count'),
          fn.min('created_at').as('oldest'),
        ])
        // All kinds: names the index of open documents to SQLite.
        .where('kind', 'in', documentKinds)
        .where(sql<boolean>`state not in ('authorized', 'cancelled')`)
        .where(ofStores(scope, 'documents'))
        .groupBy(['store_id', 'kind', 'state'])
        .execute();
      return rows.map(({ count, ...row }) => ({ ...camelCased(row), count: Number(count) }));
    },

    async jobs() {
      const rows = await db()
        .selectFrom('jobs')
        .select(({ fn }) => [
          'store_id',
          'kind',
          fn.countAll().as('count'),
          fn.sum<number>(sql`case when attempts > 0 then 1 else 0 end`).as('failed'),
          fn.min('due_at').as('firstDue'),
        ])
        .where(ofStores(scope, 'jobs'))
        .groupBy(['store_id', 'kind'])
        .execute();
      return rows.map(({ count, failed, ...row }) => ({
        ...camelCased(row),
        count: Number(count),
        failed: Number(failed),
      }));
    },

    async lastDeliveries() {
      const newest = db()
        .selectFrom('deliveries')
        .select(['connection', 'platform', 'shop', 'received_at'])
        .where('connection', 'not like', 'list:%')
        .orderBy('received_at', 'desc')
        .limit(2_000);
      const rows = await db()
        .selectFrom(newest.as('newest'))
        .select(({ fn }) => ['connection', fn.max('received_at').as('at')])
        .where(ofShops(scope, 'newest'))
        .groupBy('connection')
        .execute();
      return new Map(rows.map(({ connection, at }) => [connection, at]));
    },

    async lastWrittenBack(storeId) {
      const newest = db()
        .selectFrom('documents')
        .select(['id', 'platform', 'shop', 'order_name', 'written_back', 'updated_at'])
        .where('store_id', '=', storeId)
        .orderBy('created_at', 'desc')
        .limit(200);
      const row = await db()
        .selectFrom(newest.as('newest'))
        .select(['id', 'order_name', 'updated_at'])
        .where('written_back', 'is not', null)
        .where(ofShops(scope, 'newest'))
        .orderBy('updated_at', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row ? camelCased(row) : null;
    },

    async series() {
      const rows = await db()
        .selectFrom('series')
        .selectAll()
        .where(ofSeries(scope))
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
