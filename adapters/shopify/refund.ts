import type { z } from 'zod';
import { PayloadError } from '../../src/domain/errors.ts';
import { unreadable } from '../../src/domain/loose.ts';
import { type Amount, decimal, sum } from '../../src/domain/money.ts';
import { chargeSource, lineSource, type Refund } from '../../src/domain/order.ts';
import {
  RefundOrder,
  type RestOrder,
  type RestRefund,
  RestRefunds,
  refundsIn,
  unwrapOrder,
} from './payload.ts';
import type { AnswerOrder, AnswerRefund } from './queries.ts';
import {
  type Figure,
  isBalance,
  negated,
  nothing,
  plus,
  type RefundFigures,
  type RefundMoney,
  toRefund,
} from './refund-figures.ts';
import {
  exactId,
  numericId,
  onlyOf,
  type SaleCharge,
  shippingFromGraphql,
  shippingFromRest,
  shopMoney,
} from './sale.ts';

/** Throws PayloadError, also for a refund of another order. */
export function readRefunds(payload: unknown, order: unknown): Refund[] {
  const given = refundsIn(payload);
  const refunds = RestRefunds.safeParse(given);
  if (!refunds.success) throw notRefunds(given, refunds.error);
  const body = unwrapOrder(order);
  const read = RefundOrder.safeParse(body);
  if (!read.success) throw withoutOrder(body, read.error);
  const foreign = refunds.data.find(({ order_id }) => isOfAnother(order_id, read.data));
  if (foreign) throw ofAnotherOrder(foreign, read.data);
  const ofOrder = refundedOrder(read.data);
  return refunds.data.map((refund) => refundFromRest(refund, ofOrder));
}

function notRefunds(given: unknown, error: z.ZodError): PayloadError {
  return new PayloadError('not-an-order', {
    what: 'una lista de reembolsos',
    platform: 'Shopify',
    problem: unreadable(given, error),
  });
}

function withoutOrder(body: unknown, error: z.ZodError): PayloadError {
  const problem = `falta su pedido, o no se puede leer: ${unreadable(body, error)}`;
  return new PayloadError('not-an-order', { what: 'una lista de reembolsos', platform: 'Shopify', problem });
}

/** JSON.parse rounds ids above 2^53, and a refund has no text form of its order's id: equal when rounded is equal. */
function isOfAnother(orderId: string | number, order: RefundOrder): boolean {
  if (order.id === null || order.id === undefined) return false;
  const exact = exactId({ id: order.id, admin_graphql_api_id: order.admin_graphql_api_id });
  return Number(orderId) !== Number(exact) && Number(orderId) !== Number(order.id);
}

function ofAnotherOrder({ id, order_id }: RestRefund, order: RefundOrder): PayloadError {
  return new PayloadError('refund-of-another-order', {
    refund: String(id),
    of: String(order_id),
    order: String(order.id),
  });
}

function refundFromRest(refund: RestRefund, order: RefundedOrder): Refund {
  const money = moneyFromRest(refund.transactions, order);
  const read = reader(money);
  return toRefund({
    id: exactId(refund),
    at: refund.processed_at ?? refund.created_at ?? null,
    note: refund.note ?? null,
    taxesIncluded: order.taxesIncluded,
    lines: linesFromRest(refund, order, read),
    shipping: refundedShippingFromRest(refund, order, read),
    onlyShipping: order.onlyShipping && {
      of: chargeSource('shipping', order.onlyShipping.id),
      name: order.onlyShipping.name,
    },
    extras: extrasOf(refund, read),
    ...adjustmentsFromRest(refund, read),
    money,
    cashRounding: decimal(order.cashRounding),
    stated: null,
  });
}

function linesFromRest(refund: RestRefund, order: RefundedOrder, read: Read): RefundFigures['lines'] {
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

/** Refunded duties name the duty; additional fees are only a sum, as in the order. */
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

function refundedShippingFromRest(
  refund: RestRefund,
  order: RefundedOrder,
  read: Read,
): RefundFigures['shipping'] {
  return (refund.refund_shipping_lines ?? []).flatMap((line) => {
    const subtotal = read(line.subtotal_amount_set);
    if (subtotal === null) return [];
    const id = line.shipping_line_id == null ? null : exactId({ id: line.shipping_line_id });
    const embedded = line.shipping_line ? shippingFromRest(line.shipping_line) : null;
    const sold =
      id === null
        ? (embedded ?? order.onlyShipping)
        : (order.shipping.find((one) => one.id === id) ?? embedded);
    const source = id ?? sold?.id ?? null;
    return {
      of: source && chargeSource('shipping', source),
      name: sold?.name ?? 'Envío',
      subtotal,
      tax: null,
      soldTax: sold && taxRatio(sold, order.taxesIncluded),
    };
  });
}

function taxRatio({ price, discount, taxes }: SaleCharge, taxesIncluded: boolean) {
  const tax = sum(taxes.map(({ amount }) => amount));
  const charged = decimal(price).minus(discount);
  const net = taxesIncluded ? charged.minus(tax) : charged;
  return net.isZero() ? decimal(0) : tax.div(net);
}

function adjustmentsFromRest(
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

type Read = (set: RestRefund['total_duties_set'], plain?: string | null) => Figure | null;

/** Line and adjustment sets carry both currencies, plain figures the shop's. */
function reader(money: RefundMoney | null): Read {
  return (set, plain) => {
    const shop = set?.shop_money?.amount ?? plain ?? null;
    if (shop === null) return null;
    const paid = money?.inBuyerCurrency ? (set?.presentment_money?.amount ?? null) : shop;
    return { shop: decimal(shop), paid: paid === null ? null : decimal(paid) };
  };
}

/** A void (an authorization never captured) gives nothing back. Null for several currencies, or an unknown one. */
function moneyFromRest(transactions: RestRefund['transactions'], order: RefundedOrder): RefundMoney | null {
  const refunds = (transactions ?? []).filter((one) => one.kind?.toLowerCase() === 'refund');
  const of = (...statuses: string[]) =>
    refunds.filter(({ status }) => statuses.includes(status?.toLowerCase() ?? ''));
  const done = of('success');
  const waiting = of('pending', 'awaiting_response');
  const currencies = new Set([...done, ...waiting].map(({ currency }) => currency ?? order.currency));
  const [currency = order.currency] = currencies;
  const inBuyerCurrency = currencies.size > 1 || currency !== order.currency;
  const known =
    currencies.size <= 1 &&
    (!inBuyerCurrency || order.buyerCurrency === null || currency === order.buyerCurrency);
  if (!known && done.length > 0) return null;
  const total = (list: typeof refunds) => sum(list.map(({ amount }) => amount ?? '0.00'));
  const failed = refunds.length > done.length + waiting.length;
  const toBalances = (inBuyerCurrency ? [] : done)
    .filter(({ gateway }) => isBalance(gateway))
    .map(({ gateway, amount }) => ({ gateway: gateway ?? '', amount: decimal(amount ?? '0.00') }));
  return { done: total(done), waiting: total(waiting), failed, toBalances, inBuyerCurrency };
}

interface RefundedOrder {
  currency: string;
  buyerCurrency: string | null;
  taxesIncluded: boolean;
  names: ReadonlyMap<string, string>;
  /** With removed ones. */
  shipping: readonly SaleCharge[];
  onlyShipping: SaleCharge | null;
  cashRounding: Amount;
}

function refundedOrder(order: RefundOrder): RefundedOrder {
  const shipping = (order.shipping_lines ?? []).map(shippingFromRest);
  return {
    currency: order.currency,
    buyerCurrency: order.presentment_currency ?? null,
    taxesIncluded: order.taxes_included,
    names: new Map((order.line_items ?? []).map((line) => [exactId(line), line.name ?? line.title ?? ''])),
    shipping,
    cashRounding: shopMoney(order.total_cash_rounding_refund_adjustment_set, '0.00'),
    onlyShipping: onlyOf(shipping),
  };
}

/** Those inside the body of an order. */
export function refundsFromRest(order: RestOrder): Refund[] {
  if (!order.refunds?.length) return [];
  const ofOrder = refundedOrder(order);
  return order.refunds.map((refund) => refundFromRest(refund, ofOrder));
}

export function refundFromGraphql(refund: AnswerRefund, order: AnswerOrder): Refund {
  const only = onlyOf(order.shippingLines.nodes.map(shippingFromGraphql));
  return toRefund({
    id: numericId(refund.id),
    at: refund.processedAt ?? refund.createdAt,
    note: refund.note,
    taxesIncluded: order.taxesIncluded,
    lines: refund.refundLineItems.nodes.map(({ quantity, subtotalSet, totalTaxSet, lineItem }) => ({
      of: lineSource(numericId(lineItem.id)),
      name: lineItem.name,
      quantity,
      subtotal: figure(subtotalSet),
      tax: figure(totalTaxSet),
    })),
    shipping: refund.refundShippingLines.nodes.map(({ shippingLine, ...one }) => ({
      of: shippingSource(shippingLine.id),
      name: shippingLine.title,
      subtotal: figure(one.subtotalAmountSet),
      tax: figure(one.taxAmountSet),
      soldTax: null,
    })),
    onlyShipping: only && { of: chargeSource('shipping', only.id), name: only.name },
    extras: (refund.duties ?? [])
      .map(({ amountSet, originalDuty }) => ({
        of: originalDuty && chargeSource('duty', numericId(originalDuty.id)),
        name: 'Aranceles',
        amount: figure(amountSet),
      }))
      .filter(({ amount }) => !amount.shop.isZero()),
    ...adjustmentsFromGraphql(refund.orderAdjustments.nodes),
    money: moneyFromGraphql(refund.transactions.nodes),
    cashRounding: decimal(order.totalCashRoundingAdjustment?.refundSet.shopMoney.amount ?? '0'),
    stated: refund.totalRefundedSet.shopMoney.amount,
  });
}

function figure({ shopMoney }: AnswerOrder['currentTotalPriceSet']): Figure {
  const value = decimal(shopMoney.amount);
  return { shop: value, paid: value };
}

function shippingSource(id: string | null): string {
  return chargeSource('shipping', id === null ? 'shipping' : numericId(id));
}

/** Without a reason (OrderAdjustmentDiscrepancyReason) it is a shipping refund of before 2024-10. */
function adjustmentsFromGraphql(
  nodes: AnswerRefund['orderAdjustments']['nodes'],
): Pick<RefundFigures, 'discrepancy' | 'shippingAdjusted'> {
  const shipping = nodes.filter(({ reason }) => reason === null);
  const others = nodes.filter(({ reason }) => reason !== null);
  const total = (figures: Figure[]) => (figures.length === 0 ? nothing : negated(plus(...figures)));
  return {
    discrepancy: total(others.flatMap((one) => [figure(one.amountSet), figure(one.taxAmountSet)])),
    shippingAdjusted:
      shipping.length === 0
        ? null
        : {
            amount: total(shipping.map((one) => figure(one.amountSet))),
            tax: total(shipping.map((one) => figure(one.taxAmountSet))),
          },
  };
}

function moneyFromGraphql(transactions: AnswerRefund['transactions']['nodes']): RefundMoney {
  const refunds = transactions.filter(({ kind }) => kind === 'REFUND');
  const of = (...statuses: string[]) => refunds.filter(({ status }) => statuses.includes(status));
  const done = of('SUCCESS');
  const waiting = of('PENDING', 'AWAITING_RESPONSE');
  const total = (list: typeof refunds) => sum(list.map(({ amountSet }) => amountSet.shopMoney.amount));
  const failed = refunds.length > done.length + waiting.length;
  const toBalances = done
    .filter(({ gateway }) => isBalance(gateway))
    .map(({ gateway, amountSet }) => ({
      gateway: gateway ?? '',
      amount: decimal(amountSet.shopMoney.amount),
    }));
  return { done: total(done), waiting: total(waiting), failed, toBalances, inBuyerCurrency: false };
}
