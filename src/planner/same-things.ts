import { balanceOf } from '../../mappers/credit/balance.ts';
import { type Decimal, decimal, sum } from '../domain/money.ts';
import { type Order, sourceOf } from '../domain/order.ts';
import type { Billed } from './action.ts';

/* What orders sell, and their facturas billed, compared by thing: a plugin gives each order it makes ids of its own. */

/** Units of a thing at a price, as an order sells them or a factura stated them. */
export interface Sold {
  productId: string | null;
  sku: string | null;
  /** As a factura names it. */
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
    ...{ productId, sku, name, code: (sku ?? productId)?.slice(0, codeLength) ?? null },
    ...{ units: decimal(quantity), price: decimal(net).plus(tax).div(quantity) },
  }));

/** As of `mappers/items.ts`: where no price multiplies, the units stand before the name. */
const codeLength = 25;
const unitsBefore = /^[\d.]+ × /;

/** A line that the order has no more is known by what the factura states of it. */
export function billedIn({ lines, billed }: Seller): Sold[] {
  if (!billed) return [];
  return balanceOf(billed, []).items.map(({ source, item, sold: units, gross }) => {
    const line = lines.find((one) => sourceOf(one) === source);
    const { productId = null, sku = null, name = item.descripcion.replace(unitsBefore, '') } = line ?? {};
    return { productId, sku, name, code: item.codigo_principal, units, price: gross.div(units) };
  });
}

/** What its factura billed and the order has no more, or fewer units of. */
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

/** The same product at the same price. */
const isAlike =
  (one: Sold) =>
  (other: Sold): boolean =>
    (one.productId === null || other.productId === null || one.productId === other.productId) &&
    isSame(one)(other) &&
    one.price.minus(other.price).abs().lte('0.02');

export const unitsOf = (one: Sold, sold: readonly Sold[]): Decimal =>
  sum(sold.filter(isAlike(one)).map(({ units }) => units));
