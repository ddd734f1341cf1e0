import { type Amount, Decimal, decimal, splitCents, sum } from '../../src/domain/money.ts';
import type { LineReference } from '../../src/domain/order.ts';
import type { CreditItemBody, TotalBody } from '../body.ts';
import { baseOf, lineDrift, reached, type Share, steered } from '../cents.ts';
import { netOf } from '../tax-computation.ts';
import { type Balance, bottle, bottlesBack, type GroupLeft, type Issued, type ItemLeft } from './balance.ts';
import type { Claims } from './claims.ts';

/** `base` in USD without tax, `ice` on it, `units` in the order's units. */
export interface CreditedItem {
  left: ItemLeft;
  base: Decimal;
  ice: Decimal;
  units: Decimal;
  folded?: CreditedItem[];
}

/** `base` includes ICE. */
export interface GroupCredit {
  group: GroupLeft;
  base: Decimal;
  iva: Decimal;
}

export interface Credit {
  items: CreditedItem[];
  groups: GroupCredit[];
  bottles: Decimal;
  total: Decimal;
  /** Differs from `total` only when lines with ICE prevent it. */
  byLine: Decimal;
}

/** `computed`: lines alone give the money, or the nearest sum, in every way of computing IVA. `stated`: `totales` do. */
export type Statement = 'computed' | 'stated';

export interface Crediting extends Issued {
  items: CreditItemBody[];
  totales: TotalBody[];
  lineReferences: LineReference[];
  owed: Amount;
  credit: Credit;
  /** Null when all that was left is taken. */
  claims: Claims | null;
}

const zero = decimal(0);
const toCents = (amount: Decimal): number => amount.times(100).toNumber();
const fromCents = (cents: number): Decimal => decimal(cents).div(100);

export function apportion(balance: Balance, { asked, money, basis }: Claims, statement: Statement): Credit {
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
  // Cents owed by earlier notas de crédito belong to taxed rates: without any, the next credit takes them.
  const evens = shares.some(({ percent, weight: claim }) => percent > 0 && claim.gt(0));
  const owed = evens ? balance.owed : zero;
  const wanted = toCents(money.plus(owed).minus(bottles.times(bottle)));
  const grosses = grossesOf(wanted, shares, statement);
  const units = (item: ItemLeft): Decimal =>
    (item.item.tipo_irbpnr === undefined ? claimed.get(item)?.units : back.get(item)) ?? zero;
  return assembled(balance, grosses, { weight, units, bottles, statement, isFactura: false });
}

/** Of an uncredited factura all it states. `isFactura`: what the buyer keeps, with items whose money went back. */
export function everythingLeft(balance: Balance, statement: Statement, isFactura = false): Credit {
  const shares = balance.groups.map(
    ({ row, gross }): Share => ({ percent: row.tarifa, weight: gross.times(100), limit: toCents(gross) }),
  );
  const bottles = sum(
    balance.items.map(({ item, units }) => (item.tipo_irbpnr === undefined ? zero : units)),
  );
  const wanted = toCents(balance.total.minus(bottles.times(bottle)));
  const grosses = grossesOf(wanted, shares, statement);
  const [weight, units] = [({ gross }: ItemLeft) => gross, ({ units }: ItemLeft) => units];
  return assembled(balance, grosses, { weight, units, bottles, statement, isFactura });
}

function grossesOf(wanted: number, shares: readonly Share[], statement: Statement): number[] {
  // An owed cent may not fit beside what a rate gives exactly.
  const split = splitShares(wanted, shares) ?? splitShares(wanted - 1, shares);
  if (!split) throw new RangeError('More cents than are left of the factura.');
  return reached(split, shares, statement === 'stated' ? 'kept' : 'nearest') ?? split;
}

/** Null when the shares cannot give so much. */
function splitShares(total: number, shares: readonly Share[]): number[] | null {
  const fixed = shares.map((share) => (share.fixed ? share.weight.toNumber() : 0));
  const rest = total - fixed.reduce((all, one) => all + one, 0);
  const limits = shares.map(({ fixed: kept, limit }) => (kept ? 0 : limit));
  const room = limits.reduce((all, one) => all + one, 0);
  if (rest < 0 || rest > room) {
    if (total < 0 || !shares.some((share) => share.fixed)) return null;
    const free = shares.map((share) => ({ ...share, fixed: false }));
    return splitShares(total, free);
  }
  const weights = shares.map(({ fixed: kept, weight }) => (kept ? zero : weight.div(100)));
  const split = splitWithin(fromCents(rest), weights, limits.map(fromCents));
  return split.map((part, at) => toCents(part) + (fixed[at] ?? 0));
}

interface Layout {
  weight(item: ItemLeft): Decimal;
  units(item: ItemLeft): Decimal;
  bottles: Decimal;
  statement: Statement;
  isFactura: boolean;
}

function assembled(balance: Balance, grosses: readonly number[], layout: Layout): Credit {
  const { units, bottles, isFactura } = layout;
  const credits = balance.groups.map((group, at) => creditGroup(balance, group, grosses[at] ?? 0, layout));
  const taken = credits.flatMap(({ items }) => items);
  const folded = new Set(taken.flatMap((one) => one.folded?.slice(1).map(({ left }) => left) ?? []));
  const items = balance.items.flatMap((left): CreditedItem[] => {
    if (folded.has(left)) return [];
    const own = taken.find((one) => one.left === left) ?? { left, base: zero, ice: zero, units: units(left) };
    return isStated(own, isFactura) || isWhole(balance, grosses) ? [own] : [];
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

/** Units matter where they are kept on a factura, cost nothing, or have IRBPNR. */
const isStated = ({ left: { item }, base, ice, units }: CreditedItem, isFactura: boolean): boolean =>
  base.plus(ice).gt(0) ||
  (units.gt(0) && (isFactura || item.tipo_irbpnr !== undefined || netOf(item).isZero()));

/** An uncredited factura is credited with the lines that cost nothing. */
const isWhole = ({ untouched, groups }: Balance, grosses: readonly number[]): boolean =>
  untouched && groups.every(({ gross }, at) => toCents(gross) === grosses[at]);

function creditGroup(
  balance: Balance,
  group: GroupLeft,
  gross: number,
  { weight, units, statement }: Layout,
): GroupCredit & { items: CreditedItem[] } {
  const { row, items } = group;
  const percent = row.tarifa;
  const base = baseOf(gross, percent) ?? Math.round((gross * 100) / (100 + percent));
  const limits = limitsOf(group, base, gross, balance.iceRates);
  const natural = splitWithin(fromCents(base), items.map(weight), limits.map(fromCents)).map(toCents);
  const taxed = steered(natural, percent, limits);
  const plain = withIce(balance, items, taxed).map(
    (one): CreditedItem => ({ ...one, units: units(one.left) }),
  );
  const lines = statement === 'stated' ? plain : foldedUntil(plain, percent);
  return { group, base: fromCents(base), iva: fromCents(gross - base), items: lines };
}

/** No more base than is left, unless the money needs it: earlier notas de crédito may have rounded IVA down. */
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

/** `total` in cents must not exceed the sum of the limits; the parts add up to it exactly. */
export function splitWithin(
  total: Decimal,
  weights: readonly Decimal[],
  limits: readonly Decimal[],
): Decimal[] {
  const parts = split(total, weights, limits).map((part, at) => Decimal.min(part, limits[at] ?? zero));
  let over = total.minus(sum(parts));
  while (over.gt(0)) {
    const free = parts.map((part, at) => (limits[at] ?? zero).minus(part));
    const weighted = free.map((one, index) => (weights[index]?.gt(0) ? one : zero));
    const room = weighted.some((one) => one.gt(0)) ? weighted : free;
    const at = room.reduce((best, one, index) => (one.gt(room[best] ?? zero) ? index : best), 0);
    const taken = Decimal.min(over, room[at] ?? zero);
    if (taken.lte(0)) throw new RangeError('More cents than the limits take.');
    parts[at] = (parts[at] ?? zero).plus(taken);
    over = over.minus(taken);
  }
  return parts;
}

function split(total: Decimal, weights: readonly Decimal[], limits: readonly Decimal[]): Decimal[] {
  const positive = weights.map((weight) => Decimal.max(weight, 0));
  const by = sum(positive).isZero() ? limits : positive;
  const whole = sum(by);
  if (whole.isZero()) return limits.map(() => zero);
  return splitCents(
    total,
    by.map((weight) => weight.times(total).div(whole)),
  );
}
