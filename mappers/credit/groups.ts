import { type Decimal, decimal, sum } from '../../src/core/money.ts';
import type { TotalBody } from '../body.ts';
import { Hold } from '../hold.ts';
import type { Balance, ItemLeft, RowLeft } from './balance.ts';
import { bottlesWorth } from './bottles.ts';
import type { Claimable } from './claims.ts';
import type { Taxed } from './within.ts';

/** Items of one IVA code (ficha técnica SRI, tabla 17) and what is left of their row; the base contains ICE. */
export interface GroupLeft {
  row: TotalBody;
  base: Decimal;
  valor: Decimal;
  items: ItemLeft[];
  ices: ExciseLeft[];
}

/** One ICE code under one IVA code. */
export interface ExciseLeft {
  row: TotalBody;
  /** The items that bear it. */
  items: ItemLeft[];
  /** Of the tax: what is left of it here, and of base and tax in its whole row. */
  valor: Decimal;
  inRow: Taxed;
}

const zero = decimal(0);

/** What is left of a factura by IVA code. */
export function groupsOf({ items, rows }: Balance): GroupLeft[] {
  return rows
    .filter(({ row }) => row.codigo === '2')
    .map(({ row, base, valor }) => {
      const own = items.filter(({ item }) => String(item.tipo_iva) === row.codigo_porcentaje);
      return { row, base, valor, items: own, ices: excisesOf(base, own, { items, rows }) };
    });
}

/**
 * The base of a group holds its items and their ICE. A code that no other group bears has its row for itself; one
 * that others bear too is what is left of the base.
 */
function excisesOf(
  base: Decimal,
  own: readonly ItemLeft[],
  { items, rows }: Pick<Balance, 'items' | 'rows'>,
): ExciseLeft[] {
  const bearing = (code: string, some: readonly ItemLeft[]) =>
    some.filter(({ item }) => String(item.tipo_ice) === code);
  const here = rows.filter(({ row }) => row.codigo === '3' && bearing(row.codigo_porcentaje, own).length > 0);
  const isOwn = ({ row: { codigo_porcentaje: code } }: RowLeft) =>
    bearing(code, items).length === bearing(code, own).length;
  if (here.filter((row) => !isOwn(row)).length > 1) throw mixed();
  const rest = base.minus(
    sum([...own.map((one) => one.base), ...here.filter(isOwn).map(({ valor }) => valor)]),
  );
  return here.map((left) => ({
    row: left.row,
    items: bearing(left.row.codigo_porcentaje, own),
    valor: isOwn(left) ? left.valor : rest,
    inRow: left,
  }));
}

const mixed = () =>
  new Hold(
    'credit-excise',
    'La factura lleva los mismos códigos de ICE bajo varias tarifas de IVA y un reembolso parcial no se puede repartir entre ellos. Emita la nota de crédito a mano.',
  );

/** What is left of each item, taxes included: its share of its group, and its bottles. */
export function grossesLeft(balance: Balance): Claimable[] {
  const groups = groupsOf(balance);
  return balance.items.map((item) => {
    const group = groups.find(({ items }) => items.includes(item));
    const gross = group ? shareOf(item, group).plus(bottlesWorth(item, item.units)) : zero;
    return { source: item.source, gross, units: item.units, ...(gross.gt(0) ? { rounding: cent } : {}) };
  });
}

/** Shops round the tax of each line, a factura that of each rate: a line's own figures may be a cent above its share. */
const cent = decimal('0.01');

/** Without IRBPNR. Items share their group's ICE by bearing it, and its IVA by their base with ICE. */
function shareOf(item: ItemLeft, group: GroupLeft): Decimal {
  const withIce = iceShare(item, group).plus(item.base);
  return group.base.isZero() ? zero : withIce.times(group.base.plus(group.valor)).div(group.base);
}

function iceShare(item: ItemLeft, { ices }: GroupLeft): Decimal {
  const ice = ices.find(({ items }) => items.includes(item));
  if (!ice) return zero;
  const bases = sum(ice.items.map(({ base }) => base));
  return bases.isZero() ? zero : ice.valor.times(item.base).div(bases);
}
