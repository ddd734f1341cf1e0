import { type Amount, Decimal, decimal, roundsToZero, sum, toAmount } from '../domain/money.ts';
import { isThrownAway, type Order } from '../domain/order.ts';
import type { Balance } from '../messages/holds-money.ts';
import { hold, nothing, nothingLeft, type PlanInput, type Verdict, wait } from './action.ts';
import { moneyLeft, returned } from './refund-money.ts';
import { walletOf } from './refund-purpose.ts';

/** The total, or what came in where the rest never did: a deposit, or the captured part of an authorisation. */
function received({ total, deposit, payments }: Order): Amount {
  if (deposit?.total === 'order') return deposit.paid ?? total;
  const amounts = payments.flatMap(({ amount }) => amount ?? []);
  if (amounts.length === 0 || amounts.length < payments.length) return total;
  return toAmount(Decimal.min(total, sum(amounts)));
}

/** Cancelling moves no money: what was paid and not given back is held until the merchant decides. */
export function cancelled({ order, store }: PlanInput): Verdict | null {
  const noDocument = nothing('cancelled', { parent: null });
  const { cancelledOrders } = store.policy;
  if (order.paidAt === null || isThrownAway(order) || cancelledOrders === 'nothing') return noDocument;
  const unknown = order.refunds.find(({ amount }) => amount === null);
  if (unknown) return hold('refund-contradiction', { why: 'unknown', refund: unknown.id });
  const kept = moneyLeft({ ...order, total: received(order) });
  if (kept.lte(0)) return roundsToZero(order.total) ? noDocument : nothingLeft;
  const moving = order.refunds.find(({ pending }) => !decimal(pending).isZero());
  if (moving) return wait('refund-pending', { why: 'refund', refund: moving.id, pending: moving.pending });
  const isPart = decimal(received(order)).lt(order.total);
  if (order.deposit?.total === 'order' || isPart)
    return hold('cancelled-kept', {
      why: 'part',
      price: order.deposit?.of ?? toAmount(order.total),
      kept: toAmount(kept),
      deposit: order.deposit !== undefined,
    });
  const owed = owedStill(order);
  if (cancelledOrders === 'invoice')
    return owed.gt(0) ? hold('cancelled-kept', { why: 'edited', owed: toAmount(owed) }) : null;
  const balance = balanceIn(order, kept);
  if (!balance) return hold('cancelled-kept', { why: 'kept', kept: toAmount(kept) });
  return hold('cancelled-kept', { why: balance.rest === null ? 'only-balance' : 'balance', ...balance });
}

/** `rest`: what refunds of the shop can give back. Null without a known amount. */
export function balanceIn(order: Order, kept: Decimal): Balance | null {
  const wallet = walletOf(order);
  if (!wallet?.isKnown) return null;
  const amount = toAmount(Decimal.min(kept, wallet.amount));
  const rest = kept.minus(amount);
  const { names } = wallet;
  return { names, kept: toAmount(kept), amount, rest: rest.isZero() ? null : toAmount(rest) };
}

export const owedStill = (order: Order): Decimal => decimal(order.overpaid ?? '0').minus(returned(order));

/** The status stays "refunded" when a refund is deleted (measured on WooCommerce 11.0.1), and may be set by hand. */
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
      why: 'order',
      status,
      back,
      names: wallet.names,
      rest: toAmount(decimal(total).minus(back)),
    });
  return settlement === 'refunded'
    ? hold('refund-missing', { why: 'whole', status, back, total: toAmount(total), factura })
    : hold('refund-missing', { why: 'part', status, factura });
}

export function notPaidYet(order: Order, code: 'unpaid' | 'partially-paid', now: Date): Verdict {
  const { status, deposit } = order;
  if (isRestOverdue(order, now))
    return hold('partially-paid', {
      why: 'overdue',
      status,
      days: daysForRest,
      total: toAmount(order.total),
    });
  const isPart = deposit?.total === 'order';
  const far = {
    why: 'waits',
    status,
    deposit: isPart ? { paid: deposit.paid, of: deposit.of } : null,
  } as const;
  return code === 'unpaid' ? wait('unpaid', far) : wait('partially-paid', far);
}

export function unpaidAgain({ status }: Order, code: 'unpaid' | 'partially-paid'): Verdict {
  const again = { why: 'again', status } as const;
  return code === 'unpaid' ? hold('unpaid', again) : hold('partially-paid', again);
}

/** Authorisations of cards expire within a week in most gateways. */
const daysForRest = 7;

export function isRestOverdue(order: Order, now: Date): boolean {
  const until = restAwaitedUntil(order);
  return until !== null && until <= now;
}

export function restAwaitedUntil({ settlement, deposit, paidAt, placedAt }: Order): Date | null {
  if (settlement !== 'partially-paid' || deposit) return null;
  return new Date(Date.parse(paidAt ?? placedAt) + daysForRest * 24 * 3_600_000);
}

/** Also where the connection invoices an order before its money comes. A cancelled or refunded order was paid. */
export function isPaidStill({ settlement, notAccepted }: Pick<Order, 'settlement' | 'notAccepted'>): boolean {
  if (settlement !== 'unpaid' && settlement !== 'partially-paid' && settlement !== 'draft') return true;
  return notAccepted !== undefined && (notAccepted.waits || notAccepted.setting !== 'paidStatuses');
}

export const acceptable = ({ notAccepted }: Order): string | null =>
  notAccepted && !notAccepted.partly && !unpaidStatuses.includes(notAccepted.value)
    ? notAccepted.value
    : null;

const unpaidStatuses = ['pending', 'on-hold', 'failed'];

export function notAccepted(order: Order, reason: NonNullable<Order['notAccepted']>): Verdict {
  const { status } = order;
  const { setting, value, waits } = reason;
  const held =
    setting === 'paidStatuses'
      ? statusNotAccepted(order, reason)
      : value === ''
        ? hold('payment-date-missing', { why: 'no-method', status })
        : hold('payment-date-missing', { why: 'method', status, method: value, setting });
  return waits ? { ...held, action: 'wait' } : held;
}

function statusNotAccepted({ deposit }: Order, reason: NonNullable<Order['notAccepted']>): Verdict {
  const { value: status, partly } = reason;
  if (deposit?.total === 'own' && deposit.paid !== null)
    return hold('status-not-accepted', { why: 'deposit', status, paid: deposit.paid, of: deposit.of });
  const why = partly ? 'part' : unpaidStatuses.includes(status) ? 'unpaid' : 'status';
  return hold('status-not-accepted', { why, status });
}
