import { z } from 'zod';
import {
  amount,
  amountOrNone,
  boolean,
  booleanOrNone,
  currency,
  currencyOrNone,
  filled,
  filledOrNone,
  instantOrNone,
  list,
  listOrNone,
  loose,
  numberOrNone,
  objectOrNone,
  quantity,
  quantityOrNone,
  textOrNone as text,
  word,
} from '../../src/domain/loose.ts';
import { decimal } from '../../src/domain/money.ts';
import { longText, word as shortText } from '../../src/domain/text.ts';

/* REST refund resource 2026-07. Nulls, empty strings and missing keys are normal. */

/** Ids above 2^53 are rounded as numbers; every object also carries its exact id as text. */
const idOf = (value: unknown): string | number | undefined => {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? value : undefined;
  return typeof value === 'string' && /^\d{1,40}$/.test(value) ? value : undefined;
};
const id = loose('id', idOf);
const idOrNone = loose('id', (value) => (value === null || value === undefined ? null : idOf(value)));

const money = objectOrNone(z.object({ amount: amountOrNone }));
export const moneySet = objectOrNone(z.object({ shop_money: money }));
const bothMoneys = objectOrNone(z.object({ shop_money: money, presentment_money: money }));

const isStated = (plain: string | null, set: z.output<typeof moneySet>): boolean =>
  (plain ?? set?.shop_money?.amount ?? null) !== null;

export const taxLines = listOrNone(
  z
    .object({ title: text, price: amountOrNone, rate: numberOrNone, price_set: moneySet })
    .refine(({ price, price_set }) => isStated(price, price_set), { path: ['price'], error: 'amount' }),
);

export const allocations = listOrNone(
  z
    .object({ amount: amountOrNone, amount_set: moneySet })
    .refine(({ amount, amount_set }) => isStated(amount, amount_set), { path: ['amount'], error: 'amount' }),
);

const transaction = z.object({
  kind: word,
  status: word,
  gateway: text,
  amount,
  currency: currencyOrNone,
  processed_at: instantOrNone,
});

export const ShippingLine = z.object({
  id: idOrNone,
  title: text,
  price: amount,
  price_set: moneySet,
  discounted_price: amountOrNone,
  discounted_price_set: moneySet,
  discount_allocations: allocations,
  tax_lines: taxLines,
  is_removed: booleanOrNone,
});

const refundLine = z.object({
  line_item_id: id,
  /** Ids above 2^53 are exact only here. */
  line_item: objectOrNone(z.object({ admin_graphql_api_id: text, name: text, title: text })),
  quantity,
  subtotal: amountOrNone,
  subtotal_set: bothMoneys,
  total_tax: amountOrNone,
  total_tax_set: bothMoneys,
});

const refundedShipping = z.object({
  shipping_line_id: idOrNone,
  shipping_line: objectOrNone(ShippingLine),
  subtotal_amount_set: bothMoneys,
});

/** Negative means given back; a reversal is positive. */
const adjustment = z
  .object({
    kind: text,
    amount: amountOrNone,
    amount_set: bothMoneys,
    tax_amount: amountOrNone,
    tax_amount_set: bothMoneys,
  })
  .refine(({ amount, amount_set }) => isStated(amount, amount_set), { path: ['amount'], error: 'amount' });

export const RestRefund = z.object({
  id,
  admin_graphql_api_id: text,
  order_id: idOrNone,
  created_at: instantOrNone,
  processed_at: instantOrNone,
  note: text,
  transactions: list(transaction),
  refund_line_items: z.array(refundLine).nullish(),
  refund_shipping_lines: listOrNone(refundedShipping),
  order_adjustments: listOrNone(adjustment),
  duties: listOrNone(z.object({ duty_id: idOrNone, amount_set: bothMoneys })),
  total_duties_set: bothMoneys,
  total_additional_fees_set: bothMoneys,
});
export type RestRefund = z.output<typeof RestRefund>;

const duties = listOrNone(
  z.object({
    id: idOrNone,
    admin_graphql_api_id: text,
    shop_money: objectOrNone(z.object({ amount: amountOrNone })),
    price_set: moneySet,
    tax_lines: taxLines,
  }),
);

const attributes = listOrNone(z.object({ name: text, value: z.unknown().optional() }));

const LineItem = z.object({
  id,
  admin_graphql_api_id: text,
  name: text,
  title: text,
  sku: text,
  quantity,
  current_quantity: quantityOrNone,
  price: amount,
  price_set: moneySet,
  gift_card: booleanOrNone,
  taxable: booleanOrNone,
  requires_shipping: booleanOrNone,
  /** The key itself marks a tip; its value may be null. */
  tip_payment_gateway: z.unknown().optional(),
  variant_title: text,
  properties: attributes,
  tax_lines: taxLines,
  discount_allocations: allocations,
  duties,
});

const address = objectOrNone(
  z.object({
    first_name: text,
    last_name: text,
    name: text,
    company: text,
    address1: text,
    address2: text,
    city: text,
    province: text,
    country: text,
    country_code: text,
    phone: text,
  }),
);

const shape = z.object({
  id,
  admin_graphql_api_id: text,
  name: filled,
  test: booleanOrNone,
  currency,
  presentment_currency: currencyOrNone,
  created_at: instantOrNone,
  processed_at: instantOrNone,
  source_name: text,
  updated_at: instantOrNone,
  cancelled_at: instantOrNone,
  financial_status: filledOrNone,
  taxes_included: boolean,
  duties_included: booleanOrNone,
  total_price: amount,
  total_price_set: bothMoneys,
  total_tax: amountOrNone,
  total_tax_set: moneySet,
  current_total_price: amountOrNone,
  current_total_price_set: moneySet,
  current_total_tax: amountOrNone,
  current_total_tax_set: moneySet,
  total_outstanding: amountOrNone,
  total_tip_received: amountOrNone,
  total_cash_rounding_payment_adjustment_set: moneySet,
  total_cash_rounding_refund_adjustment_set: moneySet,
  original_total_additional_fees_set: moneySet,
  line_items: list(LineItem),
  shipping_lines: listOrNone(ShippingLine),
  payment_gateway_names: listOrNone(text),
  transactions: z.array(transaction).nullish(),
  refunds: list(RestRefund).nullish(),
  email: text,
  contact_email: text,
  phone: text,
  note: text,
  note_attributes: attributes,
  billing_address: address,
  shipping_address: address,
  customer: objectOrNone(
    z.object({ first_name: text, last_name: text, email: text, phone: text, default_address: address }),
  ),
  metafields: listOrNone(z.object({ namespace: shortText, key: shortText, value: longText })),
});

/** For an edited order without refunds these figures decide what was sold (order.ts, `saleAsSold`). */
function refuseUnknownEdit(order: z.output<typeof shape>, context: z.RefinementCtx): void {
  if (order.refunds?.length) return;
  const refuse = (path: (string | number)[], message: 'quantity' | 'amount') =>
    context.addIssue({ code: 'custom', path, message });
  const sold = order.total_price_set?.shop_money?.amount ?? order.total_price;
  const left = order.current_total_price_set?.shop_money?.amount ?? order.current_total_price;
  const unknown = order.line_items.findIndex((line) => line.current_quantity === null);
  if (left !== null && !decimal(left).equals(sold) && unknown >= 0)
    refuse(['line_items', unknown, 'current_quantity'], 'quantity');
  const fell = order.line_items.some(
    ({ current_quantity, quantity }) => current_quantity !== null && current_quantity < quantity,
  );
  const isShippingOff = order.shipping_lines?.some(({ is_removed }) => is_removed === true) ?? false;
  const isOff = fell || (isShippingOff && left !== null && !decimal(left).equals(sold));
  if (fell && left === null) refuse(['current_total_price'], 'amount');
  if (isOff && order.total_outstanding === null) refuse(['total_outstanding'], 'amount');
}

// Measured: a compiled schema reads an order three times as fast.
export const RestOrder = z.compile(
  shape
    .refine(({ created_at, processed_at }) => (created_at ?? processed_at) !== null, {
      path: ['created_at'],
      error: 'instant',
    })
    .refine(({ refunds, financial_status }) => refunds || !/refunded$/i.test(financial_status ?? ''), {
      path: ['refunds'],
      error: 'array',
    })
    .superRefine(refuseUnknownEdit),
);
export type RestOrder = z.output<typeof RestOrder>;

export const RestRefunds = z.array(RestRefund.extend({ order_id: id, refund_line_items: list(refundLine) }));

export function refundsIn(payload: unknown): unknown[] {
  if (Array.isArray(payload)) return payload;
  const { refunds, refund } = Object(payload) as { refunds?: unknown; refund?: unknown };
  return Array.isArray(refunds) ? refunds : [refund ?? payload];
}

export const RefundOrder = z.object({
  id: idOrNone,
  admin_graphql_api_id: text,
  currency,
  presentment_currency: currencyOrNone,
  taxes_included: boolean,
  line_items: listOrNone(z.object({ id, admin_graphql_api_id: text, name: text, title: text })),
  shipping_lines: listOrNone(ShippingLine),
  total_cash_rounding_refund_adjustment_set: moneySet,
});
export type RefundOrder = z.output<typeof RefundOrder>;

export function unwrapOrder(payload: unknown): unknown {
  if (typeof payload !== 'object' || payload === null || !('order' in payload)) return payload;
  return 'line_items' in payload ? payload : payload.order;
}
