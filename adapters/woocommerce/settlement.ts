import { sum } from '../../src/domain/money.ts';
import type { Order, Settlement } from '../../src/domain/order.ts';
import type { Refund } from '../../src/domain/refund.ts';
import type { WooOrder } from './payload.ts';
import type { Connection } from './settings.ts';

/**
 * Where the money stands. Paid means a payment date and a paid status: topics and transitions say nothing, a
 * cancelled order keeps its payment date, and cash on delivery is "processing" long before the money comes
 * (measured on WooCommerce 11.0.1). `refunds` are those the order was read with, so that both always agree.
 */
export function settlementOf(
  order: WooOrder,
  refunds: readonly Refund[],
  connection: Connection,
): Settlement {
  const { status } = order;
  if (['checkout-draft', 'auto-draft', 'draft'].includes(status)) return 'draft';
  if (['cancelled', 'trash'].includes(status)) return 'cancelled';
  if (status === 'refunded') return 'refunded';
  const paid =
    connection.paidStatuses.includes(status) &&
    (order.date_paid_gmt !== null || connection.invoiceUnpaidMethods.includes(order.payment_method));
  if (!paid) return 'unpaid';
  const back = sum(refunds.map(({ amount }) => amount ?? '0'));
  if (back.isZero()) return 'paid';
  return back.gte(order.total) ? 'refunded' : 'partially-refunded';
}

/** In these WooCommerce itself says that the order is not done yet. */
const ownSteps = ['pending', 'on-hold', 'failed', 'processing'];

/**
 * The setting that keeps an order with the settlement `unpaid` from being taken for paid: it has a date of payment and a
 * status nobody named, or an accepted status and no such date (cash on delivery).
 */
export function notAccepted(order: WooOrder, { paidStatuses }: Connection): Order['notAccepted'] {
  const { status, payment_method: method } = order;
  const waits = ownSteps.includes(status);
  if (paidStatuses.includes(status))
    return order.date_paid_gmt !== null || method === ''
      ? undefined
      : { setting: 'invoiceUnpaidMethods', value: method, waits };
  if (order.date_paid_gmt === null || (waits && status !== 'processing')) return undefined;
  return { setting: 'paidStatuses', value: status, waits };
}
