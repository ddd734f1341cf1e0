import { z } from 'zod';
import { type Decimal, decimal, sum } from '../../../src/domain/money.ts';
import type { ShopTimes } from './shop-times.ts';

const figure = z.union([z.number(), z.string()]).transform((value) => decimal(value));
const tax = z.object({ id: z.int(), refund_total: figure });

/** What `POST orders/{id}/refunds` takes; `line_items` name lines, shipping and fees alike, by their ids. */
export const newRefund = z.object({
  amount: figure.optional(),
  reason: z.string().default(''),
  /** Whether the gateway sends the money, which none of this shop can. */
  api_refund: z.boolean().default(true),
  line_items: z
    .array(
      z.object({
        id: z.int(),
        quantity: z.number().default(0),
        refund_total: figure.default(decimal(0)),
        refund_tax: z.array(tax).default([]),
      }),
    )
    .default([]),
});
export type NewRefund = z.input<typeof newRefund>;
export type AskedRefund = z.output<typeof newRefund>;

const row = z.looseObject({ id: z.int(), total_tax: z.string() });
type Row = z.output<typeof row>;
const rows = z.array(row);
const refundShape = z.looseObject({
  id: z.int().positive(),
  date_created_gmt: z.string(),
  amount: z.string(),
  reason: z.string(),
  line_items: rows,
  shipping_lines: rows,
  fee_lines: rows,
});
export type StoredRefund = z.output<typeof refundShape>;

/** Checked, and kept as it came: the shop answers with the keys in this order. */
export function readRefund(refund: unknown): StoredRefund {
  refundShape.parse(refund);
  return structuredClone(refund) as StoredRefund;
}

const soldShape = z.object({
  total: z.string(),
  line_items: z.array(z.looseObject({ id: z.int() })).default([]),
  shipping_lines: z.array(z.looseObject({ id: z.int() })).default([]),
  fee_lines: z.array(z.looseObject({ id: z.int() })).default([]),
  // Keys that are named come first in what is read, so they are named in WooCommerce's order.
  tax_lines: z
    .array(z.looseObject({ id: z.int(), rate_code: z.string().optional(), rate_id: z.int() }))
    .default([]),
});

/** WooCommerce's own words; over REST they come with HTTP 500 (measured on WooCommerce 11.0.1). */
export class RefundRefused extends Error {}

/**
 * The refund WooCommerce makes of a request (measured on WooCommerce 11.0.1): rows are copies of the sold ones with
 * the asked figures made negative and a link to what they undo; the amount is believed, whatever the rows say.
 */
export function makeRefund(
  order: unknown,
  before: readonly StoredRefund[],
  asked: AskedRefund,
  nextId: () => number,
  now: ShopTimes,
): StoredRefund {
  const sold = soldShape.parse(order);
  const remaining = decimal(sold.total).minus(sum(before.map(({ amount }) => amount)));
  const amount = asked.amount ?? sum(asked.line_items.flatMap((part) => [part.refund_total, taxOf(part)]));
  if (amount.lt(0) || amount.gt(remaining)) throw new RefundRefused('Invalid refund amount.');

  const id = nextId();
  const undo = (kind: 'line_items' | 'shipping_lines' | 'fee_lines'): Row[] =>
    sold[kind].flatMap((item) => {
      const part = asked.line_items.find((one) => one.id === item.id);
      return part && !isEmpty(part) ? [undone(item, part, kind === 'line_items', nextId)] : [];
    });
  return {
    id,
    date_created: now.local,
    date_created_gmt: now.gmt,
    amount: amount.toFixed(2),
    reason: asked.reason,
    refunded_by: 1,
    refunded_payment: false,
    meta_data: [{ id: nextId(), key: '_refund_type', value: amount.equals(remaining) ? 'full' : 'partial' }],
    line_items: undo('line_items'),
    shipping_lines: undo('shipping_lines'),
    tax_lines: taxLines(sold, asked, nextId),
    fee_lines: undo('fee_lines'),
  };
}

/** What an order says of its refund: money as a negative total, tax only where rows carry it. */
export function namedInOrder({ id, reason, amount, ...refund }: StoredRefund) {
  const undone = [...refund.line_items, ...refund.shipping_lines, ...refund.fee_lines];
  return { id, reason, total: `-${amount}`, total_tax: sum(undone.map((one) => one.total_tax)).toFixed(2) };
}

type Part = AskedRefund['line_items'][number];
const taxOf = (part: Part): Decimal => sum(part.refund_tax.map(({ refund_total }) => refund_total));
const isEmpty = ({ quantity, refund_total, refund_tax }: Part): boolean =>
  quantity === 0 && refund_total.isZero() && refund_tax.length === 0;
const minus = (amount: Decimal): string => amount.negated().toFixed(2);

function undone(item: { id: number }, part: Part, line: boolean, nextId: () => number): Row {
  const link = String(item.id);
  const total = minus(part.refund_total);
  const total_tax = minus(taxOf(part));
  return {
    ...item,
    id: nextId(),
    ...(line && { quantity: 0 - part.quantity, subtotal: total, subtotal_tax: total_tax }),
    total,
    total_tax,
    taxes: part.refund_tax
      .filter(({ refund_total }) => !refund_total.isZero())
      .map(({ id, refund_total }) => ({
        id,
        total: minus(refund_total),
        subtotal: line ? minus(refund_total) : '',
      })),
    meta_data: [
      {
        id: nextId(),
        key: '_refunded_item_id',
        value: link,
        display_key: '_refunded_item_id',
        display_value: link,
      },
    ],
    ...(line && { price: part.quantity === 0 ? 0 : part.refund_total.toNumber() / part.quantity }),
  };
}

/** One per rate that gives anything back, shipping apart. */
function taxLines(sold: z.output<typeof soldShape>, asked: AskedRefund, nextId: () => number) {
  const shipping = new Set(sold.shipping_lines.map(({ id }) => id));
  const back = (rate: number, ofShipping: boolean) =>
    sum(
      asked.line_items
        .filter(({ id }) => shipping.has(id) === ofShipping)
        .flatMap((part) => part.refund_tax.filter(({ id }) => id === rate))
        .map(({ refund_total }) => refund_total),
    );
  return sold.tax_lines.flatMap((line) => {
    const [items, carriage] = [back(line.rate_id, false), back(line.rate_id, true)];
    if (items.isZero() && carriage.isZero()) return [];
    return [{ ...line, id: nextId(), tax_total: minus(items), shipping_tax_total: minus(carriage) }];
  });
}
