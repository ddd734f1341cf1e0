import { type Amount, type Decimal, decimal, toAmount } from '../../domain/money.ts';
import { type TaxRow, taxName } from '../tax-rows.ts';
import type { Reasoned, Seen, Tally, TaxSum } from './day-close.ts';

/** Counts and adds up, to the cent. */
export interface Sum {
  add(amount: Amount): void;
  tally(): Tally;
}

export function openSum(): Sum {
  let count = 0;
  let total = decimal(0);
  return {
    add(amount) {
      count += 1;
      total = total.plus(amount);
    },
    tally: () => ({ count, total: toAmount(total) }),
  };
}

/** The same by reason, the reasons in the order of their names. */
export function openReasons(): { add(code: string, amount: Amount): void; reasoned(): Reasoned[] } {
  const sums = new Map<string, Sum>();
  return {
    add(code, amount) {
      const sum = sums.get(code) ?? openSum();
      sums.set(code, sum);
      sum.add(amount);
    },
    reasoned: () =>
      [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([code, sum]) => ({ code, ...sum.tally() })),
  };
}

/** Adds documents up, and their taxes by code. */
export function openSeen(): { add(total: Amount, taxes: readonly TaxRow[]): void; seen(): Seen } {
  const sum = openSum();
  const byCode = new Map<
    string,
    { codigo: string; codigoPorcentaje: string; base: Decimal; valor: Decimal }
  >();
  return {
    add(total, taxes) {
      sum.add(total);
      for (const { codigo, codigoPorcentaje, base, valor } of taxes) {
        const name = taxName({ codigo, codigoPorcentaje });
        const row = byCode.get(name) ?? { codigo, codigoPorcentaje, base: decimal(0), valor: decimal(0) };
        byCode.set(name, { ...row, base: row.base.plus(base), valor: row.valor.plus(valor) });
      }
    },
    seen: () => ({
      ...sum.tally(),
      taxes: [...byCode.values()]
        .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
        .map(
          ({ base, valor, ...code }): TaxSum => ({ ...code, base: toAmount(base), valor: toAmount(valor) }),
        ),
    }),
  };
}

const sortKey = ({ codigo, codigoPorcentaje }: Pick<TaxRow, 'codigo' | 'codigoPorcentaje'>): string =>
  `${codigo}/${codigoPorcentaje.padStart(4, '0')}`;
