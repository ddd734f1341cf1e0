import type { TotalBody } from '../../mappers/body.ts';
import { toAmount } from '../core/money.ts';
import type { XmlTax } from '../service/authorized-lines.ts';
import type { TaxRow } from './sums.ts';

/** The taxes of a document as we sent it. */
export const sentTaxes = ({ totales }: { totales: readonly TotalBody[] }): TaxRow[] =>
  totales.map(({ codigo, codigo_porcentaje, base_imponible, valor }) => ({
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
