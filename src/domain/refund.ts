import type { Amount } from './money.ts';
import type { Charge, Line } from './order.ts';

/**
 * Money given back for an order, as every platform's adapter reads it. Amounts are decimal strings in the
 * order's currency and are the platform's own figures.
 */
export interface Refund {
  id: string;
  /** ISO instant at which the shop made it; null where the source does not say (WooCommerce order bodies). */
  at: string | null;
  /** What the merchant wrote about it. */
  reason: string | null;
  /**
   * Money that went back to the buyer, taxes included; "0.00" when none did (restock only), null when the
   * source does not say how much in the order's currency.
   */
  amount: Amount | null;
  /** Money on its way back that has not arrived yet (transfers), taxes included. */
  pending: Amount;
  /** What the money was for; empty where only an amount was typed, null where the source does not tell. */
  parts: RefundPart[] | null;
  /**
   * By how much the platform itself says that the money differs from its parts: positive = more went back than
   * the parts say (goodwill), negative = less (a restocking fee was kept). "0.00" where it says nothing.
   */
  discrepancy: Amount;
  /** Of `amount`, what went to balances with the shop (gift cards, store credit), where the source tells. */
  toBalances?: { gateway: string; amount: Amount }[];
  /** By how much the till rounded the cash it gave back (negative: it gave less); no part of `amount`. */
  cashRounding?: Amount;
  /** Records whose lines `parts` are, where the shop made one of the lines and one of the money; no platform states it. */
  linesFrom?: readonly string[];
  /** Records the money of these lines came back in; no platform states it. */
  moneyIn?: readonly string[];
}

/** One line or charge of a refund. Positive = given back; negative where giving back costs the buyer (a discount fee). */
export interface RefundPart {
  /** The line or charge of the order it undoes, as `sourceOf` names it; null where that link is lost. */
  of: string | null;
  name: string;
  /** Units given back; "0" where only the price fell, and for charges. */
  quantity: Amount;
  net: Amount;
  tax: Amount;
}

/** How refunds and documents name a line or charge of an order: "line:145", "shipping:12". */
export function sourceOf(item: Line | Charge): string {
  return 'quantity' in item ? lineSource(item.id) : chargeSource(item.kind, item.id);
}

export const lineSource = (id: string): string => `line:${id}`;
export const chargeSource = (kind: Charge['kind'], id: string): string => `${kind}:${id}`;

/** Which line or charge of the order a document's item stands for (`sourceOf`), and how many of its units. */
export interface Tie {
  source: string;
  /** In the order's units; "0" for a credited item that only lowers the price. */
  units: Amount;
  /** Where the item stands for several of them, each with its part of the item's base. */
  folded?: (Pick<Tie, 'source' | 'units'> & { base: Amount })[];
}

/** What a refund of which nothing but its amount is known says. */
export function bareRefund(id: string, amount: Amount | null): Refund {
  return { id, at: null, reason: null, amount, pending: '0.00', parts: null, discrepancy: '0.00' };
}
