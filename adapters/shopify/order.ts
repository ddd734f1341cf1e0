import type { z } from 'zod';
import { PayloadError } from '../../src/domain/errors.ts';
import { unreadable } from '../../src/domain/loose.ts';
import { type Amount, type Decimal, decimal, roundCents, sum } from '../../src/domain/money.ts';
import {
  type Charge,
  chargeSource,
  countryCode,
  type Delivery,
  type Line,
  lineSource,
  type Order,
  type Payment,
  type Refund,
  type Settlement,
} from '../../src/domain/order.ts';
import { namesTip } from '../../src/domain/text.ts';
import { readBuyer } from './buyer.ts';
import { RestOrder, unwrapOrder } from './payload.ts';
import { fromRest } from './rest.ts';
import { instant, type Sale, type SaleCharge, type SaleLine, taxedAmounts, writeAmount } from './sale.ts';
import type { Connection } from './settings.ts';

/** A webhook body, or `orders/<id>.json` with or without its `{order: …}`. Throws PayloadError. */
export function readOrder(payload: unknown, connection: Connection): Order {
  const body = unwrapOrder(payload);
  const result = RestOrder.safeParse(body);
  if (!result.success) throw notAnOrder(body, result.error);
  return buildOrder(fromRest(result.data), connection);
}

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
    paidAt: isPaid(sale) || received.length > 0 ? paidAt && instant(paidAt) : null,
    updatedAt: instant(sale.updatedAt ?? placedAt),
    ...readItems(sale, sold),
    total: sold.total,
    totalTax: sold.totalTax,
    ...(sold.overpaid === null ? {} : { overpaid: sold.overpaid }),
    ...(sold.isUnclear ? { unclearEdit: true as const } : {}),
    ...readRemoved(sale),
    buyer: readBuyer(sale.buyer, connection.idSources),
    delivery: readDelivery(sale, sold),
    payments: readPayments(sale, sold.total),
    ...(decimal(sale.cashRounding).isZero() ? {} : { cashRounding: writeAmount(decimal(sale.cashRounding)) }),
    refunds: sold.overpaid === null ? sale.refunds : sale.refunds.map(withExchange),
    accessKeys: sale.accessKeys,
    note: sale.note,
    attributes: sale.buyer.noteAttributes,
    // GraphQL shows payment terms to apps with read_payment_terms only, and an order is invoiced once it is paid.
    terms: null,
  };
}

/** A sale at a till without shipping is handed over. For online orders Shopify does not state who picks them up. */
function readDelivery({ source, buyer }: Sale, { lines, shipping }: Sold): Delivery {
  const country = countryCode(buyer.shipping?.countryCode);
  if (source === 'pos' && shipping.length === 0) return { by: 'in-shop', country };
  const sent =
    lines.length === 0 || lines.some(({ requiresShipping, tip }) => !tip && requiresShipping !== false);
  return { by: sent ? 'shipping' : 'none', country };
}

/** `total_price` does not contain the rounding of cash. */
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

/** Cancelling moves no money in Shopify, so a full refund counts before the cancellation. */
function readSettlement(sale: Sale): Settlement {
  const status = sale.financialStatus;
  if (status === 'refunded') return 'refunded';
  if (sale.cancelledAt !== null) return 'cancelled';
  if (status === null) return decimal(sale.total).isZero() ? 'paid' : 'unpaid';
  return settlements[status] ?? 'unpaid';
}

function isPaid(sale: Sale): boolean {
  const uncancelled = readSettlement({ ...sale, cancelledAt: null });
  return uncancelled === 'paid' || uncancelled === 'partially-refunded' || uncancelled === 'refunded';
}

type Transaction = NonNullable<Sale['transactions']>[number];

function isPayment(transaction: Transaction): boolean {
  return transaction.status === 'success' && ['sale', 'capture'].includes(transaction.kind);
}

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
  const amount = names.length === 1 && isPaid(sale) ? total : null;
  return names.map((gateway) => ({ gateway, title: null, amount }));
}

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

function notAnOrder(payload: unknown, error: z.ZodError): PayloadError {
  const keys = typeof payload === 'object' && payload !== null ? Object.keys(payload) : [];
  const problem = unreadable(payload, error);
  if (orderKeys.filter((key) => keys.includes(key)).length > 1)
    return new PayloadError('order-unreadable', { platform: 'Shopify', problem });
  const kind = otherBodies.find(([, marks]) => marks.every((mark) => keys.includes(mark)))?.[0];
  return new PayloadError('not-an-order', {
    what: 'un pedido',
    platform: 'Shopify',
    problem: kind ?? problem,
  });
}

/** No other body has two of these. */
const orderKeys = ['line_items', 'total_price', 'financial_status', 'taxes_included', 'shipping_lines'];

const otherBodies: [string, string[]][] = [
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

/** A tip is a line in REST and may be only a sum in GraphQL. */
function readItems(sale: Sale, sold: Pick<Sold, 'lines' | 'shipping'>): { lines: Line[]; charges: Charge[] } {
  const lines = markTip(sold.lines, sale.tip).filter((line) => line.quantity > 0);
  const tipWithoutLine = decimal(sale.tip).gt(0) && !lines.some((line) => line.tip);
  const duties = sale.dutiesIncluded ? [] : sold.lines.flatMap((line) => line.duties);
  return {
    lines: lines.map((line) => toLine(line, sale.taxesIncluded)),
    charges: [
      ...sold.shipping.map((charge) => toCharge(charge, 'shipping', sale.taxesIncluded)),
      ...sale.fees.map((charge) => toCharge(charge, 'fee', sale.taxesIncluded)),
      // Duties never include the taxes on them.
      ...duties.map((charge) => toCharge(charge, 'duty', false)),
      ...(tipWithoutLine ? [toCharge(tipCharge(sale.tip), 'tip', false)] : []),
    ],
  };
}

function readRemoved(sale: Sale): Pick<Order, 'removed'> {
  if (sale.refunds.some(({ parts }) => parts === null)) return {};
  const parts = sale.refunds.flatMap((refund) => refund.parts ?? []);
  const unitsBack = (id: string): number =>
    sum(parts.filter(({ of }) => of === lineSource(id)).map(({ quantity }) => quantity)).toNumber();
  const lines = sale.lines.flatMap((line) => {
    const units = line.quantity - line.currentQuantity - unitsBack(line.id);
    return units > 0 ? [toLine(ofUnits(line, units), sale.taxesIncluded)] : [];
  });
  const shipping = sale.shipping
    .filter((one) => isRemoved(one) && !parts.some(({ of }) => of === chargeSource('shipping', one.id)))
    .map((one) => toCharge(one, 'shipping', sale.taxesIncluded));
  const removed = [...lines, ...shipping];
  return removed.length === 0 ? {} : { removed };
}

/** GraphQL does not mark the tip line; it is the untaxed, unshipped line of exactly the tip's amount. */
function markTip(lines: SaleLine[], tip: Amount): SaleLine[] {
  if (decimal(tip).isZero() || lines.some((line) => line.tip)) return lines;
  const found = lines.find(
    (line) =>
      namesTip(line.name) &&
      line.taxes.length === 0 &&
      line.requiresShipping !== true &&
      decimal(line.unitPrice).times(line.quantity).minus(line.discount).eq(tip),
  );
  return lines.map((line) => (line === found ? { ...line, tip: true } : line));
}

function tipCharge(tip: Amount): SaleCharge {
  return { id: 'tip', name: 'Propina', price: tip, discount: '0.00', taxes: [] };
}

function toLine(line: SaleLine, taxesIncluded: boolean): Line {
  const gross = decimal(line.unitPrice).times(line.quantity);
  return {
    id: line.id,
    kind: line.tip ? 'tip' : line.giftCard ? 'gift-card' : 'product',
    sku: line.sku?.trim() || null,
    name: line.name.trim(),
    quantity: decimal(line.quantity).toFixed(),
    ...taxedAmounts(gross, decimal(line.discount), line.taxes, taxesIncluded),
    taxClass: null,
    taxable: line.taxable,
    service: line.requiresShipping === null ? null : !line.requiresShipping,
    productId: line.productId,
    tags: line.tags,
    collections: line.collections,
    // Names that begin with "_" are hidden from buyers.
    attributes: [
      ...(line.variant ? [{ name: 'Variante', value: line.variant }] : []),
      ...line.attributes.filter(({ name, value }) => !name.startsWith('_') && value !== ''),
    ],
  };
}

function toCharge(charge: SaleCharge, kind: Charge['kind'], taxesIncluded: boolean): Charge {
  const amounts = taxedAmounts(decimal(charge.price), decimal(charge.discount), charge.taxes, taxesIncluded);
  return { id: charge.id, kind, name: charge.name.trim(), ...amounts, taxClass: null, taxable: null };
}

export function sumOfItems(order: { lines: Line[]; charges: Charge[] }): Amount {
  return writeAmount(sum([...order.lines, ...order.charges].flatMap((item) => [item.net, item.tax])));
}

interface Sold {
  lines: SaleLine[];
  shipping: SaleCharge[];
  total: Amount;
  totalTax: Amount;
  overpaid: Amount | null;
  isUnclear?: boolean;
}

/**
 * Shopify does not state whether missing units (`quantity` less `current_quantity`) were removed or returned.
 * Everything paid: returns, which a nota de crédito takes back. Less paid: an edit; the order counts as it is now.
 */
function saleAsSold(sale: Sale): Sold {
  const all = everythingSold(sale);
  const asSold = containsAll(sale) ? all : wholeSale({ ...sale, shipping: keptShipping(sale) });
  const isReduced =
    sale.lines.some((line) => line.currentQuantity < line.quantity) || sale.shipping.some(isRemoved);
  if (!isReduced || sale.currentTotal === null) return asSold;
  const received = sale.received === null ? receivedByBalance(sale) : decimal(sale.received);
  if (received?.gte(all.total)) return all;
  const isKnown = received !== null && (isSettled(sale) || sale.financialStatus === 'partially_paid');
  if (isKnown || !sale.refunds.some(gaveBack)) return currentSale(sale, received);
  return { ...asSold, isUnclear: received === null && isContradicted(sale, asSold) };
}

function isContradicted({ refunds, currentTotal }: Sale, { total }: Sold): boolean {
  if (refunds.some(({ amount }) => amount === null)) return true;
  return decimal(currentTotal ?? '0').gt(0) && sum(refunds.map(({ amount }) => amount ?? '0')).gte(total);
}

function wholeSale(sale: Sale): Sold {
  const { lines, shipping, total, totalTax } = sale;
  return { lines, shipping, total: money(total), totalTax: money(totalTax ?? taxOf(sale)), overpaid: null };
}

/** Whether `total_price` still contains removed shipping is not documented: the sum of the items shows it. */
function everythingSold(sale: Sale): Sold {
  const removed = sale.shipping.filter(isRemoved);
  const whole = wholeSale(sale);
  if (containsAll(sale) || !isSumOf(sale, keptShipping(sale))) return whole;
  const { charges } = readItems(sale, { lines: [], shipping: removed });
  const tax = sum(removed.flatMap(({ taxes }) => taxes).map(({ amount }) => amount));
  return {
    ...whole,
    total: money(decimal(sale.total).plus(sum(charges.flatMap((one) => [one.net, one.tax])))),
    totalTax: money(decimal(whole.totalTax).plus(sale.totalTax === null ? 0 : tax)),
  };
}

const isRemoved = ({ removed }: SaleCharge): boolean => removed === true;
const keptShipping = ({ shipping }: Sale): SaleCharge[] => shipping.filter((one) => !isRemoved(one));

const containsAll = (sale: Sale): boolean => !sale.shipping.some(isRemoved) || isSumOf(sale, sale.shipping);

function isSumOf(sale: Sale, shipping: SaleCharge[]): boolean {
  const sold = decimal(sumOfItems(readItems(sale, { lines: sale.lines, shipping })));
  return sold.minus(sale.total).abs().lte(mostRounding);
}

/** An edit, a restock or a pending transfer gave nothing back yet. */
function gaveBack({ amount }: Sale['refunds'][number]): boolean {
  return amount === null || decimal(amount).gt(0);
}

function isSettled(sale: Sale): boolean {
  return ['paid', 'partially_refunded', 'refunded'].includes(sale.financialStatus ?? '');
}

/** The current total less what is still owed, plus what went back; null where these contradict each other. */
function receivedByBalance(sale: Sale): Decimal | null {
  const { currentTotal, outstanding, refunds } = sale;
  if (currentTotal === null || outstanding === null || !refunds.every(addsUp)) return null;
  if (refunds.some(gaveBack) && isSettled(sale) && decimal(outstanding).gt(0)) return null;
  const back = sum(refunds.map(({ amount }) => amount ?? '0'));
  return decimal(currentTotal).minus(outstanding).plus(back);
}

/** USD; the most that rounding may separate Shopify's sums from the sum of its lines. */
const mostRounding = '0.05';

function addsUp({ amount, pending, parts, discrepancy }: Refund): boolean {
  if (amount === null || parts === null) return false;
  const given = decimal(amount).plus(pending);
  const stated = sum([discrepancy, ...parts.flatMap(({ net, tax }) => [net, tax])]);
  return given.isZero() || parts.length === 0 || given.minus(stated).abs().lte(mostRounding);
}

function currentSale(sale: Sale, received: Decimal | null): Sold {
  const lines = sale.lines
    .filter((line) => line.currentQuantity > 0)
    .map((line) => ofUnits(line, line.currentQuantity));
  const shipping = keptShipping(sale);
  const tax = sale.currentTotalTax ?? sale.totalTax ?? taxOf({ ...sale, lines, shipping });
  const stated = decimal(sale.currentTotal ?? sale.total);
  const current = { lines, shipping, totalTax: money(tax) };
  if (!sale.refunds.some(gaveBack))
    return { ...current, total: money(stated), ...overpaidOf(received, stated) };
  // The current total is also less refunds of what is not a line: then the lines state the worth of the order.
  const worth = decimal(sumOfItems(readItems(sale, current)));
  const total = worth.minus(stated).abs().lte(mostRounding) ? stated : worth;
  // Less was received than the order is worth: lines and total disagree, and the order is held.
  const isShort = received !== null && isSettled(sale) && received.lt(total);
  return { ...current, total: money(isShort ? received : total), ...overpaidOf(received, total) };
}

function overpaidOf(received: Decimal | null, total: Decimal): { overpaid: Amount } {
  return { overpaid: money(received?.gt(total) ? received.minus(total) : '0.00') };
}

/** Lines of one record that are worth more than its money were exchanged for the rest. */
function withExchange(refund: Refund): Refund {
  const { amount, pending, parts, discrepancy } = refund;
  if (amount === null || parts === null || !decimal(discrepancy).isZero()) return refund;
  const given = decimal(amount).plus(pending);
  const kept = sum(parts.flatMap(({ net, tax }) => [net, tax])).minus(given);
  return given.gt(0) && kept.gt('0.01') ? { ...refund, discrepancy: money(kept.negated()) } : refund;
}

function ofUnits(line: SaleLine, units: number): SaleLine {
  const share = (amount: Amount) => writeAmount(roundCents(decimal(amount).times(units).div(line.quantity)));
  return {
    ...line,
    quantity: units,
    discount: share(line.discount),
    taxes: line.taxes.map((tax) => ({ ...tax, amount: share(tax.amount) })),
    duties: line.duties.map((duty) => ({
      ...duty,
      price: share(duty.price),
      taxes: duty.taxes.map((tax) => ({ ...tax, amount: share(tax.amount) })),
    })),
  };
}

function taxOf(sale: Sale): Decimal {
  const charges = [...sale.shipping, ...sale.fees, ...sale.lines.flatMap((line) => line.duties)];
  return sum([...sale.lines, ...charges].flatMap((one) => one.taxes).map((tax) => tax.amount));
}

function money(amount: Amount | Decimal): Amount {
  return writeAmount(decimal(amount));
}
