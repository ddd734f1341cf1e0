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

/** Where several parts share one row of a tax: what is off in it already, and in all that was left of it. */
export interface RowSoFar {
  off: Decimal;
  whole: Decimal;
}

/** By how much a tax is off its base × rate. */
export const offOf = ({ base, valor }: Taxed, fraction: Decimal): Decimal =>
  valor.minus(base.times(fraction));

/**
 * The part of `left` that is worth `gross`, tax included: base and tax in cents, neither beyond what is left.
 *
 * A cent moved from base to tax changes how far the tax is off its base × rate by s = 0.01 × (1 + rate), so
 * there is always a way that is at most (|off of left| + s) / 2 off, with the rest no more than that either. From
 * a factura at most 0.015 off, no part and no rest is therefore ever more than 0.0133 off at 15 %, however many
 * parts there are; and the last takes the rest, cent for cent. `hint` is the base the shop states: among ways
 * whose tax is just base × rate in cents the one nearest to it is taken.
 */
export function settleWithin(
  gross: Decimal,
  left: Taxed,
  fraction: Decimal,
  hint: Decimal,
  row: RowSoFar = { off: zero, whole: offOf(left, fraction) },
): Taxed {
  if (gross.gte(left.base.plus(left.valor))) return left;
  const all = offOf(left, fraction);
  const worst = (way: Taxed): Decimal => {
    const off = offOf(way, fraction);
    const inRow = row.off.plus(off);
    return [off, all.minus(off), inRow, row.whole.minus(inRow)].map((one) => one.abs()).reduce(max);
  };
  const ways = waysOf(gross, left, fraction);
  const isExact = ({ base, valor }: Taxed) => valor.equals(base.times(fraction).toDecimalPlaces(2));
  const apart = ({ base }: Taxed) => base.minus(hint).abs();
  return (
    ways
      .filter((way) => isExact(way) && worst(way).lte('0.015'))
      .sort((a, b) => apart(a).comparedTo(apart(b)))[0] ??
    ways.toSorted((a, b) => worst(a).comparedTo(worst(b)))[0] ??
    usedUp(gross, left, fraction)
  );
}

function waysOf(gross: Decimal, left: Taxed, fraction: Decimal): Taxed[] {
  const centre = gross.div(fraction.plus(1)).toDecimalPlaces(2);
  return [0, 1, -1, 2, -2]
    .map((step) => centre.plus(cent.times(step)))
    .map((base): Taxed => ({ base, valor: gross.minus(base) }))
    .filter(
      ({ base, valor }) =>
        !base.isNegative() && !valor.isNegative() && base.lte(left.base) && valor.lte(left.valor),
    );
}

/** The tax alone, or the base alone, has nothing left. */
function usedUp(gross: Decimal, left: Taxed, fraction: Decimal): Taxed {
  const base = min(left.base, gross.div(fraction.plus(1)).toDecimalPlaces(2));
  const valor = min(left.valor, gross.minus(base));
  return { base: gross.minus(valor), valor };
}

const min = (a: Decimal, b: Decimal): Decimal => (a.lt(b) ? a : b);
const max = (a: Decimal, b: Decimal): Decimal => (a.gt(b) ? a : b);
