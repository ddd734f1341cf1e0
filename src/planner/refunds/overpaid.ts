import { type Decimal, decimal, sum, toAmount } from '../../domain/money.ts';
import { chargeSource, type Order, type Refund, type RefundPart } from '../../domain/order.ts';
import type { PlannedDocument, SentContent } from '../action.ts';
import { inOrder, worth } from './records.ts';

/*
 * An edit may take out of a paid order more than it adds. The order is then worth less than was received, and the shop owes the
 * buyer the difference (`Order.overpaid`). Money that gives it back credits nothing, because no document states it: a factura
 * that was sent meanwhile is for the order as edited. One that was sent before the edit states all that was received.
 */

/**
 * The order with the money of its refunds split: what returns the overpaid part is no longer in `amount` but in `ofOverpaid`.
 * `sent`: the order's factura, which says how much was overpaid then. Applied to its own result it changes nothing. Pure.
 */
export function withOverpaidReturned(order: Order, sent: SentContent | undefined): Order {
  const overpaid = decimal((sent ? sent.overpaid : order.overpaid) ?? '0');
  let left = overpaid.minus(returned(order));
  if (left.lte(0)) return order;
  const isNetted = ({ id }: Refund): boolean => sent?.nettedRefunds.includes(id) ?? false;
  const oldestFirst = inOrder(order.refunds);
  const split = new Map<string, Refund>();
  for (const refund of [...oldestFirst.filter(isNetted), ...oldestFirst.filter((one) => !isNetted(one))]) {
    if (refund.amount === null || left.lte(0)) continue;
    // After the factura a line that it does not state was added since, and is not what was owed then.
    const isStated = sent && !isNetted(refund) ? namesSomething : isChargeOf(order);
    const parts = refund.parts?.filter(isStated) ?? null;
    const share = decimal(refund.amount).minus(worth(parts ?? []));
    if (share.lte(0)) continue;
    const taken = share.gt(left) ? left : share;
    left = left.minus(taken);
    split.set(refund.id, without(refund, taken, parts));
  }
  if (split.size === 0) return order;
  return { ...order, refunds: order.refunds.map((refund) => split.get(refund.id) ?? refund) };
}

/** The order's factura that was sent, and is not cancelled. */
export const sentFactura = (documents: readonly PlannedDocument[]): SentContent | undefined =>
  documents.find(({ kind, state, sent }) => kind === 'factura' && state !== 'cancelled' && sent !== null)
    ?.sent ?? undefined;

/** What the shop still owes the buyer, by this reading alone. */
export function stillOwed(order: Order): Decimal {
  return decimal(order.overpaid ?? '0').minus(returned(withOverpaidReturned(order, undefined)));
}

/** How much of the overpaid part went back, in an order whose refunds were split. */
export const returned = ({ refunds }: Order): Decimal =>
  sum(refunds.map(({ ofOverpaid }) => ofOverpaid ?? '0'));

const namesSomething = ({ of }: RefundPart): boolean => of !== null;

/** Units that came back are no longer in the lines of an edited order, so its refunds name charges only. */
const isChargeOf = ({ charges }: Order): ((part: RefundPart) => boolean) => {
  const sources = new Set(charges.map(({ kind, id }) => chargeSource(kind, id)));
  return ({ of }) => of !== null && sources.has(of);
};

function without(refund: Refund, ofOverpaid: Decimal, parts: RefundPart[] | null): Refund {
  const amount = decimal(refund.amount ?? '0').minus(ofOverpaid);
  const rest = amount.isZero() && parts ? [] : parts;
  const discrepancy = rest?.length ? toAmount(amount.minus(worth(rest))) : '0.00';
  return { ...refund, amount: toAmount(amount), ofOverpaid: toAmount(ofOverpaid), parts: rest, discrepancy };
}
