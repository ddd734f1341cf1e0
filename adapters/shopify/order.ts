import { z } from 'zod';
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
  type Refund,
  type Tax,
  type Taxed,
} from '../../src/domain/order.ts';
import { namesTip } from '../../src/domain/text.ts';
import { readBuyer } from './buyer.ts';
import { RestOrder, unwrapOrder } from './payload.ts';
import { readPaidAt, readPayments, readSettlement, withoutRounding } from './payments.ts';
import { refundsFromRest } from './refund.ts';
import {
  instant,
  type Sale,
  type SaleCharge,
  type SaleLine,
  type SaleTax,
  saleFromRest,
  writeAmount,
} from './sale.ts';
import type { Connection } from './settings.ts';

/** A webhook body, or `orders/<id>.json` with or without its `{order: …}`. Throws PayloadError. */
export function readOrder(payload: unknown, connection: Connection): Order {
  const body = unwrapOrder(payload);
  const result = RestOrder.safeParse(body);
  if (!result.success) throw notAnOrder(body, result.error);
  return buildOrder(saleFromRest(result.data, refundsFromRest(result.data)), connection);
}

export function buildOrder(read: Sale, connection: Pick<Connection, 'shop' | 'idSources'>): Order {
  const sale = withoutRounding(read);
  const settlement = readSettlement(sale);
  const sold = saleAsSold(sale);
  const placedAt = sale.createdAt ?? sale.processedAt;
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
    paidAt: readPaidAt(sale),
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

function notAnOrder(payload: unknown, error: z.ZodError): PayloadError {
  const keys = typeof payload === 'object' && payload !== null ? Object.keys(payload) : [];
  const problem = unreadable(payload, error);
  if (orderKeys.filter((key) => keys.includes(key)).length > 1)
    return new PayloadError('order-unreadable', { platform: 'Shopify', problem });
  const kind = graphqlAnswer.safeParse(payload).success
    ? fromGraphql
    : otherBodies.find(([, marks]) => marks.every((mark) => keys.includes(mark)))?.[0];
  return new PayloadError('not-an-order', {
    what: 'un pedido',
    platform: 'Shopify',
    problem: kind ?? problem,
  });
}

/** No other body has two of these. */
const orderKeys = ['line_items', 'total_price', 'financial_status', 'taxes_included', 'shipping_lines'];

const fromGraphql = 'es una respuesta de GraphQL; entregue el pedido como lo da la API REST o un webhook';

/** Its ids are addresses; in REST they are numbers. */
const node = z.object({ id: z.string().max(100).startsWith('gid://') });
const graphqlAnswer = z.union([
  node,
  z.object({ order: node }),
  z.object({ data: z.object({ order: node }) }),
]);

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

/** The stated tax is never recalculated: an empty list is no tax, also in a tax-inclusive shop. */
function taxedAmounts(
  gross: Decimal,
  discount: Decimal,
  taxes: readonly SaleTax[],
  taxesIncluded: boolean,
): Pick<Taxed, 'subtotal' | 'net' | 'tax' | 'taxes'> {
  const tax = sum(taxes.map((one) => one.amount));
  const paid = gross.minus(discount);
  const net = taxesIncluded ? paid.minus(tax) : paid;
  const subtotal = taxesIncluded ? subtotalWithoutTax(gross, discount, net, taxes) : gross;
  return {
    subtotal: writeAmount(subtotal),
    net: writeAmount(net),
    tax: writeAmount(tax),
    taxes: taxes.map(writeTax),
  };
}

/** Without discounts the subtotal is the net, so that a rounding cent does not look like a discount. */
function subtotalWithoutTax(
  gross: Decimal,
  discount: Decimal,
  net: Decimal,
  taxes: readonly SaleTax[],
): Decimal {
  if (discount.isZero()) return net;
  const taxed = gross.minus(discount);
  const untaxed = taxed.gt(0) && taxed.eq(net);
  const rates = untaxed ? [] : taxes.map((one) => one.rate);
  if (rates.every((rate) => rate !== null)) {
    const untaxedGross = gross.div(sum(rates.map(String)).plus(1));
    return untaxedGross.gt(net) ? untaxedGross : net;
  }
  return taxed.gt(0) ? gross.times(net).div(taxed) : gross;
}

function writeTax(tax: SaleTax): Tax {
  return {
    title: tax.title.trim(),
    rate: tax.rate === null ? null : decimal(tax.rate).times(100).toString(),
    amount: writeAmount(decimal(tax.amount)),
    rateId: null,
  };
}
