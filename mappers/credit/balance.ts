import { type Amount, type Decimal, decimal, sum } from '../../src/domain/money.ts';
import type { Tie } from '../../src/domain/refund.ts';
import type { CreditItemBody, TotalBody } from '../body.ts';
import { netOf, type StatedRow, statedRows } from '../ways.ts';
import { bottle } from './bottles.ts';

/** A document as it left; `ties` has one entry per item. */
export interface Issued {
  items: readonly CreditItemBody[];
  /** Absent where the document stated none: then what the lines say counts (rowsOf). */
  totales?: readonly TotalBody[] | undefined;
  ties: readonly Tie[];
  /** Of a nota de crédito: by how much it came out below the money that went back (negative: above). */
  owed?: Amount | undefined;
}

/** What is left to credit of one item of the factura. */
export interface ItemLeft {
  source: string;
  /** As the factura says it. */
  item: CreditItemBody;
  /** In the order's units: sold, and not given back yet. */
  sold: Decimal;
  units: Decimal;
  /** Without any tax, as the notas de crédito stated it; where taxes were rounded, cents off what `gross` says. */
  base: Decimal;
  /** With IVA and ICE, its share of its rate of IVA; not rounded. What it may still give. */
  gross: Decimal;
}

/** What is left of the items of one code of IVA; whole cents, with IVA and ICE. */
export interface GroupLeft {
  /** The factura's row. */
  row: TotalBody;
  items: ItemLeft[];
  gross: Decimal;
}

/** What a factura was authorised for, less what its notas de crédito took back. Never below zero anywhere. */
export interface Balance {
  items: ItemLeft[];
  groups: GroupLeft[];
  total: Decimal;
  /** Cents by which earlier notas de crédito came out below the money that went back: the next one makes up for them. */
  owed: Decimal;
  /** Nothing was credited yet. */
  untouched: boolean;
  /** Rates of ICE, in percent, by code. */
  iceRates: ReadonlyMap<number, Decimal>;
}

/**
 * What is left of a factura after its notas de crédito: every one that was authorised, or may still be. They are
 * read as they were sent, so that what was credited once can never be credited again. Money is what is bounded, per
 * line and per rate with its taxes: base and tax apart follow from how each document rounds its IVA.
 */
export function balanceOf(factura: Issued, credits: readonly Issued[]): Balance {
  const sold = worthOf(factura);
  const taken = credits.map(worthOf);
  const parts = taken.flatMap((one) => one.parts);
  const items = factura.items.map((item, at): ItemLeft => {
    const { source, units, base, gross } = sold.parts[at] ?? nothing;
    const own = parts.filter((part) => part.source === source);
    return {
      source,
      item,
      sold: units,
      units: less(
        units,
        own.map((part) => part.units),
      ),
      base: less(
        base,
        own.map((part) => part.base),
      ),
      gross: less(
        gross,
        own.map((part) => part.gross),
      ).toDecimalPlaces(6),
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

/** One line or charge of the order in a document. */
interface Part {
  source: string;
  units: Decimal;
  base: Decimal;
  gross: Decimal;
}

/** A document's money: per line or charge, and per code of IVA. */
interface Worth {
  parts: Part[];
  grosses: ReadonlyMap<string, Decimal>;
}

const zero = decimal(0);
const nothing: Part = { source: '', units: zero, base: zero, gross: zero };

function worthOf(issued: Issued): Worth {
  const { items, ties } = issued;
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
    const tie = ties[at] ?? { source: '', units: '0' };
    const base = netOf(item);
    const whole = bases.get(item.tipo_iva) ?? zero;
    const gross = grosses.get(String(item.tipo_iva)) ?? zero;
    const share = whole.isZero() ? zero : (taxed[at] ?? zero).times(gross).div(whole);
    return (tie.folded ?? [{ ...tie, base: base.toFixed(2) }]).map((one) => ({
      source: one.source,
      units: decimal(one.units),
      base: decimal(one.base),
      gross: base.isZero() ? share : share.times(one.base).div(base),
    }));
  });
  return { parts, grosses };
}

/** What the line states, else its share of the row of its code. */
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
  return new Map(
    totales.flatMap(({ codigo, codigo_porcentaje, tarifa }) =>
      codigo === '3' ? [[Number(codigo_porcentaje), decimal(tarifa)] as const] : [],
    ),
  );
}

function less(whole: Decimal, taken: readonly Decimal[]): Decimal {
  const left = whole.minus(sum(taken));
  return left.isNegative() ? zero : left;
}
