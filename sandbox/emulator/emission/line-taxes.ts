import { ivaRates } from '../authority/tables.ts';
import { type Amount, exact } from './decimals.ts';
import type { Item } from './nota-credito.ts';

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
  /** What the line states that it pays; the rate is only shown then. */
  valor?: Amount;
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
export function taxOn({ codigo, tarifa, base, valor }: Omit<Contribution, 'codigoPorcentaje'>): Amount {
  return valor ?? taxOnBase(codigo, tarifa, base);
}

function taxOnBase(codigo: TaxCode, tarifa: Amount, base: Amount): Amount {
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
  const ice = item.tipo_ice ? [paidIce(contribution('3', item.tipo_ice, total), item)] : [];
  const irbpnr = item.tipo_irbpnr ? [contribution('5', item.tipo_irbpnr, exact(item.cantidad))] : [];
  const ivaBase = ice.reduce((base, tax) => base.plus(taxOn(tax)), total);
  return [contribution('2', item.tipo_iva ?? 0, ivaBase), ...ice, ...irbpnr];
}

/** With what the line pays of ICE, where it says so: the rate that makes it, in the four digits the XML has. */
function paidIce(ice: Contribution, { valor_ice: paid }: Item): Contribution {
  if (paid === undefined) return ice;
  const rate = ice.base.isZero() ? ice.base : exact(paid).times(100).dividedBy(ice.base);
  return { ...ice, tarifa: rate.toDecimalPlaces(rate.lessThan(100) ? 2 : 1), valor: exact(paid) };
}
