import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { offOf, settleWithin, splitWithin, type Taxed } from '../../../mappers/credit/within.ts';
import { type Decimal, decimal, sum } from '../../../src/core/money.ts';

const cents = (count: number): Decimal => decimal(count).div(100);
const written = ({ base, valor }: Taxed): string => `${base.toFixed(2)} + ${valor.toFixed(2)}`;

describe('cents within limits', () => {
  it('go beyond no limit and lose none', () => {
    const parts = fc.array(fc.tuple(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 500 })), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(parts, fc.integer({ min: 0, max: 1000 }), (some, thousandth) => {
        const limits = some.map(([, limit]) => cents(limit));
        const total = sum(limits).times(thousandth).div(1000).toDecimalPlaces(2);
        const split = splitWithin(
          total,
          some.map(([weight]) => decimal(weight)),
          limits,
        );
        expect(sum(split).toFixed(2)).toBe(total.toFixed(2));
        split.forEach((one, at) => {
          expect(one.gte(0) && one.lte(limits[at] ?? 0)).toBe(true);
        });
      }),
      { numRuns: 2000 },
    );
  });

  it('beyond all limits are a mistake of the caller', () => {
    expect(() => splitWithin(cents(3), [decimal(1)], [cents(2)])).toThrow(RangeError);
  });
});

describe('a part of a base and its tax', () => {
  const fifteen = decimal('0.15');

  it('has just the tax of its base wherever some base has', () => {
    const left = { base: decimal('34.35'), valor: decimal('5.15') };
    expect(written(settleWithin(decimal('11.50'), left, fifteen, decimal('10')))).toBe('10.00 + 1.50');
  });

  it('shares a cent the factura was off with what stays behind', () => {
    // 6.60 at 15 % is 0.99: the shop stated 1.00. No part of 0.50 has a base with just its own tax.
    const left = { base: decimal('6.60'), valor: decimal('1.00') };
    const part = settleWithin(decimal('0.50'), left, fifteen, decimal('0.43'));
    const rest = { base: left.base.minus(part.base), valor: left.valor.minus(part.valor) };
    for (const one of [part, rest]) expect(offOf(one, fifteen).abs().lte('0.0133')).toBe(true);
  });

  it.each(['0.15', '0.08', '0.05', '0.12'])(
    'of %s is never 0.015 off, nor is any rest, in fifty parts',
    (rate) => {
      const fraction = decimal(rate);
      const off = fc.constantFrom('-0.01', '0', '0.01');
      fc.assert(
        fc.property(
          fc.integer({ min: 100, max: 90_000 }),
          off,
          fc.array(fc.nat(40), { maxLength: 50 }),
          (base, by, shares) => {
            const exact = cents(base).times(fraction).toDecimalPlaces(2);
            const whole: Taxed = { base: cents(base), valor: exact.plus(by) };
            let left = whole;
            for (const share of [...shares, 1000]) {
              const gross = left.base.plus(left.valor).times(share).div(1000).toDecimalPlaces(2);
              const part = settleWithin(gross, left, fraction, gross.div(fraction.plus(1)));
              expect(part.base.plus(part.valor).equals(gross)).toBe(true);
              left = { base: left.base.minus(part.base), valor: left.valor.minus(part.valor) };
              for (const one of [part, left]) {
                if (one.base.lt(0) || one.valor.lt(0)) throw new Error(`below nothing: ${written(one)}`);
                if (offOf(one, fraction).abs().gt('0.015')) throw new Error(`${written(one)} at ${rate}`);
              }
            }
            expect(written(left)).toBe('0.00 + 0.00');
          },
        ),
        { numRuns: 500 },
      );
    },
  );
});
