import { type Amount, Decimal, decimal, sum, toAmount } from '../../src/domain/money.ts';
import type { LineReference } from '../../src/domain/order.ts';
import type { CreditItemBody, TotalBody } from '../body.ts';
import { irbpnrRate } from '../tables/taxes.ts';
import { netOf, type StatedRow, statedRows } from '../tax-computation.ts';
import type { Claims } from './claims.ts';

/** A document as it was sent; `lineReferences` has one entry per item. */
export interface Issued {
  items: readonly CreditItemBody[];
  /** Absent when the document stated none: then the taxes follow from the lines (tax-computation.ts). */
  totales?: readonly TotalBody[] | undefined;
  lineReferences: readonly LineReference[];
  /** Of a nota de crédito: the money that went back less its total, in USD. */
  owed?: Amount | undefined;
}

export interface ItemLeft {
  source: string;
  item: CreditItemBody;
  /** Both in the order's units; `units` are not credited yet. */
  sold: Decimal;
  units: Decimal;
  base: Decimal;
  /** With IVA and ICE: the share of its IVA rate, not rounded. */
  gross: Decimal;
}

export interface GroupLeft {
  row: TotalBody;
  items: ItemLeft[];
  gross: Decimal;
}

/** What a factura was authorised for, less its notas de crédito, in USD. Nothing in it is below zero. */
export interface Balance {
  items: ItemLeft[];
  groups: GroupLeft[];
  total: Decimal;
  /** USD by which earlier notas de crédito were below the money that went back; the next one adds them. */
  owed: Decimal;
  untouched: boolean;
  iceRates: ReadonlyMap<number, Decimal>;
}

/**
 * `credits` are all notas de crédito that are, or may become, authorised, as they were sent.
 * The bound is money with taxes per line and rate, because each document rounds its IVA on its own.
 */
export function balanceOf(factura: Issued, credits: readonly Issued[]): Balance {
  const sold = worthOf(factura);
  const taken = credits.map(worthOf);
  const parts = taken.flatMap((one) => one.parts);
  const items = factura.items.map((item, at): ItemLeft => {
    const { source, units, base, gross } = sold.parts[at] ?? nothing;
    const own = parts.filter((part) => part.source === source);
    const left = (key: 'units' | 'base' | 'gross', whole: Decimal) =>
      less(
        whole,
        own.map((part) => part[key]),
      );
    return {
      source,
      item,
      sold: units,
      units: left('units', units),
      base: left('base', base),
      gross: left('gross', gross).toDecimalPlaces(6),
    };
  });
  const groups = (factura.totales ?? []).flatMap((row): GroupLeft[] => {
    if (row.codigo !== '2') return [];
    const of = ({ grosses }: Worth) => grosses.get(row.codigo_porcentaje) ?? zero;
    const own = items.filter(({ item }) => String(item.tipo_iva) === row.codigo_porcentaje);
    return [{ row, items: own, gross: less(of(sold), taken.map(of)) }];
  });
  const bottles = sum(items.flatMap(({ item, units }) => (item.tipo_irbpnr === undefined ? [] : [units])));
  return {
    items,
    groups,
    total: sum(groups.map(({ gross }) => gross)).plus(bottles.times(bottle)),
    owed: sum(credits.map(({ owed }) => owed ?? '0')),
    untouched: credits.length === 0,
    iceRates: iceRatesOf(factura),
  };
}

interface Part {
  source: string;
  units: Decimal;
  base: Decimal;
  gross: Decimal;
}

interface Worth {
  parts: Part[];
  grosses: ReadonlyMap<string, Decimal>;
}

const zero = decimal(0);
const nothing: Part = { source: '', units: zero, base: zero, gross: zero };

function worthOf(issued: Issued): Worth {
  const { items, lineReferences } = issued;
  const rows = statedRows(issued);
  const grosses = new Map<string, Decimal>();
  for (const { codigo, codigo_porcentaje, base_imponible, valor } of rows)
    if (codigo === '2') grosses.set(codigo_porcentaje, decimal(base_imponible).plus(valor));
  const taxed = items.map((item) => netOf(item).plus(iceOf(item, items, rows)));
  const bases = new Map<number, Decimal>();
  items.forEach(({ tipo_iva }, at) => {
    bases.set(tipo_iva, (bases.get(tipo_iva) ?? zero).plus(taxed[at] ?? zero));
  });
  const parts = items.flatMap((item, at): Part[] => {
    const reference = lineReferences[at] ?? { source: '', units: '0' };
    const base = netOf(item);
    const whole = bases.get(item.tipo_iva) ?? zero;
    const gross = grosses.get(String(item.tipo_iva)) ?? zero;
    const share = whole.isZero() ? zero : (taxed[at] ?? zero).times(gross).div(whole);
    return (reference.folded ?? [{ ...reference, base: toAmount(base) }]).map((one) => ({
      source: one.source,
      units: decimal(one.units),
      base: decimal(one.base),
      gross: base.isZero() ? share : share.times(one.base).div(base),
    }));
  });
  return { parts, grosses };
}

function iceOf(item: CreditItemBody, items: readonly CreditItemBody[], rows: readonly StatedRow[]): Decimal {
  if (item.tipo_ice === undefined) return zero;
  if (item.valor_ice !== undefined) return decimal(item.valor_ice);
  const code = String(item.tipo_ice);
  const row = rows.find(({ codigo, codigo_porcentaje }) => codigo === '3' && codigo_porcentaje === code);
  const bases = sum(items.flatMap((one) => (one.tipo_ice === item.tipo_ice ? [netOf(one)] : [])));
  if (row === undefined || bases.isZero()) return zero;
  return decimal(row.valor).times(netOf(item)).div(bases);
}

function iceRatesOf({ totales = [] }: Issued): ReadonlyMap<number, Decimal> {
  const rows = totales.filter(({ codigo }) => codigo === '3');
  return new Map(rows.map((row) => [Number(row.codigo_porcentaje), decimal(row.tarifa)]));
}

const less = (whole: Decimal, taken: readonly Decimal[]): Decimal => Decimal.max(whole.minus(sum(taken)), 0);

/** IRBPNR in USD per bottle, whatever the price. */
export const bottle = decimal(irbpnrRate);

export function bottlesWorth({ item }: ItemLeft, units: Decimal): Decimal {
  return item.tipo_irbpnr === undefined ? zero : units.times(bottle);
}

export function bottlesBack(
  { items, groups }: Balance,
  asked: Claims['asked'],
  money: Decimal,
): Map<ItemLeft, Decimal> {
  const back = new Map<ItemLeft, Decimal>();
  items.forEach((item, at) => {
    if (item.item.tipo_irbpnr === undefined) return;
    const { gross = zero, units = zero } = asked[at] ?? {};
    const whole = units.toDecimalPlaces(0, Decimal.ROUND_FLOOR);
    back.set(item, bottlesWorth(item, whole).lte(gross) ? whole : zero);
  });
  const room = sum(groups.map(({ gross }) => gross));
  const paid = sum(back.values()).times(bottle);
  let missing = missingBottles(money.minus(room).minus(paid), money.minus(paid));
  for (const [item, units] of back) {
    const more = Decimal.min(missing, item.units.minus(units));
    back.set(item, units.plus(more));
    missing = missing.minus(more);
  }
  return back;
}

/** Half a bottle only when nothing but bottles is left and the money is an odd cent. */
function missingBottles(over: Decimal, atMost: Decimal): Decimal {
  if (over.lte(0)) return zero;
  const whole = over.div(bottle).toDecimalPlaces(0, Decimal.ROUND_UP);
  return whole.times(bottle).lte(atMost) ? whole : over.div(bottle);
}
