import { z } from 'zod';
import { freeText, longText, word } from '../../src/core/text.ts';
import {
  allocations,
  amount,
  bothMoneys,
  id,
  moneySet,
  ShippingLine,
  taxLines,
  text,
  transaction,
} from './payload-values.ts';
import { RestRefund } from './refunds/payload.ts';

/*
 * The REST-shaped order of webhooks and `GET orders/<id>.json`. Strict only about what a factura needs; loose
 * where Shopify is loose (Shopify’s order and refund payloads): nulls, empty strings and missing keys are normal, and schemas
 * inferred from samples refuse real deliveries.
 */

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
    country: text,
    country_code: text,
    phone: text,
  })
  .nullish();

// Compiled once into one function, which reads an order three times as fast; what it refuses is read again for the issues.
export const RestOrder = z.compile(
  z.object({
    id,
    admin_graphql_api_id: text,
    name: freeText.min(1),
    test: z.boolean().nullish(),
    currency: z.string().length(3),
    presentment_currency: text,
    created_at: text,
    processed_at: text,
    source_name: text,
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
    total_cash_rounding_payment_adjustment_set: moneySet,
    total_cash_rounding_refund_adjustment_set: moneySet,
    original_total_additional_fees_set: moneySet,
    line_items: z.array(LineItem),
    shipping_lines: z.array(ShippingLine).nullish(),
    payment_gateway_names: z.array(word).nullish(),
    transactions: z.array(transaction).nullish(),
    refunds: z.array(RestRefund).nullish(),
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
    metafields: z.array(z.object({ namespace: word, key: word, value: longText })).nullish(),
  }),
);
export type RestOrder = z.output<typeof RestOrder>;
