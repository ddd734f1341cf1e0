import { type Amount, type Decimal, decimal, sum } from '../../src/core/money.ts';
import type { Tie } from '../../src/core/refund.ts';
import type { ItemBody, TotalBody } from '../body.ts';

/** A document as it left; `ties` has one entry per item. */
export interface Issued {
  items: readonly ItemBody[];
  totales: readonly TotalBody[];
  ties: readonly Tie[];
}

/** What is left to credit of one item of the factura; `base` without tax. */
export interface ItemLeft {
  source: string;
  /** As the factura says it. */
  item: ItemBody;
  /** In the order's units: sold, and not given back yet. */
  sold: Decimal;
  units: Decimal;
  base: Decimal;
}

/** What is left of one row of `totales`. */
export interface RowLeft {
  row: TotalBody;
  base: Decimal;
  valor: Decimal;
}

/** What a factura was authorised for, less what its notas de crédito took back. Never below zero anywhere. */
export interface Balance {
  items: ItemLeft[];
  rows: RowLeft[];
  total: Decimal;
  /** Nothing was credited yet. */
  untouched: boolean;
}

/**
 * What is left of a factura after its notas de crédito: every one that was authorised, or may still be. They are
 * read as they were sent, so that what was credited once can never be credited again.
 */
export function balanceOf(factura: Issued, credits: readonly Issued[]): Balance {
  const items = factura.items.map((item, at): ItemLeft => {
    const { source, units } = factura.ties[at] ?? { source: '', units: '0' };
    const taken = credits.flatMap((credit) =>
      credit.items.flatMap((one, index) => {
        const tie = credit.ties[index];
        return tie?.source === source ? [{ base: one.precio_total_sin_impuesto, units: tie.units }] : [];
      }),
    );
    return {
      source,
      item,
      sold: decimal(units),
      units: less(
        units,
        taken.map((one) => one.units),
      ),
      base: less(
        item.precio_total_sin_impuesto,
        taken.map(({ base }) => base),
      ),
    };
  });
  const rows = factura.totales.map((row): RowLeft => {
    const taken = credits.flatMap(({ totales }) => totales.filter((other) => isSameTax(other, row)));
    return {
      row,
      base: less(
        row.base_imponible,
        taken.map((one) => one.base_imponible),
      ),
      valor: less(
        row.valor,
        taken.map((one) => one.valor),
      ),
    };
  });
  const total = sum([...items.map(({ base }) => base), ...rows.map(({ valor }) => valor)]);
  return { items, rows, total, untouched: credits.length === 0 };
}

const isSameTax = (a: TotalBody, b: TotalBody): boolean =>
  a.codigo === b.codigo && a.codigo_porcentaje === b.codigo_porcentaje;

const zero = decimal(0);

function less(whole: number | Amount, taken: readonly (number | Amount)[]): Decimal {
  const left = decimal(whole).minus(sum(taken.map((one) => decimal(one))));
  return left.isNegative() ? zero : left;
}
