import { type Decimal, decimal, sum } from '../../src/core/money.ts';
import type { TotalBody } from '../body.ts';
import type { Balance, ItemLeft } from './balance.ts';
import type { Claims } from './claims.ts';
import { bottles, type GroupLeft, groupsOf } from './groups.ts';
import { settleWithin, splitWithin, type Taxed } from './within.ts';

/** What a nota de crédito takes of one item: `base` in cents without tax, `units` in the order's units. */
export interface CreditedItem {
  left: ItemLeft;
  base: Decimal;
  units: Decimal;
}

export interface Credit {
  items: CreditedItem[];
  totales: TotalBody[];
  /** Nothing stays behind. */
  rest: boolean;
}

const zero = decimal(0);

/**
 * The claims of one refund in whole cents: bases and taxes by IVA code, each within what is left of the factura,
 * adding up to the money exactly (ficha técnica SRI, tabla 21; IVA on the sum of bases of its code). `null` claims
 * take all that is left, cent for cent.
 */
export function apportion(balance: Balance, claims: Claims | null): Credit {
  if (claims === null) return everythingLeft(balance);
  const asked = new Map(
    balance.items.map((item, at) => [item, claims.asked[at] ?? { gross: zero, units: zero }]),
  );
  const returned = (item: ItemLeft): Decimal => {
    const { gross, units } = asked.get(item) ?? { gross: zero, units: zero };
    return bottles(item, units).lte(gross) ? units : zero;
  };
  const weight = (item: ItemLeft): Decimal =>
    (asked.get(item)?.gross ?? zero).minus(bottles(item, returned(item)));
  const groups = groupsOf(balance);
  const bottled = sum(balance.items.map((item) => bottles(item, returned(item))));
  const grosses = splitWithin(
    claims.money.minus(bottled),
    groups.map(({ items }) => sum(items.map(weight))),
    groups.map(({ base, valor }) => base.plus(valor)),
  );
  const parts = groups.map((group, at) => creditGroup(group, grosses[at] ?? zero, weight));
  const bases = new Map(parts.flatMap((part) => part.bases));
  const items = balance.items.map((left) => ({
    left,
    base: bases.get(left) ?? zero,
    units: returned(left),
  }));
  const moved = items.filter(({ base, units }) => base.gt(0) || units.gt(0));
  // A last cent of tax alone still stands on a line.
  const heaviest = items.toSorted((a, b) => weight(b.left).comparedTo(weight(a.left))).slice(0, 1);
  return {
    items: moved.length > 0 ? moved : heaviest,
    totales: [
      ...parts.flatMap(({ iva }) => iva),
      ...merged(parts.flatMap(({ ice }) => ice)),
      ...bottleRow(balance, bottled),
    ],
    rest: false,
  };
}

function everythingLeft({ items, rows, untouched }: Balance): Credit {
  const left = items.filter(({ base, units }) => untouched || base.gt(0) || units.gt(0));
  return {
    items: left.map((item) => ({ left: item, base: item.base, units: item.units })),
    totales: rows
      .filter(({ base, valor }) => untouched || base.gt(0) || valor.gt(0))
      .map(({ row, base, valor }) => toRow(row, { base, valor })),
    rest: true,
  };
}

interface GroupCredit {
  bases: [ItemLeft, Decimal][];
  iva: TotalBody[];
  ice: TotalBody[];
}

/** Base and IVA of one code; where ICE is in the base, the items that bear it give it their part of both. */
function creditGroup(group: GroupLeft, gross: Decimal, weight: (item: ItemLeft) => Decimal): GroupCredit {
  if (gross.isZero()) return { bases: [], iva: [], ice: [] };
  const fraction = decimal(group.row.tarifa).div(100);
  const hint = sum(group.items.map(weight)).div(fraction.plus(1));
  const iva = settleWithin(gross, group, fraction, hint);
  const bearing = group.items.filter(({ item }) => item.tipo_ice !== undefined);
  const plain = group.items.filter(({ item }) => item.tipo_ice === undefined);
  const [plainBase = zero, iceBase = zero] = splitWithin(
    iva.base,
    [plain, bearing].map((some) => sum(some.map(weight))),
    [leftOf(plain), leftOf(bearing).plus(group.ice?.left ?? zero)],
  );
  const excise = group.ice && settleExcise(group.ice, iceBase, leftOf(bearing));
  return {
    bases: [...shared(plain, plainBase, weight), ...shared(bearing, excise?.base ?? zero, weight)],
    iva: [toRow(group.row, iva)],
    ice: group.ice && excise && iceBase.gt(0) ? [toRow(group.ice.row, excise)] : [],
  };
}

function settleExcise({ row, left }: NonNullable<GroupLeft['ice']>, gross: Decimal, base: Decimal): Taxed {
  const fraction = decimal(row.tarifa).div(100);
  return settleWithin(gross, { base, valor: left }, fraction, gross.div(fraction.plus(1)));
}

const leftOf = (items: readonly ItemLeft[]): Decimal => sum(items.map(({ base }) => base));

function shared(items: readonly ItemLeft[], base: Decimal, weight: (item: ItemLeft) => Decimal) {
  const parts = splitWithin(
    base,
    items.map(weight),
    items.map((item) => item.base),
  );
  return items.map((item, at): [ItemLeft, Decimal] => [item, parts[at] ?? zero]);
}

/** One row per ICE code, though several IVA codes may bear it. */
function merged(rows: readonly TotalBody[]): TotalBody[] {
  const codes = [...new Set(rows.map(({ codigo_porcentaje }) => codigo_porcentaje))];
  return codes.flatMap((code) => {
    const same = rows.filter(({ codigo_porcentaje }) => codigo_porcentaje === code);
    const [first] = same;
    if (!first) return [];
    const total = (of: 'base_imponible' | 'valor') => sum(same.map((row) => decimal(row[of])));
    return [toRow(first, { base: total('base_imponible'), valor: total('valor') })];
  });
}

function bottleRow({ rows }: Balance, valor: Decimal): TotalBody[] {
  const row = rows.find(({ row: one }) => one.codigo === '5')?.row;
  return row && valor.gt(0) ? [toRow(row, { base: valor.div('0.02'), valor })] : [];
}

const toRow = (row: TotalBody, { base, valor }: Taxed): TotalBody => ({
  ...row,
  base_imponible: base.toNumber(),
  valor: valor.toNumber(),
});
