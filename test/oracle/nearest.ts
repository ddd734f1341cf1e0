import { hasBase, sumOf, taxedCodes } from './judge.ts';
import { type Code, percents } from './sales.ts';

/* What each code has to give where cents move so that every taxed one has a base; cents, tried one by one. */

export interface Asked {
  /** What went back under each code. */
  codes: ReadonlyMap<Code, number>;
  /** What is left of each code of the factura. */
  left: ReadonlyMap<Code, number>;
  /** What all taxed codes are to give: what went back under them, and what earlier ones gave too little. */
  taxed: number;
}

/** Further than the product looks, so that it cannot miss what is nearer. */
const furthest = 3;

/**
 * Throws where `given` is not the best there is: no taxed code beyond what is left of it or without a base; the sum that was
 * asked, or the nearest, below it sooner than above; and each code as near as can be to what went back under it. A code
 * nothing went back of gives nothing, but where the others have not so much left.
 */
export function demandNearest(given: ReadonlyMap<Code, number>, asked: Asked): void {
  const taxed = taxedCodes(asked.left.keys());
  const own = taxed.map((code) => given.get(code) ?? 0);
  const ways = taxed.reduce<number[][]>(
    (some, code) => some.flatMap((before) => around(code, asked).map((cents) => [...before, cents])),
    [[]],
  );
  if (!ways.some((way) => way.every((cents, at) => cents === own[at])))
    throw new Error(`${own} under ${taxed}: no base gives one, or ${[...asked.left]} are left`);
  for (const way of ways)
    if (isBefore(costOf(way, taxed, asked), costOf(own, taxed, asked)))
      throw new Error(`${own} under ${taxed}, where ${way} is nearer`);
  for (const [code, cents] of given)
    if (percents[code] === 0 && cents !== (asked.codes.get(code) ?? 0))
      throw new Error(`${cents} under code ${code}, ${asked.codes.get(code) ?? 0} went back`);
}

/** Every base near what is due of a code. */
function around(code: Code, { codes, left, taxed }: Asked): number[] {
  const own = [...codes].filter(([, cents]) => cents > 0).map(([one]) => one);
  const beyond = taxed - sumOf(taxedCodes(own).map((one) => left.get(one) ?? 0));
  const due = own.includes(code) ? (codes.get(code) ?? 0) : Math.max(0, beyond);
  const steps = due === 0 ? [0] : Array.from({ length: 2 * furthest + 1 }, (_, at) => due + at - furthest);
  return steps.filter((cents) => cents >= 0 && cents <= (left.get(code) ?? 0) && hasBase(cents, code));
}

/** From the most important: cents off the sum, cents off each code. */
function costOf(way: readonly number[], taxed: readonly Code[], { codes, taxed: wanted }: Asked): number[] {
  const off = sumOf(way) - wanted;
  return [
    Math.abs(off) + (off > 0 ? 0.5 : 0),
    sumOf(way.map((cents, at) => (cents - (codes.get(taxed[at] ?? 0) ?? 0)) ** 2)),
  ];
}

function isBefore(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((cost, index) => cost !== other[index]);
  return at !== -1 && (one[at] ?? 0) < (other[at] ?? 0);
}
