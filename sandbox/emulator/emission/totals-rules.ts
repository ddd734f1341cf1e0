import type { Item, NotaCreditoBody } from './nota-credito.ts';
import type { FacturaBody } from './schema.ts';
import { taxOf } from './tax-groups.ts';

type Totals = Pick<FacturaBody | NotaCreditoBody, 'items' | 'totales'>;

/**
 * The rate of an ICE code is not derived here: the body states it in `totales`, or what each line pays in its
 * `valor_ice` (assumption A20). One sentence for each line whose ICE is not stated.
 */
export function unstatedIce({ items, totales = [] }: Totals): string[] {
  return items.flatMap(({ tipo_ice: code, valor_ice: paid }: Item, index) => {
    if (!code || paid !== undefined) return [];
    const row = totales.find((total) => taxOf(total) === '3' && total.codigo_porcentaje === String(code));
    const at = `items.${index}.tipo_ice`;
    if (!row) {
      return [
        `${at}: el ICE ${code} necesita en totales su fila con codigo "3", codigo_porcentaje "${code}" y su tarifa.`,
      ];
    }
    return row.tarifa === undefined
      ? [`${at}: la fila de totales del ICE ${code} necesita tarifa, en porcentaje.`]
      : [];
  });
}

/** An additional discount lowers a base of IVA, and only a factura has room for it (ficha técnica, anexo 3). */
export function misplacedDiscounts(kind: '01' | '04', { totales = [] }: Totals): string[] {
  return totales.flatMap((row, index) => {
    if (!row.descuento_adicional || (kind === '01' && taxOf(row) === '2')) return [];
    const at = `totales.${index}.descuento_adicional`;
    return kind === '04'
      ? [`${at}: una nota de crédito no lo lleva; reste el descuento en sus líneas.`]
      : [`${at}: solo aplica al IVA.`];
  });
}
