import { type Decimal, decimal, roundCents, roundsToZero, sum, toAmount } from '../../src/domain/money.ts';
import type { Deposit, Order, Payment, Refund, Settlement } from '../../src/domain/order.ts';
import { amountOf, type WooFeeLine, type WooOrder } from './payload.ts';
import type { Connection } from './settings.ts';

interface OrderPayments extends Pick<Order, 'total' | 'payments'> {
  paymentFees: readonly WooFeeLine[];
}

interface PluginPayment {
  gateway: 'wallet' | 'gift_card' | 'store_credit';
  title: string;
  amount: Decimal | null;
}

/**
 * Plugins lower the order's total after taxes; the buyer paid the full price. It counts as a payment only if items +
 * shipping + fees + tax − payment = total to the cent; else the order is held (ADR 8).
 */
export function readPayments(order: WooOrder): OrderPayments {
  const own: Payment = {
    gateway: order.payment_method,
    title: order.payment_method_title || null,
    amount: order.total,
  };
  const walletFees = order.fee_lines.filter(isWalletFee);
  const cardFees = yithFees(order);
  const paymentFees = [...walletFees, ...cardFees];
  const stated = [
    ...walletOf(order, walletFees),
    ...giftCardsOf(order),
    ...yithCardsOf(order, cardFees),
    ...creditOf(order),
  ];
  const unread = stated.flatMap(({ gateway, title, amount }): Payment[] =>
    amount === null ? [{ gateway, title, amount, apart: true }] : [],
  );
  const unchanged = { total: order.total, payments: [own, ...unread], paymentFees: [] };
  const paid = stated.flatMap(({ amount, ...by }) => (amount?.gt(0) ? { ...by, amount } : []));
  const sale = saleTotal(order, paymentFees);
  const spent = sum(paid.map(({ amount }) => amount));
  if (unread.length > 0 || spent.isZero() || !sale.minus(spent).equals(order.total)) return unchanged;
  const byGateway = Map.groupBy(paid, ({ gateway }) => gateway);
  return {
    total: toAmount(sale),
    payments: [
      ...(roundsToZero(order.total) ? [] : [own]),
      ...[...byGateway].map(
        ([gateway, same]): Payment => ({
          gateway,
          title: same[0]?.title ?? null,
          amount: toAmount(sum(same.map(({ amount }) => amount))),
          apart: true,
        }),
      ),
    ],
    paymentFees,
  };
}

function saleTotal(order: WooOrder, paymentFees: readonly WooFeeLine[]): Decimal {
  const fees = order.fee_lines.filter((fee) => !paymentFees.includes(fee));
  const rows = [...order.line_items, ...order.shipping_lines, ...fees];
  return roundCents(sum([...rows.map(({ total }) => total), order.total_tax]));
}

/** TeraWallet's partial payment: a negative fee without tax, known by its key in the cart. */
function isWalletFee({ total, total_tax, meta_data }: WooFeeLine): boolean {
  return (
    decimal(total).lt(0) &&
    roundsToZero(total_tax) &&
    meta_data.some(({ key, value }) => key === '_legacy_fee_key' && value === '_via_wallet_partial_payment')
  );
}

/** Older TeraWallet made no fee: it lowered the total and left the amount on the order. */
function walletOf(order: WooOrder, fees: readonly WooFeeLine[]): PluginPayment[] {
  const amounts =
    fees.length > 0
      ? fees.map(({ total }) => decimal(total).negated())
      : order.meta_data
          .filter(({ key }) => key === '_via_wallet_payment')
          .map(({ value }) => amountOf(value));
  return amounts.map((amount) => ({ gateway: 'wallet', title: 'Monedero', amount }));
}

/** `gift_cards` of WooCommerce Gift Cards, `pw_gift_card_lines` of PW Gift Cards: `[{ amount }]`. */
function giftCardsOf({ gift_cards, pw_gift_card_lines }: WooOrder): PluginPayment[] {
  return [gift_cards, pw_gift_card_lines].flatMap(listOf).map((card) => ({
    gateway: 'gift_card',
    title: 'Tarjeta de regalo',
    amount: amountOf(typeof card === 'object' && card !== null && 'amount' in card ? card.amount : null),
  }));
}

const yithCards = '_ywgc_applied_gift_cards';

/** YITH Gift Cards lowers the total; a later change restores it and adds a fee (class-yith-ywgc-backend.php). */
function yithCardsOf(order: WooOrder, fees: readonly WooFeeLine[]): PluginPayment[] {
  const amounts =
    fees.length > 0
      ? fees.map(({ total }) => decimal(total).negated())
      : amountsByCode(order, yithCards).map(amountOf);
  return amounts.map((amount) => ({ gateway: 'gift_card', title: 'Tarjeta de regalo', amount }));
}

function yithFees(order: WooOrder): WooFeeLine[] {
  const codes = new Set(Object.keys(usedByCode(order, yithCards)).map((code) => code.toLowerCase()));
  const listsThem = (name: string) => {
    const [, list] = /\(([^()]+)\)\s*$/.exec(name) ?? [];
    return list?.split(',').every((code) => codes.has(code.trim().toLowerCase())) ?? false;
  };
  return order.fee_lines.filter(
    ({ name, total, total_tax }) => decimal(total).lt(0) && roundsToZero(total_tax) && listsThem(name),
  );
}

const amountsByCode = (order: WooOrder, key: string): unknown[] => Object.values(usedByCode(order, key));

function usedByCode({ meta_data }: WooOrder, key: string): object {
  const used = meta_data.find((meta) => meta.key === key)?.value;
  return typeof used === 'object' && used !== null ? used : {};
}

/** Smart Coupons stores `{ code: amount }` of the store credit that was used. */
function creditOf(order: WooOrder): PluginPayment[] {
  return amountsByCode(order, 'smart_coupons_contribution').map((value) => ({
    gateway: 'store_credit',
    title: 'Crédito de tienda',
    amount: amountOf(value),
  }));
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Cash on delivery is "processing" long before the money comes (measured on WooCommerce 11.0.1). */
export function readSettlement(
  order: WooOrder,
  refunds: readonly Refund[],
  connection: Connection,
  deposit: Deposit | undefined,
): Settlement {
  const { status } = order;
  if (['checkout-draft', 'auto-draft', 'draft'].includes(status)) return 'draft';
  if (['cancelled', 'trash'].includes(status)) return 'cancelled';
  if (status === 'refunded') return 'refunded';
  if (deposit?.total === 'order') return 'partially-paid';
  const paid =
    connection.paidStatuses.includes(status) &&
    (order.date_paid_gmt !== null || connection.invoiceUnpaidMethods.includes(order.payment_method));
  if (!paid) return 'unpaid';
  const back = sum(refunds.map(({ amount }) => amount ?? '0'));
  if (back.isZero()) return 'paid';
  return back.gte(order.total) ? 'refunded' : 'partially-refunded';
}

/** Goods on their way wait, because cash on delivery is paid at the end. */
export function notAccepted(order: WooOrder, { paidStatuses }: Connection): Order['notAccepted'] {
  const { status, payment_method: method } = order;
  const isOnItsWay = status === 'processing';
  if (paidStatuses.includes(status))
    return order.date_paid_gmt !== null
      ? undefined
      : { setting: 'invoiceUnpaidMethods', value: method, waits: isOnItsWay && method !== '' };
  if (order.date_paid_gmt === null) return undefined;
  return {
    setting: 'paidStatuses',
    value: status,
    waits: isOnItsWay,
    ...(namesPart(status) && { partly: true }),
  };
}

/** Such as «partially-paid», «pago-parcial», «con-anticipo»; not a part of a shipment. */
function namesPart(status: string): boolean {
  const isPart = /(^|-)(partial|partially|parcial|parcialmente|deposit|anticipo|abono|abonado)(-|$)/;
  return isPart.test(status) && !ofGoods.test(status) && !byBank.test(status);
}

const ofGoods =
  /(^|-)(ship|deliver|dispatch|fulfil|pick|pack|prepar|produc|return|refund|envi|entreg|despach|devol|devuel|reembols|retir)/;
/** «deposit» may also name a whole payment into the account of the shop. */
const byBank = /(^|-)(bank|bancari[oa]|cash|efectivo|wire)(-|$)/;
