import { type Amount, type Decimal, decimal } from '../../../src/domain/money.ts';

/*
 * A refund's figures, unjudged, as REST and GraphQL both tell them. What they mean is decided once, in
 * reading.ts.
 */

/** A figure in the shop's currency, and in the one its money moved in (null where that is not told). */
export interface Figure {
  shop: Decimal;
  paid: Decimal | null;
}

export interface RefundFigures {
  id: string;
  /** As the platform spells it. */
  at: string | null;
  note: string | null;
  /** Prices of the order, and so the subtotals of its lines, contain the tax. */
  taxesIncluded: boolean;
  /** null where the source names the lines without their money. */
  lines: RefundedLine[] | null;
  shipping: RefundedShipping[];
  /** The shipping refund once more, as signed adjustments tell it: Σ, positive = given back. Their amount excludes the tax. */
  shippingAdjusted: { amount: Figure; tax: Figure | null } | null;
  /** The order's shipping line where it has only one. */
  onlyShipping: { of: string; name: string } | null;
  /** Duties and additional fees, as far as they are named. */
  extras: { of: string | null; name: string; amount: Figure }[];
  /** −Σ of the other adjustments with their tax: positive = more went back than the parts say. */
  discrepancy: Figure;
  money: RefundMoney | null;
  /** By how much cash was rounded in all refunds of the order, whichever way Shopify signs it. */
  cashRounding: Decimal;
  /** Σ of the successful transactions in the shop's currency, where the platform says it too. */
  stated: Amount | null;
}

export interface RefundedLine {
  of: string | null;
  name: string;
  quantity: number;
  subtotal: Figure;
  tax: Figure;
}

export interface RefundedShipping {
  of: string | null;
  name: string;
  subtotal: Figure;
  /** null where only its sum is known, or nothing (REST). */
  tax: Figure | null;
  /** Tax per unit of net of the shipping line as sold; null where that line is not known. */
  soldTax: Decimal | null;
}

/** The refund's transactions, in the currency they moved in; null when that is not one currency we know. */
export interface RefundMoney {
  done: Decimal;
  /** Pending, or waiting for an answer. */
  waiting: Decimal;
  failed: boolean;
  /** Of `done`, what went to gift cards and store credit; unread in another currency. */
  toBalances: { gateway: string; amount: Decimal }[];
  /** It moved in the buyer's currency, which is not the shop's. */
  foreign: boolean;
}

/** One part of a refund before it is written. */
export interface FigurePart {
  of: string | null;
  name: string;
  quantity: number;
  net: Figure;
  tax: Figure;
}

/** Shopify's gateways of what a buyer has with the shop itself. */
export const isBalance = (gateway: string | null | undefined): boolean =>
  gateway === 'gift_card' || gateway === 'shopify_store_credit';

const zero = decimal(0);
export const nothing: Figure = { shop: zero, paid: zero };

export function plus(...figures: readonly Figure[]): Figure {
  return figures.reduce(
    (total, one) => ({
      shop: total.shop.plus(one.shop),
      paid: total.paid === null || one.paid === null ? null : total.paid.plus(one.paid),
    }),
    nothing,
  );
}

export function negated({ shop, paid }: Figure): Figure {
  return { shop: shop.negated(), paid: paid?.negated() ?? null };
}

export function minus(a: Figure, b: Figure): Figure {
  return plus(a, negated(b));
}

export function sumOfParts(parts: readonly FigurePart[]): Figure {
  return plus(...parts.flatMap(({ net, tax }) => [net, tax]));
}
