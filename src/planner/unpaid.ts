import { toAmount } from '../domain/money.ts';
import type { Order } from '../domain/order.ts';
import { hold, type Verdict, wait } from './action.ts';

/* What an order whose money did not come in, or only looks as if it had, waits or is held for. */

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

/** A factura that was to be sent waits until the order is paid again. */
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

/** Until when an order paid in part waits for the rest; null where it was not paid, or a deposit was agreed. */
export function restAwaitedUntil({ settlement, deposit, paidAt, placedAt }: Order): Date | null {
  if (settlement !== 'partially-paid' || deposit) return null;
  return new Date(Date.parse(paidAt ?? placedAt) + daysForRest * 24 * 3_600_000);
}

/**
 * Whether the order of a factura counts as paid as before, so that the factura is right: also where the connection invoices it
 * before its money comes, or would wait for a later status. An order that was cancelled or refunded was paid.
 */
export function isPaidStill({ settlement, notAccepted }: Pick<Order, 'settlement' | 'notAccepted'>): boolean {
  if (settlement !== 'unpaid' && settlement !== 'partially-paid' && settlement !== 'draft') return true;
  return notAccepted !== undefined && (notAccepted.waits || notAccepted.setting !== 'paidStatuses');
}

/** The status that may be added to paidStatuses for an order to count as paid again. */
export const acceptable = ({ notAccepted }: Order): string | null =>
  notAccepted && !notAccepted.partly && !unpaidStatuses.includes(notAccepted.value)
    ? notAccepted.value
    : null;

const unpaidStatuses = ['pending', 'on-hold', 'failed'];

/** A hold, unless the shop is expected to change the order by itself. */
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

/** Only a status in which the order is paid belongs into paidStatuses. */
function statusNotAccepted({ deposit }: Order, reason: NonNullable<Order['notAccepted']>): Verdict {
  const { value: status, partly } = reason;
  if (deposit?.total === 'own' && deposit.paid !== null)
    return hold('status-not-accepted', { why: 'deposit', status, paid: deposit.paid, of: deposit.of });
  const why = partly ? 'part' : unpaidStatuses.includes(status) ? 'unpaid' : 'status';
  return hold('status-not-accepted', { why, status });
}
