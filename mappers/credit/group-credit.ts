import { type Decimal, decimal, sum } from '../../src/core/money.ts';
import type { TotalBody } from '../body.ts';
import type { ItemLeft } from './balance.ts';
import type { ExciseLeft, GroupLeft } from './groups.ts';
import { offOf, settleWithin, splitWithin, type Taxed } from './within.ts';

/** What a nota de crédito takes of one IVA code; the base contains ICE. */
export interface GroupCredit {
  group: GroupLeft;
  iva: Taxed;
  /** By their rows in the factura. */
  ices: ReadonlyMap<TotalBody, Taxed>;
  /** Without any tax; an item not named here gives nothing. */
  bases: ReadonlyMap<ItemLeft, Decimal>;
}

type Weight = (item: ItemLeft) => Decimal;

const zero = decimal(0);
const nothing: Taxed = { base: zero, valor: zero };

/** How far a row of ICE is off by what other IVA codes take of it. */
type OffElsewhere = (row: TotalBody) => Decimal;

/**
 * `grosses` of each group in whole cents: base and IVA within what is left, the base shared over its items by
 * their weight. Items with ICE first give it its part of the base (ficha técnica SRI, tabla 21). Several IVA codes
 * may share a row of ICE: a second round lets each see what the others made of it.
 */
export function creditGroups(
  groups: readonly GroupLeft[],
  grosses: readonly Decimal[],
  weight: Weight,
): GroupCredit[] {
  const credits = groups.map(
    (group): GroupCredit => ({ group, iva: nothing, ices: new Map(), bases: new Map() }),
  );
  const rounds = groups.filter(({ ices }) => ices.length > 0).length > 1 ? 2 : 1;
  for (let round = 0; round < rounds; round += 1) {
    groups.forEach((group, at) => {
      const gross = grosses[at] ?? zero;
      if (gross.isZero()) return;
      const elsewhere: OffElsewhere = (row) =>
        sum(
          credits.map(({ ices }, other) =>
            other === at ? zero : offOf(ices.get(row) ?? nothing, fractionOf(row)),
          ),
        );
      credits[at] = creditGroup(group, gross, weight, elsewhere);
    });
  }
  return credits;
}

function creditGroup(group: GroupLeft, gross: Decimal, weight: Weight, elsewhere: OffElsewhere): GroupCredit {
  const { items, ices, row } = group;
  const fraction = fractionOf(row);
  const iva = settleWithin(gross, group, fraction, sum(items.map(weight)).div(fraction.plus(1)));
  const plain = items.filter(({ item }) => item.tipo_ice === undefined);
  const [plainBase = zero, ...iceBases] = splitWithin(
    iva.base,
    [plain, ...ices.map((ice) => ice.items)].map((some) => sum(some.map(weight))),
    [leftOf(plain), ...ices.map((ice) => leftOf(ice.items).plus(ice.valor))],
  );
  const bases = shared(plain, plainBase, weight);
  const taken = new Map<TotalBody, Taxed>();
  ices.forEach((ice, at) => {
    const excise = creditExcise(ice, iceBases[at] ?? zero, elsewhere(ice.row));
    taken.set(ice.row, excise);
    for (const [item, base] of shared(ice.items, excise.base, weight)) bases.set(item, base);
  });
  return { group, iva, ices: taken, bases };
}

/** What of a base, ICE included, is the one and what the other. */
function creditExcise(ice: ExciseLeft, gross: Decimal, off: Decimal): Taxed {
  const rate = fractionOf(ice.row);
  const left = { base: leftOf(ice.items), valor: ice.valor };
  const inRow = { off, whole: offOf(ice.inRow, rate) };
  return settleWithin(gross, left, rate, gross.div(rate.plus(1)), inRow);
}

const fractionOf = ({ tarifa }: TotalBody): Decimal => decimal(tarifa).div(100);
const leftOf = (items: readonly ItemLeft[]): Decimal => sum(items.map(({ base }) => base));

function shared(items: readonly ItemLeft[], base: Decimal, weight: Weight): Map<ItemLeft, Decimal> {
  const limits = items.map((item) => item.base);
  const parts = splitWithin(base, items.map(weight), limits);
  return new Map(items.map((item, at) => [item, parts[at] ?? zero]));
}
