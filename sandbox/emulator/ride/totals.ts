import { Decimal } from 'decimal.js';
import type { PricedDocument } from '../emission/documents.ts';
import type { Tax, TaxCode } from '../emission/line-taxes.ts';
import { bar, type Doc, frame, page, rule, sizeOnOneLine, write } from './page.ts';

export const totalsWidth = 205;
const rowHeight = 13.5;
const x = page.width - page.margin - totalsWidth;

// IVA codes whose subtotal has a name of its own (tabla 17); every other code is named by its rate.
const named: Readonly<Record<string, string>> = {
  '6': 'SUBTOTAL NO OBJETO DE IVA',
  '7': 'SUBTOTAL EXENTO DE IVA',
};

/** One line of a box of amounts. */
export type AmountRow = [label: string, amount: string];

/** The rows of the totals box of a sale, top to bottom, in the order of the authority's format (ficha, anexo 2). */
export function totalRows({ tipo, figures }: PricedDocument): AmountRow[] {
  const add = (amounts: string[]) => Decimal.sum(0, ...amounts).toFixed(2);
  const of = (codigo: TaxCode) => figures.groups.filter((group) => group.codigo === codigo);
  const base = (code: string) =>
    add(of('2').flatMap((group) => (group.codigoPorcentaje === code ? group.base : [])));
  const tax = (codigo: TaxCode) => add(of(codigo).map((group) => group.valor));
  const taxed = of('2').filter((group) => !['0', '6', '7'].includes(group.codigoPorcentaje));
  const title = ({ codigoPorcentaje, tarifa }: Rate) =>
    `${codigoPorcentaje === '8' ? 'TARIFA ESPECIAL ' : ''}${Number(tarifa)}%`;
  const rates: Rate[] =
    taxed.length > 0 ? taxed : [{ codigoPorcentaje: '4', tarifa: '15.00', base: '0.00', valor: '0.00' }];
  return [
    ...rates.map((rate): AmountRow => [`SUBTOTAL ${title(rate)}`, rate.base]),
    ['SUBTOTAL 0%', base('0')],
    ...Object.entries(named).map(([code, label]): AmountRow => [label, base(code)]),
    ['SUBTOTAL SIN IMPUESTOS', figures.totalSinImpuestos],
    ['TOTAL DESCUENTO', figures.totalDescuento],
    ['ICE', tax('3')],
    ...rates.map((rate): AmountRow => [`IVA ${title(rate)}`, rate.valor]),
    ['IRBPNR', tax('5')],
    ...(tipo === '01' ? [['PROPINA', '0.00'] as AmountRow] : []),
    ['VALOR TOTAL', figures.importeTotal],
  ];
}

type Rate = Pick<Tax, 'codigoPorcentaje' | 'tarifa' | 'base' | 'valor'>;

/** The height of a box of amounts. */
export const amountsHeight = (rows: readonly AmountRow[]) => rows.length * rowHeight;

/** Draws amounts in a box at the right edge, the last one as their total. */
export function drawAmounts(doc: Doc, rows: readonly AmountRow[], top: number): void {
  rows.forEach(([label, amount], index) => {
    const y = top + index * rowHeight;
    const last = index === rows.length - 1;
    if (last) bar(doc, x + 0.5, y + 0.5, totalsWidth - 1, rowHeight - 1);
    const style = last ? { size: 9, bold: true } : { size: 7.5 };
    write(doc, label, x + 6, y + (last ? 3 : 3.5), totalsWidth - 80, { ...style, bold: true });
    const size = sizeOnOneLine(doc, amount, 80, style);
    write(doc, amount, x + totalsWidth - 86, y + (last ? 3 : 3.5), 80, { ...style, size, align: 'right' });
    if (index > 0) rule(doc, x, y, totalsWidth);
  });
  frame(doc, x, top, totalsWidth, amountsHeight(rows));
}
