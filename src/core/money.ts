import { Decimal as Base } from 'decimal.js';

/**
 * Exact decimal arithmetic for money, quantities and rates. Amounts travel through the models as decimal
 * strings ("33.75"); numbers (floats) appear only in the JSON that leaves for the service.
 */
export const Decimal = Base.clone({ precision: 40, rounding: Base.ROUND_HALF_UP });
export type Decimal = Base;

/** A decimal string such as "12.50" or "0.0375". Never a float, never with thousands separators. */
export type Amount = string;

/** Reads a decimal string (or an exact decimal). Throws on anything that is not a finite number. */
export function decimal(value: Amount | Decimal | number): Decimal {
  const result = new Decimal(value);
  if (!result.isFinite()) throw new RangeError(`Not a finite decimal: ${String(value)}`);
  return result;
}

/** Rounds half-up to cents (ficha técnica SRI, table 21: two decimals). */
export function roundCents(value: Decimal): Decimal {
  return value.toDecimalPlaces(2, Decimal.ROUND_HALF_UP);
}

/** Writes an amount with exactly two decimals, rounding half-up. */
export function toAmount(value: Decimal | Amount): Amount {
  return decimal(value).toFixed(2, Decimal.ROUND_HALF_UP);
}

export function sum(values: Iterable<Amount | Decimal>): Decimal {
  let total: Decimal = new Decimal(0);
  for (const value of values) total = total.plus(value);
  return total;
}

/**
 * Splits `total` cents over `weights` so that the parts are whole cents, add up to `total` exactly and lie as
 * near to the weights as possible (largest remainder). Weights are the unrounded amounts; equal remainders go
 * to the earlier part, so that the same input always splits alike.
 */
export function splitCents(total: Decimal, weights: readonly Decimal[]): Decimal[] {
  const floors = weights.map((weight) => weight.toDecimalPlaces(2, Decimal.ROUND_FLOOR));
  let missing = roundCents(total).minus(sum(floors)).times(100).toNumber();
  const order = weights
    .map((weight, index) => ({ index, rest: weight.minus(floors[index] ?? 0) }))
    .sort((a, b) => b.rest.comparedTo(a.rest) || a.index - b.index);
  const parts = [...floors];
  const step = missing >= 0 ? 1 : -1;
  if (missing < 0) order.reverse();
  for (let turn = 0; missing !== 0 && order.length > 0; turn += 1) {
    const target = order[turn % order.length];
    if (!target) break;
    const part = parts[target.index] ?? new Decimal(0);
    // A part of zero stays zero when cents must be taken away: amounts are never negative.
    if (step < 0 && part.lte(0) && parts.some((other) => other.gt(0))) continue;
    parts[target.index] = part.plus(step * 0.01);
    missing -= step;
  }
  return parts;
}
