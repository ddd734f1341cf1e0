import { decimal, sum } from '../../../src/domain/money.ts';
import { chargeSource } from '../../../src/domain/refund.ts';
import { exactId } from '../ids.ts';
import { toShipping } from '../rest-amounts.ts';
import type { SaleCharge } from '../shape.ts';
import { negated, nothing, plus, type RefundFigures } from './figures.ts';
import type { RestRefund } from './payload.ts';
import type { RefundedOrder } from './rest-beside.ts';
import type { Read } from './rest-money.ts';

/** The lines of shipping a refund gave back; one without its money says nothing. */
export function shippingOf(refund: RestRefund, order: RefundedOrder, read: Read): RefundFigures['shipping'] {
  return (refund.refund_shipping_lines ?? []).flatMap((line) => {
    const subtotal = read(line.subtotal_amount_set);
    if (subtotal === null) return [];
    const id = line.shipping_line_id == null ? null : exactId({ id: line.shipping_line_id });
    const embedded = line.shipping_line ? toShipping(line.shipping_line) : null;
    const sold =
      id === null
        ? (embedded ?? order.onlyShipping)
        : (order.shipping.find((one) => one.id === id) ?? embedded);
    const source = id ?? sold?.id ?? null;
    return {
      of: source && chargeSource('shipping', source),
      name: sold?.name ?? 'Envío',
      subtotal,
      // Missing in REST; shipping.ts finds it.
      tax: null,
      soldTax: sold && taxRatio(sold, order.taxesIncluded),
    };
  });
}

/** Tax per unit of net, as the line was sold. */
function taxRatio({ price, discount, taxes }: SaleCharge, taxesIncluded: boolean) {
  const tax = sum(taxes.map(({ amount }) => amount));
  const charged = decimal(price).minus(discount);
  const net = taxesIncluded ? charged.minus(tax) : charged;
  return net.isZero() ? decimal(0) : tax.div(net);
}

/** Shipping adjustments repeat the shipping; all others say by how much the money differs from the parts. */
export function adjustmentsOf(
  { order_adjustments }: RestRefund,
  read: Read,
): Pick<RefundFigures, 'discrepancy' | 'shippingAdjusted'> {
  const all = (order_adjustments ?? []).map(({ kind, ...one }) => ({
    shipping: kind === 'shipping_refund',
    amount: read(one.amount_set, one.amount) ?? nothing,
    tax: read(one.tax_amount_set, one.tax_amount),
  }));
  const shipping = all.filter((one) => one.shipping);
  const others = all.filter((one) => !one.shipping);
  const taxes = shipping.flatMap(({ tax }) => (tax === null ? [] : [tax]));
  return {
    discrepancy: negated(plus(...others.flatMap(({ amount, tax }) => [amount, tax ?? nothing]))),
    shippingAdjusted:
      shipping.length === 0
        ? null
        : {
            amount: negated(plus(...shipping.map(({ amount }) => amount))),
            tax: taxes.length > 0 ? negated(plus(...taxes)) : null,
          },
  };
}
