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
 * asked, or the nearest, below it sooner than above; and the codes as near as can be to what went back under them. A code
 * nothing went back of gives only what the others have not left.
 */
export function demandNearest(given: ReadonlyMap<Code, number>, asked: Asked): void {
  const taxed = taxedCodes(asked.left.keys());
  const own = taxed.map((code) => given.get(code) ?? 0);
  if (!taxed.every((code, at) => isPossible(own[at] ?? 0, code, asked)))
    throw new Error(
      `${own} under ${taxed}, of which no base gives one, or of which is left ${[...asked.left]}`,
    );
  const ways = taxed.reduce<number[][]>(
    (some, code) => some.flatMap((before) => around(code, asked).map((cents) => [...before, cents])),
    [[]],
  );
  const cost = costOf(own, taxed, asked);
  for (const way of ways)
    if (isBefore(costOf(way, taxed, asked), cost))
      throw new Error(`${own} under ${taxed}, where ${way} is nearer`);
  for (const [code, cents] of given)
    if (percents[code] === 0 && cents !== (asked.codes.get(code) ?? 0))
      throw new Error(`${cents} under code ${code}, ${asked.codes.get(code) ?? 0} went back`);
}

const isPossible = (cents: number, code: Code, { left }: Asked): boolean =>
  cents >= 0 && cents <= (left.get(code) ?? 0) && hasBase(cents, code);

function around(code: Code, asked: Asked): number[] {
  const due = asked.codes.get(code) ?? 0;
  const steps = Array.from({ length: 2 * furthest + 1 }, (_, at) => due + at - furthest);
  return steps.filter((cents) => isPossible(cents, code, asked));
}

/** From the most important: cents of codes nobody asked, cents off the sum, cents off each code. */
function costOf(
  way: readonly number[],
  taxed: readonly Code[],
  { codes, left, taxed: wanted }: Asked,
): number[] {
  const due = taxed.map((code) => codes.get(code) ?? 0);
  const room = sumOf(taxed.map((code, at) => ((due[at] ?? 0) > 0 ? (left.get(code) ?? 0) : 0)));
  const beside = sumOf(way.map((cents, at) => (due[at] === 0 ? cents : 0)));
  const off = sumOf(way) - wanted;
  return [
    Math.max(0, beside - Math.max(0, wanted - room)),
    Math.abs(off) + (off > 0 ? 0.5 : 0),
    sumOf(way.map((cents, at) => (cents - (due[at] ?? 0)) ** 2)),
  ];
}

function isBefore(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((cost, index) => cost !== other[index]);
  return at !== -1 && (one[at] ?? 0) < (other[at] ?? 0);
}
