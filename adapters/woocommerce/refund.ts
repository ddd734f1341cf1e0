import { z } from 'zod';
import { PayloadError } from '../../src/domain/errors.ts';
import {
  amount,
  id,
  idOf,
  idOrNone,
  list,
  number,
  object,
  positiveAmount,
  unreadable,
} from '../../src/domain/loose.ts';
import {
  type Amount,
  type Decimal,
  decimal,
  roundCents,
  roundingOf,
  sum,
  toAmount,
} from '../../src/domain/money.ts';
import { chargeSource, lineSource, type Refund, type RefundPart } from '../../src/domain/order.ts';
import { chargeName, gmtOrNone, metaList, metaSchema, text } from './payload.ts';

/** Names the refunded item, as a string (measured on WooCommerce 11.0.1); 0 where it is none. */
const link = '_refunded_item_id';
const rowMeta = metaSchema.refine(
  ({ key, value }) => key !== link || value === 0 || value === '0' || idOf(value) !== undefined,
  {
    path: ['value'],
    error: 'id',
  },
);
const row = z.object({ total: amount, total_tax: amount, meta_data: metaList(rowMeta) });
/** `amount` takes precedence over the rows, which may contradict it (measured on WooCommerce 11.0.1). */
const refund = z.object({
  id,
  parent_id: idOrNone,
  amount: positiveAmount,
  date_created_gmt: gmtOrNone.optional(),
  reason: text,
  // Refunds typed by hand leave out empty lists.
  line_items: list(row.extend({ name: text, quantity: number })).optional(),
  shipping_lines: list(row.extend({ method_title: text })).optional(),
  fee_lines: list(row.extend({ name: text })).optional(),
});
type WooRefund = z.output<typeof refund>;
type WooRow = z.output<typeof row>;

export function readRefunds(payload: unknown, order: unknown): Refund[] {
  const given = Array.isArray(payload) ? payload : [payload];
  const read = z.array(object(refund)).safeParse(given);
  if (!read.success) throw notRefunds(given, read.error);
  const { id: orderId } = z.object({ id }).safeParse(order).data ?? {};
  const misplaced = read.data.find(({ parent_id }) => parent_id !== null && parent_id !== orderId);
  if (misplaced) throw ofAnotherOrder(misplaced, orderId);
  const sold = soldItems(order);
  return read.data.map((one) => ({
    id: one.id,
    at: one.date_created_gmt ?? null,
    reason: one.reason.trim() || null,
    amount: one.amount,
    pending: '0.00',
    parts: withForgottenTaxes(partsOf(one), one.amount, sold),
    discrepancy: '0.00',
  }));
}

/** Null for old WooCommerce, which named no rows at all. */
function partsOf({ line_items, shipping_lines = [], fee_lines = [] }: WooRefund): RefundPart[] | null {
  if (line_items === undefined) return null;
  const charge = (kind: 'shipping' | 'fee', line: WooRow, name: string) =>
    partOf(line, (id) => chargeSource(kind, id), chargeName(kind, name), '0');
  return [
    ...line_items.map((line) => partOf(line, lineSource, line.name, decimal(line.quantity).abs().toFixed())),
    ...shipping_lines.map((line) => charge('shipping', line, line.method_title)),
    ...fee_lines.map((line) => charge('fee', line, line.name)),
  ].filter((part) => [part.quantity, part.net, part.tax].some((figure) => !decimal(figure).isZero()));
}

const soldRow = z.object({ id, total: amount, total_tax: amount });
const soldRows = z.object({
  line_items: list(soldRow).optional(),
  shipping_lines: list(soldRow).optional(),
  fee_lines: list(soldRow).optional(),
});

function soldItems(order: unknown): Map<string, { net: Amount; tax: Amount }> {
  const { line_items = [], shipping_lines = [], fee_lines = [] } = soldRows.safeParse(order).data ?? {};
  const rows = [
    ...line_items.map((one) => [lineSource(one.id), one] as const),
    ...shipping_lines.map((one) => [chargeSource('shipping', one.id), one] as const),
    ...fee_lines.map((one) => [chargeSource('fee', one.id), one] as const),
  ];
  return new Map(rows.map(([source, { total, total_tax }]) => [source, { net: total, tax: total_tax }]));
}

/** A refund over REST may omit taxes that its amount contains (woocommerce#25519, woocommerce#27376). */
function withForgottenTaxes(
  parts: RefundPart[] | null,
  money: Amount,
  sold: ReadonlyMap<string, { net: Amount; tax: Amount }>,
): RefundPart[] | null {
  if (parts === null) return null;
  const taxed = parts.map((part) => {
    const item = sold.get(part.of ?? '');
    if (!item || !decimal(part.tax).isZero() || decimal(item.net).isZero()) return part;
    return { ...part, tax: toAmount(roundCents(decimal(item.tax).times(part.net).div(item.net))) };
  });
  const apart = (some: readonly RefundPart[]) => worth(some).minus(money).abs();
  return apart(taxed).lte(roundingOf(parts.length)) && apart(taxed).lt(apart(parts)) ? taxed : parts;
}

const worth = (parts: readonly RefundPart[]): Decimal => sum(parts.flatMap(({ net, tax }) => [net, tax]));

function partOf(line: WooRow, source: (id: string) => string, name: string, quantity: Amount): RefundPart {
  const item = idOf(line.meta_data.find(({ key }) => key === link)?.value);
  return {
    of: item === undefined ? null : source(item),
    name,
    quantity,
    net: opposite(line.total),
    tax: opposite(line.total_tax),
  };
}

function opposite(amount: Amount): Amount {
  if (amount.startsWith('-')) return amount.slice(1);
  return decimal(amount).isZero() ? amount : `-${amount}`;
}

function notRefunds(given: unknown, error: z.ZodError): PayloadError {
  return new PayloadError('not-an-order', {
    what: 'una lista de reembolsos',
    platform: 'WooCommerce',
    problem: unreadable(given, error),
  });
}

function ofAnotherOrder({ id, parent_id }: WooRefund, orderId: string | undefined): PayloadError {
  return new PayloadError('refund-of-another-order', { refund: id, of: String(parent_id), order: orderId });
}
