import { Decimal } from './decimal.ts';

/**
 * Exact decimal arithmetic for money, quantities and rates. Amounts travel through the models as decimal
 * strings ("33.75"); numbers (floats) appear only in the JSON that leaves for the service.
 */
export { Decimal };

/** A decimal string such as "12.50" or "0.0375". Never a float, never with thousands separators. */
export type Amount = string;

/** Reads a decimal string (or an exact decimal). Throws on anything that is not a finite number. */
export function decimal(value: Amount | Decimal | number): Decimal {
  return Decimal.of(value);
}

/** Rounds half-up to cents (ficha técnica SRI, table 21: two decimals). */
export function roundCents(value: Decimal): Decimal {
  return value.toDecimalPlaces(2);
}

/** Writes an amount with exactly two decimals, rounding half-up. */
export function toAmount(value: Decimal | Amount): Amount {
  return decimal(value).toFixed(2);
}

/** Whether two amounts lie no further apart than so many cents. */
export const isWithinCents = (
  one: Amount | Decimal | number,
  other: Amount | Decimal | number,
  cents: number,
): boolean => decimal(one).minus(decimal(other)).abs().times(100).lte(cents);

const zero = decimal(0);
const cent = decimal('0.01');

export function sum(values: Iterable<Amount | Decimal>): Decimal {
  let total: Decimal | null = null;
  for (const value of values) total = total === null ? decimal(value) : total.plus(value);
  return total ?? zero;
}

/**
 * Splits `total` cents over `weights` so that the parts are whole cents, add up to `total` exactly and lie as
 * near to the weights as possible (largest remainder). Weights are the unrounded amounts; equal remainders go
 * to the earlier part, so that the same input always splits alike.
 */
export function splitCents(total: Decimal, weights: readonly Decimal[]): Decimal[] {
  if (weights.length === 1 && weights[0]?.gt(0)) return [roundCents(total)];
  if (weights.every((weight) => weight.decimalPlaces() <= 2) && sum(weights).equals(total))
    return [...weights];
  const parts = weights.map((weight) => weight.toDecimalPlaces(2, Decimal.ROUND_FLOOR));
  const missing = roundCents(total).minus(sum(parts)).times(100).toNumber();
  // Nothing weighs nothing: a free line never receives a cent, and no part falls below zero.
  const receivers = weights
    .map((weight, index) => ({ index, rest: weight.minus(parts[index] ?? 0), weight }))
    .filter(({ weight }) => weight.gt(0))
    .sort((a, b) => b.rest.comparedTo(a.rest) || a.index - b.index);
  if (missing !== 0 && receivers.length === 0) throw new RangeError('Cents cannot be split over nothing.');
  const step = missing > 0 ? cent : cent.negated();
  if (missing < 0) receivers.reverse();
  for (let left = Math.abs(missing), turn = 0; left > 0; turn += 1) {
    const index = receivers[turn % receivers.length]?.index ?? 0;
    const part = (parts[index] ?? zero).plus(step);
    if (part.lt(0)) continue;
    parts[index] = part;
    left -= 1;
  }
  return parts;
}
