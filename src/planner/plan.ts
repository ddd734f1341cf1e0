import { type Amount, decimal, toAmount } from '../domain/money.ts';
import type { Order } from '../domain/order.ts';
import type { Action, Trace } from './action.ts';
import { isDocumentOf } from './bound.ts';
import { currentFactura, verdictBeforeMapping } from './eligibility.ts';
import type { PlanInput, PlannedDocument } from './input.ts';
import { identityOf, makeAction, type Verdict, verdict } from './make-action.ts';
import { mapFactura } from './map-factura.ts';
import { addedParts, authorizedFactura, grownBy, worth } from './refunds/covered.ts';
import { eachRefund, type PlannedCredit, planRefunds } from './refunds/plan-refunds.ts';
import { withRecordsCombined } from './refunds/records.ts';
import { nothingLeft } from './refunds/sentences.ts';
import { keptAfter, moneyLeft, refundMissing } from './settled.ts';

/**
 * Compares what should exist for an order and its refunds with what does exist. Pure: the same input always gives
 * the same actions, and applying them makes the next plan say `nothing` or `wait`.
 */
export function plan(given: PlanInput): Action[] {
  const input = combined(given);
  const factura = planFactura(input);
  return [factura, ...laterSale(input), ...planRefunds(input, factura)];
}

/** The nota de crédito of one refund, as `plan` sees it, under the number it is to be sent with. */
export function planCredit(
  given: PlanInput,
  refundId: string,
  secuencial: string,
): PlannedCredit | undefined {
  const input = combined(given);
  return eachRefund(input, planFactura(input), (id) => (id === refundId ? secuencial : null)).get(refundId);
}

/** Only what was made for this order counts, and its refunds are givings back. */
function combined(input: PlanInput): PlanInput {
  const isOwn = isDocumentOf(input.order);
  const documents = input.documents.filter(isOwn);
  const others = input.documents.filter((document) => !isOwn(document));
  return { ...input, documents, others, order: withRecordsCombined(input.order, documents) };
}

function planFactura(input: PlanInput): Action {
  const { order, store, now } = input;
  const identity = identityOf(input, 'factura', order.id);
  const say = (said: Said, charged: Amount, trace: Trace = {}): Action =>
    makeAction(identity, said, charged, trace);

  const early = verdictBeforeMapping(input, currentFactura(input.documents));
  if (early) return say(early, toAmount(order.total));

  const sale = mapFactura(order, store, identity, { now, secuencial: null });
  if (!sale.ok) {
    const { code, reason, buyerReason, document, charged } = sale;
    if (code === nothingLeft.code) return say(nothingLeft, charged, sale.trace);
    const held = say({ action: 'hold', code, reason, buyerReason }, charged, sale.trace);
    return document === null ? held : { ...held, document, difference: minus(document, charged) };
  }
  const { body, total, charged: due, trace } = sale.mapped;
  const code = sale.netted.length > 0 ? 'paid-less-refunds' : 'paid';
  const reason = [emitReason(order.total, sale.netted, trace.money), ...relatedTo(order)].join(' ');
  const emit = { action: 'emit', code, reason } as const;
  // By policy gift cards sold are no part of the document: it must reach what was charged for the rest.
  return { ...say(emit, due, sale.trace), body, document: total, difference: minus(total, due) };
}

/** Another order that this one says it belongs to may have been edited to what both of them charged. */
function relatedTo({ id, parentId, note }: Order): string[] {
  const named = parentId ?? /\b(?:pedido|orden)\s+(?:n[.º°]{1,2}\s*)?#?(\d{1,18})\b/i.exec(note ?? '')?.[1];
  if (named === undefined || named === id) return [];
  return [
    `Dice venir del pedido ${named}: si aquel se editó después de pagado, compruebe que no se facture lo mismo dos veces.`,
  ];
}

type Said = Verdict & { buyerReason?: string | null };

const minus = (document: Amount, charged: Amount): Amount => toAmount(decimal(document).minus(charged));

interface Money {
  charged: Amount;
  outside: readonly { name: string; amount: Amount }[];
}

function emitReason(total: Amount, netted: readonly string[], { charged, outside }: Money): string {
  const cards = outside.map(({ name, amount }) => `«${name}» por ${amount}`).join(', ');
  if (netted.length > 0) {
    const refunds =
      netted.length === 1 ? `del reembolso ${netted[0]}` : `de los reembolsos ${netted.join(', ')}`;
    return `El pedido cobró ${toAmount(total)} y se factura por los ${charged} que quedan después ${refunds}${cards ? `, sin las tarjetas de regalo: ${cards}` : ''}.`;
  }
  if (outside.length === 0) return 'El pedido está pagado y se factura por el total cobrado.';
  return `El pedido está pagado y se factura sin las tarjetas de regalo: ${cards}.`;
}

/**
 * What an edit added to an order after its factura: reported for a complementary factura, never merged into
 * anything silently. Removed lines are no business of the factura; only money that went back is (refunds/).
 */
function laterSale(input: PlanInput): Action[] {
  const { order, documents } = input;
  const factura = authorizedFactura(documents);
  if (!factura) return [];
  const kept = factura.annulledAt ? null : keptAfter(input, factura.sent.number);
  if (kept) return [laterAction(input, kept, toAmount(moneyLeft(order)))];
  const missing = refundMissing(order, factura.sent.number);
  if (missing && !documents.some(isOfDeleted(order)))
    return [laterAction(input, { ...missing, action: 'manual' }, toAmount(order.total))];
  if (order.settlement !== 'paid' && order.settlement !== 'partially-refunded') return [];
  const { sent } = factura;
  // What was added and went back needs no factura.
  const undone = worth(order.refunds.flatMap((refund) => addedParts(order, refund, sent)));
  const grown = grownBy(order, sent).minus(undone);
  if (grown.lte('0.01')) return [];
  const more = toAmount(grown);
  const gone = sent.nettedRefunds.filter((id) => !order.refunds.some((refund) => refund.id === id));
  const said =
    gone.length > 0
      ? verdict(
          'manual',
          'netted-refund-deleted',
          `La factura ${sent.number} descontó ${gone.length === 1 ? `el reembolso ${gone[0]}, que la tienda ya no tiene` : `los reembolsos ${gone.join(', ')}, que la tienda ya no tiene`}. Si ese dinero no se devolvió, emita a mano una factura complementaria por ${more}.`,
        )
      : verdict(
          'manual',
          'added-after-invoice',
          `El pedido cobró ${more} más después de la factura ${sent.number}: emita a mano una factura complementaria por lo que se agregó.`,
        );
  return [laterAction(input, said, more)];
}

/** A nota de crédito, or a factura that took a refund off, whose refund the shop no longer has: that is told of itself. */
function isOfDeleted({ refunds }: Order): (document: PlannedDocument) => boolean {
  const isGone = (id: string): boolean => !refunds.some((refund) => refund.id === id);
  return ({ kind, sourceId, state, sent }) =>
    state !== 'cancelled' &&
    (kind === 'nota-credito' ? isGone(sourceId) : (sent?.nettedRefunds ?? []).some(isGone));
}

function laterAction({ order, store, documents }: PlanInput, said: Verdict, money: Amount): Action {
  const { platform, shop, id: sourceId } = order;
  const { ambiente } = store.issuer;
  const ordinal = documents.filter(({ kind }) => kind === 'factura').length + 1;
  return makeAction({ platform, shop, ambiente, kind: 'factura', sourceId, ordinal }, said, money);
}
