import { type Decimal, decimal, sum } from '../../src/core/money.ts';
import type { TotalBody } from '../body.ts';
import type { ItemLeft } from './balance.ts';
import type { GroupLeft } from './groups.ts';
import { offOf, settleWithin, splitWithin, type Taxed } from './within.ts';

/** What a nota de crédito takes of one IVA code; the base contains ICE. */
export interface GroupCredit {
  group: GroupLeft;
  iva: Taxed;
  ice: Taxed;
  /** Without any tax; an item not named here gives nothing. */
  bases: ReadonlyMap<ItemLeft, Decimal>;
}

type Weight = (item: ItemLeft) => Decimal;

const zero = decimal(0);
const nothing: Taxed = { base: zero, valor: zero };

/**
 * `grosses` of each group in whole cents: base and IVA within what is left, the base shared over its items by
 * their weight. Items with ICE first give it its part of the base (ficha técnica SRI, tabla 21).
 */
export function creditGroups(
  groups: readonly GroupLeft[],
  grosses: readonly Decimal[],
  weight: Weight,
): GroupCredit[] {
  /** How far the rows of ICE, by code, are off already: several IVA codes may share one. */
  const offs = new Map<string, Decimal>();
  return groups.map((group, at) => {
    const gross = grosses[at] ?? zero;
    if (gross.isZero()) return { group, iva: nothing, ice: nothing, bases: new Map() };
    const code = group.ice?.row.codigo_porcentaje ?? '';
    const off = offs.get(code) ?? zero;
    const credit = creditGroup(group, gross, weight, off);
    if (group.ice) offs.set(code, off.plus(offOf(credit.ice, fractionOf(group.ice.row))));
    return credit;
  });
}

function creditGroup(group: GroupLeft, gross: Decimal, weight: Weight, off: Decimal): GroupCredit {
  const { items, ice, row } = group;
  const fraction = fractionOf(row);
  const iva = settleWithin(gross, group, fraction, sum(items.map(weight)).div(fraction.plus(1)));
  if (!ice) return { group, iva, ice: nothing, bases: shared(items, iva.base, weight) };
  const plain = items.filter(({ item }) => item.tipo_ice === undefined);
  const bearing = items.filter(({ item }) => item.tipo_ice !== undefined);
  const left: Taxed = { base: leftOf(bearing), valor: ice.left };
  const [plainBase = zero, iceBase = zero] = splitWithin(
    iva.base,
    [plain, bearing].map((some) => sum(some.map(weight))),
    [leftOf(plain), left.base.plus(left.valor)],
  );
  const rate = fractionOf(ice.row);
  const inRow = { off, whole: offOf(ice.inRow, rate) };
  const excise = settleWithin(iceBase, left, rate, iceBase.div(rate.plus(1)), inRow);
  const bases = new Map([...shared(plain, plainBase, weight), ...shared(bearing, excise.base, weight)]);
  return { group, iva, ice: excise, bases };
}

const fractionOf = ({ tarifa }: TotalBody): Decimal => decimal(tarifa).div(100);
const leftOf = (items: readonly ItemLeft[]): Decimal => sum(items.map(({ base }) => base));

function shared(items: readonly ItemLeft[], base: Decimal, weight: Weight): Map<ItemLeft, Decimal> {
  const limits = items.map((item) => item.base);
  const parts = splitWithin(base, items.map(weight), limits);
  return new Map(items.map((item, at) => [item, parts[at] ?? zero]));
}
