import type { Selectable } from 'kysely';
import { type OpenBreaker, waitsForShop } from '../domain/circuit-breaker.ts';
import type { Attempt, Document } from '../domain/document.ts';
import { isWithin, type Scope } from '../domain/scope.ts';
import { storeBehind } from '../domain/shadow.ts';
import { orderSubject, readOrderSubject, type WorkKind } from '../domain/work.ts';
import type { Access } from './access.ts';
import { breakerTable } from './breakers.ts';
import type { HistoryEntry } from './document-tables.ts';
import { documentTable } from './documents.ts';
import { findingTable } from './finding.ts';
import { readHistory } from './history.ts';
import { orderTable } from './orders.ts';
import type { OrderKey, OrderRow } from './shop-tables.ts';
import type { WorkRecord } from './work/schema.ts';

/** Everything the ledger knows of an order, for a person; no body is opened. */
export interface OrderStory {
  order: OrderRow;
  documents: DocumentStory[];
  /** What is still to be done for the order or one of its documents. */
  work: PendingWork[];
}

export interface DocumentStory {
  document: Document;
  history: HistoryEntry[];
  attempts: AttemptFacts[];
}

export type AttemptFacts = Pick<
  Attempt,
  'n' | 'issueDate' | 'total' | 'foreseenKey' | 'accessKey' | 'outcome' | 'errors' | 'createdAt'
>;

export interface PendingWork {
  kind: WorkKind;
  /** Id of the document, or null for the order itself. */
  documentId: string | null;
  dueAt: string;
  attempts: number;
  reason: string | null;
  /** The open circuit breaker of the shop it waits for; null where it waits for none. */
  breaker: Pick<OpenBreaker, 'since' | 'retryAt' | 'reason'> | null;
}

/** One name may be that of several shops' orders. */
const mostFound = 20;

/** An order that nobody has been able to read yet: the ledger knows its id and what is still to be done. */
export interface UnreadOrder {
  orderId: string;
  storeId: string;
  work: PendingWork[];
}

export interface Stories {
  /** Orders of this id that were told of and are not read. */
  unread(orderId: string): Promise<UnreadOrder[]>;
  /** Orders by their id or by the name people read ("#1001", with or without the sign). */
  find(name: string): Promise<OrderStory[]>;
  of(order: OrderKey): Promise<OrderStory | undefined>;
}

/** @param scope only what is of its shops. */
export function storyReader(access: Access, scope: Scope | null = null): Stories {
  const { ofOrder } = documentTable(access);
  const orders = orderTable(access);
  const finding = findingTable(access, scope);

  async function ofDocument(document: Document): Promise<DocumentStory> {
    const attempts = await access
      .db()
      .selectFrom('attempts')
      .select(['n', 'issue_date', 'total', 'foreseen_key', 'access_key', 'outcome', 'errors', 'created_at'])
      .where('document_id', '=', document.id)
      .orderBy('n')
      .execute();
    return {
      document,
      history: await readHistory(access, document.id),
      attempts: attempts.map((row) => ({
        n: row.n,
        issueDate: row.issue_date,
        total: row.total,
        foreseenKey: row.foreseen_key,
        accessKey: row.access_key,
        outcome: row.outcome,
        errors: JSON.parse(row.errors),
        createdAt: row.created_at,
      })),
    };
  }

  const columns = ['kind', 'subject', 'store_id', 'due_at', 'attempts', 'reason'] as const;
  type Row = Selectable<Pick<WorkRecord, (typeof columns)[number]>>;

  async function toPending(
    rows: readonly Row[],
    storeId: string,
    ids: ReadonlySet<string>,
  ): Promise<PendingWork[]> {
    const open = await breakerTable(access).get(storeBehind(storeId));
    const breaker = open ? { since: open.since, retryAt: open.retryAt, reason: open.reason } : null;
    return rows.map(({ kind, subject, due_at, attempts, reason }) => ({
      kind,
      documentId: ids.has(subject) ? subject : null,
      dueAt: due_at,
      attempts,
      reason,
      breaker: waitsForShop.has(kind) ? breaker : null,
    }));
  }

  async function pending(order: OrderRow, documents: readonly Document[]): Promise<PendingWork[]> {
    const ids = new Set(documents.map(({ id }) => id));
    const rows = await access
      .db()
      .selectFrom('work')
      .select(columns)
      .where('subject', 'in', [orderSubject(order), ...ids])
      .orderBy('due_at')
      .execute();
    return toPending(rows, order.storeId, ids);
  }

  async function of(key: OrderKey): Promise<OrderStory | undefined> {
    const order = isWithin(scope, key) ? await orders.get(key) : undefined;
    if (!order) return undefined;
    const documents = await ofOrder(order);
    return {
      order,
      documents: await Promise.all(documents.map(ofDocument)),
      work: await pending(order, documents),
    };
  }

  return {
    async unread(orderId) {
      const rows = await access
        .db()
        .selectFrom('work')
        .select(columns)
        .where('kind', '=', 'sync-order')
        .where('subject', 'like', `%/${encodeURIComponent(orderId).replace(/[%_]/g, '_')}`)
        .orderBy('due_at')
        .limit(mostFound)
        .execute();
      const unread: UnreadOrder[] = [];
      for (const row of rows) {
        const key = readOrderSubject(row.subject);
        if (key.orderId !== orderId || !isWithin(scope, key) || (await orders.get(key))) continue;
        const work = await toPending([row], row.store_id, new Set());
        unread.push({ orderId, storeId: row.store_id, work });
      }
      return unread;
    },
    async find(name) {
      const bare = name.replace(/^#/, '');
      const found = await finding.orders({ id: bare, names: [bare, `#${bare}`] }, mostFound);
      const stories: OrderStory[] = [];
      for (const key of found) {
        const story = await of(key);
        if (story) stories.push(story);
      }
      return stories;
    },
    of,
  };
}
