import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toFactura } from '../../mappers/index.ts';
import { unitPrice } from '../../mappers/items.ts';
import { type Decimal, decimal, roundCents, splitCents, sum, toAmount } from '../../src/domain/money.ts';
import type { Line } from '../../src/domain/order.ts';
import { line, order, store } from '../support/orders.ts';
import { policyOf, rateRules } from './policy.ts';

const context = {
  ...store,
  policy: policyOf({ tax: { rules: rateRules } }),
  secuencial: '000000001',
  today: '2026-11-20',
  recipient: { type: '05' as const, id: '1710034065', name: 'Carlos' },
  reference: 'r',
};

/** A line of a shop that prices with or without tax: the tax is rounded per line, the price may be inclusive. */
const shopLine = fc
  .record({
    cents: fc.integer({ min: 0, max: 200_000 }),
    quantity: fc.integer({ min: 1, max: 40 }),
    percentOff: fc.constantFrom(0, 0, 10, 33, 100),
    rate: fc.constantFrom('15', '15', '5', '0'),
    included: fc.boolean(),
  })
  .map(({ cents, quantity, percentOff, rate, included }): Line => {
    const gross = decimal(cents).div(100).times(quantity);
    const paid = roundCents(gross.times(100 - percentOff).div(100));
    const factor = decimal(rate).div(100);
    const tax = roundCents(included ? paid.minus(paid.div(factor.plus(1))) : paid.times(factor));
    const net = included ? paid.minus(tax) : paid;
    const subtotal = included ? gross.div(factor.plus(1)).toFixed(6) : gross.toFixed(2);
    return line({ quantity: String(quantity), subtotal, net: toAmount(net), tax: toAmount(tax), rate });
  });

describe('money', () => {
  it('keeps quantity and price of a line whose discount rounds to nothing', () => {
    const wanted = { quantity: '3', unit: '3.333333', base: '10.00' };
    const [quantity, unit, base] = Object.values(wanted).map(decimal) as [Decimal, Decimal, Decimal];
    const found = unitPrice({ quantity, unit, base, discounted: true });
    expect([found?.quantity, found?.unit, found?.discount].map(Number)).toEqual([3, 3.333333, -0]);
  });

  it('holds fewer than one in a hundred honest orders', () => {
    const orders = fc.sample(fc.array(shopLine, { minLength: 1, maxLength: 12 }), {
      numRuns: 2_000,
      seed: 7,
    });
    const held = orders.filter(
      (lines) =>
        !toFactura(order({ lines: lines.map((one, at) => ({ ...one, id: String(at) })) }), context).ok,
    );
    expect(held.length).toBeLessThan(20);
  });

  it('splits cents without losing one, without a negative part, and gives nothing to what weighs nothing', () => {
    const weights = fc.array(fc.integer({ min: 0, max: 10_000_000 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(weights, fc.integer({ min: -3, max: 3 }), (micros, drift) => {
        const exact = micros.map((value) => decimal(value).div(1_000_000));
        fc.pre(exact.some((value) => value.gt('0.1')));
        const total = roundCents(sum(exact)).plus(decimal(drift).div(100));
        const parts = splitCents(total, exact);
        expect(sum(parts).toFixed(2)).toBe(total.toFixed(2));
        parts.forEach((part, at) => {
          expect(part.gte(0)).toBe(true);
          if (micros[at] === 0) expect(part.isZero()).toBe(true);
        });
      }),
      { numRuns: 2_000 },
    );
  });
});
