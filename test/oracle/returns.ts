import fc from 'fast-check';
import { type Back, moneyOf, type Returned } from './payloads.ts';
import { byCode, type Code, grossOf, halfUp, type Sale, type SoldItem, totalOf } from './sales.ts';

/* What comes back of a sale, refund by refund, and what of it each code has to give. */

const seed = fc.record({
  way: fc.constantFrom('lines', 'lines', 'lines', 'two-records', 'two-records', 'again', 'amount', 'rest'),
  /** Which items; every bit one of them. */
  some: fc.integer({ min: 1, max: 0xff }),
  /** Of a hundred, of units and money. */
  share: fc.integer({ min: 1, max: 100 }),
  moneyFirst: fc.boolean(),
  card: fc.constantFrom(0, 0, 50, 100),
});
export const returnSeeds = fc.array(seed, { minLength: 2, maxLength: 5 });
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

/** What is still there of a sale, and what the refunds so far named of each code. */
interface Standing {
  left: Left[];
  named: Map<Code, number>;
  /** The most the shop can give back: a WooCommerce plugin keeps what a gift card paid. */
  most: number;
}

/** Ids grow with time; a refund may take two. A refund that must be held is the last one. */
export function returnsOf(sale: Sale, seeds: readonly ReturnSeed[]): Expected[] {
  let left = sale.items.map((item): Left => ({ item, units: item.quantity, net: item.net, tax: item.tax }));
  let named = new Map<Code, number>();
  let most = totalOf(sale) - keptCard(sale);
  const all: Expected[] = [];
  for (const [at, one] of seeds.entries()) {
    const expected = returnOf(sale, one, 11 + at * 10, { left, named, most });
    if (!expected) continue;
    all.push(expected);
    if (expected.codes === null || ['amount', 'again', 'rest'].includes(one.way)) break;
    const { of, money } = expected.back;
    left = left.map((each) => less(each, of));
    named = byCode([...codesOf(of), ...[...named].map(([code, net]) => ({ code, net, tax: 0 }))]);
    most -= money;
  }
  return all;
}

/** What a gift card paid that no refund of the shop tells of. */
const keptCard = ({ platform, card }: Sale): number => (platform === 'woocommerce' ? card : 0);

function returnOf(sale: Sale, one: ReturnSeed, id: number, standing: Standing): Expected | null {
  const { way, some, share, moneyFirst, card } = one;
  const { left, most } = standing;
  const there = left.filter((one) => grossOf(one) > 0);
  const rest = there.reduce((sum, one) => sum + grossOf(one), 0);
  if (rest === 0 || most === 0) return null;
  const back = (money: number, of: Returned[], records: Back['records'] = 'one'): Back => ({
    id,
    money,
    card: sale.card > 0 && sale.platform === 'shopify' ? Math.floor((money * card) / 100) : 0,
    of,
    records,
  });
  // All the shop can give: nobody knows whether what the card paid went back, too.
  const isAll = (money: number) => money === most && most < rest;
  if (way === 'rest') return { back: back(most, []), codes: isAll(most) ? null : byCode(codesOf(there)) };
  if (way === 'again') return again(sale, back, some, standing);
  if (way === 'amount') {
    // Cents that earlier ones left of another rate are nobody's: what an amount is then for is told elsewhere (ADR 22).
    if (there.length < left.length || rest < totalOf(sale)) return null;
    const money = Math.max(1, Math.floor((most * share) / 100));
    const codes = new Set(there.map(({ item }) => item.code));
    const [only] = codes;
    if (money === rest) return { back: back(money, []), codes: byCode(codesOf(there)) };
    const isClear = codes.size === 1 && only !== undefined && !isAll(money);
    return { back: back(money, []), codes: isClear ? new Map([[only, money]]) : null };
  }
  const chosen = there.filter((_, at) => (some >> (at % 8)) & 1);
  // WooCommerce puts units of lines back in stock, at what they were sold for.
  const isWhole = ({ item, units }: Left) => item.kind === 'line' && units === item.quantity;
  const apart = way === 'two-records' && (sale.platform === 'shopify' || chosen.every(isWhole));
  const of = (chosen.length > 0 ? chosen : there.slice(0, 1))
    .map((one) => partOf(one, share))
    .filter((one) => grossOf(one) > 0);
  const money = moneyOf(of);
  if (of.length === 0) return null;
  // Lines that are worth more than the shop can give back: the card’s part may have gone back, or not. A few cents more
  // are a shop's rounding, of which nothing is told here.
  if (money > most && money <= most + 5) return null;
  if (money > most) return { back: back(most, of), codes: null };
  const records = apart && chosen.length > 0 ? (moneyFirst ? 'money-first' : 'lines-first') : 'one';
  return { back: back(money, of, records), codes: byCode(codesOf(of)) };
}

/**
 * An item at its whole price, whatever of it went back before. Where its code has so much left others of the code give it;
 * where it has not the shop contradicts itself. Cents between both are no matter here, nor is what is all that is left.
 */
function again(
  { items }: Sale,
  back: (money: number, of: Returned[]) => Back,
  some: number,
  { left, named, most }: Standing,
): Expected | null {
  const item = items[some % items.length];
  if (!item) return null;
  const { quantity: units, net, tax, code } = item;
  const money = grossOf(item);
  const rest = left.reduce((sum, one) => sum + grossOf(one), 0);
  const beyond = (named.get(code) ?? 0) + money - (byCode(items).get(code) ?? 0);
  if (money === 0 || money > most || money > rest - 10 || Math.abs(beyond) <= 30) return null;
  const one = back(money, [{ item, units, net, tax }]);
  return { back: one, codes: beyond > 0 ? null : new Map([[code, money]]) };
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
