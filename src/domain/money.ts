import { Decimal as Library } from 'decimal.js';

/** 40 significant digits, halves away from zero. Models hold decimal strings ("33.75"), never floats. */
export const Decimal = Library.clone({
  precision: 40,
  rounding: Library.ROUND_HALF_UP,
  toExpNeg: -40,
  toExpPos: 40,
});
export type Decimal = Library;

/** "12.50" or "0.0375": never with thousands separators. */
export type Amount = string;

/** Throws on anything that is not a finite number. Zero may have a sign ("-0.00"): compare with 0. */
export function decimal(value: Amount | Decimal | number): Decimal {
  const read = value instanceof Decimal ? value : new Decimal(value);
  if (!read.isFinite()) throw new RangeError(`Not a finite decimal: ${value}`);
  return read;
}

/** Halves up (ficha técnica SRI, tabla 21: two decimals). */
export function roundCents(value: Decimal): Decimal {
  return value.toDecimalPlaces(2);
}

/** Exactly two decimals, halves up. */
export function toAmount(value: Decimal | Amount): Amount {
  return roundCents(decimal(value)).toFixed(2);
}

/** Floats and shops with more decimals have rests (woocommerce#28613). */
export const roundsToZero = (value: Decimal | Amount): boolean => roundCents(decimal(value)).isZero();

export const isWithinCents = (
  one: Amount | Decimal | number,
  other: Amount | Decimal | number,
  cents: number,
): boolean => decimal(one).minus(decimal(other)).abs().times(100).lte(cents);

const zero = decimal(0);
const cent = decimal('0.01');

/** The most that rounding explains between an amount and a sum of rows: a cent, or half a cent per row. */
export const roundingOf = (rows: number): Decimal => Decimal.max(cent, decimal('0.005').times(rows));

export function sum(values: Iterable<Amount | Decimal>): Decimal {
  let total = zero;
  for (const value of values) total = total.plus(value);
  return total;
}

/** The parts are whole cents that add up to `total` (largest remainder). Equal remainders go to the earlier part. */
export function splitCents(total: Decimal, weights: readonly Decimal[]): Decimal[] {
  if (weights.length === 1 && weights[0]?.gt(0)) return [roundCents(total)];
  if (weights.every((weight) => weight.decimalPlaces() <= 2) && sum(weights).equals(total))
    return [...weights];
  const parts = weights.map((weight) => weight.toDecimalPlaces(2, Decimal.ROUND_FLOOR));
  const missing = roundCents(total).minus(sum(parts)).times(100).toNumber();
  // A free line never receives a cent, and no part falls below zero.
  const receivers = weights
    .map((weight, index) => ({ index, rest: weight.minus(parts[index] ?? 0), weight }))
    .filter(({ weight }) => weight.gt(0))
    .sort((a, b) => b.rest.comparedTo(a.rest) || a.index - b.index);
  if (missing !== 0 && receivers.length === 0) throw new RangeError('Cents cannot be split over nothing.');
  const step = missing > 0 ? cent : cent.negated();
  if (missing < 0) receivers.reverse();
  for (let left = Math.abs(missing), round = 0; left > 0; round += 1) {
    const index = receivers[round % receivers.length]?.index ?? 0;
    const part = (parts[index] ?? zero).plus(step);
    if (part.lt(0)) continue;
    parts[index] = part;
    left -= 1;
  }
  return parts;
}
