import { z } from 'zod';
import {
  amountOrNone,
  boolean,
  currency,
  currencyOrNone,
  instantOrNone,
  list,
  listOrNone,
  objectOrNone,
  quantity,
  textOrNone as text,
} from '../../../src/domain/loose.ts';
import { bothMoneys, id, idOrNone, moneySet, ShippingLine, transaction } from '../payload-values.ts';

/*
 * Refunds as orders carry them (`refunds[]`), as refunds/create brings one and as `orders/<id>/refunds.json`
 * lists them (Shopify’s order and refund payloads; REST refund resource 2026-07).
 */

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

const shippingLine = z.object({
  shipping_line_id: idOrNone,
  shipping_line: objectOrNone(ShippingLine),
  subtotal_amount_set: bothMoneys,
});

/** Signed the other way round: negative means given back; a reversal is positive. */
const adjustment = z
  .object({
    kind: text,
    amount: amountOrNone,
    amount_set: bothMoneys,
    tax_amount: amountOrNone,
    tax_amount_set: bothMoneys,
  })
  .refine(({ amount, amount_set }) => (amount ?? amount_set?.shop_money?.amount ?? null) !== null, {
    path: ['amount'],
    error: 'amount',
  });

/** A refund inside its order; only the id is sure. */
export const RestRefund = z.object({
  id,
  admin_graphql_api_id: text,
  order_id: idOrNone,
  created_at: instantOrNone,
  processed_at: instantOrNone,
  note: text,
  transactions: list(transaction),
  refund_line_items: z.array(refundLine).nullish(),
  refund_shipping_lines: listOrNone(shippingLine),
  order_adjustments: listOrNone(adjustment),
  duties: listOrNone(z.object({ duty_id: idOrNone, amount_set: bothMoneys })),
  total_duties_set: bothMoneys,
  total_additional_fees_set: bothMoneys,
});
export type RestRefund = z.output<typeof RestRefund>;

/** Refunds by themselves: these keys tell them from other bodies that have an id. */
export const RestRefunds = z.array(RestRefund.extend({ order_id: id, refund_line_items: list(refundLine) }));

/** One, a list, `{refund: …}` or `{refunds: […]}`, as a list. */
export function refundsIn(payload: unknown): unknown[] {
  if (Array.isArray(payload)) return payload;
  const { refunds, refund } = Object(payload) as { refunds?: unknown; refund?: unknown };
  return Array.isArray(refunds) ? refunds : [refund ?? payload];
}

/** What reading a refund takes of its order. */
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
