import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitWithin } from '../../../mappers/credit/apportion.ts';
import { type Decimal, decimal, sum } from '../../../src/domain/money.ts';

const cents = (count: number): Decimal => decimal(count).div(100);

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

  it('that one cannot take stay with what weighs anything, whatever room others have', () => {
    const weights = [decimal(11), decimal(1), decimal(0)];
    const split = splitWithin(cents(12), weights, [cents(10), cents(5), cents(50)]);
    expect(split.map((one) => one.toFixed(2))).toEqual(['0.10', '0.02', '0.00']);
    const full = splitWithin(cents(20), weights, [cents(10), cents(5), cents(50)]);
    expect(full.map((one) => one.toFixed(2))).toEqual(['0.10', '0.05', '0.05']);
  });

  it('beyond all limits are a mistake of the caller', () => {
    expect(() => splitWithin(cents(3), [decimal(1)], [cents(2)])).toThrow(RangeError);
  });
});
