import { sql } from 'kysely';
import type { Ambiente, Attempt, Document, DocumentState, Series } from '../domain/document.ts';
import type { Scope } from '../domain/scope.ts';
import { shopMark } from '../domain/shadow.ts';
import type { Access } from './access.ts';
import { readDocument } from './document-rows.ts';
import type { HistoryEntry } from './document-tables.ts';
import { readSeries } from './sequences.ts';
import { ofSeries, ofShops } from './within.ts';

/** A document that waits for a person, and how long its buyer still may answer. */
export interface Task {
  document: Document;
  /** Null where nobody was asked. */
  question: { cutOffAt: string; expiresAt: string; passed: boolean; answered: boolean } | null;
}

/** How a document's sendings ended, and in which states it has been; each oldest first. */
export interface DocumentPast {
  attempts: Pick<Attempt, 'outcome' | 'accessKey'>[];
  history: Pick<HistoryEntry, 'to'>[];
}

export interface StoppedSeries extends Series {
  reason: string;
  /** ISO instant; null in ledgers that were stopped before it was kept. */
  since: string | null;
}

/** What waits for a person. All of it is looked for among what is open, which is little, however much there ever was. */
export interface Tasks {
  /** Oldest first, at most `limit`. */
  documents(limit: number): Promise<Task[]>;
  /** How many there are, whatever the limit. */
  count(): Promise<number>;
  /** Documents ready to leave, by the account that sends them. */
  ready(): Promise<{ account: string; ambiente: Ambiente; count: number }[]>;
  stoppedSeries(): Promise<StoppedSeries[]>;
  /** Of these documents, by id; without what was sent, which would have to be unsealed for each. */
  pasts(ids: readonly string[]): Promise<Map<string, DocumentPast>>;
}

const states: readonly DocumentState[] = ['held', 'rejected', 'manual'];
// As in migration 0003: only a condition of the same words lets the engines use the index of what is open.
const isOpen = sql<boolean>`documents.state not in ('authorized', 'cancelled')`;
// Nobody has to do anything about a shadow (domain/shadow.ts).
const isReal = sql<boolean>`documents.shop not like ${`%${shopMark}`}`;

/** @param scope only what is of its shops and series. */
export function taskTable(access: Access, scope: Scope | null = null): Tasks {
  const ours = scope === null ? isReal : sql<boolean>`${isReal} and ${ofShops(scope, 'documents')}`;
  return {
    async documents(limit) {
      const rows = await access
        .db()
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
        .where('documents.state', 'in', states)
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

    async count() {
      const row = await access
        .db()
        .selectFrom('documents')
        .select(({ fn }) => fn.countAll().as('count'))
        .where(isOpen)
        .where(ours)
        .where('state', 'in', states)
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },

    async ready() {
      const rows = await access
        .db()
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
      const rows = await access
        .db()
        .selectFrom('series')
        .selectAll()
        .where('stopped_reason', 'is not', null)
        .$call((query) => (scope === null ? query : query.where(ofSeries(scope))))
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
      const moves = await access
        .db()
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
      const sent = await access
        .db()
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
