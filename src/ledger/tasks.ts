import { sql } from 'kysely';
import { z } from 'zod';
import type { Ambiente, Attempt, Document, DocumentState, Series } from '../domain/document.ts';
import type { Scope } from '../domain/settings.ts';
import { type Access, count, ofSeries, ofShops } from './access.ts';
import { documentOf } from './documents.ts';
import type { OrderKey } from './schema.ts';
import { seriesOf } from './series.ts';

export interface Task {
  document: Document;
  /** null where the buyer was not asked. */
  question: { cutOffAt: string; expiresAt: string; passed: boolean; answered: boolean } | null;
}

export interface DocumentPast {
  attempts: Pick<Attempt, 'outcome' | 'accessKey'>[];
  history: { to: DocumentState }[];
}

export interface StoppedSeries extends Series {
  reason: string;
  since: string | null;
}

export interface UnsettledOrder extends OrderKey {
  name: string;
  reason: string;
}

// The condition of the index of open documents, word for word.
const isOpen = sql<boolean>`documents.state not in ('authorized', 'cancelled')`;

/** Refused because of the issuer and not yet processed again: jobs/announce.ts raises an alert. */
const isRefused = sql<boolean>`(documents.state = 'processing' and documents.code = 'reprocess' and exists (
  select 1 from alerts where alerts.code = 'issuer-refused' and alerts.subject = documents.id and alerts.over_at is null))`;
// SQLite uses its index only for this exact condition.
const isUnsettled = sql<boolean>`(decision like '%"partially-paid"%' or decision like '%"refund-pending"%')`;
const unsettled = z.array(z.object({ code: z.string(), reason: z.string() }));
const waits = sql<boolean>`(documents.state in ('held', 'rejected', 'manual') or ${isRefused})`;

export function taskTable({ db }: Access, scope: Scope | null = null) {
  const open = () => db().selectFrom('documents').where(isOpen).where(ofShops(scope, 'documents'));
  const counted = async (condition: typeof waits) =>
    (await open().select(count).where(condition).executeTakeFirstOrThrow()).count;
  return {
    async documents(limit: number): Promise<Task[]> {
      const rows = await open()
        .leftJoin('questions', (join) =>
          join
            .onRef('questions.platform', '=', 'documents.platform')
            .onRef('questions.shop', '=', 'documents.shop')
            .onRef('questions.orderId', '=', 'documents.orderId'),
        )
        .selectAll('documents')
        .select(['questions.cutOffAt', 'questions.expiresAt', 'questions.passedAt', 'questions.answeredAt'])
        .where(waits)
        .orderBy('documents.createdAt')
        .orderBy('documents.id')
        .limit(limit)
        .execute();
      return rows.map(({ cutOffAt, expiresAt, passedAt, answeredAt, ...row }) => ({
        document: documentOf(row),
        question:
          cutOffAt === null || expiresAt === null
            ? null
            : { cutOffAt, expiresAt, passed: passedAt !== null, answered: answeredAt !== null },
      }));
    },

    async unsettledOrders(before: Date): Promise<UnsettledOrder[]> {
      const rows = await db()
        .selectFrom('orders')
        .select(['platform', 'shop', 'orderId', 'name', 'decision'])
        .where(isUnsettled)
        .where('sourceUpdatedAt', '<=', before.toISOString())
        .where(ofShops(scope, 'orders'))
        .orderBy('sourceUpdatedAt')
        .execute();
      return rows.flatMap(({ decision, ...row }) => {
        const found = unsettled
          .parse(decision)
          .find(({ code }) => code === 'partially-paid' || code === 'refund-pending');
        return found ? [{ ...row, reason: found.reason }] : [];
      });
    },

    count: () => counted(waits),

    refused: () => counted(isRefused),

    ready: (): Promise<{ account: string; ambiente: Ambiente; count: number }[]> =>
      open()
        .select(['account', 'ambiente', count])
        .where('state', '=', 'ready')
        .groupBy(['account', 'ambiente'])
        .execute(),

    async stoppedSeries(): Promise<StoppedSeries[]> {
      const rows = await db()
        .selectFrom('series')
        .selectAll()
        .where('stoppedReason', 'is not', null)
        .where(ofSeries(scope))
        .orderBy('stoppedAt')
        .execute();
      return rows.map((row) => ({
        ...seriesOf(row),
        reason: row.stoppedReason ?? '',
        since: row.stoppedAt,
      }));
    },

    async pasts(ids: readonly string[]): Promise<Map<string, DocumentPast>> {
      const pasts = new Map<string, DocumentPast>();
      const moves = await db()
        .selectFrom('history')
        .select(['documentId', 'toState as to'])
        .where('documentId', 'in', ids)
        .orderBy('id')
        .execute();
      for (const { documentId, to } of moves) {
        const past = pasts.get(documentId) ?? { attempts: [], history: [] };
        past.history.push({ to });
        pasts.set(documentId, past);
      }
      const sent = await db()
        .selectFrom('attempts')
        .select(['documentId', 'outcome', 'accessKey'])
        .where('documentId', 'in', ids)
        .orderBy('n')
        .execute();
      for (const { documentId, ...attempt } of sent) pasts.get(documentId)?.attempts.push(attempt);
      return pasts;
    },
  };
}
