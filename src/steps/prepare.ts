import { ecuadorDay } from '../core/calendar.ts';
import type { Document } from '../core/document.ts';
import type { Order } from '../core/order.ts';
import type { Store } from '../core/settings.ts';
import type { NewAttempt } from '../ledger/document-tables.ts';
import type { Tables } from '../ledger/ledger.ts';
import type { Trace } from '../planning/action.ts';
import { mapFactura } from '../planning/map-factura.ts';
import { planCredit } from '../planning/plan.ts';
import { withQuestion } from './buyer/question.ts';
import type { StepDeps } from './deps.ts';
import { type Known, plannedDocuments } from './planned-documents.ts';

/** A document as it would be sent now, or why it cannot be. */
export type Prepared =
  | {
      kind: 'send';
      draft: NewAttempt;
      trace: Trace;
      /** Asked again inside the transaction that lets it leave: whether what it was made from still stands. */
      stillTrue(tables: Tables): Promise<boolean>;
    }
  | {
      kind: 'held';
      to: 'held' | 'manual';
      code: string;
      reason: string;
      buyerReason: string | null;
      trace: Trace;
    }
  /** Nothing is to be sent now; the next sync of the order says what becomes of it. */
  | { kind: 'nothing' };

/** Maps a document with today's date and its own number, from the order as it was last read. */
export async function prepare(deps: StepDeps, document: Document, store: Store): Promise<Prepared> {
  const row = await deps.ledger.orders.get(document);
  const { secuencial } = document;
  if (!row || secuencial === null) return { kind: 'nothing' };
  const order = await withQuestion(deps.ledger, row.snapshot as Order);
  const seen = { order, store, now: deps.clock.now(), secuencial };
  return document.kind === 'factura' ? prepareFactura(document, seen) : prepareCredit(deps, document, seen);
}

interface Seen {
  order: Order;
  store: Store;
  now: Date;
  secuencial: string;
}

function prepareFactura(document: Document, { order, store, now, secuencial }: Seen): Prepared {
  const sale = mapFactura(order, store, document, { now, secuencial });
  if (!sale.ok) return { kind: 'held', to: 'held', ...sale };
  const { body, total, ties } = sale.mapped;
  return {
    kind: 'send',
    draft: {
      documentId: document.id,
      issueDate: ecuadorDay(now),
      secuencial,
      body: JSON.stringify(body),
      total,
      buyerId: sale.recipient.id,
      nettedRefunds: sale.netted,
      ties,
      now,
    },
    trace: sale.trace,
    stillTrue: async () => true,
  };
}

/**
 * What a nota de crédito takes back depends on the others of its factura, so two of them may not leave at once:
 * the second finds that what is left has changed, and is made anew.
 */
async function prepareCredit(deps: StepDeps, document: Document, seen: Seen): Promise<Prepared> {
  const { order, store, now, secuencial } = seen;
  const documents = await plannedDocuments(deps.ledger, document);
  const input = { order, documents, store, invoiceFrom: deps.invoiceFrom(store), now };
  const planned = planCredit(input, document.sourceId, secuencial);
  const factura = documents.find(({ kind, state }) => kind === 'factura' && state === 'authorized');
  if (!planned || !factura) return { kind: 'nothing' };
  const { action, credit } = planned;
  const { trace, code, reason, buyerReason } = action;
  if (action.action === 'hold') return { kind: 'held', to: 'held', code, reason, buyerReason, trace };
  if (action.action === 'manual') return { kind: 'held', to: 'manual', code, reason, buyerReason, trace };
  if (credit === null || action.body === null || action.document === null) return { kind: 'nothing' };
  const before = creditsLeft(documents);
  return {
    kind: 'send',
    draft: {
      documentId: document.id,
      issueDate: ecuadorDay(now),
      secuencial,
      body: JSON.stringify(action.body),
      total: action.document,
      buyerId: action.body.comprador.identificacion,
      nettedRefunds: [],
      ties: [...credit.ties],
      now,
    },
    trace,
    async stillTrue(tables) {
      await tables.documents.lock(factura.id);
      return creditsLeft(await plannedDocuments(tables, document)) === before;
    },
  };
}

/** The attempts of notas de crédito that count, as one text to compare. */
function creditsLeft(documents: readonly Known[]): string {
  return documents
    .flatMap(({ kind, attemptId }) => (kind === 'nota-credito' && attemptId !== null ? [attemptId] : []))
    .sort()
    .join(' ');
}
