import type { Decimal } from '../src/domain/money.ts';

/** IVA on a base, both in cents, halves up; the rate in percent. */
export const taxOn = (base: number, percent: number): number => Math.floor((base * percent + 50) / 100);

/**
 * The base whose IVA, rounded, completes a gross amount; all in cents. null where there is none: at 15 % for 13 of 100
 * amounts. There is never more than one, since a cent of base is at least a cent of gross.
 */
export function baseOf(gross: number, percent: number): number | null {
  const centre = Math.round((gross * 100) / (100 + percent));
  const base = [centre, centre + 1, centre - 1].find(
    (one) => one >= 0 && one + taxOn(one, percent) === gross,
  );
  return base ?? null;
}

/** What a rate of IVA is to give of an amount, in cents. */
export interface Share {
  percent: number;
  /** Before anything is rounded: steers the cents that are nobody's. */
  weight: Decimal;
  /** The most it can give. */
  limit: number;
  /** Whether it gives exactly its weight: an untaxed sum that was stated. */
  fixed?: boolean;
  /** Whether its cents are nobody's, so that they may be laid where what is left has a base, too. */
  prorated?: boolean;
}

/**
 * Moves cents until each share has a base: `grosses` stay as they are where they all have one already. With `total` kept,
 * cents only go from one share to another; else the nearest sum is taken, below sooner than above. null where nothing
 * leads there. Of prorated money the rests have a base, too, where they can.
 */
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

/** A way to lay the cents: how far its sum is off, how many rests have no base, how far it is from the weights. */
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

/** Every way to move a few cents of the shares that give any: two each, one each where there are many. */
function offsetsOf(grosses: readonly number[], shares: readonly Share[]): number[][] {
  const moves = grosses.map((gross, at) => gross > 0 && !shares[at]?.fixed);
  const count = moves.filter(Boolean).length;
  const steps = count <= 4 ? [0, 1, -1, 2, -2] : count <= 6 ? [0, 1, -1] : [0];
  let some: number[][] = [[]];
  for (const isMoving of moves)
    some = some.flatMap((before) => (isMoving ? steps : [0]).map((step) => [...before, step]));
  return some;
}
