import { z } from 'zod';
import { amount, bothMoneys, id, moneySet, ShippingLine, text, transaction } from '../payload-values.ts';

/*
 * Refunds as orders carry them (`refunds[]`), as refunds/create brings one and as `orders/<id>/refunds.json`
 * lists them (Shopify’s order and refund payloads; REST refund resource 2026-07).
 */

const refundLine = z.object({
  line_item_id: id.nullish(),
  /** Ids above 2^53 are exact only here. */
  line_item: z.object({ admin_graphql_api_id: text, name: text, title: text }).nullish(),
  quantity: z.number().min(0).nullish(),
  subtotal: amount.nullish(),
  subtotal_set: bothMoneys,
  total_tax: amount.nullish(),
  total_tax_set: bothMoneys,
});

const shippingLine = z.object({
  shipping_line_id: id.nullish(),
  shipping_line: ShippingLine.nullish(),
  subtotal_amount_set: bothMoneys,
});

/** Signed the other way round: negative means given back; a reversal is positive. */
const adjustment = z.object({
  kind: text,
  amount: amount.nullish(),
  amount_set: bothMoneys,
  tax_amount: amount.nullish(),
  tax_amount_set: bothMoneys,
});

/** A refund inside its order; only the id is sure. */
export const RestRefund = z.object({
  id,
  admin_graphql_api_id: text,
  order_id: id.nullish(),
  created_at: text,
  processed_at: text,
  note: text,
  transactions: z.array(transaction).nullish(),
  refund_line_items: z.array(refundLine).nullish(),
  refund_shipping_lines: z.array(shippingLine).nullish(),
  order_adjustments: z.array(adjustment).nullish(),
  duties: z.array(z.object({ duty_id: id.nullish(), amount_set: bothMoneys })).nullish(),
  total_duties_set: bothMoneys,
  total_additional_fees_set: bothMoneys,
});
export type RestRefund = z.output<typeof RestRefund>;

/** A refund by itself: these keys tell it from other bodies that have an id. */
const LoneRefund = RestRefund.extend({ order_id: id, refund_line_items: z.array(refundLine) });

/** One, a list, `{refund: …}` or `{refunds: […]}`. */
export const RestRefunds = z.union([
  z.array(LoneRefund),
  z.object({ refunds: z.array(LoneRefund) }).transform((body) => body.refunds),
  z.object({ refund: LoneRefund }).transform((body) => [body.refund]),
  LoneRefund.transform((one) => [one]),
]);

/** What reading a refund takes of its order. */
export const RefundOrder = z.object({
  id: id.nullish(),
  admin_graphql_api_id: text,
  currency: z.string().length(3),
  presentment_currency: text,
  taxes_included: z.boolean(),
  line_items: z.array(z.object({ id, admin_graphql_api_id: text, name: text, title: text })).nullish(),
  shipping_lines: z.array(ShippingLine).nullish(),
  total_cash_rounding_refund_adjustment_set: moneySet,
});
export type RefundOrder = z.output<typeof RefundOrder>;
