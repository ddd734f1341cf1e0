import { decimal, sum } from '../../../src/domain/money.ts';
import { chargeSource, lineSource, type Refund } from '../../../src/domain/refund.ts';
import { exactId } from '../ids.ts';
import { toShipping } from '../rest-amounts.ts';
import type { SaleCharge } from '../shape.ts';
import {
  type Figure,
  isBalance,
  negated,
  nothing,
  plus,
  type RefundFigures,
  type RefundMoney,
} from './figures.ts';
import type { RestRefund } from './payload.ts';
import { toRefund } from './reading.ts';
import type { RefundedOrder } from './rest-beside.ts';

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

/** The lines of shipping a refund gave back; one without its money says nothing. */
function shippingOf(refund: RestRefund, order: RefundedOrder, read: Read): RefundFigures['shipping'] {
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
      // Missing in REST; reading.ts finds it.
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
function adjustmentsOf(
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

/** Reads a figure of a refund; null where it is not told. */
type Read = (set: RestRefund['total_duties_set'], plain?: string | null) => Figure | null;

/** Line and adjustment sets carry both currencies, plain figures the shop's. */
function reader(money: RefundMoney | null): Read {
  return (set, plain) => {
    const shop = set?.shop_money?.amount ?? plain ?? null;
    if (shop === null) return null;
    const paid = money?.foreign ? (set?.presentment_money?.amount ?? null) : shop;
    return { shop: decimal(shop), paid: paid === null ? null : decimal(paid) };
  };
}

/**
 * Transactions are in the buyer's currency and carry no other. A void gives nothing back (an authorization that
 * was never captured); neither do failures. null when money went back in several currencies, or in one that is
 * neither the shop's nor the buyer's.
 */
function moneyOf(transactions: RestRefund['transactions'], order: RefundedOrder): RefundMoney | null {
  const refunds = (transactions ?? []).filter((one) => one.kind?.toLowerCase() === 'refund');
  const of = (...statuses: string[]) =>
    refunds.filter(({ status }) => statuses.includes(status?.toLowerCase() ?? ''));
  const done = of('success');
  const waiting = of('pending', 'awaiting_response');
  const currencies = new Set([...done, ...waiting].map(({ currency }) => currency ?? order.currency));
  const [currency = order.currency] = currencies;
  const foreign = currencies.size > 1 || currency !== order.currency;
  const known = currencies.size <= 1 && (!foreign || order.shown === null || currency === order.shown);
  if (!known && done.length > 0) return null;
  const total = (list: typeof refunds) => sum(list.map(({ amount }) => amount ?? '0.00'));
  const failed = refunds.length > done.length + waiting.length;
  const toBalances = (foreign ? [] : done)
    .filter(({ gateway }) => isBalance(gateway))
    .map(({ gateway, amount }) => ({ gateway: gateway ?? '', amount: decimal(amount ?? '0.00') }));
  return { done: total(done), waiting: total(waiting), failed, toBalances, foreign };
}
