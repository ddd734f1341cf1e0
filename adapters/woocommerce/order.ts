import { createHash } from 'node:crypto';
import { decode } from 'html-entities';
import { countryCode } from '../../src/domain/country.ts';
import { type Amount, type Decimal, decimal, sum } from '../../src/domain/money.ts';
import type { Buyer, Charge, Delivery, Line, Order, Settlement, Tax, Taxed } from '../../src/domain/order.ts';
import { bareRefund, type Refund } from '../../src/domain/refund.ts';
import { loneNumber } from '../../src/domain/stated-identification.ts';
import { limitText } from '../../src/domain/text.ts';
import { metaText, readIds } from './identification.ts';
import {
  chargeName,
  readPayload,
  type WooLineItem,
  type WooOrder,
  type WooTaxed,
  type WooTaxLine,
} from './payload.ts';
import type { ProductDetails } from './products.ts';
import type { Connection } from './settings.ts';
import { readTenders } from './tenders.ts';

/** Meta key under which the write-back leaves the factura's access key. */
export const accessKeyMeta = '_facturapuente_clave_acceso';
/** Meta key under which the write-back leaves the notas de crédito: a list of objects (write-back.ts). */
export const creditNotesMeta = '_facturapuente_notas_credito';

/** What the API tells beside the order itself. */
export interface Beside {
  products?: ProductDetails;
  /** Every refund of the order as read in full; without them the order's own few words about them count. */
  refunds?: readonly Refund[];
}

/**
 * Reads a wc/v3 order. Amounts are WooCommerce's own: lines are without tax even in shops whose prices include
 * it, and the sum of lines and charges can differ from `total` by cents in shops that round per subtotal
 * (measured on WooCommerce 11.0.1). Throws PayloadError.
 */
export function readOrder(payload: unknown, connection: Connection, beside: Beside = {}): Order {
  const order = readPayload(payload);
  const { products = new Map(), refunds = order.refunds.map(namedRefund) } = beside;
  const tenders = readTenders(order);
  const taxLines = new Map(order.tax_lines.map((line) => [line.rate_id, line] as const).reverse());
  const taxed = (row: WooTaxed, taxClass: string | null, taxStatus = '', subtotal = row.total) =>
    readTaxed(row, taxLines, taxClass, taxStatus, subtotal);
  const settlement = settlementOf(order, refunds, connection);
  const orderKey = orderKeyOf(order);
  const unaccepted = settlement === 'unpaid' ? notAccepted(order, connection) : undefined;
  return {
    platform: 'woocommerce',
    shop: connection.url,
    id: order.id,
    name: `#${order.number || order.id}`,
    ...(orderKey === undefined ? {} : { orderKey }),
    ...(order.parent_id === null ? {} : { parentId: order.parent_id }),
    settlement,
    status: order.status,
    ...(unaccepted ? { notAccepted: unaccepted } : {}),
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
        readCharge('shipping', line, line.method_title, taxed(line, null, line.tax_status)),
      ),
      ...order.fee_lines
        .filter(({ id }) => !tenders.fees.has(id))
        .map((line) => readCharge('fee', line, line.name, taxed(line, line.tax_class, line.tax_status))),
    ],
    total: tenders.total,
    totalTax: order.total_tax,
    buyer: readBuyer(order, connection),
    delivery: readDelivery(order),
    payments: tenders.payments,
    refunds: [...refunds],
    accessKeys: readAccessKeys(order),
    note: order.customer_note.trim() || null,
    attributes: order.meta_data.flatMap((meta) => {
      const value = metaText(meta);
      return value === null ? [] : [{ name: meta.key, value }];
    }),
    terms: null,
  };
}

/**
 * An order keeps its `order_key` for life, from the checkout's draft on; dates and numbers can be changed. It opens pages
 * of the order, so only its digest is kept.
 */
export function orderKeyOf({ order_key: key }: Record<string, unknown>): string | undefined {
  if (typeof key !== 'string' || key === '') return undefined;
  return createHash('sha256').update(key).digest('hex').slice(0, 32);
}

function readTaxed(
  row: WooTaxed,
  taxLines: ReadonlyMap<string | null, WooTaxLine>,
  taxClass: string | null,
  taxStatus: string,
  subtotal: Amount,
): Taxed {
  const taxes = row.taxes.flatMap(({ id, total }): Tax[] => {
    if (total === null) return [];
    const line = id === null ? undefined : taxLines.get(id);
    const percent = line?.rate_percent ?? null;
    const rate = percent === null ? null : decimal(percent).toFixed();
    return [
      { title: decode(line?.label ?? ''), rate, amount: total, rateId: id, ...countryOf(line?.rate_code) },
    ];
  });
  // A plugin that taxes without a rate row: kept as an unknown tax, so that no rule takes it for untaxed.
  if (taxes.length === 0 && !decimal(row.total_tax).isZero()) {
    taxes.push({ title: '', rate: null, amount: row.total_tax, rateId: null });
  }
  return {
    subtotal,
    net: row.total,
    tax: exact(sum(taxes.map(({ amount }) => amount))),
    taxes,
    taxClass,
    taxable: taxStatus === '' ? null : taxStatus !== 'none',
  };
}

/** `EC-IVA 15%-1`, `US-CA-SALES TAX-1`: country, state, name, priority; a rate for everywhere begins with its name. */
function countryOf(code = ''): Pick<Tax, 'country'> {
  const [, country] = /^([A-Z]{2})-.+-\d+$/.exec(code) ?? [];
  return country === undefined ? {} : { country };
}

function readLine(line: WooLineItem, products: ProductDetails): Omit<Line, keyof Taxed> {
  return {
    id: line.id,
    kind: 'product',
    sku: line.sku.trim() || null,
    name: decode(line.name),
    quantity: decimal(line.quantity).toFixed(),
    service: null,
    productId: line.variation_id ?? line.product_id,
    ...(products.get(line.product_id ?? '') ?? { tags: [], collections: [] }),
    attributes: line.meta_data
      .filter(({ key }) => !key.startsWith('_'))
      .flatMap(({ key, value, display_key, display_value }) => {
        const shown = typeof display_value === 'string' ? display_value : value;
        if (typeof shown !== 'string' && typeof shown !== 'number') return [];
        const name = typeof display_key === 'string' ? display_key : key;
        return [{ name: shownText(name), value: shownText(String(shown)) }];
      }),
  };
}

function readCharge(kind: 'shipping' | 'fee', line: WooTaxed, name: string, taxed: Taxed): Charge {
  return { id: line.id, kind, name: chargeName(kind, name), ...taxed };
}

/** Plugins show links and breaks in line meta; a document takes plain text. */
function shownText(html: string): string {
  return decode(withoutTags(html)).replace(/\s+/g, ' ').trim();
}

/** A tag becomes a blank; a `<` that no `>` follows is no tag. */
function withoutTags(html: string): string {
  const [rest = '', ...closed] = html.split('>').reverse();
  const texts = closed.reverse().map((text) => {
    const at = text.indexOf('<');
    return at < 0 ? `${text}>` : `${text.slice(0, at)} `;
  });
  return [...texts, rest].join('');
}

/** Ours, each once: parallel writers can leave several rows of one key (measured on WooCommerce 11.0.1). */
function readAccessKeys(order: WooOrder): string[] {
  const keys = order.meta_data.flatMap((meta) => {
    if (meta.key === accessKeyMeta) return [metaText(meta)];
    if (meta.key !== creditNotesMeta || !Array.isArray(meta.value)) return [];
    return meta.value.map((note: unknown) =>
      typeof note === 'object' &&
      note !== null &&
      'clave_acceso' in note &&
      typeof note.clave_acceso === 'string'
        ? limitText(note.clave_acceso)
        : null,
    );
  });
  return [...new Set(keys.filter((key): key is string => typeof key === 'string'))];
}

/** At least cents; more where the shop states more. */
function exact(amount: Decimal): Amount {
  return amount.toFixed(Math.max(2, amount.decimalPlaces()));
}

/** An order says of a refund how much, negative, and why; what it was for stands in the refund itself. */
function namedRefund({ id, reason, total }: WooOrder['refunds'][number]): Refund {
  return { ...bareRefund(id, total.replace(/^-/, '')), reason: reason.trim() || null };
}

/**
 * Where the money stands. Paid means a payment date and a paid status: topics and transitions say nothing, a
 * cancelled order keeps its payment date, and cash on delivery is "processing" long before the money comes
 * (measured on WooCommerce 11.0.1). `refunds` are those the order was read with, so that both always agree.
 */
function settlementOf(order: WooOrder, refunds: readonly Refund[], connection: Connection): Settlement {
  const { status } = order;
  if (['checkout-draft', 'auto-draft', 'draft'].includes(status)) return 'draft';
  if (['cancelled', 'trash'].includes(status)) return 'cancelled';
  if (status === 'refunded') return 'refunded';
  const paid =
    connection.paidStatuses.includes(status) &&
    (order.date_paid_gmt !== null || connection.invoiceUnpaidMethods.includes(order.payment_method));
  if (!paid) return 'unpaid';
  const back = sum(refunds.map(({ amount }) => amount ?? '0'));
  if (back.isZero()) return 'paid';
  return back.gte(order.total) ? 'refunded' : 'partially-refunded';
}

/** In these WooCommerce itself says that the order is not done yet. */
const ownSteps = ['pending', 'on-hold', 'failed', 'processing'];

/**
 * The setting that keeps an order with the settlement `unpaid` from being taken for paid: it has a date of payment and a
 * status nobody named, or an accepted status and no such date (cash on delivery).
 */
function notAccepted(order: WooOrder, { paidStatuses }: Connection): Order['notAccepted'] {
  const { status, payment_method: method } = order;
  const waits = ownSteps.includes(status);
  if (paidStatuses.includes(status))
    return order.date_paid_gmt !== null || method === ''
      ? undefined
      : { setting: 'invoiceUnpaidMethods', value: method, waits };
  if (order.date_paid_gmt === null || (waits && status !== 'processing')) return undefined;
  return { setting: 'paidStatuses', value: status, waits };
}

/** Where plugins keep the legal name a buyer gives for the factura. */
const legalNames = [
  '_billing_razon_social',
  'billing_razon_social',
  '_razon_social',
  'razon_social',
  'Razon social',
];

/**
 * Billing texts come raw, unlike names and block checkout values: "Hijos & Co" stays as it is (measured on
 * WooCommerce 11.0.1).
 */
function readBuyer(order: WooOrder, connection: Connection): Buyer {
  const { billing } = order;
  const line = (...parts: string[]) => parts.map((part) => part.trim()).filter((part) => part !== '');
  const legalName = order.meta_data.find(({ key }) => legalNames.includes(key) || isLegalNameField(key));
  // A number typed there is an identification, not a company.
  const company = loneNumber(billing.company) ? '' : billing.company.trim();
  return {
    name: line(billing.first_name, billing.last_name).join(' ') || null,
    company: (legalName && metaText(legalName)) || company || null,
    email: billing.email.trim() || null,
    phone: billing.phone.trim() || null,
    phones: [...new Set(line(billing.phone, order.shipping?.phone ?? ''))],
    address: line(billing.address_1, billing.address_2, billing.city).join(', ') || null,
    country: countryCode(billing.country) ?? countryCode(order.shipping?.country),
    ids: readIds(order, connection.idSources),
  };
}

/** WooCommerce's own methods of picking up: of shipping zones, and of the block checkout. */
const pickUps = ['local_pickup', 'pickup_location'];

/** Of an order without anything to ship there is no ship-to address. */
function readDelivery({ shipping_lines: lines, shipping }: WooOrder): Delivery {
  const inShop = lines.length > 0 && lines.every(({ method_id }) => pickUps.includes(method_id));
  return { by: inShop ? 'in-shop' : 'shipping', country: countryCode(shipping?.country) };
}

/** A block checkout field such as `_wc_other/tienda/razon-social`. */
function isLegalNameField(key: string): boolean {
  return /^_wc_(billing|other)\/.+\/razon[-_]?social$/.test(key);
}
