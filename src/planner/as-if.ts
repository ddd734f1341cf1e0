import { type Day, startOfEcuadorDay } from '../domain/calendar.ts';
import type { Order } from '../domain/order.ts';
import type { Action } from './action.ts';
import type { PlanInput, PlannedDocument } from './input.ts';
import { mapFactura } from './map-factura.ts';
import { plan } from './plan.ts';
import { planRefunds } from './refunds/plan-refunds.ts';
import { withRecordsCombined } from './refunds/records.ts';

/** The factura an order is taken to have: "001-001-000000123", and the day in Ecuador it was issued. */
export interface AsIf {
  number: string;
  date: Day;
}

/** What had to become of an order when it was paid, and of its refunds from then on. */
export interface PlannedPast {
  /** The sale as it was before anything was given back. */
  sale: Action;
  /** The plan of today: about the factura taken to be there (or why there is none), then about each refund. */
  today: Action[];
}

/** What `planPast` says of today. */
export function planAsIf(input: Omit<PlanInput, 'documents'>, asIf: AsIf): Action[] {
  return planPast(input, asIf).today;
}

/**
 * Plans an order as if it had been invoiced whole, before its refunds, with a factura of that number and date. Where
 * it cannot be invoiced, that is said of the factura instead, and its refunds follow from it.
 */
export function planPast(input: Omit<PlanInput, 'documents'>, asIf: AsIf): PlannedPast {
  const { order } = input;
  const none: readonly PlannedDocument[] = [];
  const day = startOfEcuadorDay(asIf.date);
  const sale = { ...input, order: asSold(order), documents: none, invoiceFrom: new Date(0), now: day };
  const [factura] = plan(sale);
  if (!factura) throw new Error('A plan without a word on the factura.');
  if (factura.action !== 'emit') {
    const order = withRecordsCombined(input.order, none);
    const documents = factura.action === 'hold' ? [unsettled(factura)] : none;
    return { sale: factura, today: [factura, ...planRefunds({ ...input, order, documents }, factura)] };
  }
  const documents = [authorized(sale, factura, asIf, keyOf(order, asIf))];
  return { sale: factura, today: plan({ ...input, documents }) };
}

/** The order before anything was given back, and before any document of it was written onto it. */
function asSold(order: Order): Order {
  const ended = ['partially-refunded', 'refunded', 'cancelled'].includes(order.settlement);
  const settlement = ended && order.paidAt !== null ? 'paid' : order.settlement;
  return { ...order, settlement, refunds: [], accessKeys: [] };
}

/** Establishment, point and number stand in an access key (ficha técnica SRI, tabla 1). */
function keyOf(order: Order, { number }: AsIf): string | null {
  return order.accessKeys.find((key) => key.slice(24, 39) === number.replaceAll('-', '')) ?? null;
}

/** A factura taken to be there that cannot be: the refunds came after it all the same. */
const unsettled = ({ identity, code, reason, charged }: Action): PlannedDocument => ({
  kind: 'factura',
  state: 'rejected',
  sourceId: identity.sourceId,
  code,
  reason,
  accessKey: null,
  secuencial: null,
  charged,
  sent: null,
});

function authorized(sale: PlanInput, { identity }: Action, asIf: AsIf, accessKey: string | null) {
  const { order, store, now } = sale;
  const [establecimiento = '', puntoEmision = '', secuencial = ''] = asIf.number.split('-');
  const series = { ...store.series, establecimiento, puntoEmision };
  const mapped = mapFactura(order, { ...store, series }, identity, { now, secuencial });
  if (!mapped.ok) throw new Error(`An order that is to be invoiced cannot be mapped: ${mapped.code}.`);
  const { body, ties, total } = mapped.mapped;
  const { items, totales, comprador } = body;
  const { number, date: issueDate } = asIf;
  const sent = { items, totales, comprador, ties, number, issueDate, accessKey, total, nettedRefunds: [] };
  const document: PlannedDocument = {
    kind: 'factura',
    state: 'authorized',
    sourceId: order.id,
    code: null,
    reason: null,
    accessKey,
    secuencial,
    charged: total,
    sent,
  };
  return document;
}
