import { Decimal as Library } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '../../src/domain/decimal.ts';

/** The other road, with the same digits. */
const Wide = Library.clone({ precision: 40, rounding: Library.ROUND_HALF_UP });

/** Money, prices and rates mostly; also what lies at and beyond the range of whole doubles. */
const figures = fc
  .tuple(
    fc.oneof(
      { weight: 4, arbitrary: fc.bigInt({ min: -(10n ** 7n), max: 10n ** 7n }) },
      { weight: 2, arbitrary: fc.bigInt({ min: -(2n ** 54n), max: 2n ** 54n }) },
      { weight: 1, arbitrary: fc.bigInt({ min: 2n ** 53n - 50n, max: 2n ** 53n + 50n }) },
      { weight: 1, arbitrary: fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }) },
    ),
    fc.oneof(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 20 })),
  )
  .map(([units, places]) => new Wide(`${units}e-${places}`).toFixed(places).replace(/^-(0(\.0*)?)$/, '$1'));

const roundings = fc.constantFrom(Decimal.ROUND_HALF_UP, Decimal.ROUND_UP, Decimal.ROUND_FLOOR);

/** Plain digits; the library keeps a sign on zero. */
const written = (value: Library): string => value.toFixed().replace(/^-0$/, '0');

const numRuns = 5_000;

describe('a decimal', () => {
  it('adds, takes away, multiplies and divides as decimal.js with 40 digits does', () => {
    fc.assert(
      fc.property(figures, figures, (a, b) => {
        const [mine, its] = [Decimal.of(a), new Wide(a)];
        expect(mine.plus(b).toFixed()).toBe(written(its.plus(b)));
        expect(mine.minus(b).toFixed()).toBe(written(its.minus(b)));
        expect(mine.times(b).toFixed()).toBe(written(its.times(b)));
        if (!new Wide(b).isZero()) expect(mine.div(b).toFixed()).toBe(written(its.div(b)));
      }),
      { numRuns },
    );
  });

  it('compares as decimal.js does', () => {
    fc.assert(
      fc.property(figures, figures, (a, b) => {
        const [mine, its] = [Decimal.of(a), new Wide(a)];
        expect(mine.comparedTo(b)).toBe(its.comparedTo(b));
        expect([mine.gt(b), mine.gte(b), mine.lt(b), mine.lte(b), mine.eq(b), mine.equals(a)]).toEqual([
          ...[its.gt(b), its.gte(b), its.lt(b), its.lte(b), its.eq(b)],
          true,
        ]);
        expect([mine.isZero(), mine.isInteger()]).toEqual([its.isZero(), its.isInteger()]);
        expect(mine.isNegative()).toBe(its.lt(0));
      }),
      { numRuns },
    );
  });

  it('rounds and is written as decimal.js does it', () => {
    fc.assert(
      fc.property(figures, fc.integer({ min: 0, max: 8 }), roundings, (a, places, rounding) => {
        const [mine, its] = [Decimal.of(a), new Wide(a)];
        const rounded = its.toDecimalPlaces(places, rounding);
        expect(mine.toDecimalPlaces(places, rounding).toFixed()).toBe(written(rounded));
        expect(mine.toFixed(places)).toBe(its.toFixed(places).replace(/^-(0(\.0*)?)$/, '$1'));
        expect(mine.decimalPlaces()).toBe(its.decimalPlaces());
        expect(mine.negated().toFixed()).toBe(written(its.negated()));
        expect(mine.abs().toFixed()).toBe(its.abs().toFixed());
        expect(String(mine)).toBe(written(its));
      }),
      { numRuns },
    );
  });

  it('leaves as the number that its digits are read as', () => {
    fc.assert(
      fc.property(figures, (a) => {
        expect(Decimal.of(a).toNumber()).toBe(Number(a));
      }),
      { numRuns },
    );
  });

  it('takes of a number the digits it shows', () => {
    const numbers = fc.oneof(
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer({ min: -(10 ** 9), max: 10 ** 9 }).map((units) => units / 1e6),
    );
    fc.assert(
      fc.property(numbers, (a) => {
        expect(Decimal.of(a).toFixed()).toBe(written(new Wide(a)));
      }),
      { numRuns },
    );
  });

  it('stays small again once a quotient without end is rounded', () => {
    const third = Decimal.of(100).div(3);
    expect(third.toFixed()).toBe(`33.${'3'.repeat(38)}`);
    expect(third.toDecimalPlaces(2).times(3).toFixed(2)).toBe('99.99');
  });

  it('has no sign where it is nothing', () => {
    for (const nothing of [
      '-0',
      '-0.00',
      -0,
      Decimal.of('-0.001').toDecimalPlaces(2),
      Decimal.of(0).negated(),
    ]) {
      const value = Decimal.of(nothing);
      expect([value.toFixed(2), value.isNegative(), Object.is(value.toNumber(), 0)]).toEqual([
        '0.00',
        false,
        true,
      ]);
    }
  });

  it.each([
    '',
    '-',
    '.',
    '1.',
    '.5',
    '+1',
    ' 1',
    '1 ',
    '1,5',
    '1.2.3',
    '--1',
    'abc',
    'NaN',
    'Infinity',
    '1e400e',
  ])('reads %o as decimal.js does, or throws as it does', (text) => {
    const read = (of: () => { toFixed(): string }): string => {
      try {
        return of().toFixed();
      } catch {
        return 'throws';
      }
    };
    const library = read(() => new Wide(text));
    expect(read(() => Decimal.of(text))).toBe(/NaN|Infinity/.test(library) ? 'throws' : library);
  });

  it('is never divided by nothing', () => {
    expect(() => Decimal.of(1).div(0)).toThrow(RangeError);
    expect(() => Decimal.of(0).div('0.00')).toThrow(RangeError);
    expect(() => Decimal.of(Number.NaN)).toThrow(RangeError);
  });
});
