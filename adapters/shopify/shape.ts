import type { Amount } from '../../src/domain/money.ts';
import type { Payment } from '../../src/domain/order.ts';
import type { Refund } from '../../src/domain/refund.ts';

/**
 * What REST-shaped bodies and GraphQL answers have in common: Shopify's own figures, unjudged, in the shop's
 * currency. Everything that decides anything about them lives in order.ts, once.
 */
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
  /** Lower snake case ("partially_refunded"); null when Shopify says nothing. */
  financialStatus: string | null;
  /** Where it was sold: "web", "pos" (at a till), an app; null when Shopify says nothing. */
  source: string | null;
  taxesIncluded: boolean;
  /** Duties are part of the prices already. */
  dutiesIncluded: boolean;
  /** As sold, edits that add included; removed and returned units still counted. */
  total: Amount;
  totalTax: Amount | null;
  /** After removals, returns and refunds. */
  currentTotal: Amount | null;
  currentTotalTax: Amount | null;
  /** What the buyer paid in all, before refunds; null when only to be guessed. */
  received: Amount | null;
  /** What is still owed by (or, negative, to) the buyer. */
  outstanding: Amount | null;
  tip: Amount;
  /** By how much cash payments were rounded (negative: less was taken). */
  cashRounding: Amount;
  lines: SaleLine[];
  shipping: SaleCharge[];
  fees: SaleCharge[];
  gatewayNames: string[];
  /** null when the source does not carry them (webhooks). */
  transactions: SaleTransaction[] | null;
  refunds: Refund[];
  buyer: SaleBuyer;
  accessKeys: string[];
  note: string | null;
  terms: { days: number } | null;
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
  /** Σ of the allocated discounts for all `quantity` units. */
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
  /** Of the customer, beside the order's and the addresses' own. */
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

/** Shopify's word for a product that has no variants. */
export function variantOf(title: string | null | undefined): string | null {
  const variant = title?.trim() ?? '';
  return variant === '' || variant === 'Default Title' ? null : variant;
}
