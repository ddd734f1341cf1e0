import { type Decimal, decimal, sum } from '../../src/core/money.ts';
import type { TotalBody } from '../body.ts';
import type { Balance, ItemLeft } from './balance.ts';
import { bottle, bottlesBack } from './bottles.ts';
import type { Claims } from './claims.ts';
import { creditGroups, type GroupCredit } from './group-credit.ts';
import { groupsOf } from './groups.ts';
import { splitWithin, type Taxed } from './within.ts';

/** What a nota de crédito takes of one item: `base` in cents without tax, `units` in the order's units. */
export interface CreditedItem {
  left: ItemLeft;
  base: Decimal;
  units: Decimal;
}

/** Every line has the rows of its taxes and every row a line: the one without the other is refused (error 52). */
export interface Credit {
  items: CreditedItem[];
  totales: TotalBody[];
}

const zero = decimal(0);
const nothing: Taxed = { base: zero, valor: zero };

/**
 * The claims of one refund in whole cents: bases and taxes by IVA code, each within what is left of the factura,
 * adding up to the money exactly (ficha técnica SRI, tabla 21; IVA on the sum of bases of its code).
 */
export function apportion(balance: Balance, { asked, money }: Claims): Credit {
  const groups = groupsOf(balance);
  const back = bottlesBack(balance, groups, asked, money);
  const claimed = new Map(balance.items.map((item, at) => [item, asked[at]]));
  const weight = (item: ItemLeft): Decimal =>
    (claimed.get(item)?.gross ?? zero).minus((back.get(item) ?? zero).times(bottle));
  const bottles = sum(back.values());
  const grosses = splitWithin(
    money.minus(bottles.times(bottle)),
    groups.map(({ items }) => sum(items.map(weight))),
    groups.map(({ base, valor }) => base.plus(valor)),
  );
  const credits = creditGroups(groups, grosses, weight);
  const items = balance.items.map((left): CreditedItem => {
    const units = left.item.tipo_irbpnr === undefined ? claimed.get(left)?.units : back.get(left);
    const base = credits.find(({ bases }) => bases.has(left))?.bases.get(left);
    return { left, base: base ?? zero, units: units ?? zero };
  });
  const amount = (row: TotalBody): Taxed => {
    if (row.codigo === '5') return { base: bottles, valor: bottles.times(bottle) };
    return added(credits.map((credit) => partOf(credit, row)));
  };
  return complete(balance, items.filter(isMoved), amount, weight);
}

/** All that is left, cent for cent; of an untouched factura all that it says. */
export function everythingLeft(balance: Balance): Credit {
  const items = balance.items.map((left) => ({ left, base: left.base, units: left.units }));
  const amounts = new Map(balance.rows.map((left) => [left.row, left]));
  const shown = balance.untouched ? items : items.filter(isMoved);
  return complete(
    balance,
    shown,
    (row) => amounts.get(row) ?? nothing,
    ({ item }) => decimal(item.precio_total_sin_impuesto),
  );
}

const isMoved = ({ base, units }: CreditedItem): boolean => base.gt(0) || units.gt(0);
const added = (some: readonly Taxed[]): Taxed => ({
  base: sum(some.map(({ base }) => base)),
  valor: sum(some.map(({ valor }) => valor)),
});

function partOf({ group, iva, ices }: GroupCredit, row: TotalBody): Taxed {
  return group.row === row ? iva : (ices.get(row) ?? nothing);
}

/** A last cent of tax alone still stands on a line, and a line that costs nothing still has its row. */
function complete(
  { items, rows }: Balance,
  shown: readonly CreditedItem[],
  amount: (row: TotalBody) => Taxed,
  weight: (item: ItemLeft) => Decimal,
): Credit {
  const standIns = rows
    .filter(({ row }) => row.codigo !== '5' && amount(row).valor.plus(amount(row).base).gt(0))
    .filter(({ row }) => !shown.some(({ left }) => bears(left, row)))
    .flatMap(({ row }) =>
      heaviest(
        items.filter((item) => bears(item, row)),
        weight,
      ),
    );
  const all = items.flatMap((left): CreditedItem[] => {
    const own = shown.find((one) => one.left === left);
    if (own) return [own];
    return standIns.includes(left) ? [{ left, base: zero, units: zero }] : [];
  });
  const totales = rows.flatMap(({ row }) => {
    const { base, valor } = amount(row);
    const has = row.codigo === '5' ? base.gt(0) : all.some(({ left }) => bears(left, row));
    return has ? [{ ...row, base_imponible: base.toNumber(), valor: valor.toNumber() }] : [];
  });
  return { items: all, totales };
}

/** IVA or ICE; bottles count by their units. */
function bears({ item }: ItemLeft, { codigo, codigo_porcentaje }: TotalBody): boolean {
  return String(codigo === '3' ? item.tipo_ice : item.tipo_iva) === codigo_porcentaje;
}

const heaviest = (items: readonly ItemLeft[], weight: (item: ItemLeft) => Decimal): ItemLeft[] =>
  items.toSorted((a, b) => weight(b).comparedTo(weight(a))).slice(0, 1);
