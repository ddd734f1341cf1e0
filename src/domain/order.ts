import type { BuyerQuestion } from './buyer-question.ts';
import type { Amount } from './money.ts';
import type { Refund } from './refund.ts';

/**
 * A sale as every platform's adapter reads it. Amounts are decimal strings in the shop's currency and are the
 * platform's own figures: an adapter never prices anew. Amounts "without tax" of tax-inclusive shops are what
 * was charged minus the tax the platform states.
 */
export interface Order {
  platform: string;
  /** The shop's own identity: myshopify domain or site URL without trailing slash; never our store id. */
  shop: string;
  id: string;
  /** What the merchant sees, for instance "#1001". */
  name: string;
  /** Digest of what is this order's own for ever, whatever has its id later; absent where the platform has no such thing. */
  orderKey?: string;
  /** The id of the order this one says it belongs to (WooCommerce: `parent_id`); absent where it names none. */
  parentId?: string;
  settlement: Settlement;
  /** The platform's own word for the order's status, for messages; "" where it has none. */
  status: string;
  /** Why an unpaid order may stay so: the setting of the connection that would take it for paid, with which value. */
  notAccepted?: { setting: string; value: string; waits: boolean };
  /** A test order of the platform; never invoiced in ambiente 2. */
  test: boolean;
  /** ISO 4217 code of every amount here. */
  currency: string;
  /** What the buyer saw, where it differs from `currency`. */
  presentment: { currency: string; total: Amount } | null;
  /** ISO instants. `paidAt` is null until the platform says that the money came. */
  placedAt: string;
  paidAt: string | null;
  updatedAt: string;
  lines: Line[];
  charges: Charge[];
  /** What the buyer was charged, taxes included, before any refund. */
  total: Amount;
  totalTax: Amount;
  buyer: Buyer;
  /** Absent where an adapter tells nothing of it: then the buyer's country is where it went. */
  delivery?: Delivery;
  payments: Payment[];
  /** By how much the till rounded the cash it took (negative: it took less); no part of the sale. */
  cashRounding?: Amount;
  /** Every refund the source tells of, also those that moved no money. */
  refunds: Refund[];
  /** Access keys of ours that the order already carries. */
  accessKeys: string[];
  /** What the buyer wrote to the shop. */
  note: string | null;
  /** Plain texts the shop, its apps or its theme hung on the order, for templates; hidden ones included. */
  attributes: Attribute[];
  /** When the money is due, where the order was sold on credit. */
  terms: { days: number } | null;
}

/** What stands in `status` of an order that was deleted for ever; no platform has such a word. */
export const deletedStatus = 'deleted';

export interface Attribute {
  name: string;
  value: string;
}

/**
 * Where the money stands. `paid` and `partially-refunded` orders were paid; a platform's rules for "paid" are
 * the adapter's (facts per platform), configurable per store.
 */
export type Settlement =
  | 'draft'
  | 'unpaid'
  | 'partially-paid'
  | 'paid'
  | 'partially-refunded'
  | 'refunded'
  | 'cancelled';

/** How what was sold reaches its buyer; whether Ecuador taxes the sale is decided of it (mappers/destination.ts). */
export interface Delivery {
  /**
   * `shipping`: to the ship-to address, else to the buyer's; also where the platform does not say. `in-shop`: picked up,
   * or sold over the counter. `none`: nothing of it is shipped.
   */
  by: 'shipping' | 'in-shop' | 'none';
  /** ISO 3166-1 alpha-2 of the ship-to address, as the platform writes it; null where it has none. */
  country: string | null;
}

/** One tax the platform states on a line or charge. */
export interface Tax {
  title: string;
  /** Percent as a decimal string ("15"), null when the platform does not say. */
  rate: string | null;
  amount: Amount;
  /** The platform's id of the rate, for mapping rules. */
  rateId: string | null;
  /** ISO 3166-1 alpha-2 of the country the platform has the rate for; absent where it does not say. */
  country?: string;
}

export interface Taxed {
  /** Without tax, before discounts. */
  subtotal: Amount;
  /** Without tax, after discounts; may have more than two decimals. Negative for a fee that is a discount. */
  net: Amount;
  /** Sum of `taxes`. */
  tax: Amount;
  taxes: Tax[];
  /** The platform's tax class; "" is the standard one, null where the platform has none. */
  taxClass: string | null;
  /** The platform's own word that this is (not) taxable; null when it does not say. */
  taxable: boolean | null;
}

export interface Line extends Taxed {
  id: string;
  kind: 'product' | 'gift-card' | 'tip';
  /** Empty and missing SKUs are null. */
  sku: string | null;
  /** Plain text: HTML entities decoded once. */
  name: string;
  /** Above zero, up to six decimals; removed lines are left out. */
  quantity: Amount;
  /** A service rather than goods (not shipped), null when unknown. */
  service: boolean | null;
  /** Variants and properties the buyer saw. */
  attributes: Attribute[];
  /** The shop's own id of what was sold; null for custom lines and deleted products. */
  productId: string | null;
  /** Of the product, where the platform tells them. */
  tags: string[];
  collections: string[];
}

export interface Charge extends Taxed {
  id: string;
  kind: 'shipping' | 'fee' | 'tip' | 'duty';
  name: string;
}

export interface Buyer {
  name: string | null;
  company: string | null;
  email: string | null;
  phone: string | null;
  /** Every telephone of the sale, also of other addresses: none of what may be one is taken for an identification. */
  phones?: readonly string[];
  address: string | null;
  /** ISO country code of the billing (else shipping) address. */
  country: string | null;
  /** Every identification found, in the configured order of sources; the identity gate chooses. */
  ids: IdCandidate[];
  /** The name a registry has for `id`, where it was looked up (legal-names.ts); no platform states it. */
  registered?: { id: string; name: string };
  /** What was known of him is no longer kept (privacy.ts); no platform states it. */
  forgotten?: true;
  /** What we asked the buyer (buyer-question.ts); no platform states it. */
  asked?: BuyerQuestion;
}

export interface IdCandidate {
  /** As the buyer typed it, trimmed. */
  value: string;
  /** Where it stood, for instance "meta _billing_cedula"; shown in explanations. */
  source: string;
  /** The type the source states; never trusted over the digits (ficha técnica SRI, tabla 6). */
  type: 'cedula' | 'ruc' | 'pasaporte' | 'exterior' | null;
  /** It stood, without a word of what it is, where something else is asked for: a company, a line of an address. */
  elsewhere?: true;
}

export interface Payment {
  /** The platform's gateway id: "bacs", "cod", "payphone", "gift_card" … */
  gateway: string;
  title: string | null;
  /** null when the platform does not say how much went through this gateway. */
  amount: Amount | null;
  /** Its refunds do not tell what of this went back: a plugin keeps the balance (WooCommerce wallets, gift cards). */
  apart?: true;
}
