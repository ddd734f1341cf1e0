import type { Attempt, Document } from '../domain/document.ts';
import { type AccountPause, type JobKind, orderSubject, readOrderSubject } from '../domain/job.ts';
import { isWithin, type Scope } from '../domain/settings.ts';
import type { Access } from './access.ts';
import { documentTable, type HistoryEntry } from './documents.ts';
import { orderTable } from './orders.ts';
import { shuts } from './partitions.ts';
import { pauseTable } from './pauses.ts';
import type { JobState, OrderKey, OrderRow } from './schema.ts';
import { findingTable } from './search.ts';

export interface OrderTimeline {
  order: OrderRow;
  documents: DocumentTimeline[];
  jobs: PendingJob[];
}

export interface DocumentTimeline {
  document: Document;
  history: HistoryEntry[];
  attempts: AttemptFacts[];
}

export type AttemptFacts = Pick<
  Attempt,
  'n' | 'issueDate' | 'total' | 'foreseenKey' | 'accessKey' | 'outcome' | 'errors' | 'createdAt'
>;

export interface PendingJob {
  kind: JobKind;
  documentId: string | null;
  dueAt: string;
  state: JobState;
  attempts: number;
  reason: string | null;
  pause: Pick<AccountPause, 'cause' | 'since'> | null;
}

const mostFound = 20;

export interface UnreadOrder {
  orderId: string;
  storeId: string;
  jobs: PendingJob[];
}

export function timelineReader(access: Access, scope: Scope | null = null) {
  const { db } = access;
  const { ofOrder, history } = documentTable(access);
  const orders = orderTable(access);
  const finding = findingTable(access, scope);

  async function ofDocument(document: Document): Promise<DocumentTimeline> {
    const attempts = await db()
      .selectFrom('attempts')
      .select(['n', 'issueDate', 'total', 'foreseenKey', 'accessKey', 'outcome', 'errors', 'createdAt'])
      .where('documentId', '=', document.id)
      .orderBy('n')
      .execute();
    return {
      document,
      history: await history(document.id),
      attempts,
    };
  }

  const jobs = () =>
    db()
      .selectFrom('jobs')
      .select(['kind', 'subject', 'storeId', 'partition', 'dueAt', 'state', 'attempts', 'reason'])
      .orderBy('dueAt');

  async function toPending(
    rows: Awaited<ReturnType<ReturnType<typeof jobs>['execute']>>,
    ids: ReadonlySet<string>,
  ): Promise<PendingJob[]> {
    const pauses = await pauseTable(access).list();
    return rows.map(({ subject, storeId: _, partition, ...row }) => {
      const pause = pauses.find((one) => shuts(one, partition));
      return {
        ...row,
        documentId: ids.has(subject) ? subject : null,
        pause: pause ? { cause: pause.cause, since: pause.since } : null,
      };
    });
  }

  async function pending(order: OrderRow, documents: readonly Document[]): Promise<PendingJob[]> {
    const ids = new Set(documents.map(({ id }) => id));
    const rows = await jobs()
      .where('subject', 'in', [orderSubject(order), ...ids])
      .execute();
    return toPending(rows, ids);
  }

  async function of(key: OrderKey): Promise<OrderTimeline | undefined> {
    const order = isWithin(scope, key) ? await orders.get(key) : undefined;
    if (!order) return undefined;
    const documents = await ofOrder(order);
    return {
      order,
      documents: await Promise.all(documents.map(ofDocument)),
      jobs: await pending(order, documents),
    };
  }

  return {
    async unread(orderId: string): Promise<UnreadOrder[]> {
      const rows = await jobs()
        .where('kind', '=', 'sync-order')
        .where('subject', 'like', `%/${encodeURIComponent(orderId).replace(/[%_]/g, '_')}`)
        .limit(mostFound)
        .execute();
      const unread: UnreadOrder[] = [];
      for (const row of rows) {
        const key = readOrderSubject(row.subject);
        if (key.orderId !== orderId || !isWithin(scope, key) || (await orders.get(key))) continue;
        unread.push({ orderId, storeId: row.storeId, jobs: await toPending([row], new Set()) });
      }
      return unread;
    },

    /** "#1001", with or without the sign. */
    async find(name: string): Promise<OrderTimeline[]> {
      const bare = name.replace(/^#/, '');
      const found = await finding.orders({ id: bare, names: [bare, `#${bare}`] }, mostFound);
      const timelines: OrderTimeline[] = [];
      for (const key of found) {
        const timeline = await of(key);
        if (timeline) timelines.push(timeline);
      }
      return timelines;
    },

    of,
  };
}
