import { withKinds } from '../../mappers/entries.ts';
import type { MappedFactura } from '../../mappers/factura.ts';
import { type Day, startOfEcuadorDay } from '../domain/clock.ts';
import { type Amount, decimal, toAmount } from '../domain/money.ts';
import type { Order } from '../domain/order.ts';
import { relatedNote } from '../messages/documents.ts';
import {
  type Action,
  emit,
  hold,
  identityOf,
  makeAction,
  nothingLeft,
  type PlanInput,
  type PlannedDocument,
  sentFactura,
  type Trace,
  type Verdict,
} from './action.ts';
import { withRemovedNamed, withRestoredLines, withRestoredParts } from './edited-rows.ts';
import { currentFactura, isDocumentOf, verdictBeforeMapping } from './eligibility.ts';
import { laterSale } from './later-sale.ts';
import { mapFactura } from './map-factura.ts';
import { returned, stillOwed, withOverpaidReturned } from './refund-money.ts';
import { withRecordsCombined } from './refund-records.ts';
import { eachRefund, type PlannedCredit, planRefunds } from './refunds.ts';

/** Pure: the same input always gives the same actions; once they are applied the next plan is `nothing` or `wait`. */
export function plan(given: PlanInput): Action[] {
  const input = combined(given);
  const { action } = planFactura(input);
  return [action, ...laterSale(input, stillOwed(given.order)), ...planRefunds(input, action)];
}

export function planCredit(
  given: PlanInput,
  refundId: string,
  secuencial: string,
): PlannedCredit | undefined {
  const input = combined(given);
  const { action } = planFactura(input);
  return eachRefund(input, action, (id) => (id === refundId ? secuencial : null)).get(refundId);
}

function combined(input: PlanInput): PlanInput {
  const isOwn = isDocumentOf(input.order);
  const documents = input.documents.filter(isOwn);
  const others = input.documents.filter((document) => !isOwn(document));
  const factura = sentFactura(documents);
  const known = withKinds(input.order, input.store.policy);
  const there = factura ? withRestoredLines(known, factura) : known;
  const sold = withRestoredParts(there, factura?.nettedRefunds);
  const order = withRemovedNamed(withOverpaidReturned(sold, factura), factura, input.store.policy);
  return { ...input, documents, others, order: withRecordsCombined(order, documents) };
}

function planFactura(input: PlanInput): { action: Action; mapped: MappedFactura | null } {
  const { order, store, now } = input;
  const identity = identityOf(input, 'factura', order.id);
  const say = (decided: Verdict & { buyerReason?: string | null }, charged: Amount, trace: Trace = {}) =>
    makeAction(identity, decided, charged, trace);

  const early = verdictBeforeMapping(input, currentFactura(input.documents));
  if (early) return { action: say(early, toAmount(order.total)), mapped: null };

  const sale = mapFactura(order, store, identity, { now, secuencial: null });
  if (!sale.ok) {
    const { code, reason, buyerReason, document, charged } = sale;
    if (code === nothingLeft.code) return { action: say(nothingLeft, charged, sale.trace), mapped: null };
    const action = say({ ...hold(code, { message: reason }), buyerReason }, charged, sale.trace);
    if (document === null) return { action, mapped: null };
    return { action: { ...action, document, difference: minus(document, charged) }, mapped: null };
  }
  const { mapped } = sale;
  const { body, total: document, charged, trace } = mapped;
  const netted = sale.netted.filter((id) => !isWithoutMoney(order, id));
  const decided = emitted(order, netted, trace.money);
  const related = relatedTo(order);
  const reason = related === null ? decided.reason : `${decided.reason} ${relatedNote(related)}`;
  // By policy gift cards sold are not on the document: it must reach what was charged for the rest.
  const action = say({ ...decided, reason }, charged, sale.trace);
  return { action: { ...action, body, document, difference: minus(document, charged) }, mapped };
}

/** The order this one refers to, which may have been edited to the sum of both. */
function relatedTo({ id, parentId, note }: Order): string | null {
  const named = parentId ?? /\b(?:pedido|orden)\s+(?:n[.º°]{1,2}\s*)?#?(\d{1,18})\b/i.exec(note ?? '')?.[1];
  return named === undefined || named === id ? null : named;
}

const isWithoutMoney = ({ overpaid, refunds }: Order, refundId: string): boolean =>
  overpaid !== undefined &&
  refunds.some(({ id, amount }) => id === refundId && decimal(amount ?? '1').isZero());

const minus = (document: Amount, charged: Amount): Amount => toAmount(decimal(document).minus(charged));

interface Money {
  charged: Amount;
  outside: readonly { name: string; amount: Amount }[];
}

function emitted(order: Order, netted: readonly string[], { charged, outside }: Money): Verdict {
  const cards = outside.map(({ name, amount }) => ({ item: name, amount }));
  const total = toAmount(order.total);
  if (netted.length > 0) return emit('paid', { why: 'less-refunds', total, charged, refunds: netted, cards });
  if (cards.length > 0) return emit('paid', { why: 'without-cards', cards });
  const overpaid = decimal(order.overpaid ?? '0');
  if (overpaid.isZero()) return emit('paid', { why: 'whole' });
  const owed = overpaid.minus(returned(order));
  return emit('paid', {
    why: 'edited',
    received: toAmount(overpaid.plus(order.total)),
    total,
    owed: owed.gt(0) ? toAmount(owed) : null,
    returned: toAmount(overpaid),
  });
}

/** `number` as "001-001-000000123", and the day in Ecuador it was issued. */
export interface AsIf {
  number: string;
  date: Day;
}

interface PlannedPast {
  sale: Action;
  today: Action[];
}

/** As if the order had been invoiced whole, before its refunds, with a factura of that number and date. */
export function planPast(input: Omit<PlanInput, 'documents'>, { number, date }: AsIf): PlannedPast {
  const sold = {
    ...input,
    order: asSold(input.order),
    invoiceFrom: new Date(0),
    now: startOfEcuadorDay(date),
  };
  const { action: sale, mapped } = planFactura(combined({ ...sold, documents: [] }));
  if (!mapped) {
    const order = withRecordsCombined(withKinds(input.order, input.store.policy), []);
    const documents = sale.action === 'hold' ? [assumed(sale, { state: 'rejected' })] : [];
    return { sale, today: [sale, ...planRefunds({ ...input, order, documents }, sale)] };
  }
  // Establishment, point and number are part of an access key (ficha técnica SRI, tabla 1).
  const digits = number.replaceAll('-', '');
  const accessKey = input.order.accessKeys.find((key) => key.slice(24, 39) === digits) ?? null;
  const { body, lineReferences, leftOut, total } = mapped;
  const { items, totales, comprador } = body;
  const overpaid = input.order.overpaid ?? '0.00';
  const content = { items, totales, comprador, lineReferences, leftOut, total, overpaid, nettedRefunds: [] };
  const authorized = assumed(sale, {
    state: 'authorized',
    code: null,
    reason: null,
    accessKey,
    secuencial: digits.slice(6),
    sent: { ...content, number, issueDate: date, accessKey },
  });
  return { sale, today: plan({ ...input, documents: [authorized] }) };
}

export const planAsIf = (input: Omit<PlanInput, 'documents'>, asIf: AsIf): Action[] =>
  planPast(input, asIf).today;

const assumed = (
  { identity, code, reason, charged }: Action,
  more: Pick<PlannedDocument, 'state'> & Partial<PlannedDocument>,
): PlannedDocument => ({
  kind: 'factura',
  sourceId: identity.sourceId,
  code,
  reason,
  charged,
  accessKey: null,
  secuencial: null,
  sent: null,
  ...more,
});

function asSold(order: Order): Order {
  const ended = ['partially-refunded', 'refunded', 'cancelled'].includes(order.settlement);
  const settlement = ended && order.paidAt !== null ? 'paid' : order.settlement;
  return { ...order, settlement, refunds: [], accessKeys: [], notAKey: undefined };
}
