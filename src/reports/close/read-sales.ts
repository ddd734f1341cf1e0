import { type Day, ecuadorDay } from '../../domain/calendar.ts';
import type { DocumentKind, DocumentState } from '../../domain/document.ts';
import { type Amount, decimal, toAmount } from '../../domain/money.ts';
import type { Order } from '../../domain/order.ts';
import type { Store } from '../../domain/settings.ts';
import { type Known, plannedDocuments } from '../../jobs/planned-documents.ts';
import type { Action } from '../../planner/action.ts';
import type { PlannedDocument } from '../../planner/input.ts';
import { plan } from '../../planner/plan.ts';
import { creditOf, nettedBy } from '../../planner/refunds/covered.ts';
import type { AccountingDeps } from '../deps.ts';
import { paidOn, refundDay } from './shop-day.ts';

/** One paid order or refund of the day, and what became of it. */
export interface Sold extends Fate {
  kind: DocumentKind;
  store: Store;
  order: Order;
  /** Of the order (factura) or the refund (nota de crédito). */
  sourceId: string;
  amount: Amount;
  /** Its document that counts. */
  document: Known | undefined;
}

/** An order as the shop has it, with every document of the ledger. */
export interface ReadOrder {
  store: Store;
  order: Order;
  documents: Known[];
  /** What of it belongs to the day. */
  sold: Sold[];
}

/** A webhook, a search every few minutes and a worker in between: so long, and an order need not be known yet. */
const freshMs = 15 * 60_000;

/** Lays an order of a shop beside what the ledger knows of it. */
export async function readSale(
  deps: Pick<AccountingDeps, 'ledger' | 'clock' | 'invoiceFrom'>,
  store: Store,
  order: Order,
  day: Day,
): Promise<ReadOrder> {
  const now = deps.clock.now();
  const key = { platform: order.platform, shop: order.shop, orderId: order.id };
  const all = await plannedDocuments(deps.ledger, key);
  // What stands in the other environment is a trial, and no document of the sale.
  const documents = all.filter(({ ambiente }) => ambiente === store.issuer.ambiente);
  const actions = plan({ order, documents, store, invoiceFrom: deps.invoiceFrom(store), now });
  const said = (kind: DocumentKind, sourceId: string) =>
    actions.find((one) => one.kind === kind && one.identity.sourceId === sourceId) ?? unplanned;
  const fresh = now.getTime() - Date.parse(order.updatedAt) < freshMs;
  const current = (kind: DocumentKind, sourceId: string) =>
    documents.find((one) => one.kind === kind && one.sourceId === sourceId && one.state !== 'cancelled');
  const sold: Sold[] = [];
  if (paidOn(order, day)) {
    const fate = fateOfSale(documents, said('factura', order.id), fresh);
    const of = { kind: 'factura', sourceId: order.id, amount: toAmount(order.total) } as const;
    sold.push({ ...fate, ...of, store, order, document: current('factura', order.id) });
  }
  for (const refund of order.refunds) {
    const amount = toAmount(refund.amount ?? '0');
    // Goods put back on the shelf without a cent are no refund of money.
    if (refundDay(order, refund) !== day || decimal(amount).isZero()) continue;
    const fate = fateOfRefund(documents, refund.id, said('nota-credito', refund.id), fresh);
    const of = { kind: 'nota-credito', sourceId: refund.id, amount } as const;
    sold.push({ ...fate, ...of, store, order, document: current('nota-credito', refund.id) });
  }
  return { store, order, documents, sold };
}

const unplanned = {
  action: 'hold',
  code: 'unplanned',
  reason: 'El planificador no dijo nada de esto.',
} as const;

/** Whether the document bears the date of this day. */
export const bears = ({ issueDate }: { issueDate: Day | null }, day: Day): boolean => issueDate === day;

export const today = ({ clock }: Pick<AccountingDeps, 'clock'>): Day => ecuadorDay(clock.now());

/** What became of one paid order or refund, and why. */
interface Fate {
  fate: 'issued' | 'underWay' | 'waiting' | 'netted' | 'unneeded' | 'missing';
  code: string;
  reason: string;
}

const ofState: Record<Exclude<DocumentState, 'cancelled'>, Fate['fate']> = {
  held: 'waiting',
  rejected: 'waiting',
  manual: 'waiting',
  ready: 'underWay',
  sending: 'underWay',
  processing: 'underWay',
  uncertain: 'underWay',
  authorized: 'issued',
};

type Said = Pick<Action, 'action' | 'code' | 'reason'>;

/** Of a paid order; `said` is the planner's word about it now. `fresh`: so new that nobody need have seen it yet. */
function fateOfSale(documents: readonly PlannedDocument[], said: Said, fresh: boolean): Fate {
  const factura = documents.find(({ kind, state }) => kind === 'factura' && state !== 'cancelled');
  return factura ? fateOf(factura, said) : withoutDocument(said, fresh);
}

/** Of a refund. */
function fateOfRefund(
  documents: readonly PlannedDocument[],
  refundId: string,
  said: Said,
  fresh: boolean,
): Fate {
  const credit = creditOf(documents, refundId);
  if (credit) return fateOf(credit, said);
  const factura = nettedBy(documents, refundId);
  if (factura) return { fate: 'netted', code: 'netted', reason: said.reason };
  return withoutDocument(said, fresh);
}

function fateOf({ state, code, reason }: PlannedDocument, said: Said): Fate {
  const fate = state === 'cancelled' ? 'unneeded' : ofState[state];
  return { fate, code: code ?? said.code, reason: reason ?? said.reason };
}

/**
 * A hold the planner sees today without a held document behind it is a sale nobody took up: counting it as held would
 * hide a document that was taken out of the ledger.
 */
function withoutDocument({ action, code, reason }: Said, fresh: boolean): Fate {
  if (action === 'nothing') return { fate: 'unneeded', code, reason };
  if (action === 'wait') return { fate: 'underWay', code, reason };
  return { fate: fresh ? 'underWay' : 'missing', code, reason };
}
