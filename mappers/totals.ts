import {
  type Amount,
  type Decimal,
  decimal,
  roundCents,
  splitCents,
  sum,
  toAmount,
} from '../src/domain/money.ts';
import type { IvaCode } from '../src/domain/money-policy.ts';
import type { Entry } from './entries.ts';
import { Hold, roundingCure, wouldBe } from './hold.ts';
import { reached, type Share } from './reach.ts';
import { ivaFraction, ivaRate } from './tax.ts';

/** What is taxed together: `base + valor` is exactly what the buyer paid for it. */
export interface Settled {
  base: Decimal;
  valor: Decimal;
  /** `valor` minus base × rate, rounded: not zero only where no base reaches the charged total. */
  difference: Decimal;
}

/** One IVA group of the document; the base contains the ICE. */
export interface Group extends Settled {
  code: IvaCode;
  entries: Entry[];
  /** What the platform itself charged for it, before cents were settled. */
  charged: Decimal;
}

const cent = decimal('0.01');

/** Half a cent for every line, and one for the total. */
const isByLine = (apart: Decimal, count: number): boolean =>
  count > 1 && apart.abs().lte(decimal('0.005').times(count).plus(cent));

/** What rounding may explain between a shop's figures and their sum: half a cent a line, ten at the most. */
function roundingAllowance(count: number): Decimal {
  const allowance = decimal('0.005').times(count);
  return allowance.lt(cent) ? cent : allowance.gt('0.10') ? decimal('0.10') : allowance;
}

/**
 * Splits what was charged into IVA groups and finds each group's base and IVA (ficha técnica SRI, tabla 21).
 * The sum of the groups and the IRBPNR is the charged total to the cent; what rounding cannot explain is held
 * with both figures.
 */
export function toGroups(entries: readonly Entry[], charged: Amount, platform: string): Group[] {
  const codes = [...new Set(entries.map(({ decision }) => decision.iva))].sort((a, b) => a - b);
  const members = codes.map((code) => entries.filter(({ decision }) => decision.iva === code));
  const nets = members.map((some) => sum(some.map(withIce)));
  const stated = members.map((some, at) => sum(some.map(({ iva }) => iva)).plus(nets[at] ?? zero));
  const irbpnr = sum(entries.map((entry) => entry.irbpnr ?? '0'));
  const left = decimal(charged).minus(irbpnr);
  const grosses = byRate(codes, nets, left) ?? stated;
  const lines = sum(grosses).plus(irbpnr);
  const gap = decimal(charged).minus(lines);
  // Where everything was given away, a rounding cent of the taxes belongs to nothing that was sold.
  const weights = members.map((_, at) => ((nets[at] ?? zero).gt(zero) ? positive(grosses[at]) : zero));
  const nothing = sum(weights).isZero() && !left.isZero();
  if (nothing && left.abs().lte('0.05')) {
    throw new Hold(
      'total-mismatch',
      `Los descuentos se llevan todo lo vendido (0.00) y el pedido cobró ${toAmount(charged)}, que no pertenece a nada. Corrija el descuento en la tienda.`,
      '0.00',
    );
  }
  if (nothing || left.lt(0) || gap.abs().gt(roundingAllowance(entries.length))) {
    throw new Hold(
      'total-mismatch',
      `Las líneas del pedido suman ${toAmount(lines)} y se cobró ${toAmount(charged)}: ${unexplained(gap, entries.length, platform)}`,
      toAmount(lines),
    );
  }
  const totals = splitTotal(left, codes, weights);
  const moved = withBases(totals, codes, grosses);
  codes.forEach((code, at) => {
    const count = members[at]?.length ?? 0;
    refuseContradiction({ code, total: totals[at] ?? zero, net: nets[at] ?? zero, count, platform });
  });
  return codes.map((code, at) => {
    const some = members[at] ?? [];
    const [total = zero, net = zero, gross = zero] = [moved[at], nets[at], stated[at]];
    return { code, entries: some, charged: gross, ...settle(total, ivaFraction(code), net) };
  });
}

/**
 * Whole cents for each rate. What bears no tax has no tax that could be rounded: it stands at its own sum, and the cents
 * that are nobody's go to what is taxed.
 */
function splitTotal(total: Decimal, codes: readonly IvaCode[], weights: readonly Decimal[]): Decimal[] {
  const untaxed = codes.map((code) => ivaFraction(code).isZero());
  const kept = weights.map((weight, at) => (untaxed[at] ? roundCents(weight) : zero));
  const taxed = weights.map((weight, at) => (untaxed[at] ? zero : weight));
  const rest = total.minus(sum(kept));
  if (rest.lt(0) || !taxed.some((weight) => weight.gt(0))) return splitKeeping(total, weights);
  return splitCents(rest, taxed).map((part, at) => part.plus(kept[at] ?? zero));
}

/** What is in whole cents keeps them, where something else can take the cents that are left over. */
export function splitKeeping(total: Decimal, weights: readonly Decimal[]): Decimal[] {
  const isWhole = (weight: Decimal) => weight.decimalPlaces() <= 2;
  const kept = weights.map((weight) => (isWhole(weight) ? weight : zero));
  const others = weights.map((weight) => (isWhole(weight) ? zero : weight));
  const rest = total.minus(sum(kept));
  const takers = others.filter((weight) => weight.gt(0));
  const near = rest.minus(sum(takers)).abs().lte(cent.times(takers.length));
  if (takers.length === 0 || rest.lt(0) || !near) return splitCents(total, weights);
  return splitCents(rest, others).map((part, at) => part.plus(kept[at] ?? zero));
}

/** A cent moves between two taxed rates where each then has a base whose tax is exact (reach.ts). */
function withBases(
  totals: readonly Decimal[],
  codes: readonly IvaCode[],
  grosses: readonly Decimal[],
): Decimal[] {
  const shares = codes.map((code, at): Share => {
    const weight = (grosses[at] ?? zero).times(100);
    const percent = Number(ivaRate(code));
    return { percent, weight, limit: Number.MAX_SAFE_INTEGER, fixed: percent === 0 };
  });
  const cents = totals.map((total) => total.times(100).toNumber());
  const moved = reached(cents, shares, 'kept') ?? cents;
  return totals.map((total, at) => (moved[at] === cents[at] ? total : decimal(moved[at] ?? 0).div(100)));
}

/** The plugins that take money off a total without saying so are many; the sentence names their kinds. */
function unexplained(gap: Decimal, count: number, platform: string): string {
  const amount = toAmount(gap.abs());
  const side = gap.isNegative() ? 'de menos' : 'de más';
  if (isByLine(gap, count))
    return `${amount} ${side}, lo que puede dar redondear el impuesto en cada una de las ${count} líneas. ${roundingCure(platform)}`;
  return gap.isNegative()
    ? `${amount} ${side}, que el redondeo no explica. Si el resto se pagó con un monedero, una tarjeta de regalo o un crédito que el pedido no declara, emita esta factura a mano; si no, corrija el total en la tienda.`
    : `${amount} ${side}, que el redondeo no explica. Agregue al pedido lo que se cobró o emita esta factura a mano.`;
}

const zero = decimal(0);
const positive = (value: Decimal = zero): Decimal => (value.gt(0) ? value : zero);

const withIce = ({ net, ice }: Entry): Decimal => (ice ? net.plus(ice.amount) : net);

/**
 * What the rates make of the bases, where that is just what was charged: a shop that rounds at the subtotal shows a
 * rounded tax on every line, and these need not add up. null where the charge is another.
 */
function byRate(codes: readonly IvaCode[], nets: readonly Decimal[], left: Decimal): Decimal[] | null {
  const bases = nets.map(roundCents);
  const due = bases.map((base, at) => base.plus(roundCents(base.times(ivaFraction(codes[at] ?? 0)))));
  return sum(due).equals(left) ? due : null;
}

interface Charged {
  code: IvaCode;
  total: Decimal;
  net: Decimal;
  /** Of lines. */
  count: number;
  platform: string;
}

function refuseContradiction({ code, total, net, count, platform }: Charged): void {
  const settled = settle(total, ivaFraction(code), net);
  const allowed = roundingAllowance(count).plus(cent);
  if (settled.difference.abs().lte(cent) && settled.base.minus(net).abs().lte(allowed)) return;
  const due = net.times(ivaFraction(code));
  const tax = total.minus(net);
  const cure = isByLine(tax.minus(due), count)
    ? `La tienda redondeó el impuesto en cada una de las ${count} líneas. ${roundingCure(platform)}`
    : 'Corrija los impuestos del pedido en la tienda.';
  throw new Hold(
    'tax-contradiction',
    `El impuesto cobrado no corresponde al ${ivaRate(code)} %: la tienda cobró ${toAmount(tax)} sobre ${toAmount(net)} y ${wouldBe(tax, due)}. ${cure}`,
    toAmount(net.plus(due)),
  );
}

/**
 * The base nearest to the platform's own (`net`) whose tax, rounded half-up, completes the total; rates as fractions. 13 % of
 * tax-inclusive totals have none at 15 %; there the tax is stated, one cent off at the most.
 */
export function settle(total: Decimal, fraction: Decimal, net: Decimal): Settled {
  const centre = roundCents(total.div(fraction.plus(1)));
  const bases = [0, 1, -1].map((step) => centre.plus(cent.times(step)));
  const exact = bases
    .filter((base) => base.gte(0) && base.plus(roundCents(base.times(fraction))).equals(total))
    .sort((a, b) => a.minus(net).abs().comparedTo(b.minus(net).abs()))[0];
  const base = exact ?? centre;
  const valor = total.minus(base);
  return { base, valor, difference: valor.minus(roundCents(base.times(fraction))) };
}
