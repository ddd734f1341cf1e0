import { type Decimal, decimal, roundCents, sum, toAmount } from '../../src/domain/money.ts';
import type { Order, Payment } from '../../src/domain/order.ts';
import { mayBeAmount } from '../../src/domain/text.ts';
import type { WooOrder } from './payload.ts';

/** What the sale cost, who paid what, and which fee lines are payments rather than part of the sale. */
export interface Tenders {
  total: Order['total'];
  payments: Payment[];
  fees: ReadonlySet<string>;
}

interface Stated {
  gateway: 'wallet' | 'gift_card' | 'store_credit';
  title: string;
  /** null for what cannot be read: nothing is proven by it. */
  amount: Decimal | null;
}

/**
 * WooCommerce knows one way of paying per order, so plugins whose gift cards, wallets and store credit pay for a
 * sale lower its total instead, after taxes; the buyer still bought at the full price and with the full tax.
 * Where the order states such money and its own figures prove it (items + shipping + fees + tax − that money =
 * total, to the cent), it is a payment and the total is the sale's. Where they do not, nothing is changed: the
 * sums then disagree, and the order is held with the amount that is missing (ADR 8). One whose amount cannot be read
 * is still named.
 */
export function readTenders(order: WooOrder): Tenders {
  const own: Payment = {
    gateway: order.payment_method,
    title: order.payment_method_title || null,
    amount: order.total,
  };
  const fees = order.fee_lines.filter(isWalletFee);
  const stated = [...walletOf(order, fees), ...giftCardsOf(order), ...creditOf(order)];
  const unread = stated.flatMap(({ gateway, title, amount }): Payment[] =>
    amount === null ? [{ gateway, title, amount, apart: true }] : [],
  );
  const unchanged: Tenders = { total: order.total, payments: [own, ...unread], fees: new Set() };
  if (stated.length === 0) return unchanged;
  const paid = stated.flatMap(({ amount, ...by }) => (amount?.gt(0) ? { ...by, amount } : []));
  const sale = saleOf(order, fees);
  const spent = sum(paid.map(({ amount }) => amount));
  if (unread.length > 0 || spent.isZero() || !sale.minus(spent).equals(order.total)) return unchanged;
  return {
    total: toAmount(sale),
    payments: [...(decimal(order.total).isZero() ? [] : [own]), ...byGateway(paid)],
    fees: new Set(fees.map(({ id }) => id)),
  };
}

/** Items, shipping, other fees and all tax, as the shop itself adds them up. */
function saleOf(order: WooOrder, payments: WooOrder['fee_lines']): Decimal {
  const paid = new Set(payments);
  const fees = order.fee_lines.filter((fee) => !paid.has(fee));
  const rows = [...order.line_items, ...order.shipping_lines, ...fees];
  return roundCents(sum([...rows.map(({ total }) => total), order.total_tax]));
}

function byGateway(paid: readonly (Stated & { amount: Decimal })[]): Payment[] {
  const gateways = [...new Set(paid.map(({ gateway }) => gateway))];
  return gateways.map((gateway) => {
    const same = paid.filter((one) => one.gateway === gateway);
    const amount = toAmount(sum(same.map((one) => one.amount)));
    return { gateway, title: same[0]?.title ?? null, amount, apart: true };
  });
}

/** TeraWallet's part payment: a fee below nothing that bears no tax, known by its key in the cart. */
function isWalletFee({ total, total_tax, meta_data }: WooOrder['fee_lines'][number]): boolean {
  return (
    decimal(total).lt(0) &&
    decimal(total_tax).isZero() &&
    meta_data.some(({ key, value }) => key === '_legacy_fee_key' && value === '_via_wallet_partial_payment')
  );
}

/** Before it made fees of them, TeraWallet lowered the total and left the amount on the order. */
function walletOf(order: WooOrder, fees: WooOrder['fee_lines']): Stated[] {
  const amounts =
    fees.length > 0
      ? fees.map(({ total }) => decimal(total).negated())
      : order.meta_data
          .filter(({ key }) => key === '_via_wallet_payment')
          .map(({ value }) => amountOf(value));
  return amounts.map((amount) => ({ gateway: 'wallet', title: 'Monedero', amount }));
}

/** `gift_cards` of WooCommerce Gift Cards, `pw_gift_card_lines` of PW Gift Cards: `[{ amount }]`. */
function giftCardsOf({ gift_cards, pw_gift_card_lines }: WooOrder): Stated[] {
  return [gift_cards, pw_gift_card_lines].flatMap(listOf).map((card) => ({
    gateway: 'gift_card',
    title: 'Tarjeta de regalo',
    amount: amountOf(typeof card === 'object' && card !== null && 'amount' in card ? card.amount : null),
  }));
}

/** Smart Coupons keeps `{ code: amount }` of the store credit that was used. */
function creditOf({ meta_data }: WooOrder): Stated[] {
  const used = meta_data.find(({ key }) => key === 'smart_coupons_contribution')?.value;
  const amounts = typeof used === 'object' && used !== null ? Object.values(used) : [];
  return amounts.map((value) => ({
    gateway: 'store_credit',
    title: 'Crédito de tienda',
    amount: amountOf(value),
  }));
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** In whole cents: PHP's floats are not. */
function amountOf(value: unknown): Decimal | null {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && mayBeAmount(text) && /^\d+(\.\d+)?$/.test(text)
    ? roundCents(decimal(text))
    : null;
}
