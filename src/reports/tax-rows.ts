import { type PricedBody, statedRows } from '../../mappers/ways.ts';
import { type Amount, toAmount } from '../domain/money.ts';
import type { XmlTax } from '../service/authorized-lines.ts';

/** One tax of one document. */
export interface TaxRow {
  codigo: string;
  codigoPorcentaje: string;
  base: Amount;
  valor: Amount;
}

/** The code by which taxes are told apart: "2/4". */
export const taxName = ({ codigo, codigoPorcentaje }: Pick<TaxRow, 'codigo' | 'codigoPorcentaje'>): string =>
  `${codigo}/${codigoPorcentaje}`;

/** The taxes of a document as we sent it, or as they follow from its lines where it states none. */
export const sentTaxes = (body: PricedBody): TaxRow[] =>
  statedRows(body).map(({ codigo, codigo_porcentaje, base_imponible, valor }) => ({
    codigo,
    codigoPorcentaje: codigo_porcentaje,
    base: toAmount(String(base_imponible)),
    valor: toAmount(String(valor)),
  }));

/** The taxes of a document as the authority authorised it; a figure the XML leaves out is 0. */
export const authorizedTaxes = (taxes: readonly XmlTax[]): TaxRow[] =>
  taxes.map(({ codigo, codigoPorcentaje, baseImponible, valor }) => ({
    codigo: codigo ?? '',
    codigoPorcentaje: codigoPorcentaje ?? '',
    base: toAmount(baseImponible ?? '0'),
    valor: toAmount(valor ?? '0'),
  }));
