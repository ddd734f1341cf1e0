import { Decimal } from 'decimal.js';
import type { Figures } from '../emission/arithmetic.ts';
import { bar, type Doc, frame, page, rule, write } from './page.ts';

export const totalsWidth = 205;
const rowHeight = 13.5;
const x = page.width - page.margin - totalsWidth;

// IVA codes whose subtotal has a name of its own (tabla 17); every other code is named by its rate.
const named: Readonly<Record<string, string>> = {
  '6': 'SUBTOTAL NO OBJETO DE IVA',
  '7': 'SUBTOTAL EXENTO DE IVA',
};

/** The rows of the totals box, top to bottom, in the order of the authority's format (ficha, anexo 2). */
export function totalRows(figures: Figures): [label: string, amount: string][] {
  const base = (codes: (code: string) => boolean) =>
    Decimal.sum(0, ...figures.groups.filter((g) => codes(g.codigoPorcentaje)).map((g) => g.base)).toFixed(2);
  const taxed = figures.groups.filter((g) => !['0', '6', '7'].includes(g.codigoPorcentaje));
  const rate = (tarifa: string) => `${Number(tarifa)}%`;
  const title = (code: string, tarifa: string) =>
    code === '8' ? `TARIFA ESPECIAL ${rate(tarifa)}` : rate(tarifa);
  const rates =
    taxed.length > 0 ? taxed : [{ codigoPorcentaje: '4', tarifa: '15.00', base: '0.00', valor: '0.00' }];
  return [
    ...rates.map((g): [string, string] => [`SUBTOTAL ${title(g.codigoPorcentaje, g.tarifa)}`, g.base]),
    ['SUBTOTAL 0%', base((code) => code === '0')],
    ...Object.entries(named).map(([code, label]): [string, string] => [
      label,
      base((other) => other === code),
    ]),
    ['SUBTOTAL SIN IMPUESTOS', figures.totalSinImpuestos],
    ['TOTAL DESCUENTO', figures.totalDescuento],
    ['ICE', '0.00'],
    ...rates.map((g): [string, string] => [`IVA ${title(g.codigoPorcentaje, g.tarifa)}`, g.valor]),
    ['IRBPNR', '0.00'],
    ['PROPINA', '0.00'],
    ['VALOR TOTAL', figures.importeTotal],
  ];
}

/** The height of the totals box. */
export const totalsHeight = (figures: Figures) => totalRows(figures).length * rowHeight;

/** Draws the totals box at the right edge; answers where it ends. */
export function drawTotals(doc: Doc, figures: Figures, top: number): number {
  const rows = totalRows(figures);
  rows.forEach(([label, amount], index) => {
    const y = top + index * rowHeight;
    const last = index === rows.length - 1;
    if (last) bar(doc, x + 0.5, y + 0.5, totalsWidth - 1, rowHeight - 1);
    const style = last ? { size: 9, bold: true } : { size: 7.5 };
    write(doc, label, x + 6, y + (last ? 3 : 3.5), totalsWidth - 80, { ...style, bold: true });
    write(doc, amount, x + totalsWidth - 86, y + (last ? 3 : 3.5), 80, { ...style, align: 'right' });
    if (index > 0) rule(doc, x, y, totalsWidth);
  });
  frame(doc, x, top, totalsWidth, rows.length * rowHeight);
  return top + rows.length * rowHeight;
}
