import { taxOn } from './reach.ts';

/**
 * Moves cents between the lines of a rate until IVA summed line by line is IVA on their sum; all in cents. What keeps every
 * line nearest to what it was goes first: 40 lines of 0.10 at 15 % become 20 of 0.09 and 20 of 0.11. Of equal moves it is
 * the one between the largest lines. A line of nothing stays one, no other becomes one, and none goes beyond its limit.
 * What no move brings about stays.
 */
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

/** By how many cents IVA on the sum is more than IVA summed line by line. */
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
  /** What the lines were. */
  bases: readonly number[];
  percent: number;
  limits: readonly number[];
  sign: number;
}

/** The move after which the sum of the lines' IVA is one cent nearer, with no line further from what it was than need be. */
function smallestMove(lines: readonly number[], steering: Steering): Move | null {
  const bySize = lines.map((_, at) => at).sort((a, b) => (lines[b] ?? 0) - (lines[a] ?? 0));
  for (let most = 1; most <= longestMove; most += 1)
    for (let cents = 1; cents <= most; cents += 1) {
      const move = moveOf(lines, bySize, { ...steering, cents, most });
      if (move) return move;
    }
  return null;
}

/** One of so many cents that leaves its lines at most `most` from what they were. */
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
