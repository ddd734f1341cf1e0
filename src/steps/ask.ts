import type { Document } from '../core/document.ts';
import { orderSubject, type WorkKind } from '../core/work.ts';
import type { Tables } from '../ledger/ledger.ts';
import type { OrderKey } from '../ledger/shop-tables.ts';
import { priorities } from './deps.ts';

/** Asks for the work of one document, inside whatever transaction `tables` belongs to. */
function ask(tables: Pick<Tables, 'work'>, document: Document, kind: WorkKind, dueAt: Date): Promise<void> {
  const callsService = kind !== 'write-back';
  return tables.work.ask({
    kind,
    subject: document.id,
    storeId: document.storeId,
    budget: callsService ? document.keyHash : null,
    account: { id: document.account, ambiente: document.ambiente },
    priority: priorityOf(kind, document),
    dueAt,
  });
}

/** A lost answer is asked for before documents that only take their time. */
function priorityOf(kind: WorkKind, { state }: Document): number {
  if (kind === 'submit-document') return priorities.emission;
  if (kind === 'write-back') return priorities.download;
  return state === 'uncertain' ? priorities.question - 1 : priorities.question;
}

export const askSubmit = (tables: Pick<Tables, 'work'>, document: Document, dueAt: Date) =>
  ask(tables, document, 'submit-document', dueAt);

export const askFollowUp = (tables: Pick<Tables, 'work'>, document: Document, dueAt: Date) =>
  ask(tables, document, 'follow-up', dueAt);

export const askWriteBack = (tables: Pick<Tables, 'work'>, document: Document, dueAt: Date) =>
  ask(tables, document, 'write-back', dueAt);

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
