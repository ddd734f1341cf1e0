import { type OpenBreaker, waitsForShop } from '../core/circuit-breaker.ts';
import type { Attempt, Document } from '../core/document.ts';
import { isWithin, type Scope } from '../core/scope.ts';
import { storeBehind } from '../core/shadow.ts';
import { orderSubject, type WorkKind } from '../core/work.ts';
import type { Access } from './access.ts';
import { breakerTable } from './breakers.ts';
import type { HistoryEntry } from './document-tables.ts';
import { documentTable } from './documents.ts';
import { findingTable } from './finding.ts';
import { readHistory } from './history.ts';
import { orderTable } from './orders.ts';
import type { OrderKey, OrderRow } from './shop-tables.ts';

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

export interface Stories {
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

  async function pending(order: OrderRow, documents: readonly Document[]): Promise<PendingWork[]> {
    const ids = new Set(documents.map(({ id }) => id));
    const rows = await access
      .db()
      .selectFrom('work')
      .select(['kind', 'subject', 'due_at', 'attempts', 'reason'])
      .where('subject', 'in', [orderSubject(order), ...ids])
      .orderBy('due_at')
      .execute();
    const open = await breakerTable(access).get(storeBehind(order.storeId));
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
