import type { Amount } from './money.ts';
import type { Order } from './order.ts';
import type { Refund } from './refund.ts';

/*
 * A shop gives ids again: after a restore, a new installation, a database that counts from its highest row. What an id
 * means is bound to what never changes in the life of an order, as measured on WooCommerce 11.0.1 and documented for
 * Shopify; it holds nothing of the buyer and survives that he is forgotten.
 */

/** What an order's id meant when it was first read. */
export interface OrderFingerprint {
  /** `Order.orderKey`; null where the platform has none, or none was kept then. */
  key: string | null;
  /** ISO instant. */
  placedAt: string;
  /** What the merchant sees, for sentences. */
  name: string;
}

/** The same for a document; that of a nota de crédito says of its refund's id too. */
export interface SourceFingerprint extends OrderFingerprint {
  /** When the shop made the refund; null where it does not say. */
  refundAt?: string | null;
  /** A person said that this refund is another one than that which had its id before. */
  accepted?: true;
}

/** What an order charged when it was paid. */
export interface PaidTotal {
  total: Amount;
  currency: string;
  /** When, as the shop says; null for one that is invoiced without such a date. */
  at: string | null;
}

export function fingerprintOf({ orderKey, placedAt, name }: Order): OrderFingerprint {
  return { key: orderKey ?? null, placedAt: new Date(placedAt).toISOString(), name };
}

/**
 * Where both have a key it alone decides: merchants may change the date and plugins the number of a WooCommerce order.
 * Else the instant it was placed.
 */
export function isSameOrder(one: OrderFingerprint, other: OrderFingerprint): boolean {
  if (one.key !== null && other.key !== null) return one.key === other.key;
  return one.placedAt === other.placedAt;
}

/** A refund whose time nobody knows is taken for the one that is known. */
export function isSameRefund({ refundAt }: SourceFingerprint, { at }: Pick<Refund, 'at'>): boolean {
  return !refundAt || !at || Date.parse(refundAt) === Date.parse(at);
}

/**
 * The total an order was paid with, as this reading of it tells; null while no money came. One with an instant of payment
 * was paid, also where its status is not accepted yet.
 */
export function paidTotalOf({ settlement, paidAt, total, currency }: Order): PaidTotal | null {
  const isPaid = paidAt !== null || ['paid', 'partially-refunded', 'refunded'].includes(settlement);
  return isPaid ? { total, currency, at: paidAt } : null;
}
