import fc from 'fast-check';
import { type Back, moneyOf, type Returned } from './payloads.ts';
import { byCode, type Code, grossOf, halfUp, type Sale, type SoldItem, totalOf } from './sales.ts';

/* What comes back of a sale, refund by refund, and what of it each code has to give. */

const seed = fc.record({
  way: fc.constantFrom('lines', 'lines', 'lines', 'two-records', 'amount', 'rest'),
  /** Which items; every bit one of them. */
  some: fc.integer({ min: 1, max: 0xff }),
  /** Of a hundred, of units and money. */
  share: fc.integer({ min: 1, max: 100 }),
  moneyFirst: fc.boolean(),
  card: fc.constantFrom(0, 0, 50, 100),
});
export const returnSeeds = fc.array(seed, { minLength: 1, maxLength: 4 });
type ReturnSeed = typeof seed extends fc.Arbitrary<infer S> ? S : never;

/** A refund, and what must come of it. */
export interface Expected {
  back: Back;
  /** Cents of each code; null where nobody can tell, so that it must be held. */
  codes: Map<Code, number> | null;
}

interface Left {
  item: SoldItem;
  units: number;
  net: number;
  tax: number;
}

/** Ids grow with time; a refund may take two. A refund that must be held is the last one. */
export function returnsOf(sale: Sale, seeds: readonly ReturnSeed[]): Expected[] {
  let left = sale.items.map((item): Left => ({ item, units: item.quantity, net: item.net, tax: item.tax }));
  const all: Expected[] = [];
  for (const [at, one] of seeds.entries()) {
    const expected = returnOf(sale, one, 11 + at * 10, left);
    if (!expected) continue;
    all.push(expected);
    if (expected.codes === null || one.way === 'amount') break;
    left = left.map((each) => less(each, expected.back.of));
    if (one.way === 'rest') break;
  }
  return all;
}

function returnOf(sale: Sale, { way, some, share, moneyFirst, card }: ReturnSeed, id: number, left: Left[]) {
  const there = left.filter((one) => grossOf(one) > 0);
  const rest = there.reduce((sum, one) => sum + grossOf(one), 0);
  if (rest === 0) return null;
  const back = (money: number, of: Returned[], records: Back['records']): Back => ({
    id,
    money,
    card: sale.card > 0 && sale.platform === 'shopify' ? Math.floor((money * card) / 100) : 0,
    of,
    records,
  });
  if (way === 'rest') return { back: back(rest, [], 'one'), codes: byCode(codesOf(there)) };
  if (way === 'amount') {
    // Cents that earlier ones left of another rate are nobody's: what an amount is then for is told elsewhere (ADR 22).
    if (there.length < left.length || rest < totalOf(sale)) return null;
    const money = Math.max(1, Math.floor((rest * share) / 100));
    const codes = new Set(there.map(({ item }) => item.code));
    const [only] = codes;
    if (money === rest) return { back: back(money, [], 'one'), codes: byCode(codesOf(there)) };
    const isClear = codes.size === 1 && only !== undefined;
    return { back: back(money, [], 'one'), codes: isClear ? new Map([[only, money]]) : null };
  }
  const chosen = there.filter((_, at) => (some >> (at % 8)) & 1);
  const of = (chosen.length > 0 ? chosen : there.slice(0, 1))
    .map((one) => partOf(one, share))
    .filter((one) => grossOf(one) > 0);
  if (of.length === 0) return null;
  const apart = way === 'two-records' && sale.platform === 'shopify';
  const records = apart ? (moneyFirst ? 'money-first' : 'lines-first') : 'one';
  return { back: back(moneyOf(of), of, records), codes: byCode(codesOf(of)) } as const;
}

const codesOf = (some: readonly Pick<Left, 'item' | 'net' | 'tax'>[]) =>
  some.map(({ item, net, tax }) => ({ code: item.code, net, tax }));

/** Some units of what is left of an item at their share of its price, as the shop rounds it. */
function partOf({ item, units, net, tax }: Left, share: number): Returned {
  const some = Math.max(1, Math.round((units * share) / 100));
  if (some >= units) return { item, units, net, tax };
  return { item, units: some, net: halfUp(net * some, units), tax: halfUp(tax * some, units) };
}

function less(left: Left, of: readonly Returned[]): Left {
  const own = of.find(({ item }) => item === left.item);
  if (!own) return left;
  return { ...left, units: left.units - own.units, net: left.net - own.net, tax: left.tax - own.tax };
}
