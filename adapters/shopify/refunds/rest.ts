import { decimal } from '../../../src/domain/money.ts';
import { chargeSource, lineSource, type Refund } from '../../../src/domain/refund.ts';
import { exactId } from '../ids.ts';
import { nothing, type RefundFigures } from './figures.ts';
import type { RestRefund } from './payload.ts';
import { toRefund } from './reading.ts';
import type { RefundedOrder } from './rest-beside.ts';
import { moneyOf, type Read, reader } from './rest-money.ts';
import { adjustmentsOf, shippingOf } from './rest-shipping.ts';

/** A REST-shaped refund, read beside its order. */
export function fromRestRefund(refund: RestRefund, order: RefundedOrder): Refund {
  const money = moneyOf(refund.transactions, order);
  const read = reader(money);
  return toRefund({
    id: exactId(refund),
    at: refund.processed_at ?? refund.created_at ?? null,
    note: refund.note ?? null,
    taxesIncluded: order.taxesIncluded,
    lines: linesOf(refund, order, read),
    shipping: shippingOf(refund, order, read),
    onlyShipping: order.onlyShipping && {
      of: chargeSource('shipping', order.onlyShipping.id),
      name: order.onlyShipping.name,
    },
    extras: extrasOf(refund, read),
    ...adjustmentsOf(refund, read),
    money,
    cashRounding: decimal(order.cashRounding),
    stated: null,
  });
}

function linesOf(refund: RestRefund, order: RefundedOrder, read: Read): RefundFigures['lines'] {
  if (!refund.refund_line_items) return null;
  const lines = refund.refund_line_items.map((line) => {
    const subtotal = read(line.subtotal_set, line.subtotal);
    if (subtotal === null) return null;
    const { admin_graphql_api_id } = line.line_item ?? {};
    const id = exactId({ id: line.line_item_id, admin_graphql_api_id });
    return {
      of: lineSource(id),
      name: order.names.get(id) ?? line.line_item?.name ?? line.line_item?.title ?? '',
      quantity: line.quantity,
      subtotal,
      tax: read(line.total_tax_set, line.total_tax) ?? nothing,
    };
  });
  return lines.every((line) => line !== null) ? lines : null;
}

/** Refunded duties name the duty; of additional fees there is only a sum, as in the order. */
function extrasOf(refund: RestRefund, read: Read): RefundFigures['extras'] {
  const named = (refund.duties ?? []).map(({ duty_id, amount_set }) => ({
    of: duty_id == null ? null : chargeSource('duty', exactId({ id: duty_id })),
    name: 'Aranceles',
    amount: read(amount_set) ?? nothing,
  }));
  const sums = [
    ...(named.length > 0 ? [] : [{ of: null, name: 'Aranceles', amount: read(refund.total_duties_set) }]),
    {
      of: chargeSource('fee', 'additional-fees'),
      name: 'Cargos adicionales',
      amount: read(refund.total_additional_fees_set),
    },
  ];
  return [...named, ...sums].flatMap(({ amount, ...extra }) =>
    amount === null || amount.shop.isZero() ? [] : [{ ...extra, amount }],
  );
}
