import type { CreditItemBody, TotalBody } from '../../../mappers/body.ts';
import { netOf, type StatedRow } from '../../../mappers/ways.ts';
import type { XmlTax } from '../../service/authorized-lines.ts';
import { type Hold, sameFigure } from './agreement.ts';

/** A tax as it must be; a figure that is the service's to reckon is left out. */
interface SentTax {
  codigo: string;
  codigoPorcentaje: string;
  baseImponible?: number;
  tarifa?: number;
  valor?: number;
}

/** Of a line only the codes leave (spec, item block); the base of IVA is its total unless ICE enters it. */
export function linesTaxes(item: CreditItemBody): SentTax[] {
  const { tipo_iva, tipo_ice, tipo_irbpnr } = item;
  const own = (codigo: string, code: number | undefined): SentTax[] =>
    code === undefined ? [] : [{ codigo, codigoPorcentaje: String(code) }];
  const base = tipo_ice === undefined ? { baseImponible: netOf(item).toNumber() } : {};
  return [
    { codigo: '2', codigoPorcentaje: String(tipo_iva), ...base },
    ...own('3', tipo_ice),
    ...own('5', tipo_irbpnr),
  ];
}

export const totalTax = (total: StatedRow & Partial<TotalBody>): SentTax => ({
  codigo: total.codigo,
  codigoPorcentaje: total.codigo_porcentaje,
  baseImponible: total.base_imponible,
  ...(total.tarifa === undefined ? {} : { tarifa: total.tarifa }),
  valor: total.valor,
});

/** Rows of taxes in whatever order: each of ours must be there, and no other. */
export function taxes(hold: Hold, at: string, sent: readonly SentTax[], read: readonly XmlTax[]): void {
  const left = [...read];
  for (const tax of sent) {
    const name = `${at} ${tax.codigo}/${tax.codigoPorcentaje}`;
    const found = left.findIndex(
      ({ codigo, codigoPorcentaje }) => codigo === tax.codigo && codigoPorcentaje === tax.codigoPorcentaje,
    );
    const [row] = found < 0 ? [] : left.splice(found, 1);
    if (!row) {
      hold(name, null, 'sent');
      continue;
    }
    const { baseImponible, tarifa, valor } = tax;
    if (baseImponible !== undefined)
      hold(`${name} baseImponible`, row.baseImponible, baseImponible, sameFigure);
    if (valor !== undefined) hold(`${name} valor`, row.valor, valor, sameFigure);
    // The nota de crédito's rows have none, and the factura's need none (XSD).
    if (tarifa !== undefined && row.tarifa !== null) hold(`${name} tarifa`, row.tarifa, tarifa, sameFigure);
  }
  for (const { codigo, codigoPorcentaje } of left)
    hold(`${at} ${codigo}/${codigoPorcentaje}`, 'read', undefined);
}
