import { sql } from 'kysely';
import type { DocumentKind, DocumentState } from '../domain/document.ts';
import { type JobKind, orderUnread, readOrderSubject } from '../domain/job.ts';
import type { Scope } from '../domain/settings.ts';
import { camelCased } from '../domain/text.ts';
import { type Access, ofShops } from './access.ts';
import type { JobState } from './schema.ts';
import type { OrderKey } from './shop-tables.ts';

export interface DocumentCount {
  kind: DocumentKind;
  state: DocumentState;
  count: number;
  /** When the oldest of them was created; null for final states. */
  oldest: string | null;
}

export interface JobCount {
  kind: JobKind;
  state: JobState;
  count: number;
  /** When the first of them is or was due. */
  firstDue: string;
}

/**
 * Counts for metrics. With 1,000,000 documents, 5,000 of them open, SQLite (where a query blocks every other) takes
 * 0.6 ms for open and 76 ms for final ones; 32 ms for 100,000 jobs. Call the latter two rarely.
 */
export interface Counts {
  /** By state that is not final; with a scope only of its shops. */
  openDocuments(scope?: Scope | null): Promise<DocumentCount[]>;
  /** Authorised and cancelled; reads every document. */
  finalDocuments(): Promise<DocumentCount[]>;
  jobs(): Promise<JobCount[]>;
  /** Production documents of an account created since and authorised: each cost a credit. */
  issued(account: string, since: Date): Promise<number>;
  /** Whether a document of an issuer was ever authorised in production, under this account. */
  isIssuing(account: string, ruc: string): Promise<boolean>;
}

// The conditions of the indexes, word for word.
const isOpen = sql<boolean>`state not in ('authorized', 'cancelled')`;
const isFinal = sql<boolean>`state in ('authorized', 'cancelled')`;

export function countTable({ db }: Access): Counts {
  return {
    async openDocuments(scope = null) {
      const rows = await db()
        .selectFrom('documents')
        .select(({ fn }) => ['kind', 'state', fn.countAll().as('count'), fn.min('created_at').as('oldest')])
        .where(isOpen)
        .where(ofShops(scope, 'documents'))
        .groupBy(['kind', 'state'])
        .execute();
      return rows.map((row) => ({ ...row, count: Number(row.count) }));
    },

    async finalDocuments() {
      const rows = await db()
        .selectFrom('documents')
        .select(({ fn }) => ['kind', 'state', fn.countAll().as('count')])
        .where(isFinal)
        .groupBy(['kind', 'state'])
        .execute();
      return rows.map((row) => ({ ...row, count: Number(row.count), oldest: null }));
    },

    async jobs() {
      const rows = await db()
        .selectFrom('jobs')
        .select(({ fn }) => ['kind', 'state', fn.countAll().as('count'), fn.min('due_at').as('firstDue')])
        .groupBy(['kind', 'state'])
        .execute();
      return rows.map((row) => ({ ...row, count: Number(row.count) }));
    },

    async issued(account, since) {
      const row = await db()
        .selectFrom('documents')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('state', '=', 'authorized')
        .where('created_at', '>=', since.toISOString())
        .where((is) => is.and({ account, ambiente: 2 }))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },

    async isIssuing(account, ruc) {
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

/** A job that failed and has not succeeded since. */
export interface FailingJob {
  kind: JobKind;
  subject: string;
  storeId: string;
  failures: number;
  since: string;
  /** Of its last failure, for the merchant. */
  reason: string;
  dueAt: string;
}

/** Jobs that keep failing; without those that wait for a person. */
export interface Failing {
  /** Those that failed so often, or began to fail before `since`; the oldest failure first. */
  list(atLeast: { failures: number; since: Date }): Promise<FailingJob[]>;
  /** Orders that could not be read yet: the shop contradicts its answers, or fails. By store, then order. */
  unreadOrders(): Promise<(OrderKey & { storeId: string })[]>;
}

export function failingTable({ db }: Access): Failing {
  return {
    async list({ failures, since }) {
      const rows = await db()
        .selectFrom('jobs')
        .select(['kind', 'subject', 'store_id', 'attempts', 'failing_since', 'reason', 'due_at'])
        .where('failing_since', 'is not', null)
        .where('state', '<>', 'held')
        .where((row) =>
          row.or([row('attempts', '>=', failures), row('failing_since', '<=', since.toISOString())]),
        )
        .orderBy('failing_since')
        .orderBy('id')
        .execute();
      return rows.map(({ attempts, failing_since, reason, ...row }) => ({
        ...camelCased(row),
        failures: attempts,
        since: failing_since ?? '',
        reason: reason ?? '',
      }));
    },

    async unreadOrders() {
      const rows = await db()
        .selectFrom('jobs')
        .select(['subject', 'store_id'])
        .where('kind', '=', 'sync-order')
        .where((row) => row.or([row('reason', '=', orderUnread), row('failing_since', 'is not', null)]))
        .orderBy('store_id')
        .orderBy('subject')
        .execute();
      return rows.map(({ subject, store_id }) => ({ ...readOrderSubject(subject), storeId: store_id }));
    },
  };
}
