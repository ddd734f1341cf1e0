import { type Amount, decimal, toAmount } from '../domain/money.ts';
import type { Order } from '../domain/order.ts';
import type { Action, Trace } from './action.ts';
import { isDocumentOf } from './bound.ts';
import { currentFactura, verdictBeforeMapping } from './eligibility.ts';
import { laterSale } from './grown.ts';
import type { PlanInput } from './input.ts';
import { identityOf, makeAction, type Verdict } from './make-action.ts';
import { mapFactura } from './map-factura.ts';
import { eachRefund, type PlannedCredit, planRefunds } from './refunds/plan-refunds.ts';
import { withRecordsCombined } from './refunds/records.ts';
import { nothingLeft } from './refunds/sentences.ts';

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
