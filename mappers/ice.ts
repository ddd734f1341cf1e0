import { type Amount, type Decimal, decimal, roundCents, sum, toAmount } from '../src/domain/money.ts';
import type { IvaCode } from '../src/domain/money-policy.ts';
import type { Entry } from './entries.ts';
import { Hold } from './hold.ts';
import { type Settled, settle } from './totals.ts';

/** One IVA code, its entries that bear the same ICE or none, and their part of its base, ICE included. */
export interface Part {
  iva: IvaCode;
  entries: Entry[];
  base: Decimal;
}

/**
 * ICE of one code and rate under one IVA code; several of them may stand in one row of `totales`. Here `base` is
 * without the ICE, which is `valor`.
 */
export interface IceGroup extends Part, Settled {
  codigo: number;
  tarifa: Amount;
}

/** A way to split parts into base and ICE, and what an authority finds off in it: whole cents, row by row. */
interface Try {
  groups: IceGroup[];
  off: number[];
  /** The sum of the squares: one cent in each of two rows is better than two in one. */
  weight: number;
}

const cent = decimal('0.01');
/** Cents. The authority publishes no tolerance; authorised documents are off by up to two (ficha técnica SRI, tabla 21). */
const tolerance = 2;

/**
 * Base and ICE of each part, which add up to it exactly. An authority computes ICE on the sum of a code's lines,
 * and the base of an IVA code as its lines and the ICE on just those (ficha técnica SRI, tabla 21), so both must
 * hold: starting from each part's own nearest base, single cents move between base and ICE while that brings
 * those rows nearer to what is computed. Throws Hold where the best is off by more than 0.02 (ICE far above 100 %).
 */
export function settleIce(parts: readonly Part[]): IceGroup[] {
  let best = tried(parts.flatMap(toIceGroup));
  refuseTwoRates(best.groups);
  for (let next = better(best); next; next = better(best)) best = next;
  const worst = Math.max(0, ...best.off.map(Math.abs));
  if (worst > tolerance) throw unsettled(best.groups, worst);
  return best.groups;
}

function toIceGroup(part: Part): IceGroup[] {
  const ice = part.entries[0]?.ice;
  if (!ice) return [];
  const { codigo, tarifa } = ice;
  const net = sum(part.entries.map((entry) => entry.net));
  return [{ ...part, codigo, tarifa, ...settle(part.base, fraction({ tarifa }), net) }];
}

/** The best of all moves of one cent; null where each leaves the rows as far off as they are. */
function better({ groups, weight }: Try): Try | null {
  if (weight === 0) return null;
  const moves = groups.flatMap((group, at) =>
    [cent, cent.negated()]
      .map((step) => moved(group, step))
      .filter(({ base, valor }) => base.gt(0) && valor.gte(0))
      .map((other) => tried(groups.with(at, other))),
  );
  const [nearest] = moves.sort((a, b) => a.weight - b.weight);
  return nearest && nearest.weight < weight ? nearest : null;
}

function moved(group: IceGroup, step: Decimal): IceGroup {
  const base = group.base.plus(step);
  const valor = group.valor.minus(step);
  return { ...group, base, valor, difference: valor.minus(roundCents(base.times(fraction(group)))) };
}

/** ICE as paid less ICE as computed, by ICE code and by IVA code: what is off there is off in the base of that IVA. */
function tried(groups: IceGroup[]): Try {
  const rows = offBy(groups, ({ codigo }) => codigo);
  const bases = offBy(groups, ({ iva }) => iva);
  const off = [...rows, ...bases, bases.reduce((all, one) => all + one, 0)];
  return { groups, off, weight: off.reduce((all, one) => all + one * one, 0) };
}

function offBy(groups: readonly IceGroup[], key: (group: IceGroup) => number): number[] {
  return [...new Set(groups.map(key))].map((one) => {
    const same = groups.filter((group) => key(group) === one);
    const paid = sum(same.map(({ valor }) => valor));
    const computed = roundCents(sum(same.map((group) => group.base.times(fraction(group)))));
    return paid.minus(computed).times(100).toNumber();
  });
}

const fraction = ({ tarifa }: Pick<IceGroup, 'tarifa'>): Decimal => decimal(tarifa).div(100);

/** A row of `totales` states one rate (ficha técnica SRI, tabla 18). */
function refuseTwoRates(groups: readonly IceGroup[]): void {
  for (const { codigo, tarifa } of groups) {
    const other = groups.find((one) => one.codigo === codigo && !decimal(one.tarifa).equals(tarifa));
    if (!other) continue;
    throw new Hold(
      'tax-contradiction',
      `Las reglas dan al pedido el ICE ${codigo} al ${tarifa} % y al ${other.tarifa} %, y una factura declara una sola tarifa por código. Corrija las reglas en policy.tax.`,
    );
  }
}

function unsettled(groups: readonly IceGroup[], cents: number): Hold {
  const named = [...new Set(groups.map(({ codigo, tarifa }) => `${codigo} al ${tarifa} %`))].join(', ');
  const apart = toAmount(cent.times(cents));
  return new Hold(
    'ice-rounding',
    `El ICE del pedido (${named}) no se puede declarar en centavos: la mejor repartición queda a ${apart} de lo que calcula el SRI y se admiten 0.02. Emita este pedido a mano en varias facturas, una por cada IVA o por cada ICE.`,
  );
}
