import { decode } from 'html-entities';
import { z } from 'zod';
import { PayloadError } from '../../src/core/errors.ts';
import { amountText, freeText, limitText, word } from '../../src/core/text.ts';

/**
 * What we read of a wc/v3 order: a webhook body and `GET orders/{id}` are the same JSON (measured on
 * WooCommerce 11.0.1). Keys we do not read pass; those that carry money, time or identity are demanded.
 */
export const idSchema = z.unknown().transform((value, context): string => {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text === 'string' && /^[1-9]\d{0,39}$/.test(text)) return text;
  context.addIssue({ code: 'custom', message: 'is no id' });
  return z.NEVER;
});
export const money = amountText.regex(/^-?\d+(\.\d+)?$/, 'not a decimal string');
const moneyOrNone = amountText.regex(/^(-?\d+(\.\d+)?)?$/, 'neither empty nor a decimal string');
/** UTC, but written without its Z. */
export const gmt = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/, 'not a UTC time without offset')
  .refine((text) => !Number.isNaN(Date.parse(`${text}Z`)), 'not a time of the calendar')
  .transform((text) => `${text}Z`);
export const text = freeText.nullish().transform((value) => value ?? '');

/** Of a value only texts are read; what plugins keep there has any shape. */
const metaValue = z.unknown().transform((value) => (typeof value === 'string' ? limitText(value) : value));
export const metaSchema = z.object({ key: freeText, value: metaValue });
/** WooCommerce adds how people read it; plugins that rebuild an answer may not. */
const lineMeta = metaSchema.extend({
  display_key: metaValue.optional(),
  display_value: metaValue.optional(),
});

/** `total` is "" for a rate that does not touch this line. */
const lineTax = z.object({ id: z.union([z.int(), word]).transform(String), total: moneyOrNone });

const taxed = z.object({
  id: idSchema,
  total: money,
  total_tax: money,
  taxes: z.array(lineTax),
});
const taxStatus = word.optional();

/** 0 where there is none: deleted products, products without variations. */
const productId = z
  .union([z.int(), word])
  .nullish()
  .transform((id) => (id && String(id) !== '0' ? String(id) : null));

const lineItem = taxed
  .extend({
    name: freeText,
    quantity: z.number(),
    tax_class: word,
    subtotal: money,
    sku: text,
    product_id: productId,
    variation_id: productId,
    meta_data: z.array(lineMeta).default([]),
  })
  .refine(({ quantity, total }) => quantity > 0 || Number(total) === 0, {
    path: ['quantity'],
    error: 'money on a line without quantity',
  });
const shippingLine = taxed.extend({ method_id: text, method_title: text, tax_status: taxStatus });
const feeLine = taxed.extend({
  name: text,
  tax_class: text,
  tax_status: taxStatus,
  meta_data: z.array(metaSchema).default([]),
});

const taxLine = z.object({
  rate_id: z.union([z.int(), word]).transform(String),
  label: text,
  rate_code: text,
  rate_percent: z.union([z.number(), money]).nullish(),
});

const billing = z.object({
  first_name: text,
  last_name: text,
  company: text,
  address_1: text,
  address_2: text,
  city: text,
  country: text,
  email: text,
  phone: text,
});

/** All an order knows of its refunds that we read; the whole is in `orders/{id}/refunds`. */
const refund = z.object({ id: idSchema, reason: text, total: moneyOrNone });

// Compiled once into one function, which reads an order four times as fast; what it refuses is read again for the issue.
const order = z.compile(
  z.object({
    id: idSchema,
    number: text,
    status: word.min(1),
    currency: z.string().regex(/^[A-Z]{3}$/, 'not a currency code'),
    date_created_gmt: gmt,
    date_modified_gmt: gmt,
    date_paid_gmt: gmt.nullable(),
    total: money,
    total_tax: money,
    billing,
    shipping: z.object({ country: text, phone: text }).optional(),
    payment_method: text,
    customer_note: text,
    payment_method_title: text,
    meta_data: z.array(metaSchema),
    line_items: z.array(lineItem),
    tax_lines: z.array(taxLine),
    shipping_lines: z.array(shippingLine),
    fee_lines: z.array(feeLine),
    refunds: z.array(refund),
    /** Of gift card plugins; read in tenders.ts, and never a reason to refuse an order. */
    gift_cards: z.unknown().optional(),
    pw_gift_card_lines: z.unknown().optional(),
  }),
);

export type WooOrder = z.output<typeof order>;
export type WooMeta = z.output<typeof metaSchema>;
export type WooTaxed = z.output<typeof taxed>;
export type WooLineItem = z.output<typeof lineItem>;
export type WooTaxLine = z.output<typeof taxLine>;

/** As people read a charge: decoded once, and never nameless. */
export function chargeName(kind: 'shipping' | 'fee', name: string): string {
  return decode(name).trim() || (kind === 'shipping' ? 'Envío' : 'Recargo');
}

/** Reads WooCommerce's own JSON; throws PayloadError that names the first unreadable place, never its value. */
export function readPayload(payload: unknown): WooOrder {
  const missing = ['id', 'line_items', 'total'].filter(
    (key) => typeof payload !== 'object' || payload === null || !(key in payload),
  );
  if (missing.length > 0) {
    throw new PayloadError(
      'not-an-order',
      'Lo que envió la tienda no es un pedido de WooCommerce. Entregue el pedido tal como lo da la API wc/v3.',
      `Not a WooCommerce v3 order: ${missing.join(', ')} missing at the top. Pass the order itself, not a list or a wrapper.`,
    );
  }
  const read = order.safeParse(payload);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const place = (issue?.path ?? []).join('.') || 'the order itself';
  throw new PayloadError(
    'order-unreadable',
    `El pedido de la tienda no se puede leer en «${place}». Revise si un plugin cambia los pedidos de la API de WooCommerce.`,
    `WooCommerce order unreadable at ${place}: ${issue?.message ?? 'unknown'}. Compare with GET wc/v3/orders/{id} of a plain shop.`,
  );
}
