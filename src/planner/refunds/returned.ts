import { decimal, sum, toAmount } from '../../domain/money.ts';
import type { Charge, Line, Order } from '../../domain/order.ts';
import { type Refund, sourceOf } from '../../domain/refund.ts';

/**
 * The order without what came back whole, for an order that cannot be invoiced with it: a gift card the policy
 * holds, a product without a tax rule. Only refunds whose lines are all their money tell so. null where nothing
 * came back whole.
 */
export function withoutReturned(order: Order, refunds: readonly Refund[]): Order | null {
  const clear = refunds.filter(isClear);
  const gone = [...order.lines, ...order.charges].filter((item) => cameBack(item, clear));
  if (gone.length === 0) return null;
  const sources = new Set(gone.map(sourceOf));
  const isGone = (of: string | null): boolean => of !== null && sources.has(of);
  const kept = clear.map((refund): Refund => {
    const parts = (refund.parts ?? []).filter(({ of }) => !isGone(of));
    const off = moneyOf({ ...refund, parts: (refund.parts ?? []).filter(({ of }) => isGone(of)) });
    return { ...refund, parts, amount: toAmount(decimal(refund.amount ?? '0').minus(off)) };
  });
  const back = sum(clear.map(({ amount }) => amount ?? '0')).minus(
    sum(kept.map(({ amount }) => amount ?? '0')),
  );
  return {
    ...order,
    lines: order.lines.filter((one) => !gone.includes(one)),
    charges: order.charges.filter((one) => !gone.includes(one)),
    total: toAmount(decimal(order.total).minus(back)),
    refunds: order.refunds.map((refund) => kept.find(({ id }) => id === refund.id) ?? refund),
  };
}

const moneyOf = ({ parts }: Refund) => sum((parts ?? []).flatMap(({ net, tax }) => [net, tax]));

const isClear = (refund: Refund): boolean =>
  decimal(refund.pending).isZero() &&
  moneyOf(refund)
    .minus(refund.amount ?? '0')
    .abs()
    .lte('0.01');

function cameBack(item: Line | Charge, refunds: readonly Refund[]): boolean {
  const own = refunds.flatMap(({ parts }) => (parts ?? []).filter(({ of }) => of === sourceOf(item)));
  const money = sum(own.flatMap(({ net, tax }) => [net, tax]));
  const units = sum(own.map(({ quantity }) => quantity));
  const all = decimal(item.net).plus(item.tax);
  return (
    own.length > 0 &&
    money.minus(all).abs().lte('0.02') &&
    (!('quantity' in item) || units.equals(item.quantity))
  );
}
