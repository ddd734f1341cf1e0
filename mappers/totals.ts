import type { z } from 'zod';
import { type Amount, Decimal, decimal, roundCents, splitCents, sum, toAmount } from '../src/domain/money.ts';
import type { IvaCode } from '../src/domain/money-policy.ts';
import { sourceOf } from '../src/domain/order.ts';
import { type FacturaBody, facturaBody, type NotaCreditoBody, notaCreditoBody } from './body.ts';
import { reached, type Share } from './cents.ts';
import { dueOf, Hold } from './hold.ts';
import { type Entry, ivaFraction, ivaRate } from './tax.ts';
import { netOf, type PricedBody, totalBy, type Way, ways } from './tax-computation.ts';

export interface Settled {
  base: Decimal;
  valor: Decimal;
  /** `valor` minus base × rate, rounded: zero unless no base leads to the charged total. */
  difference: Decimal;
}

export interface Group extends Settled {
  code: IvaCode;
  entries: Entry[];
  charged: Decimal;
}

const cent = decimal('0.01');

/** Half a cent per line, and one for the total. */
const isByLine = (apart: Decimal, count: number): boolean =>
  count > 1 && apart.abs().lte(decimal('0.005').times(count).plus(cent));

/** Half a cent per line, from one to ten cents. */
function roundingAllowance(count: number): Decimal {
  return Decimal.max(cent, Decimal.min('0.10', decimal('0.005').times(count)));
}

/** Groups and IRBPNR add up to `charged` exactly (ficha técnica SRI, tabla 21). Throws Hold. */
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
  // When everything was given away, a rounding cent of the taxes belongs to nothing that was sold.
  const weights = members.map((_, at) => ((nets[at] ?? zero).gt(zero) ? positive(grosses[at]) : zero));
  const nothing = sum(weights).isZero() && !left.isZero();
  if (nothing && left.abs().lte('0.05')) {
    throw new Hold('total-mismatch', { why: 'given-away', charged: toAmount(charged) }, '0.00');
  }
  if (nothing || left.lt(0) || gap.abs().gt(roundingAllowance(entries.length))) {
    throw unexplained({ lines, charged, gap }, entries, platform);
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

/** Untaxed lines have no rounded tax and keep their own sum; rounding cents go to taxed ones. */
function splitTotal(total: Decimal, codes: readonly IvaCode[], weights: readonly Decimal[]): Decimal[] {
  const untaxed = codes.map((code) => ivaFraction(code).isZero());
  const kept = weights.map((weight, at) => (untaxed[at] ? roundCents(weight) : zero));
  const taxed = weights.map((weight, at) => (untaxed[at] ? zero : weight));
  const rest = total.minus(sum(kept));
  if (rest.lt(0) || !taxed.some((weight) => weight.gt(0))) return splitKeeping(total, weights);
  return splitCents(rest, taxed).map((part, at) => part.plus(kept[at] ?? zero));
}

/** Weights in whole cents keep them, if others can take the remaining cents. */
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

function withBases(totals: readonly Decimal[], codes: readonly IvaCode[], grosses: readonly Decimal[]) {
  const shares = codes.map((code, at): Share => {
    const weight = (grosses[at] ?? zero).times(100);
    const percent = Number(ivaRate(code));
    return { percent, weight, limit: Number.MAX_SAFE_INTEGER, fixed: percent === 0 };
  });
  const cents = totals.map((total) => total.times(100).toNumber());
  const moved = reached(cents, shares, 'kept') ?? cents;
  return totals.map((total, at) => (moved[at] === cents[at] ? total : decimal(moved[at] ?? 0).div(100)));
}

/** Many plugins lower a total without stating it; the sentence names their kinds. */
function unexplained(
  { lines, charged, gap }: { lines: Decimal; charged: Amount; gap: Decimal },
  entries: readonly Entry[],
  platform: string,
): Hold {
  const count = entries.length;
  const sums = { lines: toAmount(lines), charged: toAmount(charged), apart: toAmount(gap.abs()) };
  const less = gap.lt(0);
  if (isByLine(gap, count))
    return new Hold('total-mismatch', { why: 'rounding', ...sums, count, less, platform }, sums.lines);
  const twice = entries.find(
    ({ item }, at) => entries.findIndex((one) => sourceOf(one.item) === sourceOf(item)) < at,
  );
  if (twice && less)
    return new Hold('total-mismatch', { why: 'twice', ...sums, item: twice.item.name }, sums.lines);
  return new Hold('total-mismatch', { why: less ? 'less' : 'more', ...sums }, sums.lines);
}

const zero = decimal(0);
const positive = (value: Decimal = zero): Decimal => Decimal.max(value, 0);

const withIce = ({ net, ice }: Entry): Decimal => (ice ? net.plus(ice.amount) : net);

/** Shops may state taxes rounded per line; null unless they add up to the charge. */
function byRate(codes: readonly IvaCode[], nets: readonly Decimal[], left: Decimal): Decimal[] | null {
  const bases = nets.map(roundCents);
  const due = bases.map((base, at) => base.plus(roundCents(base.times(ivaFraction(codes[at] ?? 0)))));
  return sum(due).equals(left) ? due : null;
}

interface Charged {
  code: IvaCode;
  total: Decimal;
  net: Decimal;
  count: number;
  platform: string;
}

function refuseContradiction({ code, total, net, count, platform }: Charged): void {
  const settled = settle(total, ivaFraction(code), net);
  const allowed = roundingAllowance(count).plus(cent);
  if (settled.difference.abs().lte(cent) && settled.base.minus(net).abs().lte(allowed)) return;
  const due = net.times(ivaFraction(code));
  const tax = total.minus(net);
  const facts = { rate: ivaRate(code), charged: toAmount(tax), base: toAmount(net), ...dueOf(tax, due) };
  const document = toAmount(net.plus(due));
  throw isByLine(tax.minus(due), count)
    ? new Hold('tax-contradiction', { why: 'rounded', ...facts, lines: count, platform }, document)
    : new Hold('tax-contradiction', { why: 'order', ...facts }, document);
}

/** The base nearest to `net` whose rounded tax completes the total; if there is none, the tax is stated. */
function settle(total: Decimal, fraction: Decimal, net: Decimal): Settled {
  const centre = roundCents(total.div(fraction.plus(1)));
  const bases = [0, 1, -1].map((step) => centre.plus(cent.times(step)));
  const exact = bases
    .filter((base) => base.gte(0) && base.plus(roundCents(base.times(fraction))).equals(total))
    .sort((a, b) => a.minus(net).abs().comparedTo(b.minus(net).abs()))[0];
  const base = exact ?? centre;
  const valor = total.minus(base);
  return { base, valor, difference: valor.minus(roundCents(base.times(fraction))) };
}

export function assertTotals(body: FacturaBody, charged: Amount): FacturaBody {
  const checked = accepted(facturaBody, body);
  refuseWrongLines(checked);
  const total = totalBy(checked, 'totals');
  if (!total.equals(charged)) throw mismatch('document', total, decimal(charged), total);
  const paid = sum(checked.pagos.map((pago) => decimal(pago.total)));
  if (!paid.equals(total)) throw mismatch('payments', paid, total, total);
  return checked;
}

interface CreditFigures {
  money: Amount;
  total: Amount;
  owedBefore: Amount;
  /** The total with IVA summed line by line; differs from `total` only with ICE (credit/apportion.ts). */
  byLine: Amount;
}

/** Every way of computing the taxes (tax-computation.ts) must give the planned total, up to `mostRounding`. */
export function assertCreditTotals(
  body: NotaCreditoBody,
  { money, total, owedBefore, byLine }: CreditFigures,
): NotaCreditoBody {
  const checked = accepted(notaCreditoBody, body);
  refuseWrongLines(checked);
  const due = decimal(total);
  const counting: readonly Way[] = checked.totales ? ['totals'] : ways;
  for (const way of counting) {
    const sum = totalBy(checked, way);
    const planned = way === 'line' ? decimal(byLine) : due;
    if (!sum.equals(planned)) throw mismatch('document', sum, planned, sum);
  }
  const wanted = decimal(money).plus(owedBefore);
  const apart = wanted.minus(due).abs();
  if (apart.gt(checked.totales ? 0 : mostRounding)) throw mismatch('document', due, wanted, due);
  return checked;
}

/** USD: at 15 % every amount has a base within one cent; two when several rates need one each. */
const mostRounding = '0.02';

function accepted<Body>(schema: { safeParse(value: unknown): z.ZodSafeParseResult<Body> }, body: Body): Body {
  const checked = schema.safeParse(body);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw new Hold('invalid-body', { field: issue?.path.join('.') ?? '', flaw: issue?.code ?? '' });
}

function refuseWrongLines(body: PricedBody): void {
  const wrong = body.items.find(
    ({ precio_total_sin_impuesto: total, ...item }) => total !== undefined && !netOf(item).equals(total),
  );
  if (!wrong) return;
  const { descripcion, cantidad, precio_unitario, descuento, precio_total_sin_impuesto } = wrong;
  throw new Hold(
    'total-mismatch',
    {
      why: 'item',
      item: descripcion,
      quantity: String(cantidad),
      price: String(precio_unitario),
      discount: String(descuento),
      total: String(precio_total_sin_impuesto),
    },
    toAmount(totalBy(body, 'totals')),
  );
}

/** No order causes these: the mapper itself is wrong, and nothing is sent. */
const mismatch = (of: 'document' | 'payments', sum: Decimal, due: Decimal, total: Decimal) =>
  new Hold(
    'total-mismatch',
    { why: 'sum', of, sum: toAmount(sum), due: toAmount(due), apart: toAmount(sum.minus(due).abs()) },
    toAmount(total),
  );

/** Entries with the same ICE or none; the base includes the ICE. */
export interface Part {
  iva: IvaCode;
  entries: Entry[];
  base: Decimal;
}

/** `totales` join these by ICE code. `base` is without the ICE, which is `valor`. */
export interface IceGroup extends Part, Settled {
  codigo: number;
  tarifa: Amount;
}

interface Try {
  groups: IceGroup[];
  off: number[];
  /** The sum of the squares: one cent in each of two rows is better than two in one. */
  weight: number;
}

/** Cents. The authority publishes no tolerance; authorised documents differ by up to two (ficha técnica SRI, tabla 21). */
const tolerance = 2;

/** The authority computes ICE on the sum of a code's lines, and IVA on lines with ICE (ficha técnica SRI, tabla 21). */
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
    throw new Hold('tax-contradiction', { why: 'two-rates', ice: codigo, one: tarifa, other: other.tarifa });
  }
}

function unsettled(groups: readonly IceGroup[], cents: number): Hold {
  const rows = new Map(
    groups.map(({ codigo, tarifa }) => [`${codigo} ${tarifa}`, { code: codigo, rate: tarifa }]),
  );
  return new Hold('ice', { why: 'rounding', ice: [...rows.values()], apart: toAmount(cent.times(cents)) });
}
