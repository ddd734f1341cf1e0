import { balanceOf } from '../../mappers/credit/balance.ts';
import { type Amount, type Decimal, decimal, sum } from '../domain/money.ts';
import { type Order, sourceOf } from '../domain/order.ts';
import type { Billed, PlannedDocument, Relative } from './action.ts';

type Member = Pick<Relative, 'id' | 'parentId' | 'paidApart' | 'apartFrom'>;

export function lineageOf(
  order: Member,
  relatives: readonly Relative[],
  isSplit: (child: Member, parent: Member) => boolean = () => true,
): { above: Relative[]; below: Relative[] } {
  const above: Relative[] = [];
  for (let child = order; ; ) {
    const parent = relatives.find(({ id }) => id === child.parentId);
    if (!parent || above.includes(parent) || !isSplit(child, parent)) break;
    above.push(parent);
    child = parent;
  }
  const below: Relative[] = [];
  for (let level: readonly Member[] = [order]; level.length > 0; ) {
    const isNext = (child: Relative): boolean =>
      ![...above, ...below].includes(child) &&
      level.some((parent) => parent.id === child.parentId && isSplit(child, parent));
    level = relatives.filter(isNext);
    below.push(...(level as readonly Relative[]));
  }
  return { above, below };
}

/** A plugin's mark on the parent as well was copied with everything else. */
export const isSplitFrom = (child: Member, parent: Member): boolean =>
  (!child.paidApart || parent.paidApart === true) && !isApart(child, parent);

export const isApart = (one: Member, other: Member): boolean =>
  (one.apartFrom?.includes(other.id) || other.apartFrom?.includes(one.id)) === true;

export function apartFromIn(documents: readonly PlannedDocument[]): readonly string[] | undefined {
  const said = documents.flatMap(({ fingerprint }) =>
    fingerprint?.apartFrom ? [fingerprint.apartFrom] : [],
  );
  return said.length > 0 ? [...new Set(said.flat())] : undefined;
}

/* Compared by thing: a plugin gives each order it makes ids of its own. */

export interface Sold {
  productId: string | null;
  sku: string | null;
  code: string | null;
  name: string;
  units: Decimal;
  /** Of one unit, taxes included. */
  price: Decimal;
}

export type Seller = Pick<Order, 'lines'> & { billed?: Billed | null };

export const sellSame = (one: Seller, other: Seller): boolean => {
  const there = [...soldIn(other), ...billedIn(other)];
  return [...soldIn(one), ...billedIn(one)].some((sold) => there.some(isSame(sold)));
};

export const soldIn = ({ lines }: Seller): Sold[] =>
  lines.map(({ productId, sku, name, quantity, net, tax }) => ({
    productId,
    sku,
    name,
    code: (sku ?? productId)?.slice(0, codeLength) ?? null,
    units: decimal(quantity),
    price: decimal(net).plus(tax).div(quantity),
  }));

/** As of `mappers/items.ts`: where no price multiplies, the units are before the name. */
const codeLength = 25;
const unitsBefore = /^[\d.]+ × /;

export function billedIn({ lines, billed }: Seller): Sold[] {
  if (!billed) return [];
  return balanceOf(billed, []).items.map(({ source, item, sold: units, gross }) => {
    const line = lines.find((one) => sourceOf(one) === source);
    const { productId = null, sku = null, name = item.descripcion.replace(unitsBefore, '') } = line ?? {};
    return { productId, sku, name, code: item.codigo_principal, units, price: gross.div(units) };
  });
}

export function lostBy(one: Seller): Sold[] {
  const there = soldIn(one);
  return billedIn(one).filter((sold) => {
    const left = there.filter(isSame(sold)).map(({ units }) => units);
    return sum(left).lt(sold.units);
  });
}

/** Ids of lines are of their own order; plugins make products and prices of their own of the same thing. */
export const isSame =
  (one: Sold) =>
  (other: Sold): boolean => {
    const isOne = (id: 'productId' | 'sku' | 'code'): boolean => one[id] !== null && one[id] === other[id];
    const differ = one.sku !== null && other.sku !== null && one.sku !== other.sku;
    return isOne('productId') || isOne('sku') || isOne('code') || (one.name === other.name && !differ);
  };

const isAlike =
  (one: Sold) =>
  (other: Sold): boolean =>
    (one.productId === null || other.productId === null || one.productId === other.productId) &&
    isSame(one)(other) &&
    one.price.minus(other.price).abs().lte('0.02');

type Priced = Seller & { total: Amount };

export function isWithin(parts: readonly [Priced, ...Priced[]], other: Priced): boolean {
  const whole = sum(parts.map(({ total }) => total)).minus(decimal('0.01').times(parts.length - 1));
  const taken = parts.flatMap(soldIn);
  const isIn = (there: readonly Sold[], total: Amount): boolean =>
    whole.lte(total) &&
    soldIn(parts[0]).every((one) => unitsOf(isAlike(one), there).gte(unitsOf(isAlike(one), taken)));
  const { billed } = other;
  return isIn(soldIn(other), other.total) || (billed != null && isIn(billedIn(other), billed.total));
}

/** A plugin may take the parts out of an order and keep others of the same kind. */
export function repeats(parts: readonly Seller[], whole: Seller): boolean {
  const [taken, there] = [parts.flatMap(soldIn), soldIn(whole)];
  const isAsMany = (one: Sold): boolean => unitsOf(isSame(one), taken).equals(unitsOf(isSame(one), there));
  const isHalf = parts.length === 1 && there.every(isAsMany);
  return taken.every((one) => {
    const gone = unitsOf(isSame(one), billedIn(whole)).minus(unitsOf(isSame(one), there));
    return gone.gte(unitsOf(isSame(one), taken)) || (isAsMany(one) && !isHalf);
  });
}

const unitsOf = (isOne: (other: Sold) => boolean, sold: readonly Sold[]): Decimal =>
  sum(sold.filter(isOne).map(({ units }) => units));
