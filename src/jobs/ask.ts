import type { CallKind } from '../domain/budget.ts';
import type { Document } from '../domain/document.ts';
import { orderSubject, type WorkKind, type WorkRequest } from '../domain/work.ts';
import type { Tables } from '../ledger/ledger.ts';
import type { OrderKey } from '../ledger/shop-tables.ts';
import type { Job } from '../protocol/events.ts';
import { priorities } from './deps.ts';

/** What the work of a document calls the tax service for; null when it does not. */
const calls = {
  'submit-document': 'emission',
  'follow-up': 'question',
  'reprocess-document': 'question',
  'verify-document': 'download',
  'keep-files': 'download',
  'write-back': null,
} as const satisfies Partial<Record<WorkKind, CallKind | null>>;

type DocumentWork = keyof typeof calls;

/** The kinds of work of a document's jobs that call the service (src/protocol). */
export const kindOf = {
  submit: 'submit-document',
  'follow-up': 'follow-up',
  reprocess: 'reprocess-document',
} as const satisfies Record<Job, DocumentWork>;

/** The work of one document as it is asked for. */
export const documentWork = (kind: DocumentWork, document: Document, dueAt: Date): WorkRequest => ({
  kind,
  subject: document.id,
  storeId: document.storeId,
  budget: calls[kind] === null ? null : document.keyHash,
  account: { id: document.account, ambiente: document.ambiente },
  priority: priorityOf(kind, document),
  dueAt,
});

/** Asks for it, inside whatever transaction `tables` belongs to. */
const asking =
  (kind: DocumentWork) =>
  (tables: Pick<Tables, 'work'>, document: Document, dueAt: Date): Promise<void> =>
    tables.work.ask(documentWork(kind, document, dueAt));

/** A lost answer is asked for before documents that only take their time. */
function priorityOf(kind: DocumentWork, { state }: Document): number {
  const usual = priorities[calls[kind] ?? 'download'];
  return kind === 'follow-up' && state === 'uncertain' ? usual - 1 : usual;
}

export const askSubmit = asking('submit-document');
export const askFollowUp = asking('follow-up');
export const askReprocess = asking('reprocess-document');
export const askVerify = asking('verify-document');
export const askKeepFiles = asking('keep-files');
export const askWriteBack = asking('write-back');

/** Asks for what concerns an order and calls nobody that counts. */
export function askOrder(
  tables: Pick<Tables, 'work'>,
  kind: 'sync-order' | 'ask-buyer' | 'buyer-cut-off',
  order: OrderKey & { storeId: string },
  at: { dueAt: Date; priority: number },
): Promise<void> {
  return tables.work.ask({ kind, subject: orderSubject(order), storeId: order.storeId, budget: null, ...at });
}

/** Asks for an order to be looked at again; on the journey under way, or with `trace` null on one of its own. */
export function askSync(
  tables: Pick<Tables, 'work'>,
  order: OrderKey & { storeId: string },
  dueAt: Date,
  trace?: null,
): Promise<void> {
  return tables.work.ask({
    kind: 'sync-order',
    subject: orderSubject(order),
    storeId: order.storeId,
    budget: null,
    priority: priorities.download,
    dueAt,
    ...(trace === null && { trace }),
  });
}
