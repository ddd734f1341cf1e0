import type { z } from 'zod';
import { countryCode } from '../../src/domain/country.ts';
import { PayloadError } from '../../src/domain/errors.ts';
import { unreadable } from '../../src/domain/loose.ts';
import { type Amount, type Decimal, decimal, sum } from '../../src/domain/money.ts';
import type { Delivery, Order, Payment, Settlement } from '../../src/domain/order.ts';
import { writeAmount } from './amounts.ts';
import { readBuyer } from './buyer.ts';
import { instant } from './instant.ts';
import { readItems } from './items.ts';
import { RestOrder } from './payload.ts';
import { fromRest } from './rest.ts';
import type { Connection } from './settings.ts';
import type { Sale } from './shape.ts';
import { type Sold, saleAsSold } from './sold.ts';

/**
 * Reads a REST-shaped order (webhook body, `orders/<id>.json` with or without its `{order: …}`) into an Order.
 * @throws PayloadError when it is no order.
 */
export function readOrder(payload: unknown, connection: Connection): Order {
  const body = unwrap(payload);
  const result = RestOrder.safeParse(body);
  if (!result.success) throw notAnOrder(body, result.error);
  return buildOrder(fromRest(result.data), connection);
}

/** The one road from Shopify's figures to an Order, whichever API they came from. */
export function buildOrder(read: Sale, connection: Pick<Connection, 'shop' | 'idSources'>): Order {
  const sale = withoutRounding(read);
  const settlement = readSettlement(sale);
  const sold = saleAsSold(sale);
  const placedAt = sale.createdAt ?? sale.processedAt;
  const received = sale.transactions?.filter(isPayment) ?? [];
  const paidAt = received.map((one) => one.processedAt).reduce(later, null) ?? sale.processedAt;
  return {
    platform: 'shopify',
    shop: connection.shop,
    id: sale.id,
    name: sale.name.trim(),
    settlement,
    status: [sale.financialStatus, sale.cancelledAt === null ? null : 'cancelled'].filter(Boolean).join(', '),
    test: sale.test,
    currency: sale.currency,
    presentment: sale.presentment && {
      ...sale.presentment,
      total: writeAmount(decimal(sale.presentment.total)),
    },
    placedAt: instant(placedAt),
    paidAt: moneyCame(sale) || received.length > 0 ? paidAt && instant(paidAt) : null,
    updatedAt: instant(sale.updatedAt ?? placedAt),
    ...readItems(sale, sold),
    total: sold.total,
    totalTax: sold.totalTax,
    buyer: readBuyer(sale.buyer, connection.idSources),
    delivery: readDelivery(sale, sold),
    payments: readPayments(sale, sold.total),
    ...(decimal(sale.cashRounding).isZero() ? {} : { cashRounding: writeAmount(decimal(sale.cashRounding)) }),
    refunds: sale.refunds,
    accessKeys: sale.accessKeys,
    note: sale.note,
    attributes: sale.buyer.noteAttributes,
    terms: sale.terms,
  };
}

/** What is sold at a till and not sent from there is handed over. Of an online order Shopify does not say who picks it up. */
function readDelivery({ source, shipping, buyer }: Sale, { lines }: Sold): Delivery {
  const country = countryCode(buyer.shipping?.countryCode);
  if (source === 'pos' && shipping.length === 0) return { by: 'in-shop', country };
  const sent =
    lines.length === 0 || lines.some(({ requiresShipping, tip }) => !tip && requiresShipping !== false);
  return { by: sent ? 'shipping' : 'none', country };
}

/** What came in, as it would be without the till's rounding of cash: `total_price` knows none of it. */
function withoutRounding(sale: Sale): Sale {
  const { received, cashRounding } = sale;
  if (received === null || !decimal(received).minus(cashRounding).eq(sale.total)) return sale;
  return { ...sale, received: sale.total };
}

const settlements: Record<string, Settlement> = {
  paid: 'paid',
  partially_paid: 'partially-paid',
  partially_refunded: 'partially-refunded',
  refunded: 'refunded',
};

/** Cancelling does not move money in Shopify; only a full refund says more than the cancellation. */
function readSettlement(sale: Sale): Settlement {
  const status = sale.financialStatus;
  if (status === 'refunded') return 'refunded';
  if (sale.cancelledAt !== null) return 'cancelled';
  if (status === null) return decimal(sale.total).isZero() ? 'paid' : 'unpaid';
  return settlements[status] ?? 'unpaid';
}

/** A cancelled order's money may have come all the same. */
function moneyCame(sale: Sale): boolean {
  const uncancelled = readSettlement({ ...sale, cancelledAt: null });
  return uncancelled === 'paid' || uncancelled === 'partially-refunded' || uncancelled === 'refunded';
}

type Transaction = NonNullable<Sale['transactions']>[number];

function isPayment(transaction: Transaction): boolean {
  return transaction.status === 'success' && ['sale', 'capture'].includes(transaction.kind);
}

/** Per gateway what came in, less the change given back on cash; without transactions only the names. */
function readPayments(sale: Sale, total: Amount): Payment[] {
  const byGateway = new Map<string, { title: string | null; amounts: Amount[] }>();
  for (const one of sale.transactions ?? []) {
    const change = one.kind === 'change' && one.status === 'success';
    if (!isPayment(one) && !change) continue;
    const seen = byGateway.get(one.gateway) ?? { title: one.title, amounts: [] };
    seen.amounts.push(change ? writeAmount(decimal(one.amount).abs().negated()) : one.amount);
    byGateway.set(one.gateway, seen);
  }
  if (byGateway.size > 0)
    return unrounded(
      [...byGateway].map(([gateway, { title, amounts }]) => ({ gateway, title, amount: sum(amounts) })),
      sale.cashRounding,
      total,
    );
  const names = [...new Set(sale.gatewayNames.map((name) => name.trim()).filter(Boolean))];
  const amount = names.length === 1 && moneyCame(sale) ? total : null;
  return names.map((gateway) => ({ gateway, title: null, amount }));
}

/** Payments that come to the total but for the rounding of cash: the cash was for all of its part. */
function unrounded(
  paid: { gateway: string; title: string | null; amount: Decimal }[],
  rounding: Amount,
  total: Amount,
): Payment[] {
  const off = decimal(total).minus(sum(paid.map(({ amount }) => amount)));
  const cash = paid.find(({ gateway }) => /cash|efectivo/i.test(gateway));
  const isRounded = cash !== undefined && !off.isZero() && off.eq(decimal(rounding).negated());
  return paid.map(({ amount, ...one }) => ({
    ...one,
    amount: writeAmount(isRounded && one.gateway === cash.gateway ? amount.plus(off) : amount),
  }));
}

function later(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return Date.parse(b) > Date.parse(a) ? b : a;
}

function unwrap(payload: unknown): unknown {
  if (typeof payload !== 'object' || payload === null || !('order' in payload)) return payload;
  return 'line_items' in payload ? payload : payload.order;
}

/** Other Shopify bodies people pass by mistake are called by their name; of an order the place that cannot be read. */
function notAnOrder(payload: unknown, error: z.ZodError): PayloadError {
  const keys = typeof payload === 'object' && payload !== null ? Object.keys(payload) : [];
  const { merchant, engineer } = unreadable(payload, error);
  if (ofAnOrder.filter((mark) => keys.includes(mark)).length > 1)
    return new PayloadError(
      'shopify-order-unreadable',
      `El pedido de Shopify no se puede leer: ${merchant}. Entregue el pedido tal como lo da Shopify, o revise qué aplicación cambia ese dato.`,
      `Shopify order unreadable: ${engineer}. Compare with orders/<id>.json of the Admin API.`,
    );
  const stranger = strangers.find(([, marks]) => marks.every((mark) => keys.includes(mark)))?.[0];
  return new PayloadError(
    'shopify-not-an-order',
    `Lo que llegó de Shopify no es un pedido: ${stranger ?? merchant}. Entregue el pedido mismo.`,
    `Not a Shopify order (${stranger ?? 'unknown body'}): ${engineer}. Pass an order body, bare or as {order: …}.`,
  );
}

/** Of these no other body has two. */
const ofAnOrder = ['line_items', 'total_price', 'financial_status', 'taxes_included', 'shipping_lines'];

/** Other Shopify bodies people pass by mistake, by the keys that give them away. */
const strangers: [string, string[]][] = [
  ['es el aviso de una edición de pedido', ['order_edit']],
  ['es un reembolso', ['order_id', 'refund_line_items']],
  ['es una lista de pedidos', ['orders']],
  ['es una lista de reembolsos', ['refunds']],
  ['es una lista de transacciones', ['transactions']],
  ['es una transacción', ['order_id', 'gateway']],
  ['es una transacción', ['order_id', 'payment_method']],
  ['es una devolución', ['order_id', 'status']],
  ['es la ficha de la tienda', ['myshopify_domain']],
];
