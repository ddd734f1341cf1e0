import type { z } from 'zod';
import { type Amount, type Decimal, decimal, sum } from '../../src/domain/money.ts';
import type { Payment, Refund, Tax, Taxed } from '../../src/domain/order.ts';
import type { allocations, moneySet, ShippingLine, taxLines } from './payload.ts';

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

export interface SaleTransaction {
  kind: string;
  status: string;
  gateway: Payment['gateway'];
  title: string | null;
  amount: Amount;
  processedAt: string | null;
}

export interface SaleAddress {
  name: string | null;
  company: string | null;
  address1: string | null;
  address2: string | null;
  city: string | null;
  province: string | null;
  countryCode: string | null;
  phone: string | null;
}

export interface SaleBuyer {
  email: string | null;
  phone: string | null;
  otherPhones: string[];
  customerName: string | null;
  billing: SaleAddress | null;
  shipping: SaleAddress | null;
  noteAttributes: { name: string; value: string }[];
  localizedFields: { key: string; value: string }[];
  /** Keys are `namespace.key`. */
  customerMetafields: { key: string; value: string }[];
  b2bTaxRegistration: string | null;
  b2bCompany: string | null;
}

export function writeAmount(value: Decimal): Amount {
  const rounded = value.decimalPlaces() <= 10 ? value : value.toDecimalPlaces(10);
  return rounded.toFixed(Math.max(2, rounded.decimalPlaces()));
}

/** The stated tax is never recalculated: an empty list is no tax, also in a tax-inclusive shop. */
export function taxedAmounts(
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
    taxes: taxes.map(toTax),
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

function toTax(tax: SaleTax): Tax {
  return {
    title: tax.title.trim(),
    rate: tax.rate === null ? null : decimal(tax.rate).times(100).toString(),
    amount: writeAmount(decimal(tax.amount)),
    rateId: null,
  };
}

type MoneySet = z.output<typeof moneySet>;

export function shopMoney<T extends Amount | null>(set: MoneySet, plain: T): Amount | T {
  return set?.shop_money?.amount ?? plain;
}

export function toTaxes(lines: z.output<typeof taxLines>): SaleTax[] {
  return lines.map((tax) => ({
    title: tax.title ?? '',
    rate: tax.rate ?? null,
    amount: shopMoney(tax.price_set, tax.price ?? '0.00'),
  }));
}

/** `total_discount` is "0.00" for automatic and order-level discounts. */
export function allocated(list: z.output<typeof allocations>): Decimal {
  return sum(list.map((one) => shopMoney(one.amount_set, one.amount ?? '0.00')));
}

/** `discounted_price` left out cart-level discounts before 2024-07, so the lower of the two counts. */
export function toShipping(line: z.output<typeof ShippingLine>): SaleCharge {
  const price = decimal(shopMoney(line.price_set, line.price));
  const byAllocations = price.minus(allocated(line.discount_allocations));
  const stated = shopMoney(line.discounted_price_set, line.discounted_price);
  const charged =
    stated === null ? byAllocations : byAllocations.lt(stated) ? byAllocations : decimal(stated);
  return {
    id: line.id === null ? 'shipping' : exactId({ id: line.id }),
    name: line.title ?? '',
    price: writeAmount(price),
    discount: writeAmount(price.minus(charged)),
    taxes: toTaxes(line.tax_lines),
    ...(line.is_removed === true ? { removed: true as const } : {}),
  };
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

export function readAccessKeys(
  metafields: readonly { namespace?: string | undefined; key: string; value: string }[],
): string[] {
  const texts = metafields
    .filter((field) => field.namespace === undefined || isOurs(field.namespace))
    .filter((field) => field.key === 'clave_acceso' || field.key === 'notas_credito')
    .flatMap((field) => field.value.match(/(?<!\d)\d{49}(?!\d)/g) ?? []);
  return [...new Set(texts)];
}
