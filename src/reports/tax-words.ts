import { ivaTable } from '../../mappers/index.ts';
import type { TaxRow } from './tax-rows.ts';

/** "IVA 15 %", "ICE 3011"; codes of other tables as they are. */
export function taxWords({ codigo, codigoPorcentaje }: Pick<TaxRow, 'codigo' | 'codigoPorcentaje'>): string {
  const iva = ivaTable.find(({ code }) => codigo === '2' && String(code) === codigoPorcentaje);
  return iva?.name ?? `${taxNames[codigo] ?? codigo} ${codigoPorcentaje}`;
}

const taxNames: Record<string, string> = { '2': 'IVA', '3': 'ICE', '5': 'IRBPNR' };
