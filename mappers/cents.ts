import type { Decimal } from '../src/domain/money.ts';

/** Base in cents, rate in percent; halves are rounded up. */
export const taxOn = (base: number, percent: number): number => Math.floor((base * percent + 50) / 100);

/** In cents; null when no base has this gross amount: at 15 % for 13 of 100 amounts. There is at most one. */
export function baseOf(gross: number, percent: number): number | null {
  const centre = Math.round((gross * 100) / (100 + percent));
  const base = [centre, centre + 1, centre - 1].find(
    (one) => one >= 0 && one + taxOn(one, percent) === gross,
  );
  return base ?? null;
}

export interface Share {
  percent: number;
  weight: Decimal;
  limit: number;
  /** Gives exactly its weight: an untaxed sum that was stated. */
  fixed?: boolean;
  /** The money was prorated, so its cents may move until what is left has a base too. */
  prorated?: boolean;
}

/** `kept`: cents move between shares only; otherwise the nearest sum is taken, below before above. */
export function reached(
  grosses: readonly number[],
  shares: readonly Share[],
  total: 'kept' | 'nearest',
): number[] | null {
  const able = (some: readonly number[]) =>
    some.every((gross, at) => isAble(gross, grosses[at] ?? 0, shares[at]));
  const rests = (some: readonly number[]) =>
    some.filter((gross, at) => !leavesBase(gross, shares[at])).length;
  if (able(grosses) && rests(grosses) === 0) return [...grosses];
  const ways = offsetsOf(grosses, shares)
    .map((steps): Way => {
      const some = grosses.map((gross, at) => gross + (steps[at] ?? 0));
      const off = steps.reduce((all, step) => all + step, 0);
      return { grosses: some, off: Math.abs(off) + (off > 0 ? 0.5 : 0), rests: rests(some), apart: 0 };
    })
    .filter((way) => (total === 'nearest' || way.off === 0) && able(way.grosses));
  for (const way of ways)
    way.apart = way.grosses.reduce(
      (all, gross, at) => all + (gross - (shares[at]?.weight.toNumber() ?? 0)) ** 2,
      0,
    );
  const [best] = ways.sort((a, b) => a.off - b.off || a.rests - b.rests || a.apart - b.apart);
  return best?.grosses ?? null;
}

interface Way {
  grosses: number[];
  off: number;
  rests: number;
  apart: number;
}

function isAble(gross: number, before: number, share: Share | undefined): boolean {
  if (!share || baseOf(gross, share.percent) === null) return false;
  return gross === before || (gross > 0 && gross <= share.limit);
}

const leavesBase = (gross: number, share: Share | undefined): boolean =>
  !share?.prorated || baseOf(share.limit - gross, share.percent) !== null;

/** Two cents each, one each when there are many shares: the number of ways grows exponentially. */
function offsetsOf(grosses: readonly number[], shares: readonly Share[]): number[][] {
  const moves = grosses.map((gross, at) => gross > 0 && !shares[at]?.fixed);
  const count = moves.filter(Boolean).length;
  const steps = count <= 4 ? [0, 1, -1, 2, -2] : count <= 6 ? [0, 1, -1] : [0];
  let some: number[][] = [[]];
  for (const isMoving of moves)
    some = some.flatMap((before) => (isMoving ? steps : [0]).map((step) => [...before, step]));
  return some;
}

/** In cents; lines of zero stay zero. At 15 % 40 lines of 0.10 become 20 of 0.09 and 20 of 0.11. */
export function steered(
  bases: readonly number[],
  percent: number,
  limits: readonly number[] = bases.map(() => Number.MAX_SAFE_INTEGER),
): number[] {
  const lines = [...bases];
  const off = lineDrift(lines, percent);
  for (let left = Math.abs(off); left > 0; left -= 1) {
    const move = smallestMove(lines, { bases, percent, limits, sign: Math.sign(off) });
    if (!move) return lines;
    lines[move.to] = (lines[move.to] ?? 0) + move.cents;
    lines[move.from] = (lines[move.from] ?? 0) - move.cents;
  }
  return lines;
}

/** IVA on the sum less IVA summed line by line, in cents. */
export function lineDrift(bases: readonly number[], percent: number): number {
  const whole = bases.reduce((all, base) => all + base, 0);
  return taxOn(whole, percent) - bases.reduce((all, base) => all + taxOn(base, percent), 0);
}

/** At 5 % the IVA of a line changes every 20 cents, at 15 % every 7. */
const longestMove = 20;

interface Move {
  from: number;
  to: number;
  cents: number;
}

interface Steering {
  bases: readonly number[];
  percent: number;
  limits: readonly number[];
  sign: number;
}

function smallestMove(lines: readonly number[], steering: Steering): Move | null {
  const bySize = lines.map((_, at) => at).sort((a, b) => (lines[b] ?? 0) - (lines[a] ?? 0));
  for (let most = 1; most <= longestMove; most += 1)
    for (let cents = 1; cents <= most; cents += 1) {
      const move = moveOf(lines, bySize, { ...steering, cents, most });
      if (move) return move;
    }
  return null;
}

function moveOf(
  lines: readonly number[],
  bySize: readonly number[],
  { bases, percent, limits, sign, cents, most }: Steering & { cents: number; most: number },
): Move | null {
  const isNear = (at: number, base: number) => Math.abs(base - (bases[at] ?? 0)) <= most;
  const givers = new Map<number, number[]>();
  for (const at of bySize) {
    const base = lines[at] ?? 0;
    if (base <= cents) break;
    if (!isNear(at, base - cents)) continue;
    const loss = taxOn(base, percent) - taxOn(base - cents, percent);
    const some = givers.get(loss) ?? [];
    if (some.length < 2) givers.set(loss, [...some, at]);
  }
  for (const to of bySize) {
    const base = lines[to] ?? 0;
    if (base === 0 || base + cents > (limits[to] ?? 0) || !isNear(to, base + cents)) continue;
    const gain = taxOn(base + cents, percent) - taxOn(base, percent);
    const from = givers.get(gain - sign)?.find((at) => at !== to);
    if (from !== undefined) return { from, to, cents };
  }
  return null;
}
