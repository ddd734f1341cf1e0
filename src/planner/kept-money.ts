import { type Amount, Decimal, decimal, roundsToZero, sum, toAmount } from '../domain/money.ts';
import { isThrownAway, type Order } from '../domain/order.ts';
import type { Balance } from '../messages/holds-money.ts';
import { hold, nothing, nothingLeft, type PlanInput, type Verdict, wait } from './action.ts';
import { returned } from './refunds/beside-factura.ts';
import { walletOf } from './refunds/detail.ts';

/*
 * Money that a shop keeps of an order that is cancelled, emptied by an edit, or said to be refunded: nobody but a person says what
 * it is for.
 */

/** What the buyer paid and did not get back, what is owed to him included; a refund of unknown amount counts as zero. */
export function moneyLeft({
  total,
  overpaid = '0',
  refunds,
}: Pick<Order, 'total' | 'overpaid' | 'refunds'>): Decimal {
  const back = refunds.flatMap(({ amount, ofOverpaid }) => [amount ?? '0', ofOverpaid ?? '0']);
  return decimal(total).plus(overpaid).minus(sum(back));
}

/** The total, or what came in where the rest never did: a deposit, or the captured part of an authorisation. */
function received({ total, deposit, payments }: Order): Amount {
  if (deposit?.total === 'order') return deposit.paid ?? total;
  const amounts = payments.flatMap(({ amount }) => amount ?? []);
  if (amounts.length === 0 || amounts.length < payments.length) return total;
  return toAmount(Decimal.min(total, sum(amounts)));
}

/** Cancelling moves no money: what was paid and not given back is held until the merchant says what it is. */
export function cancelled({ order, store }: PlanInput): Verdict | null {
  const noDocument = nothing('cancelled', { parent: null });
  const { cancelledOrders } = store.policy;
  if (order.paidAt === null || isThrownAway(order) || cancelledOrders === 'nothing') return noDocument;
  const unknown = order.refunds.find(({ amount }) => amount === null);
  if (unknown) return hold('refund-amount-unknown', { why: 'refund', refund: unknown.id });
  const kept = moneyLeft({ ...order, total: received(order) });
  if (kept.lte(0)) return roundsToZero(order.total) ? noDocument : nothingLeft;
  const moving = order.refunds.find(({ pending }) => !decimal(pending).isZero());
  if (moving) return wait('refund-pending', { why: 'refund', refund: moving.id, pending: moving.pending });
  const isPart = decimal(received(order)).lt(order.total);
  if (order.deposit?.total === 'order' || isPart)
    return hold('cancelled-kept', {
      ...{ why: 'part', price: order.deposit?.of ?? toAmount(order.total), kept: toAmount(kept) },
      deposit: order.deposit !== undefined,
    });
  const owed = owedStill(order);
  if (cancelledOrders === 'invoice')
    return owed.gt(0) ? hold('cancelled-kept', { why: 'edited', owed: toAmount(owed) }) : null;
  const balance = balanceIn(order, kept);
  if (!balance) return hold('cancelled-kept', { why: 'kept', kept: toAmount(kept) });
  return hold('cancelled-kept', { why: balance.rest === null ? 'only-balance' : 'balance', ...balance });
}

/**
 * What of the money that is kept was paid with a balance that refunds of the shop cannot give back; `rest`: what they can. Null
 * without any of a known amount.
 */
export function balanceIn(order: Order, kept: Decimal): Balance | null {
  const wallet = walletOf(order);
  if (!wallet?.isKnown) return null;
  const amount = toAmount(Decimal.min(kept, wallet.amount));
  const rest = kept.minus(amount);
  const { names } = wallet;
  return { names, kept: toAmount(kept), amount, rest: rest.isZero() ? null : toAmount(rest) };
}

/** What an edit left for the buyer to get back. */
const owedStill = (order: Order): Decimal => decimal(order.overpaid ?? '0').minus(returned(order));

/** An order that an edit left nothing of. */
export function emptied({ order, store }: PlanInput): Verdict | null {
  if (!decimal(order.total).isZero() || decimal(order.overpaid ?? '0').isZero()) return null;
  const owed = owedStill(order);
  if (owed.lte(0)) return nothingLeft;
  return store.policy.cancelledOrders === 'nothing'
    ? nothing('free', { owed: toAmount(owed) })
    : hold('cancelled-kept', { why: 'emptied', owed: toAmount(owed) });
}

/**
 * The status says refunded and the refunds do not add up to it: it stays when a refund is deleted (measured on WooCommerce
 * 11.0.1), and a merchant may set it by hand. A refund of unknown amount may be what is missing. `factura`: its number
 * once sent.
 */
export function refundMissing(order: Order, factura: string | null = null): Verdict | null {
  const { total, refunds, status, settlement } = order;
  if (settlement !== 'refunded' && settlement !== 'partially-refunded') return null;
  if (refunds.some(({ amount }) => amount === null)) return null;
  const back = toAmount(sum(refunds.flatMap(({ amount, pending }) => [amount ?? '0', pending])));
  const least = settlement === 'refunded' ? toAmount(received(order)) : '0.01';
  if (decimal(back).gte(least) || (settlement === 'partially-refunded' && returned(order).gt(0))) return null;
  const wallet = walletOf(order);
  if (wallet && settlement === 'refunded' && (!wallet.isKnown || wallet.amount.plus(back).gte(total)))
    return hold('refund-wallet', {
      ...{ why: 'order', status, back, names: wallet.names },
      rest: toAmount(decimal(total).minus(back)),
    });
  return settlement === 'refunded'
    ? hold('refund-missing', { why: 'whole', status, back, total: toAmount(total), factura })
    : hold('refund-missing', { why: 'part', status, factura });
}
