import type { Attempt, Document } from '../core/document.ts';
import { orderSubject, type WorkKind } from '../core/work.ts';
import type { Access } from './access.ts';
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
  'n' | 'issueDate' | 'total' | 'accessKey' | 'outcome' | 'errors' | 'createdAt'
>;

export interface PendingWork {
  kind: WorkKind;
  /** Id of the document, or null for the order itself. */
  documentId: string | null;
  dueAt: string;
  attempts: number;
  reason: string | null;
}

/** One name may be that of several shops' orders. */
const mostFound = 20;

export interface Stories {
  /** Orders by their id or by the name people read ("#1001", with or without the sign). */
  find(name: string): Promise<OrderStory[]>;
  of(order: OrderKey): Promise<OrderStory | undefined>;
}

export function storyReader(access: Access): Stories {
  const { ofOrder } = documentTable(access);
  const orders = orderTable(access);
  const finding = findingTable(access);

  async function ofDocument(document: Document): Promise<DocumentStory> {
    const attempts = await access
      .db()
      .selectFrom('attempts')
      .select(['n', 'issue_date', 'total', 'access_key', 'outcome', 'errors', 'created_at'])
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
        accessKey: row.access_key,
        outcome: row.outcome,
        errors: JSON.parse(row.errors),
        createdAt: row.created_at,
      })),
    };
  }

  async function pending(order: OrderKey, documents: readonly Document[]): Promise<PendingWork[]> {
    const ids = new Set(documents.map(({ id }) => id));
    const rows = await access
      .db()
      .selectFrom('work')
      .select(['kind', 'subject', 'due_at', 'attempts', 'reason'])
      .where('subject', 'in', [orderSubject(order), ...ids])
      .orderBy('due_at')
      .execute();
    return rows.map(({ kind, subject, due_at, attempts, reason }) => ({
      kind,
      documentId: ids.has(subject) ? subject : null,
      dueAt: due_at,
      attempts,
      reason,
    }));
  }

  async function of(key: OrderKey): Promise<OrderStory | undefined> {
    const order = await orders.get(key);
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
