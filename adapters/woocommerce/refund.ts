import { decode } from 'html-entities';
import { z } from 'zod';
import { PayloadError } from '../../src/core/errors.ts';
import { type Amount, decimal } from '../../src/core/money.ts';
import { chargeSource, lineSource, type Refund, type RefundPart } from '../../src/core/refund.ts';
import { amountText, freeText } from '../../src/core/text.ts';
import { chargeName, gmt, idSchema, metaSchema, money, text } from './payload.ts';

/** What a row of a refund undoes stands in its meta data, as a string (measured on WooCommerce 11.0.1). */
const row = z.object({ total: money, total_tax: money, meta_data: z.array(metaSchema).default([]) });
const rows = <T extends z.ZodType>(one: T) => z.array(one).default([]);

/**
 * A refund of `GET orders/{id}/refunds`. `amount` is positive and takes precedence over the rows, which are
 * negative, may contradict it and are empty where only an amount was typed (measured on WooCommerce 11.0.1).
 */
const refund = z.object({
  id: idSchema,
  /** Only in `GET /refunds` of the whole shop. */
  parent_id: idSchema.optional(),
  amount: amountText.regex(/^\d+(\.\d+)?$/, 'not a positive decimal string'),
  date_created_gmt: gmt.nullish(),
  reason: text,
  line_items: z.array(row.extend({ name: freeText, quantity: z.number() })).optional(),
  shipping_lines: rows(row.extend({ method_title: text })),
  fee_lines: rows(row.extend({ name: text })),
});
type WooRefund = z.output<typeof refund>;
type WooRow = z.output<typeof row>;

/**
 * Reads one refund or a list of them, next to the JSON of their order. Throws PayloadError when they are none, or
 * name another order as theirs.
 */
export function readRefunds(payload: unknown, order: unknown): Refund[] {
  const read = z.array(refund).safeParse(Array.isArray(payload) ? payload : [payload]);
  if (!read.success) throw unreadable(read.error.issues[0]);
  const { id: orderId } = z.object({ id: idSchema }).safeParse(order).data ?? {};
  const stray = read.data.find(({ parent_id }) => parent_id !== undefined && parent_id !== orderId);
  if (stray) throw ofAnotherOrder(stray, orderId);
  return read.data.map((one) => ({
    id: one.id,
    at: one.date_created_gmt ?? null,
    reason: one.reason.trim() || null,
    amount: one.amount,
    pending: '0.00',
    parts: partsOf(one),
    discrepancy: '0.00',
  }));
}

/** WooCommerce of long ago named no rows at all, which is not the same as refunding none. */
function partsOf({ line_items, shipping_lines, fee_lines }: WooRefund): RefundPart[] | null {
  if (line_items === undefined) return null;
  const charge = (kind: 'shipping' | 'fee', line: WooRow, name: string) =>
    partOf(line, (id) => chargeSource(kind, id), chargeName(kind, name), '0');
  return [
    ...line_items.map((line) =>
      partOf(line, lineSource, decode(line.name), decimal(line.quantity).abs().toFixed()),
    ),
    ...shipping_lines.map((line) => charge('shipping', line, line.method_title)),
    ...fee_lines.map((line) => charge('fee', line, line.name)),
  ].filter((part) => [part.quantity, part.net, part.tax].some((figure) => !decimal(figure).isZero()));
}

function partOf(line: WooRow, source: (id: string) => string, name: string, quantity: Amount): RefundPart {
  const link = line.meta_data.find(({ key }) => key === '_refunded_item_id');
  const undone = idSchema.safeParse(link?.value);
  return {
    of: undone.success ? source(undone.data) : null,
    name,
    quantity,
    net: opposite(line.total),
    tax: opposite(line.total_tax),
  };
}

/** Minus the amount, written as the shop wrote it; zero has no sign. */
function opposite(amount: Amount): Amount {
  if (amount.startsWith('-')) return amount.slice(1);
  return decimal(amount).isZero() ? amount : `-${amount}`;
}

function unreadable(issue: z.core.$ZodIssue | undefined): PayloadError {
  const place = (issue?.path ?? []).join('.') || 'the whole';
  return new PayloadError(
    'not-refunds',
    `Esto no son reembolsos de WooCommerce: no se puede leer «${place}». Entregue la respuesta de la API orders/<id>/refunds tal como llega.`,
    `Not refunds of the WooCommerce API: ${place} ${issue?.message ?? 'unknown'}. Pass the answer of orders/{id}/refunds.`,
  );
}

function ofAnotherOrder({ id, parent_id }: WooRefund, orderId: string | undefined): PayloadError {
  const which = orderId === undefined ? 'otro pedido' : `el pedido ${orderId}`;
  return new PayloadError(
    'refund-of-another-order',
    `El reembolso ${id} es del pedido ${parent_id} y se entregó con ${which}. Entregue solo los reembolsos de este pedido (orders/<id>/refunds).`,
    `Refund ${id} has parent_id ${parent_id} but came with order ${orderId ?? 'without id'}. Pass the answer of orders/{id}/refunds.`,
  );
}
