import { ecuadorDay } from '../domain/calendar.ts';
import type { Document } from '../domain/document.ts';
import type { Order } from '../domain/order.ts';
import type { Store } from '../domain/settings.ts';
import type { NewAttempt } from '../ledger/document-tables.ts';
import type { Tables } from '../ledger/ledger.ts';
import type { Trace } from '../planner/action.ts';
import { mapFactura } from '../planner/map-factura.ts';
import { planCredit } from '../planner/plan.ts';
import { withQuestion } from './buyer/question.ts';
import type { StepDeps } from './deps.ts';
import { plannedDocuments } from './planned-documents.ts';

/** A document as it would be sent now, or why it cannot be. */
export type Prepared =
  | {
      kind: 'send';
      draft: NewAttempt;
      trace: Trace;
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

/**
 * Maps a document with today's date and its own number, from the order as it was last read, inside the transaction that
 * lets it leave: what it is made from stands until then.
 */
export async function prepare(
  deps: Pick<StepDeps, 'clock' | 'invoiceFrom'>,
  tables: Tables,
  document: Document,
  configured: Store,
): Promise<Prepared> {
  const row = await tables.orders.ofDocument(document);
  if (!row && (await tables.orders.get(document))) return replaced;
  const { secuencial, establecimiento, puntoEmision } = document;
  // Its number is of the series it was taken from, whatever the store takes its numbers from now.
  const store = { ...configured, series: { ...configured.series, establecimiento, puntoEmision } };
  // Without a decision its buyer was forgotten since (forget-buyer.ts): who it names is read anew from the shop.
  if (!row || row.decision === null || secuencial === null) return { kind: 'nothing' };
  const order = await withQuestion(tables, row.snapshot as Order);
  const seen = { order, store, now: deps.clock.now(), secuencial };
  if (document.kind === 'factura') return prepareFactura(document, seen);
  return prepareCredit(tables, document, seen, deps.invoiceFrom(configured));
}

/** The order it was made for left the shop, and with it what it would be made from. */
const replaced: Prepared = {
  kind: 'held',
  to: 'held',
  code: 'order-replaced',
  reason:
    'La tienda dio el id de este pedido a otra venta, que una persona aceptó, y ya no tiene este pedido: no hay de qué hacer el documento. Si la venta existió, emítalo a mano.',
  buyerReason: null,
  trace: {},
};

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
  };
}

/**
 * What a nota de crédito takes back depends on the others of its factura, so two of them may not leave at once: the
 * factura's row is locked before anybody looks at what is left of it.
 */
async function prepareCredit(
  tables: Tables,
  document: Document,
  { order, store, now, secuencial }: Seen,
  invoiceFrom: Date,
): Promise<Prepared> {
  const factura = (await tables.documents.ofOrder(document)).find(isAuthorisedFactura);
  if (!factura) return { kind: 'nothing' };
  await tables.documents.lock(factura.id);
  const documents = await plannedDocuments(tables, document);
  const input = { order, documents, store, invoiceFrom, now };
  const planned = planCredit(input, document.sourceId, secuencial);
  if (!planned || !documents.some(isAuthorisedFactura)) return { kind: 'nothing' };
  const { action, credit } = planned;
  const { trace, code, reason, buyerReason } = action;
  if (action.action === 'hold') return { kind: 'held', to: 'held', code, reason, buyerReason, trace };
  if (action.action === 'manual') return { kind: 'held', to: 'manual', code, reason, buyerReason, trace };
  if (credit === null || action.body === null || action.document === null) return { kind: 'nothing' };
  return {
    kind: 'send',
    draft: {
      documentId: document.id,
      issueDate: ecuadorDay(now),
      secuencial,
      body: JSON.stringify(action.body),
      total: action.document,
      buyerId: action.body.comprador.identificacion,
      nettedRefunds: [...planned.linesFrom],
      ties: [...credit.ties],
      now,
    },
    trace,
  };
}

const isAuthorisedFactura = ({ kind, state }: Document): boolean =>
  kind === 'factura' && state === 'authorized';
