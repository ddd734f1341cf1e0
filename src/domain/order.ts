import type { BuyerQuestion } from './buyer-policy.ts';
import { type Amount, type Decimal, decimal, roundCents, sum } from './money.ts';

/**
 * A sale as every platform's adapter reads it. Amounts are decimal strings in the shop's currency and the platform's own
 * figures: an adapter never recalculates a price. In tax-inclusive shops "without tax" is the charge minus the stated tax.
 */
export interface Order {
  platform: string;
  /** myshopify domain or site URL without trailing slash; never a store id of the config. */
  shop: string;
  id: string;
  /** The name that the merchant sees: "#1001". */
  name: string;
  /** Digest that identifies this order even if its id is reused; absent when the platform has none. */
  orderKey?: string;
  /** The id of the order this one refers to (WooCommerce: `parent_id`). */
  parentId?: string;
  /** A plugin split the order: others sell its lines, too. */
  hasSubOrders?: true;
  /** A plugin says that it is a payment of its own, not a part of its parent: a renewal, the rest of a deposit. */
  paidApart?: true;
  settlement: Settlement;
  /** The platform's own word, for messages; "" when it has none. */
  status: string;
  /** Why it counts as unpaid: the setting that would accept it, and the value to add. `partly`: only a part was paid. */
  notAccepted?: { setting: string; value: string; waits: boolean; partly?: true };
  /** A deposit was paid and the rest was not, as a plugin of the shop marks it. */
  deposit?: Deposit;
  /** A test order of the platform; never invoiced in ambiente 2. */
  test: boolean;
  /** ISO 4217; the currency of every amount here. */
  currency: string;
  /** What the buyer saw, when it differs from `currency`. */
  presentment: { currency: string; total: Amount } | null;
  /** ISO instants; `paidAt` is null until the platform says that the order was paid. */
  placedAt: string;
  paidAt: string | null;
  updatedAt: string;
  lines: Line[];
  charges: Charge[];
  /** What the buyer was charged, taxes included, before any refund. */
  total: Amount;
  totalTax: Amount;
  /**
   * Received beyond `total`, because an edit took more out of the paid order than it added, before refunds. Present ("0.00"
   * too) when the lines are those of an edited order, without the units that came back.
   */
  overpaid?: Amount;
  /** Refunds do not say whether an edit or a return took something out, so `total` may differ from what was charged. */
  unclearEdit?: true;
  /** What an edit took out, and no refund names: units with their share, and shipping (Shopify). */
  removed?: (Line | Charge)[];
  buyer: Buyer;
  /** Absent when an adapter does not read it: the buyer's country is the destination. */
  delivery?: Delivery;
  payments: Payment[];
  /** Rounding of cash (negative: less was taken); not part of the sale. */
  cashRounding?: Amount;
  /** Includes refunds that moved no money. */
  refunds: Refund[];
  /** The product's access keys on the order, 49 digits each. */
  accessKeys: string[];
  /** Text in the access key field that is no key: "N/A", or a digit less. */
  notAKey?: string | undefined;
  note: string | null;
  /** Texts that the shop, its apps or its theme added, hidden ones included; for templates. */
  attributes: Attribute[];
  terms: { days: number } | null;
}

/** It also answers the first text that is no key. */
export function readAccessKeys(texts: readonly string[]): Pick<Order, 'accessKeys' | 'notAKey'> {
  const given = texts.map((text) => text.replaceAll(/\s/g, '')).filter((text) => text !== '');
  const wrong = given.find((text) => !isAccessKey(text));
  return {
    accessKeys: [...new Set(given.filter(isAccessKey))],
    ...(wrong !== undefined && { notAKey: wrong.slice(0, 60) }),
  };
}

const isAccessKey = (text: string): boolean => /^\d{49}$/.test(text);

/** The `status` of an order that was deleted for good; no platform uses this word. */
export const deletedStatus = 'deleted';

export const isGone = ({ status }: Pick<Order, 'status'>): boolean => status === deletedStatus;

/** WooCommerce empties its trash after a month. */
export const isThrownAway = ({ status }: Pick<Order, 'status'>): boolean =>
  status === deletedStatus || status === 'trash';

export interface Deposit {
  /** null when the plugin does not say. */
  paid: Amount | null;
  of: Amount;
  /** `order`: the total of the order is the price. `own`: it is the deposit, and the rest will be an order of its own. */
  total: 'order' | 'own';
}

/** A payment of a sale at its full price, or a discount before tax; `unknown`: as the shop has set it. */
export type GiftCardSpent = 'payment' | 'discount' | 'unknown';

export interface Attribute {
  name: string;
  value: string;
}

/** `paid` and `partially-refunded` orders were paid, by the adapter's rules, configurable per store. */
export type Settlement =
  | 'draft'
  | 'unpaid'
  | 'partially-paid'
  | 'paid'
  | 'partially-refunded'
  | 'refunded'
  | 'cancelled';

/** Decides whether Ecuador taxes the sale (mappers/tax-rules.ts). */
export interface Delivery {
  /** `shipping` is also used when the platform does not say. `in-shop`: picked up or sold there. */
  by: 'shipping' | 'in-shop' | 'none';
  /** ISO 3166-1 alpha-2 of the ship-to address, as the platform writes it; null without one. */
  country: string | null;
}

export interface Tax {
  title: string;
  /** Percent as a decimal string ("15"), null when the platform does not say. */
  rate: string | null;
  amount: Amount;
  rateId: string | null;
  /** ISO 3166-1 alpha-2; absent when the platform does not say. */
  country?: string;
}

export interface Taxed {
  /** Without tax, before discounts. */
  subtotal: Amount;
  /** Without tax, after discounts; may have more than two decimals. Negative for a fee that is a discount. */
  net: Amount;
  tax: Amount;
  taxes: Tax[];
  /** "" is the standard class, null without classes. */
  taxClass: string | null;
  /** null when the platform does not say. */
  taxable: boolean | null;
}

export interface Line extends Taxed {
  id: string;
  kind: 'product' | 'gift-card' | 'tip' | 'duty';
  /** The kind in the shop, when a rule of the merchant gave another (mappers/entries.ts). */
  kindInShop?: Line['kind'] | Charge['kind'];
  /** Absent when it is spent as a payment. */
  spentAs?: Exclude<GiftCardSpent, 'payment'>;
  sku: string | null;
  /** Plain text: HTML entities are decoded once. */
  name: string;
  /** Above zero, up to six decimals; removed lines are omitted. */
  quantity: Amount;
  /** A service rather than goods (not shipped), null when unknown. */
  service: boolean | null;
  attributes: Attribute[];
  /** null for custom lines and deleted products. */
  productId: string | null;
  tags: string[];
  collections: string[];
}

export interface Charge extends Taxed {
  id: string;
  kind: 'shipping' | 'fee' | 'tip' | 'duty';
  kindInShop?: Line['kind'] | Charge['kind'];
  /** The row that names it in refunds and documents, when that is not its kind: a tip is a fee of WooCommerce. */
  row?: Charge['kind'];
  name: string;
}

export interface Buyer {
  name: string | null;
  company: string | null;
  email: string | null;
  phone: string | null;
  /** Every telephone of the sale: none of them is taken for an identification. */
  phones?: readonly string[];
  address: string | null;
  /** ISO code of the billing address, else of the shipping address. */
  country: string | null;
  /** They are in the configured order of sources; the identity gate chooses. */
  ids: IdCandidate[];
  /** The registry's name for `id`; not from the platform. */
  registered?: { id: string; name: string };
  /** The buyer's data were deleted (privacy.ts); not from the platform. */
  forgotten?: true;
  /** What the product asked the buyer (buyer-policy.ts); not from the platform. */
  asked?: BuyerQuestion;
}

export interface IdCandidate {
  /** The text as the buyer typed it, trimmed. */
  value: string;
  /** For instance "meta _billing_cedula"; shown in explanations. */
  source: string;
  /** The type the source states; the digits decide (ficha técnica SRI, tabla 6). */
  type: 'cedula' | 'ruc' | 'pasaporte' | 'exterior' | null;
  /** It has no label and is in a field for something else: a company, an address line. */
  elsewhere?: true;
}

export interface Payment {
  /** The platform's gateway id: "bacs", "cod", "payphone", "gift_card" … */
  gateway: string;
  title: string | null;
  /** null when the platform does not say how much was paid through this gateway. */
  amount: Amount | null;
  /** Refunds do not say how much of this was given back: a plugin keeps the balance (WooCommerce wallets, gift cards). */
  apart?: true;
}

/** Amounts are the platform's own figures, in the order's currency. */
export interface Refund {
  id: string;
  /** ISO instant; null when unknown (WooCommerce order bodies). */
  at: string | null;
  reason: string | null;
  /** Given back to the buyer, taxes included; "0.00" for restocking only, null when unknown in the order's currency. */
  amount: Amount | null;
  /** Money on its way back that has not arrived (transfers), taxes included. */
  pending: Amount;
  /** Empty when only an amount was typed, null when unknown. */
  parts: RefundPart[] | null;
  /** Stated difference between money and parts: positive for goodwill, negative for a restocking fee, "0.00" for none. */
  discrepancy: Amount;
  /** The part of `amount` given to balances with the shop (gift cards, store credit), when known. */
  toBalances?: { gateway: string; amount: Amount }[];
  /** Rounding of cash given back (negative: less); not part of `amount`. */
  cashRounding?: Amount;
  /** The records that hold `parts`, when the shop made one of the lines and one of the money; set by the planner. */
  linesFrom?: readonly string[];
  /** The records that hold the money of these lines; set by the planner. */
  moneyIn?: readonly string[];
  /** Given back of `Order.overpaid`, and not in `amount`; set by the planner. */
  ofOverpaid?: Amount;
}

/** Positive: given back; negative: giving it back costs the buyer (a discount fee). */
export interface RefundPart {
  /** The name that `sourceOf` gives; null when the link is lost. */
  of: string | null;
  name: string;
  quantity: Amount;
  net: Amount;
  tax: Amount;
}

/** For instance "line:145" or "shipping:12". */
export function sourceOf(item: Line | Charge): string {
  return 'quantity' in item ? lineSource(item.id) : chargeSource(item.row ?? item.kind, item.id);
}

export const itemsBySource = ({
  lines,
  charges,
}: Pick<Order, 'lines' | 'charges'>): Map<string, Line | Charge> =>
  new Map([...lines, ...charges].map((item) => [sourceOf(item), item]));

/** With taxes. */
export const worth = (parts: readonly { net: Amount; tax: Amount }[]): Decimal =>
  sum(parts.flatMap(({ net, tax }) => [net, tax]));

/** A gift card without tax, or with all of it given back, that pays for what is bought with it. */
export function isStoredValue(item: Line | Charge, { refunds }: Pick<Order, 'refunds'>): boolean {
  if (item.kind !== 'gift-card' || item.spentAs !== undefined) return false;
  const back = refunds.flatMap(({ parts }) => (parts ?? []).filter(({ of }) => of === sourceOf(item)));
  return roundCents(decimal(item.tax).minus(sum(back.map(({ tax }) => tax)))).lte(0);
}

export interface LeftOut {
  source: string;
  /** What discounts of the order took off it, taxes included. */
  discount: Amount;
}

export const lineSource = (id: string): string => `line:${id}`;
export const chargeSource = (kind: Charge['kind'], id: string): string => `${kind}:${id}`;

export interface LineReference {
  source: string;
  /** Units of the order; "0" for a credited item that only lowers the price. */
  units: Amount;
  /** When the item represents several, each with its part of the item's base. */
  folded?: (Pick<LineReference, 'source' | 'units'> & { base: Amount })[];
}

export function bareRefund(id: string, amount: Amount | null): Refund {
  return { id, at: null, reason: null, amount, pending: '0.00', parts: null, discrepancy: '0.00' };
}

/*
 * Shops reuse ids (restore, new installation). An id is bound to facts that never change, measured on WooCommerce 11.0.1
 * and documented for Shopify; none is the buyer's.
 */

export interface OrderFingerprint {
  key: string | null;
  placedAt: string;
  name: string;
}

export interface SourceFingerprint extends OrderFingerprint {
  refundAt?: string | null;
  /** A person confirmed that this refund is not the one that had its id before. */
  accepted?: true;
  /** Orders with the same lines from which, as a person confirmed, this one was paid apart. */
  apartFrom?: readonly string[];
  /** Access keys on its order that, as a person confirmed, are of other sales. */
  foreignKeys?: readonly string[];
}

export interface PaidTotal {
  total: Amount;
  currency: string;
  at: string | null;
}

export function fingerprintOf({ orderKey, placedAt, name }: Order): OrderFingerprint {
  return { key: orderKey ?? null, placedAt: new Date(placedAt).toISOString(), name };
}

/** Compares keys if both have one, since merchants may change the date; else the instant the order was placed. */
export function isSameOrder(one: OrderFingerprint, other: OrderFingerprint): boolean {
  if (one.key !== null && other.key !== null) return one.key === other.key;
  return one.placedAt === other.placedAt;
}

/** A refund without a known time counts as the known one. */
export function isSameRefund({ refundAt }: SourceFingerprint, { at }: Pick<Refund, 'at'>): boolean {
  return !refundAt || !at || Date.parse(refundAt) === Date.parse(at);
}

export const hasCents = (amount: Amount): boolean => /\.\d\d/.test(amount);

/** null when unpaid, or rounded by a shop without cents. With a payment date it was paid, whatever its status. */
export function paidTotalOf({ settlement, paidAt, total, currency }: Order): PaidTotal | null {
  if (!hasCents(total)) return null;
  const isPaid = paidAt !== null || ['paid', 'partially-refunded', 'refunded'].includes(settlement);
  return isPaid ? { total, currency, at: paidAt } : null;
}

/** ISO 3166-1 alpha-2 in upper case; null for nothing. Any other text stays, except "Ecuador", which becomes a code. */
export function countryCode(written: string | null | undefined): string | null {
  const text = written?.trim() ?? '';
  if (text === '') return null;
  if (/^(ecuador|ecu)$/i.test(text)) return 'EC';
  return text.length === 2 ? text.toUpperCase() : text;
}

const names = new Intl.DisplayNames(['es'], { type: 'region' });

export const countryName = (code: string): string =>
  (/^[A-Z]{2}$/.test(code) ? names.of(code) : null) ?? code;
