import { decode } from 'html-entities';
import { type Amount, type Decimal, decimal, sum } from '../../src/core/money.ts';
import type { Charge, Line, Order, Settlement, Tax, Taxed } from '../../src/core/order.ts';
import { bareRefund } from '../../src/core/refund.ts';
import { readBuyer } from './buyer.ts';
import { metaText } from './identification.ts';
import { readPayload, type WooLineItem, type WooOrder, type WooTaxed, type WooTaxLine } from './payload.ts';
import type { ProductDetails } from './products.ts';
import type { Connection } from './settings.ts';
import { readTenders } from './tenders.ts';

/** Meta key under which the write-back leaves the factura's access key. */
export const accessKeyMeta = '_facturapuente_clave_acceso';
/** Meta key under which the write-back leaves the notas de crédito: a list of objects (write-back.ts). */
export const creditNotesMeta = '_facturapuente_notas_credito';

/**
 * Reads a wc/v3 order. Amounts are WooCommerce's own: lines are without tax even in shops whose prices include
 * it, and the sum of lines and charges can differ from `total` by cents in shops that round per subtotal
 * (measured on WooCommerce 11.0.1). Throws PayloadError.
 */
export function readOrder(
  payload: unknown,
  connection: Connection,
  products: ProductDetails = new Map(),
): Order {
  const order = readPayload(payload);
  const tenders = readTenders(order);
  const taxed = (row: WooTaxed, taxClass: string | null, taxStatus?: string, subtotal = row.total) =>
    readTaxed(row, order.tax_lines, taxClass, taxStatus, subtotal);
  return {
    platform: 'woocommerce',
    shop: connection.url,
    id: order.id,
    name: `#${order.number || order.id}`,
    settlement: settlementOf(order, connection),
    status: order.status,
    test: false,
    currency: order.currency,
    presentment: null,
    placedAt: order.date_created_gmt,
    paidAt: order.date_paid_gmt,
    updatedAt: order.date_modified_gmt,
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
    payments: tenders.payments,
    refunds: order.refunds.map(({ id, total }) => bareRefund(id, total === '' ? null : positive(total))),
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
 * Paid means a payment date and a paid status: topics and transitions say nothing (measured on WooCommerce 11.0.1), a cancelled
 * order keeps its payment date, and cash on delivery is "processing" long before the money comes.
 */
function settlementOf(order: WooOrder, connection: Connection): Settlement {
  const { status } = order;
  if (['checkout-draft', 'auto-draft', 'draft'].includes(status)) return 'draft';
  if (['cancelled', 'trash'].includes(status)) return 'cancelled';
  if (status === 'refunded') return 'refunded';
  const paid =
    connection.paidStatuses.includes(status) &&
    (order.date_paid_gmt !== null || connection.invoiceUnpaidMethods.includes(order.payment_method));
  if (!paid) return 'unpaid';
  const back = sum(order.refunds.map(({ total }) => positive(total || '0')));
  if (back.isZero()) return 'paid';
  return back.gte(order.total) ? 'refunded' : 'partially-refunded';
}

function readTaxed(
  row: WooTaxed,
  taxLines: readonly WooTaxLine[],
  taxClass: string | null,
  taxStatus: string | undefined,
  subtotal: Amount,
): Taxed {
  const taxes = row.taxes
    .filter(({ total }) => total !== '')
    .map(({ id, total }): Tax => {
      const line = taxLines.find(({ rate_id }) => rate_id === id);
      const percent = line?.rate_percent ?? null;
      return {
        title: decode(line?.label ?? ''),
        rate: percent === null ? null : decimal(percent).toFixed(),
        amount: total,
        rateId: id,
      };
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
    taxable: taxStatus === undefined ? null : taxStatus !== 'none',
  };
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
  const unnamed = kind === 'shipping' ? 'Envío' : 'Recargo';
  return { id: line.id, kind, name: decode(name).trim() || unnamed, ...taxed };
}

/** Plugins show links and breaks in line meta; a document takes plain text. */
function shownText(html: string): string {
  return decode(html.replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();
}

/** Ours, each once: parallel writers can leave several rows of one key (measured on WooCommerce 11.0.1). */
function readAccessKeys(order: WooOrder): string[] {
  const keys = order.meta_data.flatMap((meta) => {
    if (meta.key === accessKeyMeta) return [metaText(meta)];
    if (meta.key !== creditNotesMeta || !Array.isArray(meta.value)) return [];
    return meta.value.map((note: unknown) =>
      typeof note === 'object' && note !== null && 'clave_acceso' in note ? note.clave_acceso : null,
    );
  });
  return [...new Set(keys.filter((key): key is string => typeof key === 'string'))];
}

/** At least cents; more where the shop states more. */
function exact(amount: Decimal): Amount {
  return amount.toFixed(Math.max(2, amount.decimalPlaces()));
}

/** Refunds stand in the order as negative totals. */
function positive(amount: string): Amount {
  return amount.replace(/^-/, '');
}
