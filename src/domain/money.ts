import { Decimal as Library } from 'decimal.js';

/**
 * Exact decimal numbers for money, quantities and rates: 40 significant digits, halves away from zero. Models hold amounts as
 * decimal strings ("33.75"); floats appear only in the JSON that leaves for the service.
 */
export const Decimal = Library.clone({
  precision: 40,
  rounding: Library.ROUND_HALF_UP,
  toExpNeg: -40,
  toExpPos: 40,
});
export type Decimal = Library;

/** A decimal string such as "12.50" or "0.0375". Never a float, never with thousands separators. */
export type Amount = string;

/**
 * Reads a decimal string (or an exact decimal). Throws on anything that is not a finite number, a quotient by zero
 * included. Zero may have a sign ("-0.00", or what rounds to it): compare with 0 instead of asking for the sign.
 */
export function decimal(value: Amount | Decimal | number): Decimal {
  const read = value instanceof Decimal ? value : new Decimal(value);
  if (!read.isFinite()) throw new RangeError(`Not a finite decimal: ${value}`);
  return read;
}

/** Rounds half-up to cents (ficha técnica SRI, table 21: two decimals). */
export function roundCents(value: Decimal): Decimal {
  return value.toDecimalPlaces(2);
}

/** Writes an amount with exactly two decimals, rounding half-up. */
export function toAmount(value: Decimal | Amount): Amount {
  return roundCents(decimal(value)).toFixed(2);
}

/** Whether an amount is none to the cent: floats and shops with more decimals leave rests (woocommerce#28613). */
export const roundsToZero = (value: Decimal | Amount): boolean => roundCents(decimal(value)).isZero();

/** Whether two amounts differ by no more than so many cents. */
export const isWithinCents = (
  one: Amount | Decimal | number,
  other: Amount | Decimal | number,
  cents: number,
): boolean => decimal(one).minus(decimal(other)).abs().times(100).lte(cents);

const zero = decimal(0);
const cent = decimal('0.01');

/** How much rounding may explain between an amount and the sum of so many rows: a cent, or half a cent per row. */
export const roundingOf = (rows: number): Decimal => Decimal.max(cent, decimal('0.005').times(rows));

export function sum(values: Iterable<Amount | Decimal>): Decimal {
  let total = zero;
  for (const value of values) total = total.plus(value);
  return total;
}

/**
 * Splits `total` over `weights` (the unrounded amounts) into whole cents that add up to `total` exactly and are as near to the
 * weights as possible (largest remainder). Equal remainders go to the earlier part, so the result is deterministic.
 */
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
