import { ivaTable } from '../../mappers/index.ts';
import { type PricedBody, statedRows } from '../../mappers/tax-computation.ts';
import { type Amount, toAmount } from '../domain/money.ts';
import { taxNames } from '../planner/explain/action.ts';
import type { XmlTax } from '../service/authorized-xml.ts';

export interface TaxRow {
  codigo: string;
  codigoPorcentaje: string;
  base: Amount;
  valor: Amount;
}

/** "2/4". */
export const taxName = ({ codigo, codigoPorcentaje }: Pick<TaxRow, 'codigo' | 'codigoPorcentaje'>): string =>
  `${codigo}/${codigoPorcentaje}`;

export const sentTaxes = (body: PricedBody): TaxRow[] =>
  statedRows(body).map(({ codigo, codigo_porcentaje, base_imponible, valor }) => ({
    codigo,
    codigoPorcentaje: codigo_porcentaje,
    base: toAmount(String(base_imponible)),
    valor: toAmount(String(valor)),
  }));

export const authorizedTaxes = (taxes: readonly XmlTax[]): TaxRow[] =>
  taxes.map(({ codigo, codigoPorcentaje, baseImponible, valor }) => ({
    codigo: codigo ?? '',
    codigoPorcentaje: codigoPorcentaje ?? '',
    base: toAmount(baseImponible ?? '0'),
    valor: toAmount(valor ?? '0'),
  }));

/** "IVA 15 %", "ICE 3011"; codes of other tables as they are. */
export function taxWords({ codigo, codigoPorcentaje }: Pick<TaxRow, 'codigo' | 'codigoPorcentaje'>): string {
  const iva = ivaTable.find(({ code }) => codigo === '2' && String(code) === codigoPorcentaje);
  return iva?.name ?? `${taxNames[codigo] ?? codigo} ${codigoPorcentaje}`;
}
