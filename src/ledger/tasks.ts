import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Ambiente, Attempt, Document, Series } from '../domain/document.ts';
import type { Scope } from '../domain/settings.ts';
import { camelCased } from '../domain/text.ts';
import { type Access, ofSeries, ofShops } from './access.ts';
import type { HistoryEntry } from './document-tables.ts';
import { readDocument } from './documents.ts';
import { readSeries } from './sequences.ts';
import type { OrderKey } from './shop-tables.ts';

/** A document that waits for a person, and the question to its buyer. */
export interface Task {
  document: Document;
  /** Null where the buyer was not asked. */
  question: { cutOffAt: string; expiresAt: string; passed: boolean; answered: boolean } | null;
}

/** The attempts of a document and the states it has been in, oldest first. */
export interface DocumentPast {
  attempts: Pick<Attempt, 'outcome' | 'accessKey'>[];
  history: Pick<HistoryEntry, 'to'>[];
}

export interface StoppedSeries extends Series {
  reason: string;
  /** ISO instant; null in ledgers that were stopped before it was kept. */
  since: string | null;
}

export interface UnsettledOrder extends OrderKey {
  name: string;
  /** What the planner says about it, in Spanish. */
  reason: string;
}

/** What waits for a person, read by the index of open documents. */
export interface Tasks {
  /** Oldest first, at most `limit`. */
  documents(limit: number): Promise<Task[]>;
  /** Orders that have waited for money since `before`, when the shop last changed them: paid in part, or a refund on its way. */
  unsettledOrders(before: Date): Promise<UnsettledOrder[]>;
  /** How many there are, whatever the limit. */
  count(): Promise<number>;
  /** How many of them are not held, rejected or manual. */
  refused(): Promise<number>;
  /** Documents ready to be sent, by account. */
  ready(): Promise<{ account: string; ambiente: Ambiente; count: number }[]>;
  stoppedSeries(): Promise<StoppedSeries[]>;
  /** The past of these documents, by id; without decrypting what was sent. */
  pasts(ids: readonly string[]): Promise<Map<string, DocumentPast>>;
}

// The condition of the index of open documents, word for word.
const isOpen = sql<boolean>`documents.state not in ('authorized', 'cancelled')`;

/** Refused because of the issuer and not yet processed again: the alert says so (jobs/announce.ts). */
const isRefused = sql<boolean>`(documents.state = 'processing' and documents.code = 'reprocess' and exists (
  select 1 from alerts where alerts.code = 'issuer-refused' and alerts.subject = documents.id and alerts.over_at is null))`;
// The condition of its index, word for word.
const isUnsettled = sql<boolean>`(decision like '%"partially-paid"%' or decision like '%"refund-pending"%')`;
const unsettled = z.array(z.object({ code: z.string(), reason: z.string() }));
const waits = sql<boolean>`(documents.state in ('held', 'rejected', 'manual') or ${isRefused})`;

/** @param scope only what is of its shops and series. */
export function taskTable({ db }: Access, scope: Scope | null = null): Tasks {
  const ours = ofShops(scope, 'documents');
  return {
    async documents(limit) {
      const rows = await db()
        .selectFrom('documents')
        .leftJoin('questions', (join) =>
          join
            .onRef('questions.platform', '=', 'documents.platform')
            .onRef('questions.shop', '=', 'documents.shop')
            .onRef('questions.order_id', '=', 'documents.order_id'),
        )
        .selectAll('documents')
        .select([
          'questions.cut_off_at',
          'questions.expires_at',
          'questions.passed_at',
          'questions.answered_at',
        ])
        .where(isOpen)
        .where(ours)
        .where(waits)
        .orderBy('documents.created_at')
        .orderBy('documents.id')
        .limit(limit)
        .execute();
      return rows.map(({ cut_off_at: cutOffAt, expires_at: expiresAt, passed_at, answered_at, ...row }) => ({
        document: readDocument(row),
        question:
          cutOffAt === null || expiresAt === null
            ? null
            : { cutOffAt, expiresAt, passed: passed_at !== null, answered: answered_at !== null },
      }));
    },

    async unsettledOrders(before) {
      const rows = await db()
        .selectFrom('orders')
        .select(['platform', 'shop', 'order_id', 'name', 'decision'])
        .where(isUnsettled)
        .where('source_updated_at', '<=', before.toISOString())
        .where(ofShops(scope, 'orders'))
        .orderBy('source_updated_at')
        .execute();
      return rows.flatMap(({ decision, ...row }) => {
        const found = unsettled
          .parse(JSON.parse(decision ?? '[]'))
          .find(({ code }) => code === 'partially-paid' || code === 'refund-pending');
        return found ? [{ ...camelCased(row), reason: found.reason }] : [];
      });
    },

    async count() {
      const row = await db()
        .selectFrom('documents')
        .select(({ fn }) => fn.countAll().as('count'))
        .where(isOpen)
        .where(ours)
        .where(waits)
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },

    async refused() {
      const row = await db()
        .selectFrom('documents')
        .select(({ fn }) => fn.countAll().as('count'))
        .where(isOpen)
        .where(ours)
        .where(isRefused)
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },

    async ready() {
      const rows = await db()
        .selectFrom('documents')
        .select(({ fn }) => ['account', 'ambiente', fn.countAll().as('count')])
        .where(isOpen)
        .where(ours)
        .where('state', '=', 'ready')
        .groupBy(['account', 'ambiente'])
        .execute();
      return rows.map((row) => ({ ...row, count: Number(row.count) }));
    },

    async stoppedSeries() {
      const rows = await db()
        .selectFrom('series')
        .selectAll()
        .where('stopped_reason', 'is not', null)
        .where(ofSeries(scope))
        .orderBy('stopped_at')
        .execute();
      return rows.map((row) => ({
        ...readSeries(row),
        reason: row.stopped_reason ?? '',
        since: row.stopped_at,
      }));
    },

    async pasts(ids) {
      const pasts = new Map<string, DocumentPast>();
      if (ids.length === 0) return pasts;
      const moves = await db()
        .selectFrom('history')
        .select(['document_id', 'to_state'])
        .where('document_id', 'in', ids)
        .orderBy('id')
        .execute();
      for (const { document_id, to_state: to } of moves) {
        const past = pasts.get(document_id) ?? { attempts: [], history: [] };
        past.history.push({ to });
        pasts.set(document_id, past);
      }
      const sent = await db()
        .selectFrom('attempts')
        .select(['document_id', 'outcome', 'access_key'])
        .where('document_id', 'in', ids)
        .orderBy('n')
        .execute();
      for (const { document_id, outcome, access_key: accessKey } of sent)
        pasts.get(document_id)?.attempts.push({ outcome, accessKey });
      return pasts;
    },
  };
}

/** The id of the installation: random, made once, the same for all its processes. */
export interface Installation {
  id(now: Date): Promise<string>;
}

const name = 'facturapuente';

export const installationTable = ({ db }: Access): Installation => ({
  async id(now) {
    await db()
      .insertInto('installation')
      .values({ name, id: randomUUID(), began_at: now.toISOString() })
      .onConflict((known) => known.column('name').doNothing())
      .execute();
    const { id } = await db()
      .selectFrom('installation')
      .select('id')
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    return id;
  },
});
