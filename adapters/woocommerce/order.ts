import { createHash } from 'node:crypto';
import { z } from 'zod';
import { decimal, roundsToZero, sum } from '../../src/domain/money.ts';
import {
  bareRefund,
  type Charge,
  type Line,
  type Order,
  type Refund,
  readAccessKeys,
  type Tax,
  type Taxed,
} from '../../src/domain/order.ts';
import { freeText } from '../../src/domain/text.ts';
import { metaText, readBuyer, readDelivery } from './buyer.ts';
import { noDetails, type ProductDetails } from './catalog.ts';
import {
  chargeName,
  decodeText,
  readPayload,
  type WooLineItem,
  type WooOrder,
  type WooTaxed,
} from './payload.ts';
import { notAccepted, readPayments, readSettlement } from './payments.ts';
import { depositOf, feeKind, lineKind } from './plugins.ts';
import type { Connection } from './settings.ts';

export const accessKeyMeta = '_facturapuente_clave_acceso';
export const creditNotesMeta = '_facturapuente_notas_credito';

/**
 * Lines are without tax even where prices include it; lines and charges can differ from `total` by cents
 * in shops that round per subtotal (measured on WooCommerce 11.0.1). Throws PayloadError.
 */
export function readOrder(
  payload: unknown,
  connection: Connection,
  details: { products?: ProductDetails; refunds?: readonly Refund[] } = {},
): Order {
  const order = readPayload(payload);
  const { products = new Map(), refunds = order.refunds.map(namedRefund) } = details;
  const { total, payments, paymentFees } = readPayments(order);
  const taxed = (row: WooTaxed, taxClass: string | null, taxStatus = '', subtotal = row.total): Taxed => ({
    subtotal,
    ...readTaxes(row, order.tax_lines),
    taxClass,
    taxable: taxStatus === '' ? null : taxStatus !== 'none',
  });
  const deposit = depositOf(order);
  const settlement = readSettlement(order, refunds, connection, deposit);
  const orderKey = orderKeyOf(order);
  const unaccepted = settlement === 'unpaid' ? notAccepted(order, connection) : undefined;
  return {
    platform: 'woocommerce',
    shop: connection.url,
    id: order.id,
    name: `#${order.number || order.id}`,
    ...(orderKey !== undefined && { orderKey }),
    ...(order.parent_id !== null && { parentId: order.parent_id }),
    ...(order.meta_data.some(({ key, value }) => splitMarks.has(key) && isMarked(value)) && {
      hasSubOrders: true,
    }),
    ...(isPaidApart(order) && { paidApart: true }),
    settlement,
    status: order.status,
    ...(unaccepted && { notAccepted: unaccepted }),
    ...(deposit && { deposit }),
    test: false,
    currency: order.currency,
    presentment: null,
    placedAt: order.date_created_gmt,
    paidAt: order.date_paid_gmt,
    updatedAt: order.date_modified_gmt ?? order.date_created_gmt,
    lines: order.line_items
      .filter(({ quantity }) => quantity > 0)
      .map((line) => ({
        ...readLine(line, products),
        ...taxed(line, line.tax_class, undefined, line.subtotal),
      })),
    charges: [
      ...order.shipping_lines.map((line) =>
        readCharge({ kind: 'shipping' }, line, line.method_title, taxed(line, null, line.tax_status)),
      ),
      ...order.fee_lines
        .filter((line) => !paymentFees.includes(line))
        .map((line) =>
          readCharge(feeKind(line), line, line.name, taxed(line, line.tax_class, line.tax_status)),
        ),
    ],
    total,
    totalTax: order.total_tax,
    buyer: readBuyer(order, connection),
    delivery: readDelivery(order),
    payments,
    refunds: [...refunds],
    ...readAccessKeys(keyTexts(order)),
    note: order.customer_note.trim() || null,
    attributes: order.meta_data.flatMap((meta) => {
      const value = metaText(meta);
      return value === null ? [] : [{ name: meta.key, value }];
    }),
    terms: null,
  };
}

/** Marks of marketplaces on an order they split: Dokan and YITH, MultiVendorX, its former name (their sources). */
const splitMarks = new Set(['has_sub_order', 'has_mvx_sub_order', 'has_wcmp_sub_order']);
const isMarked = (value: unknown): boolean =>
  ![undefined, null, false, 0, '', '0', 'no'].includes(value as never);

/**
 * WooCommerce Subscriptions' renewals and later payments of WooCommerce Deposits (class-wc-deposits-order-manager.php).
 */
function isPaidApart({ meta_data, line_items, parent_id }: WooOrder): boolean {
  const isRest = ({ meta_data }: WooLineItem): boolean =>
    meta_data.some((meta) => meta.key === '_original_order_id' && metaText(meta) === parent_id);
  const isRenewal = meta_data.some(({ key, value }) => key === '_subscription_renewal' && isMarked(value));
  return isRenewal || (parent_id !== null && line_items.length > 0 && line_items.every(isRest));
}

/** A digest, because the key opens pages of the order. An order keeps its key for life. */
export function orderKeyOf({ order_key: key }: Record<string, unknown>): string | undefined {
  if (typeof key !== 'string' || key === '') return undefined;
  return createHash('sha256').update(key).digest('hex').slice(0, 32);
}

function readTaxes(row: WooTaxed, taxLines: WooOrder['tax_lines']): Pick<Taxed, 'net' | 'tax' | 'taxes'> {
  const taxes = row.taxes.flatMap(({ id, total }): Tax[] => {
    if (total === null) return [];
    const line = id === null ? undefined : taxLines.find(({ rate_id }) => rate_id === id);
    const percent = line?.rate_percent ?? null;
    const rate = percent === null ? null : decimal(percent).toFixed();
    return [{ title: line?.label ?? '', rate, amount: total, rateId: id, ...countryOf(line?.rate_code) }];
  });
  // A plugin that taxes without a rate: an unknown tax, so that the line does not look untaxed.
  if (taxes.length === 0 && !roundsToZero(row.total_tax))
    taxes.push({ title: '', rate: null, amount: row.total_tax, rateId: null });
  const tax = sum(taxes.map(({ amount }) => amount));
  return { net: row.total, tax: tax.toFixed(Math.max(2, tax.decimalPlaces())), taxes };
}

/** `EC-IVA 15%-1`, `US-CA-SALES TAX-1`. The code of a rate for every country begins with its name. */
function countryOf(code = ''): Pick<Tax, 'country'> {
  const [, country] = /^([A-Z]{2})-.+-\d+$/.exec(code) ?? [];
  return country === undefined ? {} : { country };
}

function readLine(line: WooLineItem, products: ProductDetails): Omit<Line, keyof Taxed> {
  const is = lineKind(line);
  // The code of a card can be spent by any reader: it belongs neither on a document nor into the ledger.
  const metas = is.kind === 'gift-card' ? [] : line.meta_data;
  return {
    id: line.id,
    ...is,
    sku: line.sku.trim() || null,
    name: line.name,
    quantity: decimal(line.quantity).toFixed(),
    service: null,
    productId: line.variation_id ?? line.product_id,
    ...(products.get(line.product_id ?? '') ?? noDetails),
    attributes: metas
      .filter(({ key }) => !key.startsWith('_'))
      .flatMap(({ key, value, display_key, display_value }) => {
        const shown = typeof display_value === 'string' ? display_value : value;
        if (typeof shown !== 'string' && typeof shown !== 'number') return [];
        const name = typeof display_key === 'string' ? display_key : key;
        return [{ name: shownText(name), value: shownText(String(shown)) }];
      }),
  };
}

function readCharge(is: Pick<Charge, 'kind' | 'row'>, line: WooTaxed, name: string, taxed: Taxed): Charge {
  return {
    id: line.id,
    ...is,
    name: chargeName(is.kind === 'shipping' ? 'shipping' : 'fee', name),
    ...taxed,
  };
}

/** Plugins put links and line breaks into line meta; a document takes plain text. */
function shownText(html: string): string {
  return decodeText(withoutTags(html)).replace(/\s+/g, ' ').trim();
}

/** A `<` that no `>` follows is no tag. Linear also in a text of many `<`, unlike a pattern. */
function withoutTags(html: string): string {
  const [rest = '', ...closed] = html.split('>').reverse();
  const texts = closed.reverse().map((text) => {
    const at = text.indexOf('<');
    return at < 0 ? `${text}>` : `${text.slice(0, at)} `;
  });
  return [...texts, rest].join('');
}

const creditNote = z.object({ clave_acceso: freeText });

/** Parallel writers can leave several rows of one key (measured on WooCommerce 11.0.1). */
function keyTexts(order: WooOrder): string[] {
  return order.meta_data.flatMap((meta) => {
    if (meta.key === accessKeyMeta) return metaText(meta) ?? [];
    if (meta.key !== creditNotesMeta || !Array.isArray(meta.value)) return [];
    return meta.value.flatMap((note) => creditNote.safeParse(note).data?.clave_acceso ?? []);
  });
}

function namedRefund({ id, reason, total }: WooOrder['refunds'][number]): Refund {
  return { ...bareRefund(id, total.replace(/^-/, '')), reason: reason.trim() || null };
}
