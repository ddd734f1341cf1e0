import { type Decimal, decimal, sum } from '../../../src/domain/money.ts';
import {
  type AskedRefund,
  makeRefund,
  namedInOrder,
  newRefund,
  RefundRefused,
  readRefund,
  type StoredRefund,
} from './refund.ts';
import type { ShopTimes } from './shop-times.ts';
import type { Happened, StoredOrder } from './store.ts';

/** The refunds of a shop's orders, and what they do to the order they belong to (measured on WooCommerce 11.0.1). */
export function openRefunds(nextId: () => number, now: () => ShopTimes, happened: Happened) {
  const byOrder = new Map<string, StoredRefund[]>();
  const of = (order: StoredOrder): StoredRefund[] => byOrder.get(String(order.id)) ?? [];
  const remaining = (order: StoredOrder): Decimal =>
    decimal(String(order.total)).minus(sum(of(order).map(({ amount }) => amount)));

  function set(order: StoredOrder, refunds: readonly StoredRefund[]): void {
    byOrder.set(String(order.id), [...refunds]);
    order.refunds = refunds.toSorted((a, b) => newer(a, b) || a.id - b.id).map(namedInOrder);
  }

  function make(order: StoredOrder, asked: AskedRefund): StoredRefund {
    const time = now();
    const made = makeRefund(order, of(order), asked, nextId, time);
    if (asked.api_refund) {
      throw new RefundRefused('The payment gateway for this order does not support automatic refunds.');
    }
    set(order, [...of(order), made]);
    Object.assign(order, { date_modified: time.local, date_modified_gmt: time.gmt });
    const all = remaining(order).isZero();
    if (all) order.status = 'refunded';
    happened(`action.woocommerce_order_${all ? 'fully' : 'partially'}_refunded`, order.id);
    happened('order.updated', order.id);
    happened('action.woocommerce_refund_created', made.id);
    happened('action.woocommerce_order_refunded', order.id);
    return made;
  }

  return {
    /** Without `inFull`, a refund that only the order names was typed as an amount. */
    put(order: StoredOrder, inFull?: readonly unknown[]): void {
      const known = of(order);
      const named = order.refunds.map(
        (one) => known.find(({ id }) => id === one.id) ?? typedAmount(order, one),
      );
      byOrder.set(String(order.id), inFull?.map(readRefund) ?? named);
    },
    make,
    /** Setting the status «refunded» by hand refunds all that is left, without lines. */
    giveBackTheRest(order: StoredOrder): void {
      const amount = remaining(order).toFixed(2);
      if (remaining(order).gt(0)) {
        make(order, newRefund.parse({ amount, reason: 'Order fully refunded.', api_refund: false }));
      }
    },
    /** Changes neither the order's status nor its time. */
    remove: (order: StoredOrder, id: number): void =>
      set(
        order,
        of(order).filter((one) => one.id !== id),
      ),
    /** As the store's. */
    backup() {
      const kept = structuredClone(byOrder);
      return () => {
        byOrder.clear();
        for (const [id, list] of structuredClone(kept)) byOrder.set(id, list);
      };
    },
    forget: (orderId: string): void => void byOrder.delete(orderId),
    /** Newest first; those of one second the later first, unlike in the order itself. */
    list: (orderId: string): StoredRefund[] =>
      (byOrder.get(orderId) ?? []).toSorted((a, b) => newer(a, b) || b.id - a.id),
  };
}

const newer = (a: StoredRefund, b: StoredRefund): number =>
  b.date_created_gmt.localeCompare(a.date_created_gmt);

/** A refund of which only what the order says is known: its amount was typed, as gateways do. */
function typedAmount(
  order: StoredOrder,
  { id, reason, total }: StoredOrder['refunds'][number],
): StoredRefund {
  return {
    id,
    date_created: order.date_modified,
    date_created_gmt: String(order.date_modified_gmt),
    amount: total.replace(/^-/, ''),
    reason: reason ?? '',
    refunded_by: 1,
    refunded_payment: false,
    meta_data: [],
    line_items: [],
    shipping_lines: [],
    tax_lines: [],
    fee_lines: [],
  };
}
