import { claimsOf } from '../../../mappers/credit/claims.ts';
import { Hold } from '../../../mappers/hold.ts';
import { type Amount, type Decimal, decimal, sum, toAmount } from '../../core/money.ts';
import type { Charge, Line, Order, Payment } from '../../core/order.ts';
import { type Refund, sourceOf } from '../../core/refund.ts';
import { demandDetail } from './detail.ts';
import { inOrder } from './order-of.ts';

/** An order less what was given back before its factura left. */
export interface Remaining {
  order: Order;
  /** The refunds taken off; the attempt lists them, so that none is credited again. */
  netted: string[];
}

interface Left {
  item: Line | Charge;
  gross: Decimal;
  units: Decimal;
}

/**
 * The order that is still sold: each refund's money taken off the lines it names, else off everything alike.
 * Refunds without money, or whose money is still on its way, take nothing off. Pure.
 * @throws Hold where a refund's money cannot be laid upon the order.
 */
export function remainingOrder(order: Order): Remaining {
  const moved = inOrder(order.refunds).filter(({ amount }) => amount !== null && !decimal(amount).isZero());
  if (moved.length === 0) return { order, netted: [] };
  const items = [...order.lines, ...order.charges];
  let left = items.map((item): Left => ({ item, gross: grossOf(item), units: unitsOf(item) }));
  for (const refund of moved) {
    if (!decimal(refund.pending).isZero()) throw stillMoving(refund);
    demandDetail(refund, ratesOf(left));
    const claimable = left.map(({ item, ...rest }) => ({ source: sourceOf(item), ...rest }));
    const { asked } = claimsOf(refund, decimal(refund.amount ?? '0'), claimable);
    left = left.map(({ item, gross, units }, at) => ({
      item,
      gross: gross.minus(asked[at]?.gross ?? '0'),
      units: units.minus(asked[at]?.units ?? '0'),
    }));
  }
  const kept = left.flatMap(reduced);
  const lines = kept.filter((item): item is Line => 'quantity' in item);
  const charges = kept.filter((item): item is Charge => !('quantity' in item));
  const back = sum(moved.map(({ amount }) => amount ?? '0'));
  return {
    order: {
      ...order,
      lines,
      charges,
      total: toAmount(decimal(order.total).minus(back)),
      totalTax: written(sum(kept.map(({ tax }) => tax))),
      payments: paidLess(order.payments, back),
    },
    netted: moved.map(({ id }) => id),
  };
}

/** Part of it is back and part is not: neither a factura for the rest nor a nota de crédito would be right yet. */
const stillMoving = ({ id, amount, pending }: Refund) =>
  new Hold(
    'refund-pending',
    `El reembolso ${id} devolvió ${amount} y faltan ${pending} por devolver; la factura sale cuando termine. Si la devolución no va a completarse, corríjala en la tienda.`,
  );

const grossOf = ({ net, tax }: Line | Charge): Decimal => decimal(net).plus(tax);
const unitsOf = (item: Line | Charge): Decimal => decimal('quantity' in item ? item.quantity : '1');

/** How many tax rates the money that is left bears; an unstated one is a rate of its own. */
function ratesOf(left: readonly Left[]): number {
  const bearing = left.filter(({ gross }) => !gross.isZero());
  return new Set(bearing.map(({ item }) => item.taxes.map(({ rate }) => rate ?? '?').join(' '))).size;
}

/** Units given back leave with their money; a fall in price alone stays as a discount on what was sold. */
function reduced({ item, gross, units }: Left): (Line | Charge)[] {
  const before = grossOf(item);
  const sold = unitsOf(item);
  if (gross.isZero() && (!before.isZero() || units.isZero())) return [];
  const share = before.isZero() ? decimal(1) : gross.div(before);
  const byUnits = units.div(sold);
  const proportionate = units.gt(0) && gross.minus(before.times(byUnits)).abs().lte('0.02');
  const scaled = (amount: Amount, by: Decimal): Amount => written(decimal(amount).times(by));
  const amounts = {
    subtotal: scaled(item.subtotal, proportionate ? byUnits : decimal(1)),
    net: scaled(item.net, share),
    tax: scaled(item.tax, share),
    taxes: item.taxes.map((tax) => ({ ...tax, amount: scaled(tax.amount, share) })),
  };
  const quantity = proportionate && 'quantity' in item ? { quantity: units.toFixed() } : {};
  return [{ ...item, ...amounts, ...quantity }];
}

/** Exact where it ends within ten decimals. */
function written(amount: Decimal): Amount {
  const short = amount.toDecimalPlaces(10);
  return short.toFixed(Math.max(2, short.decimalPlaces()));
}

/** The largest tender gives back first. */
function paidLess(payments: readonly Payment[], back: Decimal): Payment[] {
  let owed = back;
  const bySize = payments.toSorted((a, b) => decimal(b.amount ?? '0').comparedTo(a.amount ?? '0'));
  const less = new Map(
    bySize.map((payment) => {
      const amount = decimal(payment.amount ?? '0');
      const taken = amount.lt(owed) ? amount : owed;
      owed = owed.minus(taken);
      return [payment, toAmount(amount.minus(taken))];
    }),
  );
  return payments.map((payment) =>
    payment.amount === null ? payment : { ...payment, amount: less.get(payment) ?? payment.amount },
  );
}
