import { type Decimal, decimal, splitCents, sum } from '../../src/domain/money.ts';
import { baseOf, reached, type Share } from '../reach.ts';
import { lineDrift, steered } from '../steer.ts';
import { netOf } from '../ways.ts';
import type { Balance, GroupLeft, ItemLeft } from './balance.ts';
import { bottle, bottlesBack } from './bottles.ts';
import type { Claims } from './claims.ts';
import { splitWithin } from './within.ts';

/** What a nota de crédito takes of one item: `base` in cents without tax, `ice` on it, `units` in the order's units. */
export interface CreditedItem {
  left: ItemLeft;
  base: Decimal;
  ice: Decimal;
  units: Decimal;
  /** Others of the same taxes that stand in the same line. */
  folded?: CreditedItem[];
}

/** What it takes of one code of IVA; the base with ICE, and what base × rate is not of the IVA. */
export interface GroupCredit {
  group: GroupLeft;
  base: Decimal;
  iva: Decimal;
}

export interface Credit {
  items: CreditedItem[];
  groups: GroupCredit[];
  /** Bottles whose IRBPNR goes back. */
  bottles: Decimal;
  total: Decimal;
  /** What it comes to where IVA is summed line by line; another than `total` only where lines with ICE stand in the way. */
  byLine: Decimal;
}

/**
 * How a nota de crédito says its money. `computed`: in lines alone, so that whoever computes IVA from them comes to
 * the same cent (ways.ts), or as near as there is one. `stated`: to the cent, in `totales` where no base leads there.
 */
export type Saying = 'computed' | 'stated';

const zero = decimal(0);
const toCents = (amount: Decimal): number => amount.times(100).toNumber();
const fromCents = (cents: number): Decimal => decimal(cents).div(100);

/** The claims of one refund in whole cents, none beyond what is left of the factura, line by line and rate by rate. */
export function apportion(balance: Balance, { asked, money, basis }: Claims, saying: Saying): Credit {
  const back = bottlesBack(balance, asked, money);
  const bottles = sum(back.values());
  const claimed = new Map(balance.items.map((item, at) => [item, asked[at]]));
  const weight = (item: ItemLeft): Decimal =>
    (claimed.get(item)?.gross ?? zero).minus((back.get(item) ?? zero).times(bottle));
  const shares = balance.groups.map(({ row, items, gross }): Share => {
    const stated = sum(items.map(weight)).times(100);
    const fixed =
      basis === 'parts' &&
      row.tarifa === 0 &&
      stated.isInteger() &&
      stated.gte(0) &&
      stated.lte(gross.times(100));
    return { percent: row.tarifa, weight: stated, limit: toCents(gross), fixed, prorated: basis !== 'parts' };
  });
  // Cents that earlier ones owe are of taxed rates: a credit without any leaves them to the next.
  const evens = shares.some(({ percent, weight: asks }) => percent > 0 && asks.gt(0));
  const owed = evens ? balance.owed : zero;
  const wanted = toCents(money.plus(owed).minus(bottles.times(bottle)));
  const grosses = grossesOf(wanted, shares, saying);
  const units = (item: ItemLeft): Decimal =>
    (item.item.tipo_irbpnr === undefined ? claimed.get(item)?.units : back.get(item)) ?? zero;
  return assembled(balance, grosses, { weight, units, bottles, saying, isFactura: false });
}

/**
 * All that is left, to the cent where its IVA can be said so; of an untouched factura all that it says. `isFactura`: of what
 * the buyer keeps, things whose money went back included.
 */
export function everythingLeft(balance: Balance, saying: Saying, isFactura = false): Credit {
  const shares = balance.groups.map(
    ({ row, gross }): Share => ({ percent: row.tarifa, weight: gross.times(100), limit: toCents(gross) }),
  );
  const bottles = sum(
    balance.items.map(({ item, units }) => (item.tipo_irbpnr === undefined ? zero : units)),
  );
  const wanted = toCents(balance.total.minus(bottles.times(bottle)));
  const grosses = grossesOf(wanted, shares, saying);
  return assembled(balance, grosses, {
    weight: ({ gross }) => gross,
    units: ({ units }) => units,
    bottles,
    saying,
    isFactura,
  });
}

/** What each rate gives, in cents: the money, or the nearest sum that bases lead to, below it sooner than above. */
function grossesOf(wanted: number, shares: readonly Share[], saying: Saying): number[] {
  // A cent that is owed may find no room beside what a rate gives exactly.
  const split = splitShares(wanted, shares) ?? splitShares(wanted - 1, shares);
  if (!split) throw new RangeError('More cents than are left of the factura.');
  return reached(split, shares, saying === 'stated' ? 'kept' : 'nearest') ?? split;
}

/** null where there is no room for so much. */
function splitShares(total: number, shares: readonly Share[]): number[] | null {
  const fixed = shares.map((share) => (share.fixed ? share.weight.toNumber() : 0));
  const rest = total - fixed.reduce((all, one) => all + one, 0);
  const limits = shares.map(({ fixed: kept, limit }) => (kept ? 0 : limit));
  const room = limits.reduce((all, one) => all + one, 0);
  if (rest < 0 || rest > room) {
    if (total < 0 || !shares.some((share) => share.fixed)) return null;
    return splitShares(
      total,
      shares.map((share) => ({ ...share, fixed: false })),
    );
  }
  const split = splitWithin(
    fromCents(rest),
    shares.map(({ fixed: kept, weight }) => (kept ? zero : weight.div(100))),
    limits.map(fromCents),
  );
  return split.map((part, at) => toCents(part) + (fixed[at] ?? 0));
}

interface Laid {
  /** In what proportion the items of a rate share what it gives. */
  weight(item: ItemLeft): Decimal;
  units(item: ItemLeft): Decimal;
  bottles: Decimal;
  saying: Saying;
  isFactura: boolean;
}

function assembled(balance: Balance, grosses: readonly number[], laid: Laid): Credit {
  const { units, bottles, isFactura } = laid;
  const credits = balance.groups.map((group, at) => creditGroup(balance, group, grosses[at] ?? 0, laid));
  const taken = credits.flatMap(({ items }) => items);
  const folded = new Set(taken.flatMap((one) => one.folded?.slice(1).map(({ left }) => left) ?? []));
  const items = balance.items.flatMap((left): CreditedItem[] => {
    if (folded.has(left)) return [];
    const own = taken.find((one) => one.left === left) ?? { left, base: zero, ice: zero, units: units(left) };
    return saysSomething(own, isFactura) || isWhole(balance, grosses) ? [own] : [];
  });
  const total = fromCents(grosses.reduce((all, one) => all + one, 0)).plus(bottles.times(bottle));
  const drift = credits.map(({ group, items: own }) => lineDrift(taxedOf(own), group.row.tarifa));
  return {
    items,
    groups: credits.map(({ group, base, iva }) => ({ group, base, iva })),
    bottles,
    total,
    byLine: total.minus(fromCents(drift.reduce((all, one) => all + one, 0))),
  };
}

/**
 * Money, or units: of a factura those the buyer keeps, of a nota de crédito those of a thing that cost nothing, or with
 * their IRBPNR. Units whose money went back before say nothing in it.
 */
const saysSomething = ({ left: { item }, base, ice, units }: CreditedItem, isFactura: boolean): boolean =>
  base.plus(ice).gt(0) ||
  (units.gt(0) && (isFactura || item.tipo_irbpnr !== undefined || netOf(item).isZero()));

/** An untouched factura goes back with the lines that cost nothing. */
const isWhole = ({ untouched, groups }: Balance, grosses: readonly number[]): boolean =>
  untouched && groups.every(({ gross }, at) => toCents(gross) === grosses[at]);

/** What a rate gives, shared over its items within what is left of each. */
function creditGroup(
  balance: Balance,
  group: GroupLeft,
  gross: number,
  { weight, units, saying }: Laid,
): GroupCredit & { items: CreditedItem[] } {
  const { row, items } = group;
  const percent = row.tarifa;
  const base = baseOf(gross, percent) ?? Math.round((gross * 100) / (100 + percent));
  const limits = limitsOf(group, base, gross, balance.iceRates);
  const natural = splitWithin(fromCents(base), items.map(weight), limits.map(fromCents)).map(toCents);
  const taxed = steered(natural, percent, limits);
  const plain = withIce(balance, items, taxed).map(
    ({ left, ...amounts }): CreditedItem => ({ left, ...amounts, units: units(left) }),
  );
  // Where taxes are stated every line stays what it was.
  const said = saying === 'stated' ? plain : foldedUntil(plain, percent);
  return { group, base: fromCents(base), iva: fromCents(gross - base), items: said };
}

/**
 * The most of the base each item can give: what its money pays for, the cent it is rounded to included, and no more base
 * than is left of it, unless the money needs it: IVA that was rounded down in earlier ones left more money than base.
 */
function limitsOf(
  { items }: GroupLeft,
  base: number,
  gross: number,
  iceRates: Balance['iceRates'],
): number[] {
  const paid = items.map((item) =>
    gross === 0 ? 0 : Math.ceil(item.gross.times(100).times(base).div(gross).toDecimalPlaces(4).toNumber()),
  );
  const stated = items.map(({ base: left, item }, at) => {
    const rate = iceRates.get(item.tipo_ice ?? 0) ?? zero;
    const taxed = left.times(100).times(rate.div(100).plus(1));
    return Math.min(paid[at] ?? 0, Math.ceil(taxed.toDecimalPlaces(4).toNumber()));
  });
  const total = (limits: readonly number[]) => limits.reduce((all, limit) => all + limit, 0);
  if (total(stated) >= base) return stated;
  const largest = paid.indexOf(Math.max(...paid));
  const short = Math.max(0, base - total(paid));
  return paid.map((limit, at) => (at === largest ? limit + short : limit));
}

/** Each item's base and ICE of what it gives with ICE; the ICE of a code is right on the sum of its items, too. */
function withIce(
  { iceRates }: Balance,
  items: readonly ItemLeft[],
  taxed: readonly number[],
): { left: ItemLeft; base: Decimal; ice: Decimal }[] {
  const shares = items.map((left, at) => ({ left, base: fromCents(taxed[at] ?? 0), ice: zero }));
  for (const [code, rate] of iceRates) {
    const own = shares.filter(({ left }) => left.item.tipo_ice === code);
    const factor = rate.div(100).plus(1);
    const exact = own.map(({ base }) => base.div(factor));
    const bases = splitCents(sum(exact).toDecimalPlaces(2), exact);
    own.forEach((one, at) => {
      const base = bases[at] ?? zero;
      one.ice = one.base.minus(base);
      one.base = base;
    });
  }
  return shares;
}

/**
 * Lines put into one until IVA is the same by line as by rate: only where no cent could move between them. The pair
 * that brings them nearest goes first; with one line left there is nothing to add up.
 */
function foldedUntil(items: readonly CreditedItem[], percent: number): CreditedItem[] {
  let lines = [...items];
  while (lineDrift(taxedOf(lines), percent) !== 0) {
    const paid = lines.filter(({ base }) => base.gt(0));
    const pairs = paid.flatMap((one, at) =>
      paid.slice(at + 1).flatMap((other) => (canFold(one, other) ? [{ one, other }] : [])),
    );
    const after = pairs.map(({ one, other }) => {
      const some = lines
        .filter((line) => line !== other)
        .map((line) => (line === one ? fold(one, other) : line));
      return { some, off: Math.abs(lineDrift(taxedOf(some), percent)) };
    });
    const [nearest] = after.sort((a, b) => a.off - b.off);
    if (!nearest) return lines;
    lines = nearest.some;
  }
  return lines;
}

const taxedOf = (items: readonly CreditedItem[]): number[] =>
  items.map(({ base, ice }) => toCents(base.plus(ice)));

/** Bottles are counted, and a line has one ICE. */
const canFold = ({ left: a }: CreditedItem, { left: b }: CreditedItem): boolean =>
  a.item.tipo_ice === b.item.tipo_ice && a.item.tipo_irbpnr === undefined && b.item.tipo_irbpnr === undefined;

function fold(one: CreditedItem, other: CreditedItem): CreditedItem {
  return {
    ...one,
    base: one.base.plus(other.base),
    ice: one.ice.plus(other.ice),
    folded: [...(one.folded ?? [one]), ...(other.folded ?? [other])],
  };
}
