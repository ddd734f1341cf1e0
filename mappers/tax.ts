import { type Amount, decimal } from '../src/core/money.ts';
import type { Taxed } from '../src/core/order.ts';
import type { IvaCode } from '../src/core/settings.ts';
import type { MappingContext } from './context.ts';
import { Hold } from './hold.ts';
import { ivaRow, ivaTable } from './tables/iva.ts';

/**
 * The IVA code of one line or charge, from what the platform states: rate id rule, then the stated rate, then
 * (without any tax) the tax class, then the policy for untaxed lines. Nothing is inferred from rounded amounts;
 * what no rule covers is held, never 0 %.
 */
export function toIvaCode(taxed: Taxed, name: string, context: MappingContext): IvaCode {
  const charged = taxed.taxes.filter((tax) => !decimal(tax.amount).isZero());
  if (charged.length > 1) {
    const titles = charged.map((tax) => `«${tax.title}»`).join(' y ');
    throw new Hold(
      'several-taxes',
      `«${name}» lleva varios impuestos (${titles}); solo se puede facturar un IVA por línea.`,
    );
  }
  const tax = charged[0] ?? taxed.taxes[0];
  if (tax) {
    const rule = tax.rateId === null ? undefined : context.policy.tax.byRateId[tax.rateId];
    return rule ?? byStatedRate(tax.rate, tax.title, name, context.today);
  }
  const byClass = taxed.taxClass ? context.policy.tax.byClass[taxed.taxClass] : undefined;
  const code = byClass ?? context.policy.tax.untaxed;
  if (code === null || code === undefined) {
    const where = taxed.taxClass ? ` (clase de impuesto «${taxed.taxClass}»)` : '';
    throw new Hold(
      'unmapped-tax',
      `«${name}»${where} no lleva impuesto en la tienda y ninguna regla dice si es IVA 0 %, exento o no objeto. Indíquelo en policy.tax de la tienda.`,
    );
  }
  return code;
}

function byStatedRate(rate: Amount | null, title: string, name: string, today: string): IvaCode {
  if (rate === null) {
    throw new Hold(
      'unmapped-tax',
      `El impuesto «${title}» de «${name}» no indica su tarifa. Asígnele un código en policy.tax.byRateId.`,
    );
  }
  const row = ivaTable.find((candidate) => candidate.byRate && decimal(candidate.rate).equals(rate));
  if (!row) {
    throw new Hold(
      'unmapped-tax',
      `El impuesto «${title}» de «${name}» es del ${rate} %, que no es una tarifa de IVA del Ecuador. Asígnele un código en policy.tax.byRateId.`,
    );
  }
  if ((row.since && today < row.since) || (row.until && today > row.until)) {
    throw new Hold(
      'rate-not-in-force',
      `El ${row.name} de «${name}» no está vigente hoy. Corrija el impuesto en la tienda.`,
    );
  }
  return row.code;
}

export const ivaRate = (code: IvaCode): Amount => ivaRow(code).rate;
