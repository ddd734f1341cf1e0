import { ivaRates } from '../authority/tables.ts';
import { type Amount, exact } from './decimals.ts';
import type { Item } from './schema.ts';

/** IVA, ICE and IRBPNR (ficha técnica, tabla 16). */
export type TaxCode = '2' | '3' | '5';
export const taxCodes: readonly TaxCode[] = ['2', '3', '5'];

/** A row of `impuestos` or `totalConImpuestos`; amounts are decimal strings. */
export interface Tax {
  codigo: TaxCode;
  codigoPorcentaje: string;
  descuentoAdicional?: string;
  tarifa: string;
  base: string;
  valor: string;
}

/** What one line adds to one tax, before anything is rounded. */
export interface Contribution {
  codigo: TaxCode;
  codigoPorcentaje: string;
  tarifa: Amount;
  base: Amount;
}

/** USD for each bottle (tarifa of code 5001). */
const irbpnrRate = '0.02';

/** Rates of the percentage codes, in percent; of IRBPNR, in USD a unit. ICE has whatever the body states. */
export function rateOf(codigo: TaxCode, codigoPorcentaje: string, statedIce: ReadonlyMap<string, number>) {
  if (codigo === '5') return exact(irbpnrRate);
  const rate = codigo === '2' ? ivaRates[Number(codigoPorcentaje)] : statedIce.get(codigoPorcentaje);
  return exact(rate ?? 0);
}

/** The tax on a base: of IRBPNR the base is a number of units, so its rate is no percentage. */
export function taxOn({ codigo, tarifa, base }: Omit<Contribution, 'codigoPorcentaje'>): Amount {
  return codigo === '5' ? base.times(tarifa) : base.times(tarifa).dividedBy(100);
}

/** The taxes of a line. ICE enters the base of IVA, IRBPNR does not (ficha técnica, tabla 21). */
export function lineTaxes(item: Item, total: Amount, statedIce: ReadonlyMap<string, number>): Contribution[] {
  const contribution = (codigo: TaxCode, code: number, base: Amount): Contribution => ({
    codigo,
    codigoPorcentaje: String(code),
    tarifa: rateOf(codigo, String(code), statedIce),
    base,
  });
  const ice = item.tipo_ice ? [contribution('3', item.tipo_ice, total)] : [];
  const irbpnr = item.tipo_irbpnr ? [contribution('5', item.tipo_irbpnr, exact(item.cantidad))] : [];
  const ivaBase = ice.reduce((base, tax) => base.plus(taxOn(tax)), total);
  return [contribution('2', item.tipo_iva, ivaBase), ...ice, ...irbpnr];
}
