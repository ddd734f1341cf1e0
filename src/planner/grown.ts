import { type Amount, toAmount } from '../domain/money.ts';
import type { Order } from '../domain/order.ts';
import type { Action } from './action.ts';
import type { PlanInput, PlannedDocument } from './input.ts';
import { makeAction, type Verdict, verdict } from './make-action.ts';
import { addedParts, authorizedFactura, grownBy, worth } from './refunds/covered.ts';
import { keptAfter, moneyLeft, refundMissing } from './settled.ts';

/**
 * What an edit added to an order after its factura: reported for a complementary factura, never merged into
 * anything silently. Removed lines are no business of the factura; only money that went back is (refunds/).
 */
export function laterSale(input: PlanInput): Action[] {
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
