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
  numberOrNone,
  objectOrNone,
  quantity,
  quantityOrNone,
  textOrNone as text,
} from '../../src/domain/loose.ts';
import { decimal } from '../../src/domain/money.ts';
import { longText, word } from '../../src/domain/text.ts';
import {
  allocations,
  bothMoneys,
  id,
  idOrNone,
  moneySet,
  ShippingLine,
  taxLines,
  transaction,
} from './payload-values.ts';
import { RestRefund } from './refunds/payload.ts';

/*
 * The REST-shaped order of webhooks and `GET orders/<id>.json`. Strict only about what a factura needs; loose
 * where Shopify is loose (Shopify’s order and refund payloads): nulls, empty strings and missing keys are normal, and schemas
 * inferred from samples refuse real deliveries.
 */

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
  payment_terms: objectOrNone(z.object({ due_in_days: numberOrNone })),
  billing_address: address,
  shipping_address: address,
  customer: objectOrNone(
    z.object({ first_name: text, last_name: text, email: text, phone: text, default_address: address }),
  ),
  metafields: listOrNone(z.object({ namespace: word, key: word, value: longText })),
});

/**
 * Of an order that was edited before anything went back, how many units are left, what they cost and what is owed say
 * together what was sold (sold.ts). Where one of them is missing, nobody knows.
 */
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
  if (fell && left === null) refuse(['current_total_price'], 'amount');
  if (fell && order.total_outstanding === null) refuse(['total_outstanding'], 'amount');
}

// Compiled once into one function, which reads an order three times as fast; what it refuses is read again for the issues.
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
