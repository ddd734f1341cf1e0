import { type Amount, decimal, roundCents, sum, toAmount } from '../../domain/money.ts';
import type { Order } from '../../domain/order.ts';
import type { PlannedDocument, SentContent } from '../../planner/input.ts';
import { moneyOn } from '../../planner/refunds/covered.ts';
import { inOrder } from '../../planner/refunds/order-of.ts';
import { withRecordsCombined } from '../../planner/refunds/records.ts';

/**
 * What the shop says a factura must come to: what was charged, less the refunds taken off it before it left, less gift
 * cards that by policy stand outside of it. Null where the shop no longer has one of those refunds.
 */
export function expectedFactura(order: Order, { nettedRefunds, ties }: SentContent): Amount | null {
  const { refunds } = withRecordsCombined(order, []);
  const netted = refunds.filter(({ id }) => nettedRefunds.includes(id));
  if (netted.length < nettedRefunds.length || netted.some(({ amount }) => amount === null)) return null;
  const cards = order.lines.filter(
    ({ kind, id }) => kind === 'gift-card' && !ties.some(({ source }) => source === `line:${id}`),
  );
  const outside = roundCents(sum(cards.flatMap(({ net, tax }) => [net, tax])));
  const back = sum(
    netted.map((refund) =>
      cards.length === 0 ? (refund.amount ?? '0') : moneyOn({ ties }, order, refund).money,
    ),
  );
  return toAmount(decimal(order.total).minus(outside).minus(back));
}

/** What the shop says the nota de crédito of a refund must come to; null where it no longer has the refund. */
export function expectedCredit(
  order: Order,
  refundId: string,
  factura: PlannedDocument | undefined,
): Amount | null {
  const combined = withRecordsCombined(order, []);
  const refund = combined.refunds.find(({ id }) => id === refundId);
  if (refund?.amount == null) return null;
  if (!factura?.sent) return toAmount(refund.amount);
  const before = inOrder(combined.refunds).slice(0, inOrder(combined.refunds).indexOf(refund));
  const left = decimal(factura.sent.total).minus(sum(before.map(({ amount }) => amount ?? '0')));
  return moneyOn(factura.sent, combined, refund, left).money;
}
