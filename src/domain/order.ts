import type { BuyerQuestion } from './buyer-policy.ts';
import { type Amount, decimal, roundCents, sum } from './money.ts';

/**
 * A sale as every platform's adapter reads it. Amounts are decimal strings in the shop's currency and the platform's own
 * figures: an adapter never recalculates a price. In tax-inclusive shops, "without tax" is what was charged minus the
 * stated tax.
 */
export interface Order {
  platform: string;
  /** The shop's own identity: myshopify domain or site URL without trailing slash; never our store id. */
  shop: string;
  id: string;
  /** What the merchant sees, for instance "#1001". */
  name: string;
  /** Digest of what identifies this order for good, even if its id is reused; absent when the platform has no such thing. */
  orderKey?: string;
  /** The order this one refers to (WooCommerce: `parent_id`); absent without one. */
  parentId?: string;
  /** A plugin split the order: others sell its lines, too. */
  hasSubOrders?: true;
  /** A plugin says that it is a payment of its own, not a part of the order it refers to: a renewal, the rest of a deposit. */
  paidApart?: true;
  settlement: Settlement;
  /** The platform's own status, for messages; "" when it has none. */
  status: string;
  /**
   * Why an order counts as unpaid: the connection's setting that would accept it, and the value to add. `partly`: the status
   * says that only a part was paid.
   */
  notAccepted?: { setting: string; value: string; waits: boolean; partly?: true };
  /** A deposit was paid and the rest was not, as a plugin of the shop marks it. */
  deposit?: Deposit;
  /** A test order of the platform; never invoiced in ambiente 2. */
  test: boolean;
  /** ISO 4217 code of every amount here. */
  currency: string;
  /** What the buyer saw, when it differs from `currency`. */
  presentment: { currency: string; total: Amount } | null;
  /** ISO instants. `paidAt` is null until the platform says that the order was paid. */
  placedAt: string;
  paidAt: string | null;
  updatedAt: string;
  lines: Line[];
  charges: Charge[];
  /** What the buyer was charged, taxes included, before any refund. */
  total: Amount;
  totalTax: Amount;
  /**
   * What was received beyond `total` because an edit took more out of the paid order than it added, whatever of it went back
   * since. Present, "0.00" too, when the lines are those of an edited order: then units that came back are not in them.
   */
  overpaid?: Amount;
  /**
   * Something is missing of the order, and its refunds do not say whether an edit took it out or it was returned: `total` may be
   * more, or less, than what was charged for what is left.
   */
  unclearEdit?: true;
  /** What an edit took out, and no refund names: units with their share, and shipping (Shopify). */
  removed?: (Line | Charge)[];
  buyer: Buyer;
  /** Absent when an adapter does not read it: then the buyer's country is the destination. */
  delivery?: Delivery;
  payments: Payment[];
  /** By how much the till rounded the cash it took (negative: it took less); not part of the sale. */
  cashRounding?: Amount;
  /** Every refund of the source, also those that moved no money. */
  refunds: Refund[];
  /** Our access keys on the order, 49 digits each. */
  accessKeys: string[];
  /** What our field for the factura's access key says instead of one: "N/A", or a key with a digit less. Absent: nothing. */
  notAKey?: string | undefined;
  /** What the buyer wrote to the shop. */
  note: string | null;
  /** Plain texts that the shop, its apps or its theme added to the order, hidden ones included; for templates. */
  attributes: Attribute[];
  /** When payment is due, for orders sold on credit. */
  terms: { days: number } | null;
}

/** The keys in texts of an order's fields for them, each once, and the first text that is none (blanks aside). */
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

/** The order is stored as deleted. */
export const isGone = ({ status }: Pick<Order, 'status'>): boolean => status === deletedStatus;

/** It can no longer be changed in the shop; WooCommerce empties its trash after a month. */
export const isThrownAway = ({ status }: Pick<Order, 'status'>): boolean =>
  status === deletedStatus || status === 'trash';

export interface Deposit {
  /** What came in; null when the plugin does not say. */
  paid: Amount | null;
  /** The price, of which `paid` is a part. */
  of: Amount;
  /** `order`: the total of the order is the price. `own`: it is the deposit, and the rest will be an order of its own. */
  total: 'order' | 'own';
}

/**
 * How the gift cards of a plugin are spent: as a payment of a sale at its full price, as a discount before tax, or as the
 * shop has set it.
 */
export type GiftCardSpent = 'payment' | 'discount' | 'unknown';

export interface Attribute {
  name: string;
  value: string;
}

/** The state of payment. `paid` and `partially-refunded` orders were paid, by the adapter's rules, configurable per store. */
export type Settlement =
  | 'draft'
  | 'unpaid'
  | 'partially-paid'
  | 'paid'
  | 'partially-refunded'
  | 'refunded'
  | 'cancelled';

/** How the sale reaches its buyer; decides whether Ecuador taxes it (mappers/tax-rules.ts). */
export interface Delivery {
  /**
   * `shipping`: to the ship-to address, else to the buyer's; also when the platform does not say. `in-shop`: picked up, or sold
   * over the counter. `none`: nothing to ship.
   */
  by: 'shipping' | 'in-shop' | 'none';
  /** ISO 3166-1 alpha-2 of the ship-to address, as the platform writes it; null without one. */
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
  /** ISO 3166-1 alpha-2 of the rate's country; absent when the platform does not say. */
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
  /** The platform's tax class; "" is the standard one, null without classes. */
  taxClass: string | null;
  /** Whether the platform says it is taxable; null when it does not say. */
  taxable: boolean | null;
}

export interface Line extends Taxed {
  id: string;
  kind: 'product' | 'gift-card' | 'tip' | 'duty';
  /** The kind as the shop has it, when a rule of the merchant gave another one (mappers/entries.ts). */
  kindInShop?: Line['kind'] | Charge['kind'];
  /** Of a gift card; absent when it is spent as a payment. */
  spentAs?: Exclude<GiftCardSpent, 'payment'>;
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
  /** Of the product, when the platform has them. */
  tags: string[];
  collections: string[];
}

export interface Charge extends Taxed {
  id: string;
  kind: 'shipping' | 'fee' | 'tip' | 'duty';
  /** As of a line. */
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
  /** Every telephone of the sale, also of other addresses: none of them is taken for an identification. */
  phones?: readonly string[];
  address: string | null;
  /** ISO country code of the billing (else shipping) address. */
  country: string | null;
  /** Every identification found, in the configured order of sources; the identity gate chooses. */
  ids: IdCandidate[];
  /** The name a registry has for `id`, when it was looked up; not from the platform. */
  registered?: { id: string; name: string };
  /** The buyer's data were deleted (privacy.ts); not from the platform. */
  forgotten?: true;
  /** What we asked the buyer (buyer-policy.ts); not from the platform. */
  asked?: BuyerQuestion;
}

export interface IdCandidate {
  /** As the buyer typed it, trimmed. */
  value: string;
  /** Where it was found, for instance "meta _billing_cedula"; shown in explanations. */
  source: string;
  /** The type the source states; the digits decide (ficha técnica SRI, tabla 6). */
  type: 'cedula' | 'ruc' | 'pasaporte' | 'exterior' | null;
  /** Found, without a label, in a field for something else: a company, an address line. */
  elsewhere?: true;
}

export interface Payment {
  /** The platform's gateway id: "bacs", "cod", "payphone", "gift_card" … */
  gateway: string;
  title: string | null;
  /** null when the platform does not say how much went through this gateway. */
  amount: Amount | null;
  /** Refunds do not say how much of this went back: a plugin keeps the balance (WooCommerce wallets, gift cards). */
  apart?: true;
}

/** A refund as every platform's adapter reads it. Amounts are the platform's own figures, in the order's currency. */
export interface Refund {
  id: string;
  /** ISO instant at which the shop made it; null when unknown (WooCommerce order bodies). */
  at: string | null;
  /** What the merchant wrote about it. */
  reason: string | null;
  /** What went back to the buyer, taxes included; "0.00" for restocking only, null when unknown in the order's currency. */
  amount: Amount | null;
  /** Money on its way back that has not arrived (transfers), taxes included. */
  pending: Amount;
  /** What the money was for; empty when only an amount was typed, null when unknown. */
  parts: RefundPart[] | null;
  /**
   * The difference between money and parts that the platform states: positive, more went back than the parts say (goodwill);
   * negative, less (a restocking fee was kept); "0.00", none.
   */
  discrepancy: Amount;
  /** The part of `amount` that went to balances with the shop (gift cards, store credit), when known. */
  toBalances?: { gateway: string; amount: Amount }[];
  /** By how much the till rounded the cash it gave back (negative: it gave less); not part of `amount`. */
  cashRounding?: Amount;
  /** The records that hold `parts`, when the shop made one of the lines and one of the money; set by the planner. */
  linesFrom?: readonly string[];
  /** The records that hold the money of these lines; set by the planner. */
  moneyIn?: readonly string[];
  /** What it gave back of `Order.overpaid`, and is not in `amount`; set by the planner. */
  ofOverpaid?: Amount;
}

/** One line or charge of a refund. Positive: given back; negative: giving it back costs the buyer (a discount fee). */
export interface RefundPart {
  /** The line or charge of the order, as `sourceOf` names it; null when that link is lost. */
  of: string | null;
  name: string;
  /** Units given back; "0" for charges, and when only the price fell. */
  quantity: Amount;
  net: Amount;
  tax: Amount;
}

/** The name of a line or charge of an order in refunds and documents: "line:145", "shipping:12". */
export function sourceOf(item: Line | Charge): string {
  return 'quantity' in item ? lineSource(item.id) : chargeSource(item.row ?? item.kind, item.id);
}

/**
 * Whether a line sells a gift card as stored value: without tax, or with all of it given back, and the card pays for what is
 * bought with it.
 */
export function isStoredValue(item: Line | Charge, { refunds }: Pick<Order, 'refunds'>): boolean {
  if (item.kind !== 'gift-card' || item.spentAs !== undefined) return false;
  const back = refunds.flatMap(({ parts }) => (parts ?? []).filter(({ of }) => of === sourceOf(item)));
  return roundCents(decimal(item.tax).minus(sum(back.map(({ tax }) => tax)))).lte(0);
}

/** A gift card that policy leaves out of a factura. */
export interface LeftOut {
  /** `sourceOf`. */
  source: string;
  /** What discounts of the order took off it, taxes included. */
  discount: Amount;
}

export const lineSource = (id: string): string => `line:${id}`;
export const chargeSource = (kind: Charge['kind'], id: string): string => `${kind}:${id}`;

/** The line or charge of the order that a document's item stands for (`sourceOf`), and its units. */
export interface LineReference {
  source: string;
  /** In the order's units; "0" for a credited item that only lowers the price. */
  units: Amount;
  /** When the item stands for several, each with its part of the item's base. */
  folded?: (Pick<LineReference, 'source' | 'units'> & { base: Amount })[];
}

/** A refund of which only the amount is known. */
export function bareRefund(id: string, amount: Amount | null): Refund {
  return { id, at: null, reason: null, amount, pending: '0.00', parts: null, discrepancy: '0.00' };
}

/*
 * Shops reuse ids: after a restore, a new installation, a database that continues from its highest row. An id is bound to facts
 * that never change in the life of an order, as measured on WooCommerce 11.0.1 and documented for Shopify. They hold
 * nothing of the buyer, and remain when his data are deleted.
 */

/** What an order's id meant when it was first read. */
export interface OrderFingerprint {
  /** `Order.orderKey`; null when the platform has none, or none was stored. */
  key: string | null;
  /** ISO instant. */
  placedAt: string;
  /** What the merchant sees, for sentences. */
  name: string;
}

/** The same for a document; a nota de crédito includes its refund's id. */
export interface SourceFingerprint extends OrderFingerprint {
  /** When the shop made the refund; null when unknown. */
  refundAt?: string | null;
  /** A person confirmed that this refund is not the one that had its id before. */
  accepted?: true;
  /** Ids of the orders with the same lines from which, as a person confirmed, this one was paid apart. */
  apartFrom?: readonly string[];
  /** Access keys on its order that, as a person confirmed, are of other sales. */
  foreignKeys?: readonly string[];
}

/** What an order charged when it was paid. */
export interface PaidTotal {
  total: Amount;
  currency: string;
  /** When, as the shop says; null for orders invoiced without a payment date. */
  at: string | null;
}

export function fingerprintOf({ orderKey, placedAt, name }: Order): OrderFingerprint {
  return { key: orderKey ?? null, placedAt: new Date(placedAt).toISOString(), name };
}

/** By key if both have one, since merchants may change the date; else by the instant the order was placed. */
export function isSameOrder(one: OrderFingerprint, other: OrderFingerprint): boolean {
  if (one.key !== null && other.key !== null) return one.key === other.key;
  return one.placedAt === other.placedAt;
}

/** A refund without a known time counts as the known one. */
export function isSameRefund({ refundAt }: SourceFingerprint, { at }: Pick<Refund, 'at'>): boolean {
  return !refundAt || !at || Date.parse(refundAt) === Date.parse(at);
}

/** Whether a shop states an amount to the cent; one that shows none rounds what it states. */
export const hasCents = (amount: Amount): boolean => /\.\d\d/.test(amount);

/**
 * The total an order was paid with, by this reading; null when it is unpaid, or a shop that shows no cents rounded it. One with
 * a payment date was paid, whatever its status.
 */
export function paidTotalOf({ settlement, paidAt, total, currency }: Order): PaidTotal | null {
  if (!hasCents(total)) return null;
  const isPaid = paidAt !== null || ['paid', 'partially-refunded', 'refunded'].includes(settlement);
  return isPaid ? { total, currency, at: paidAt } : null;
}

/** ISO 3166-1 alpha-2 in upper case; null for nothing. Any other text stays, except "Ecuador": a country, and not ours. */
export function countryCode(written: string | null | undefined): string | null {
  const text = written?.trim() ?? '';
  if (text === '') return null;
  if (/^(ecuador|ecu)$/i.test(text)) return 'EC';
  return text.length === 2 ? text.toUpperCase() : text;
}

const names = new Intl.DisplayNames(['es'], { type: 'region' });

/** The Spanish name: "Canadá". */
export const countryName = (code: string): string =>
  (/^[A-Z]{2}$/.test(code) ? names.of(code) : null) ?? code;
