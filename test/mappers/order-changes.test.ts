import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toFactura } from '../../mappers/index.ts';
import { decimal } from '../../src/domain/money.ts';
import type { Line, Order } from '../../src/domain/order.ts';
import { line, order } from '../support/orders.ts';
import { generatedOrders } from './generated-orders.ts';
import { runs } from './order-properties.ts';
import { contextOf, decreed, rateRules } from './policy.ts';

const context = contextOf({ tax: { rules: rateRules } }, decreed);
const totalOf = (sale: Order) => {
  const mapped = toFactura(sale, context);
  return mapped.ok ? mapped.total : mapped.code;
};
const check = (change: (sale: Order) => Order) =>
  fc.assert(
    fc.property(fc.boolean().chain(generatedOrders), (sale) => {
      const before = totalOf(sale);
      // A held order is held again, perhaps for another of its reasons.
      if (/^\d/.test(before)) expect(totalOf(change(sale))).toBe(before);
    }),
    { numRuns: Math.ceil(runs / 20) },
  );

/** One line as two: the first takes `units`, and to the last micro its share of every amount. */
function split(whole: Line): Line[] {
  if (!/^\d+$/.test(whole.quantity) || Number(whole.quantity) < 2) return [whole];
  const units = Math.floor(Number(whole.quantity) / 2);
  const rest = Number(whole.quantity) - units;
  const part = (amount: string, first: boolean) => {
    const share = decimal(amount).times(units).div(whole.quantity).toDecimalPlaces(6);
    return (first ? share : decimal(amount).minus(share)).toFixed();
  };
  return [true, false].map((first) => ({
    ...whole,
    id: `${whole.id}${first ? 'a' : 'b'}`,
    quantity: String(first ? units : rest),
    subtotal: part(whole.subtotal, first),
    net: part(whole.net, first),
    tax: part(whole.tax, first),
    taxes: whole.taxes.map((tax) => ({ ...tax, amount: part(tax.amount, first) })),
  }));
}

describe('the total stays', { timeout: 7_200_000 }, () => {
  it('when lines and charges stand in another order', () => {
    check((sale) => ({ ...sale, lines: sale.lines.toReversed(), charges: sale.charges.toReversed() }));
  });

  it('when a line is split in two', () => {
    check((sale) => ({ ...sale, lines: sale.lines.flatMap(split) }));
  });

  it('when a discount moves from one line to an equal one', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 100_000 }),
        fc.integer({ min: 0, max: 99 }),
        fc.constantFrom('15', '5', '0'),
        (cents, percent, rate) => {
          const price = decimal(cents).div(100).toFixed(2);
          const off = decimal(cents).times(percent).div(10_000).toDecimalPlaces(2);
          const low = decimal(price).minus(off).toFixed(2);
          const one = line({ id: '1', price, rate });
          const other = line({ id: '2', price, rate, net: low, subtotal: price });
          const swapped = [line({ ...other, id: '1' }), line({ ...one, id: '2' })];
          expect(totalOf(order({ lines: swapped }))).toBe(totalOf(order({ lines: [one, other] })));
        },
      ),
      { numRuns: Math.ceil(runs / 20) },
    );
  });
});
