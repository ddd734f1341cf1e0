import { sql } from 'kysely';
import { type DocumentKind, type DocumentState, documentKinds } from '../domain/document.ts';
import { outageCodes } from '../domain/errors.ts';
import { type JobKind, orderUnread, readOrderSubject, shopKinds } from '../domain/job.ts';
import type { Scope } from '../domain/settings.ts';
import { type Access, count, ofSeries, ofShops, ofStores } from './access.ts';
import type { JobState, OrderKey, SeriesRow } from './schema.ts';

export interface DocumentCount {
  kind: DocumentKind;
  state: DocumentState;
  count: number;
  oldest: string | null;
}

export interface JobCount {
  kind: JobKind;
  state: JobState;
  count: number;
  firstDue: string;
}

// SQLite uses the indexes only for these exact conditions.
const isOpen = sql<boolean>`state not in ('authorized', 'cancelled')`;
const isFinal = sql<boolean>`state in ('authorized', 'cancelled')`;

/** With 1,000,000 documents, 5,000 of them open, SQLite takes 0.6 ms for open and 76 ms for final ones. */
export function countTable({ db }: Access) {
  return {
    openDocuments: (scope: Scope | null = null): Promise<DocumentCount[]> =>
      db()
        .selectFrom('documents')
        .select(({ fn }) => ['kind', 'state', count, fn.min('createdAt').as('oldest')])
        .where(isOpen)
        .where(ofShops(scope, 'documents'))
        .groupBy(['kind', 'state'])
        .execute(),

    /** Slow: reads every document. */
    finalDocuments: (): Promise<DocumentCount[]> =>
      db()
        .selectFrom('documents')
        .select(['kind', 'state', count, sql<null>`null`.as('oldest')])
        .where(isFinal)
        .groupBy(['kind', 'state'])
        .execute(),

    jobs: (): Promise<JobCount[]> =>
      db()
        .selectFrom('jobs')
        .select(({ fn }) => ['kind', 'state', count, fn.min('dueAt').as('firstDue')])
        .groupBy(['kind', 'state'])
        .execute(),

    /** Each of these documents cost a credit. */
    async issued(account: string, since: Date): Promise<number> {
      const row = await db()
        .selectFrom('documents')
        .select(count)
        .where('state', '=', 'authorized')
        .where('createdAt', '>=', since.toISOString())
        .where((is) => is.and({ account, ambiente: 2 }))
        .executeTakeFirstOrThrow();
      return row.count;
    },

    async isIssuing(account: string, ruc: string): Promise<boolean> {
      const row = await db()
        .selectFrom('documents')
        .select('id')
        .where((is) => is.and({ ruc, ambiente: 2, state: 'authorized', account }))
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

export interface FailingJob {
  kind: JobKind;
  subject: string;
  storeId: string;
  failures: number;
  since: string;
  reason: string;
  dueAt: string;
}

export function failingTable({ db }: Access) {
  return {
    async list({ failures, since }: { failures: number; since: Date }): Promise<FailingJob[]> {
      const rows = await db()
        .selectFrom('jobs')
        .select(['kind', 'subject', 'storeId', 'attempts', 'failingSince', 'reason', 'dueAt'])
        .where('failingSince', 'is not', null)
        .where('state', '<>', 'held')
        .where((is) => is.or([is('attempts', '>=', failures), is('failingSince', '<=', since.toISOString())]))
        .orderBy('failingSince')
        .orderBy('id')
        .execute();
      return rows.map(({ attempts, failingSince, reason, ...row }) => ({
        ...row,
        failures: attempts,
        since: failingSince ?? '',
        reason: reason ?? '',
      }));
    },

    /**
     * Stores with so many jobs, or the reconciliation, that fail since then because the shop answers no call. A reason
     * begins with the code of the error (queue/worker.ts).
     */
    silentShops: ({
      jobs,
      since,
    }: {
      jobs: number;
      since: Date;
    }): Promise<{ storeId: string; reason: string }[]> =>
      db()
        .selectFrom('jobs')
        .select(['storeId', sql<string>`max(reason)`.as('reason')])
        .where('failingSince', '<=', since.toISOString())
        .where('kind', 'in', [...shopKinds])
        .where((is) => is.or(outageCodes.map((code) => is('reason', 'like', `${code}: %`))))
        .groupBy('storeId')
        .having(
          sql<boolean>`count(*) >= ${jobs} or max(case when kind = 'reconciliation' then 1 else 0 end) = 1`,
        )
        .orderBy('storeId')
        .execute(),

    async unreadOrders(): Promise<(OrderKey & { storeId: string })[]> {
      const rows = await db()
        .selectFrom('jobs')
        .select(['subject', 'storeId'])
        .where('kind', '=', 'sync-order')
        .where((is) => is.or([is('reason', '=', orderUnread), is('failingSince', 'is not', null)]))
        .orderBy('storeId')
        .orderBy('subject')
        .execute();
      return rows.map(({ subject, storeId }) => ({ ...readOrderSubject(subject), storeId }));
    },
  };
}

export interface StoreDocuments {
  storeId: string;
  kind: DocumentKind;
  state: DocumentState;
  count: number;
  oldest: string;
}

export interface StoreJob {
  storeId: string;
  kind: JobKind;
  count: number;
  failed: number;
  firstDue: string;
}

export function storeFigureTable({ db }: Access, scope: Scope | null = null) {
  return {
    openDocuments: (): Promise<StoreDocuments[]> =>
      db()
        .selectFrom('documents')
        .select(({ fn }) => ['storeId', 'kind', 'state', count, fn.min('createdAt').as('oldest')])
        // Naming all kinds makes SQLite use the index of open documents.
        .where('kind', 'in', documentKinds)
        .where(isOpen)
        .where(ofStores(scope, 'documents'))
        .groupBy(['storeId', 'kind', 'state'])
        .execute(),

    jobs: (): Promise<StoreJob[]> =>
      db()
        .selectFrom('jobs')
        .select(({ fn }) => [
          'storeId',
          'kind',
          count,
          sql<number>`cast(sum(case when attempts > 0 then 1 else 0 end) as integer)`.as('failed'),
          fn.min('dueAt').as('firstDue'),
        ])
        .where(ofStores(scope, 'jobs'))
        .groupBy(['storeId', 'kind'])
        .execute(),

    /** Only the newest 2,000 deliveries are read. */
    async lastDeliveries(): Promise<Map<string, string>> {
      const newest = db()
        .selectFrom('deliveries')
        .select(['connection', 'platform', 'shop', 'receivedAt'])
        .where('connection', 'not like', 'list:%')
        .orderBy('receivedAt', 'desc')
        .limit(2_000);
      const rows = await db()
        .selectFrom(newest.as('newest'))
        .select(({ fn }) => ['connection', fn.max('receivedAt').as('at')])
        .where(ofShops(scope, 'newest'))
        .groupBy('connection')
        .execute();
      return new Map(rows.map(({ connection, at }) => [connection, at]));
    },

    /** Reads the newest 200 documents of the store only. */
    lastWrittenBack(
      storeId: string,
    ): Promise<{ id: string; orderName: string; updatedAt: string } | undefined> {
      const newest = db()
        .selectFrom('documents')
        .select(['id', 'platform', 'shop', 'orderName', 'writtenBack', 'updatedAt'])
        .where('storeId', '=', storeId)
        .orderBy('createdAt', 'desc')
        .limit(200);
      return db()
        .selectFrom(newest.as('newest'))
        .select(['id', 'orderName', 'updatedAt'])
        .where('writtenBack', 'is not', null)
        .where(ofShops(scope, 'newest'))
        .orderBy('updatedAt', 'desc')
        .limit(1)
        .executeTakeFirst();
    },

    series: (): Promise<SeriesRow[]> =>
      db()
        .selectFrom('series')
        .selectAll()
        .where(ofSeries(scope))
        .orderBy('ruc')
        .orderBy('ambiente')
        .orderBy('establecimiento')
        .orderBy('puntoEmision')
        .orderBy('codDoc')
        .execute(),
  };
}
