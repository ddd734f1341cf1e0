import { z } from 'zod';

/*
 * The REST-shaped order of webhooks and `GET orders/<id>.json`. Strict only about what a factura needs; loose
 * where Shopify is loose (Shopify’s order and refund payloads): nulls, empty strings and missing keys are normal, and schemas
 * inferred from samples refuse real deliveries.
 */

// One step instead of a union and a pipe: an order has hundreds of amounts.
const amount = z.unknown().transform((value, context): string => {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text === 'string' && /^-?\d+(\.\d+)?$/.test(text)) return text;
  context.addIssue({ code: 'custom', message: 'is no amount' });
  return z.NEVER;
});

const text = z.string().nullish();

/** Ids above 2^53 lose digits as numbers; every object also carries its exact id as text. */
const id = z.union([z.string(), z.number()]);

/** Shop money is what the shop books; the other matters for the total only. */
const moneySet = z.object({ shop_money: z.object({ amount }) }).nullish();
const namedMoneySet = z.object({ shop_money: z.object({ amount, currency_code: text }) }).nullish();
const bothMoneys = z
  .object({ shop_money: z.object({ amount }), presentment_money: z.object({ amount }).nullish() })
  .nullish();

const taxLines = z
  .array(z.object({ title: text, price: amount.nullish(), rate: z.number().nullish(), price_set: moneySet }))
  .nullish();

const allocations = z.array(z.object({ amount: amount.nullish(), amount_set: moneySet })).nullish();

const duties = z
  .array(
    z.object({
      id,
      admin_graphql_api_id: text,
      shop_money: z.object({ amount }).nullish(),
      price_set: moneySet,
      tax_lines: taxLines,
    }),
  )
  .nullish();

const attributes = z.array(z.object({ name: text, value: z.unknown() })).nullish();

const LineItem = z.object({
  id,
  admin_graphql_api_id: text,
  name: text,
  title: text,
  sku: text,
  quantity: z.number().min(0),
  current_quantity: z.number().min(0).nullish(),
  price: amount,
  price_set: moneySet,
  gift_card: z.boolean().nullish(),
  taxable: z.boolean().nullish(),
  requires_shipping: z.boolean().nullish(),
  /** The key itself marks a tip; its value may be null. */
  tip_payment_gateway: z.unknown().optional(),
  variant_title: text,
  properties: attributes,
  tax_lines: taxLines,
  discount_allocations: allocations,
  duties,
});

const ShippingLine = z.object({
  id,
  title: text,
  price: amount,
  price_set: moneySet,
  discounted_price: amount.nullish(),
  discounted_price_set: moneySet,
  discount_allocations: allocations,
  tax_lines: taxLines,
  is_removed: z.boolean().nullish(),
});

const address = z
  .object({
    first_name: text,
    last_name: text,
    name: text,
    company: text,
    address1: text,
    address2: text,
    city: text,
    province: text,
    country_code: text,
    phone: text,
  })
  .nullish();

const transaction = z.object({
  kind: text,
  status: text,
  gateway: text,
  amount: amount.nullish(),
  currency: text,
  processed_at: text,
});

const refund = z.object({
  id,
  admin_graphql_api_id: text,
  transactions: z.array(transaction).nullish(),
});

/** A refund by itself, as refunds/create and `orders/<id>/refunds.json` carry it. */
export const RestRefund = refund.extend({
  order_id: id,
  refund_line_items: z.array(z.object({ subtotal_set: namedMoneySet })),
  order_adjustments: z.array(z.object({ amount_set: namedMoneySet })).nullish(),
});
export type RestRefund = z.output<typeof RestRefund>;

// Compiled once into one function, which reads an order three times as fast; what it refuses is read again for the issues.
export const RestOrder = z.compile(
  z.object({
    id,
    admin_graphql_api_id: text,
    name: z.string().min(1),
    test: z.boolean().nullish(),
    currency: z.string().length(3),
    presentment_currency: text,
    created_at: text,
    processed_at: text,
    updated_at: text,
    cancelled_at: text,
    financial_status: text,
    taxes_included: z.boolean(),
    duties_included: z.boolean().nullish(),
    total_price: amount,
    total_price_set: bothMoneys,
    total_tax: amount.nullish(),
    total_tax_set: moneySet,
    current_total_price: amount.nullish(),
    current_total_price_set: moneySet,
    current_total_tax: amount.nullish(),
    current_total_tax_set: moneySet,
    total_outstanding: amount.nullish(),
    total_tip_received: amount.nullish(),
    original_total_additional_fees_set: moneySet,
    line_items: z.array(LineItem),
    shipping_lines: z.array(ShippingLine).nullish(),
    payment_gateway_names: z.array(z.string()).nullish(),
    transactions: z.array(transaction).nullish(),
    refunds: z.array(refund).nullish(),
    email: text,
    contact_email: text,
    phone: text,
    note: text,
    note_attributes: attributes,
    payment_terms: z.object({ due_in_days: z.number().nullish() }).nullish(),
    billing_address: address,
    shipping_address: address,
    customer: z
      .object({ first_name: text, last_name: text, email: text, phone: text, default_address: address })
      .nullish(),
    metafields: z.array(z.object({ namespace: z.string(), key: z.string(), value: z.string() })).nullish(),
  }),
);
export type RestOrder = z.output<typeof RestOrder>;
