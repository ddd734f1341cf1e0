import { type Decimal, decimal, splitCents, sum } from '../../src/core/money.ts';

const zero = decimal(0);
const cent = decimal('0.01');

/**
 * Splits `total` cents over `weights` so that no part exceeds its limit and all add up to `total` exactly;
 * `total` must not exceed the limits' sum. What one part cannot take goes to those with the most room.
 */
export function splitWithin(
  total: Decimal,
  weights: readonly Decimal[],
  limits: readonly Decimal[],
): Decimal[] {
  const parts = split(total, weights, limits).map((part, at) => min(part, limits[at] ?? zero));
  let over = total.minus(sum(parts));
  while (over.gt(0)) {
    const room = parts.map((part, at) => (limits[at] ?? zero).minus(part));
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

/** A base and its tax, in cents. */
export interface Taxed {
  base: Decimal;
  valor: Decimal;
}

/**
 * The part of `left` that is worth `gross`, tax included: base and tax in cents, neither beyond what is left, the
 * tax within one cent of base × rate. Among the ways to say it, one that keeps the rest sayable too: so any
 * number of parts that give back everything end on exactly what there was. `hint` is the base the shop states.
 */
export function settleWithin(gross: Decimal, left: Taxed, fraction: Decimal, hint: Decimal): Taxed {
  if (gross.gte(left.base.plus(left.valor))) return left;
  if (fraction.isZero()) return { base: min(gross, left.base), valor: gross.minus(min(gross, left.base)) };
  const centre = gross.div(fraction.plus(1)).toDecimalPlaces(2);
  const ways = [0, 1, -1, 2, -2]
    .map((step) => centre.plus(cent.times(step)))
    .map((base): Taxed => ({ base, valor: gross.minus(base) }))
    .filter(
      ({ base, valor }) =>
        !base.isNegative() && !valor.isNegative() && base.lte(left.base) && valor.lte(left.valor),
    );
  const rest = (way: Taxed): Decimal =>
    left.valor.minus(way.valor).minus(left.base.minus(way.base).times(fraction)).abs();
  const isExact = ({ base, valor }: Taxed) => valor.equals(base.times(fraction).toDecimalPlaces(2));
  const best =
    ways
      .filter((way) => isExact(way) && rest(way).lte('0.009'))
      .sort((a, b) => a.base.minus(hint).abs().comparedTo(b.base.minus(hint).abs()))[0] ??
    ways.toSorted((a, b) => rest(a).comparedTo(rest(b)))[0];
  if (best) return best;
  // The tax alone, or the base alone, is used up.
  const base = min(left.base, centre);
  return gross.minus(base).gt(left.valor)
    ? { base: gross.minus(left.valor), valor: left.valor }
    : { base, valor: gross.minus(base) };
}

const min = (a: Decimal, b: Decimal): Decimal => (a.lt(b) ? a : b);
