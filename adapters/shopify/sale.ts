import type { z } from 'zod';
import { type Amount, type Decimal, decimal, sum } from '../../src/domain/money.ts';
import type { Payment, Refund } from '../../src/domain/order.ts';
import { buyerFromGraphql, buyerFromRest, pairsFromGraphql, pairsFromRest, type SaleBuyer } from './buyer.ts';
import type { allocations, moneySet, RestOrder, ShippingLine, taxLines } from './payload.ts';
import type { AnswerLine, AnswerOrder } from './queries.ts';

export interface Sale {
  id: string;
  name: string;
  test: boolean;
  currency: string;
  presentment: { currency: string; total: Amount } | null;
  createdAt: string | null;
  processedAt: string | null;
  updatedAt: string | null;
  cancelledAt: string | null;
  /** Lower snake case ("partially_refunded"). */
  financialStatus: string | null;
  /** "web", "pos" (at a till), an app. */
  source: string | null;
  taxesIncluded: boolean;
  dutiesIncluded: boolean;
  /** As sold, with what edits add; removed and returned units still count. */
  total: Amount;
  totalTax: Amount | null;
  currentTotal: Amount | null;
  currentTotalTax: Amount | null;
  /** Before refunds; null where Shopify does not state it (webhooks). */
  received: Amount | null;
  /** Negative: owed to the buyer. */
  outstanding: Amount | null;
  tip: Amount;
  /** Negative: less was paid. */
  cashRounding: Amount;
  lines: SaleLine[];
  shipping: SaleCharge[];
  fees: SaleCharge[];
  gatewayNames: string[];
  transactions: SaleTransaction[] | null;
  refunds: Refund[];
  buyer: SaleBuyer;
  accessKeys: string[];
  note: string | null;
}

export interface SaleTax {
  title: string;
  /** A fraction: 0.15. */
  rate: number | null;
  amount: Amount;
}

export interface SaleLine {
  id: string;
  name: string;
  sku: string | null;
  quantity: number;
  /** Without removed and returned units. */
  currentQuantity: number;
  unitPrice: Amount;
  /** For all `quantity` units. */
  discount: Amount;
  /** For all `quantity` units, after discounts. */
  taxes: SaleTax[];
  giftCard: boolean;
  tip: boolean;
  taxable: boolean | null;
  requiresShipping: boolean | null;
  productId: string | null;
  variant: string | null;
  tags: string[];
  collections: string[];
  attributes: { name: string; value: string }[];
  duties: SaleCharge[];
}

export interface SaleCharge {
  id: string;
  name: string;
  price: Amount;
  discount: Amount;
  taxes: SaleTax[];
  removed?: true;
}

interface SaleTransaction {
  kind: string;
  status: string;
  gateway: Payment['gateway'];
  title: string | null;
  amount: Amount;
  processedAt: string | null;
}

/* A REST body: a webhook, `orders/<id>.json`. */

export function saleFromRest(order: RestOrder, refunds: Refund[]): Sale {
  const buyerCurrency = order.presentment_currency ?? order.currency;
  const buyerTotal = order.total_price_set?.presentment_money?.amount;
  return {
    id: exactId(order),
    name: order.name,
    test: order.test ?? false,
    currency: order.currency,
    presentment:
      buyerCurrency !== order.currency && buyerTotal != null
        ? { currency: buyerCurrency, total: buyerTotal }
        : null,
    createdAt: order.created_at ?? null,
    processedAt: order.processed_at ?? null,
    updatedAt: order.updated_at ?? null,
    cancelledAt: order.cancelled_at ?? null,
    financialStatus: order.financial_status?.toLowerCase() ?? null,
    source: order.source_name,
    taxesIncluded: order.taxes_included,
    dutiesIncluded: order.duties_included ?? false,
    total: shopMoney(order.total_price_set, order.total_price),
    totalTax: shopMoney(order.total_tax_set, order.total_tax),
    currentTotal: shopMoney(order.current_total_price_set, order.current_total_price),
    currentTotalTax: shopMoney(order.current_total_tax_set, order.current_total_tax),
    received: null,
    outstanding: order.total_outstanding ?? null,
    tip: order.total_tip_received ?? '0.00',
    cashRounding: shopMoney(order.total_cash_rounding_payment_adjustment_set, '0.00'),
    lines: order.line_items.map(lineFromRest),
    shipping: (order.shipping_lines ?? []).map(shippingFromRest),
    fees: feesFromRest(order.original_total_additional_fees_set),
    gatewayNames: order.payment_gateway_names.flatMap((name) => name ?? []),
    transactions: order.transactions ? transactionsFromRest(order.transactions, order.currency) : null,
    refunds,
    buyer: buyerFromRest(order),
    accessKeys: readAccessKeys(order.metafields ?? []),
    note: order.note?.trim() || null,
  };
}

function lineFromRest(item: RestOrder['line_items'][number]): SaleLine {
  return {
    id: exactId(item),
    name: item.name ?? item.title ?? '',
    sku: item.sku ?? null,
    quantity: item.quantity,
    currentQuantity: item.current_quantity ?? item.quantity,
    unitPrice: shopMoney(item.price_set, item.price),
    discount: writeAmount(allocatedInRest(item.discount_allocations)),
    taxes: taxesFromRest(item.tax_lines),
    giftCard: item.gift_card ?? false,
    tip: 'tip_payment_gateway' in item,
    taxable: item.taxable ?? null,
    requiresShipping: item.requires_shipping ?? null,
    // As by the API, which gives it to apps with read_products only.
    productId: null,
    variant: variantOf(item.variant_title),
    tags: [],
    collections: [],
    attributes: pairsFromRest(item.properties),
    duties: (item.duties ?? []).map((duty) => ({
      id: duty.id === null ? 'duty' : exactId({ ...duty, id: duty.id }),
      name: 'Aranceles',
      price: duty.price_set?.shop_money?.amount ?? duty.shop_money?.amount ?? '0.00',
      discount: '0.00',
      taxes: taxesFromRest(duty.tax_lines),
    })),
  };
}

function feesFromRest(total: RestOrder['total_tax_set']): SaleCharge[] {
  const price = total?.shop_money?.amount ?? null;
  if (price === null || decimal(price).isZero()) return [];
  return [{ id: 'additional-fees', name: 'Cargos adicionales', price, discount: '0.00', taxes: [] }];
}

function transactionsFromRest(
  list: NonNullable<RestOrder['transactions']>,
  currency: string,
): SaleTransaction[] {
  return list
    .filter((one) => (one.currency ?? currency) === currency)
    .map((one) => ({
      kind: (one.kind ?? '').toLowerCase(),
      status: (one.status ?? '').toLowerCase(),
      gateway: one.gateway ?? '',
      title: null,
      amount: one.amount ?? '0.00',
      processedAt: one.processed_at ?? null,
    }));
}

type MoneySet = z.output<typeof moneySet>;

export function shopMoney<T extends Amount | null>(set: MoneySet, plain: T): Amount | T {
  return set?.shop_money?.amount ?? plain;
}

function taxesFromRest(lines: z.output<typeof taxLines>): SaleTax[] {
  return lines.map((tax) => ({
    title: tax.title ?? '',
    rate: tax.rate ?? null,
    amount: shopMoney(tax.price_set, tax.price ?? '0.00'),
  }));
}

/** `total_discount` is "0.00" for automatic and order-level discounts. */
function allocatedInRest(list: z.output<typeof allocations>): Decimal {
  return sum(list.map((one) => shopMoney(one.amount_set, one.amount ?? '0.00')));
}

/** `discounted_price` left out cart-level discounts before 2024-07, so the lower of the two counts. */
export function shippingFromRest(line: z.output<typeof ShippingLine>): SaleCharge {
  const price = decimal(shopMoney(line.price_set, line.price));
  const byAllocations = price.minus(allocatedInRest(line.discount_allocations));
  const stated = shopMoney(line.discounted_price_set, line.discounted_price);
  const charged =
    stated === null ? byAllocations : byAllocations.lt(stated) ? byAllocations : decimal(stated);
  return {
    id: line.id === null ? 'shipping' : exactId({ id: line.id }),
    name: line.title ?? '',
    price: writeAmount(price),
    discount: writeAmount(price.minus(charged)),
    taxes: taxesFromRest(line.tax_lines),
    ...(line.is_removed === true ? { removed: true as const } : {}),
  };
}

/* An answer of the Admin GraphQL API. */

export function saleFromGraphql(order: AnswerOrder, lines: readonly AnswerLine[], refunds: Refund[]): Sale {
  const { currencyCode: currency, presentmentCurrencyCode: buyerCurrency } = order;
  const buyerTotal = order.totalPriceSet.presentmentMoney.amount;
  return {
    id: numericId(order.id),
    name: order.name,
    test: order.test,
    currency,
    presentment: buyerCurrency === currency ? null : { currency: buyerCurrency, total: buyerTotal },
    createdAt: order.createdAt,
    processedAt: order.processedAt,
    updatedAt: order.updatedAt,
    cancelledAt: order.cancelledAt,
    financialStatus: order.displayFinancialStatus?.toLowerCase() ?? null,
    source: order.sourceName ?? null,
    taxesIncluded: order.taxesIncluded,
    dutiesIncluded: order.dutiesIncluded,
    total: order.totalPriceSet.shopMoney.amount,
    totalTax: order.totalTaxSet?.shopMoney.amount ?? null,
    currentTotal: shopAmount(order.currentTotalPriceSet),
    currentTotalTax: shopAmount(order.currentTotalTaxSet),
    received: shopAmount(order.totalReceivedSet),
    outstanding: shopAmount(order.totalOutstandingSet),
    tip: shopAmount(order.totalTipReceivedSet),
    cashRounding: order.totalCashRoundingAdjustment?.paymentSet.shopMoney.amount ?? '0.00',
    lines: lines.map(lineFromGraphql),
    shipping: order.shippingLines.nodes.map(shippingFromGraphql),
    fees: order.additionalFees.map((fee) => chargeFromGraphql(fee, fee.name)),
    gatewayNames: order.paymentGatewayNames,
    transactions: order.transactions.map((one) => ({
      kind: one.kind.toLowerCase(),
      status: one.status.toLowerCase(),
      gateway: one.gateway ?? '',
      title: one.formattedGateway,
      amount: shopAmount(one.amountSet),
      processedAt: one.processedAt,
    })),
    refunds,
    buyer: buyerFromGraphql(order),
    accessKeys: readAccessKeys(order.metafields.nodes),
    note: order.note?.trim() || null,
  };
}

type ShopMoney = AnswerOrder['currentTotalPriceSet'];

const shopAmount = ({ shopMoney }: ShopMoney) => shopMoney.amount;

function taxesFromGraphql(taxes: AnswerLine['taxLines']): SaleTax[] {
  return taxes.map(({ title, rate, priceSet }) => ({ title, rate, amount: shopAmount(priceSet) }));
}

function allocatedInGraphql(list: AnswerLine['discountAllocations']): string {
  return writeAmount(sum(list.map((one) => shopAmount(one.allocatedAmountSet))));
}

function lineFromGraphql(line: AnswerLine): SaleLine {
  return {
    id: numericId(line.id),
    name: line.name,
    sku: line.sku,
    quantity: line.quantity,
    currentQuantity: line.currentQuantity,
    unitPrice: shopAmount(line.originalUnitPriceSet),
    discount: allocatedInGraphql(line.discountAllocations),
    taxes: taxesFromGraphql(line.taxLines),
    giftCard: line.isGiftCard,
    tip: false,
    taxable: line.taxable,
    requiresShipping: line.requiresShipping,
    productId: null,
    variant: variantOf(line.variantTitle),
    tags: line.product?.tags ?? [],
    collections: collectionNames(line.product?.collections.nodes ?? []),
    attributes: pairsFromGraphql(line.customAttributes),
    duties: line.duties.map((duty) => chargeFromGraphql(duty, 'Aranceles')),
  };
}

type Priced = { id: string; price: ShopMoney; taxLines: AnswerLine['taxLines'] };

function chargeFromGraphql({ id, price, taxLines }: Priced, name: string): SaleCharge {
  return {
    id: numericId(id),
    name,
    price: shopAmount(price),
    discount: '0.00',
    taxes: taxesFromGraphql(taxLines),
  };
}

/** `discountedPriceSet` contains cart-level discounts since 2024-07. */
export function shippingFromGraphql(line: AnswerOrder['shippingLines']['nodes'][number]): SaleCharge {
  const price = decimal(shopAmount(line.originalPriceSet));
  return {
    id: line.id === null ? 'shipping' : numericId(line.id),
    name: line.title,
    price: writeAmount(price),
    discount: writeAmount(price.minus(shopAmount(line.discountedPriceSet))),
    taxes: taxesFromGraphql(line.taxLines),
    ...(line.isRemoved ? { removed: true as const } : {}),
  };
}

/* Ids, amounts and names of either. */

export function writeAmount(value: Decimal): Amount {
  const rounded = value.decimalPlaces() <= 10 ? value : value.toDecimalPlaces(10);
  return rounded.toFixed(Math.max(2, rounded.decimalPlaces()));
}

/** A removed one counts where no other is left. */
export function onlyOf(shipping: readonly SaleCharge[]): SaleCharge | null {
  const kept = shipping.filter(({ removed }) => !removed);
  const [one, another] = kept.length > 0 ? kept : shipping;
  return one && !another ? one : null;
}

export function collectionNames(nodes: readonly { handle: string; title: string }[]): string[] {
  return nodes.flatMap(({ handle, title }) => [handle, title]);
}

/** Null for a product without variants, whose only one Shopify calls "Default Title". */
export function variantOf(title: string | null | undefined): string | null {
  const variant = title?.trim() ?? '';
  return variant === '' || variant === 'Default Title' ? null : variant;
}

/** In UTC: REST writes -05:00, GraphQL Z. */
export function instant(text: string | null): string {
  return new Date(text ?? Number.NaN).toISOString();
}

/** From the global id where there is one, because JSON numbers above 2^53 are rounded. */
export function exactId(object: {
  id: string | number;
  admin_graphql_api_id?: string | null | undefined;
}): string {
  return object.admin_graphql_api_id?.match(/\/(\d+)$/)?.[1] ?? BigInt(object.id).toString();
}

export function numericId(gid: string): string {
  return /^[^?]*\/(\d+)(\?.*)?$/.exec(gid)?.[1] ?? gid;
}

export function globalId(orderId: string): string {
  return `gid://shopify/Order/${orderId}`;
}

/** The namespace of our metafields; with `$app:` no other app can write there. */
export const metafieldNamespace = '$app:facturapuente';

/** Answers name it `app--<app id>--facturapuente`. */
const isOurs = (namespace: string): boolean =>
  namespace === metafieldNamespace || namespace.endsWith('--facturapuente');

function readAccessKeys(
  metafields: readonly { namespace?: string | undefined; key: string; value: string }[],
): string[] {
  const texts = metafields
    .filter((field) => field.namespace === undefined || isOurs(field.namespace))
    .filter((field) => field.key === 'clave_acceso' || field.key === 'notas_credito')
    .flatMap((field) => field.value.match(/(?<!\d)\d{49}(?!\d)/g) ?? []);
  return [...new Set(texts)];
}
