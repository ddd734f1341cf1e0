import { type Decimal, decimal, splitCents, sum } from '../../src/domain/money.ts';

const zero = decimal(0);

/**
 * Splits `total` cents over `weights` so that no part exceeds its limit and all add up to `total` exactly;
 * `total` must not exceed the limits' sum. What one part cannot take goes to those with the most room, of those that weigh
 * anything first: a cent that must move stays with what was asked for.
 */
export function splitWithin(
  total: Decimal,
  weights: readonly Decimal[],
  limits: readonly Decimal[],
): Decimal[] {
  const parts = split(total, weights, limits).map((part, at) => min(part, limits[at] ?? zero));
  let over = total.minus(sum(parts));
  while (over.gt(0)) {
    const free = parts.map((part, at) => (limits[at] ?? zero).minus(part));
    const asked = free.map((one, index) => (weights[index]?.gt(0) ? one : zero));
    const room = asked.some((one) => one.gt(0)) ? asked : free;
    const at = room.reduce((best, one, index) => (one.gt(room[best] ?? zero) ? index : best), 0);
    const taken = min(over, room[at] ?? zero);
    if (taken.lte(0)) throw new RangeError('More cents than the limits take.');
    parts[at] = (parts[at] ?? zero).plus(taken);
    over = over.minus(taken);
  }
  return parts;
}

/** Cents that weigh nothing anywhere go where the most is left. */
function split(total: Decimal, weights: readonly Decimal[], limits: readonly Decimal[]): Decimal[] {
  const positive = weights.map((weight) => (weight.gt(0) ? weight : zero));
  if (!sum(positive).isZero()) return scaled(total, positive);
  return sum(limits).isZero() ? limits.map(() => zero) : scaled(total, limits);
}

function scaled(total: Decimal, weights: readonly Decimal[]): Decimal[] {
  const whole = sum(weights);
  return splitCents(
    total,
    weights.map((weight) => weight.times(total).div(whole)),
  );
}

const min = (a: Decimal, b: Decimal): Decimal => (a.lt(b) ? a : b);
