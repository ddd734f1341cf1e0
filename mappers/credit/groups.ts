import { type Decimal, decimal, sum } from '../../src/core/money.ts';
import type { TotalBody } from '../body.ts';
import { Hold } from '../hold.ts';
import type { Balance, ItemLeft, RowLeft } from './balance.ts';
import { bottlesWorth } from './bottles.ts';
import type { Claimable } from './claims.ts';

/** Items of one IVA code (ficha técnica SRI, tabla 17) and what is left of their row; the base contains ICE. */
export interface GroupLeft {
  row: TotalBody;
  base: Decimal;
  valor: Decimal;
  items: ItemLeft[];
  /** The one ICE of the group: what is left of it here, and in its whole row. */
  ice: { row: TotalBody; left: Decimal; inRow: { base: Decimal; valor: Decimal } } | null;
}

const zero = decimal(0);

/** What is left of a factura by IVA code. */
export function groupsOf({ items, rows }: Balance): GroupLeft[] {
  return rows
    .filter(({ row }) => row.codigo === '2')
    .map(({ row, base, valor }) => {
      const own = items.filter(({ item }) => String(item.tipo_iva) === row.codigo_porcentaje);
      return { row, base, valor, items: own, ice: iceOf(base, own, rows) };
    });
}

/** The ICE in a group is what its base holds beyond its items. */
function iceOf(base: Decimal, items: readonly ItemLeft[], rows: readonly RowLeft[]): GroupLeft['ice'] {
  const codes = [...new Set(items.flatMap(({ item }) => item.tipo_ice ?? []))];
  if (codes.length === 0) return null;
  const row = rows.find(({ row: one }) => one.codigo === '3' && one.codigo_porcentaje === String(codes[0]));
  if (codes.length > 1 || !row) {
    throw new Hold(
      'credit-excise',
      'La factura lleva varios códigos de ICE en un mismo IVA y un reembolso parcial no se puede repartir entre ellos. Emita la nota de crédito a mano.',
    );
  }
  return { row: row.row, left: base.minus(sum(items.map((one) => one.base))), inRow: row };
}

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

function iceShare(item: ItemLeft, { items, ice }: GroupLeft): Decimal {
  if (!ice || item.item.tipo_ice === undefined) return zero;
  const bases = sum(items.filter((one) => one.item.tipo_ice !== undefined).map(({ base }) => base));
  return bases.isZero() ? zero : ice.left.times(item.base).div(bases);
}
