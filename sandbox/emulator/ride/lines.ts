import type { Line } from '../emission/arithmetic.ts';
import type { WithExtras } from '../emission/blocks.ts';
import { type Doc, innerWidth, trimmed } from './page.ts';
import { type Column, drawTable } from './table.ts';

const fixed = 70 + 64 + 48 + 60 + 50 + 56;
const columns: readonly Column<Line>[] = [
  { title: 'Cod. Principal', width: 70, align: 'left', text: ({ item }) => item.codigo_principal ?? '' },
  { title: 'Cod. Auxiliar', width: 64, align: 'left', text: ({ item }) => item.codigo_auxiliar ?? '' },
  { title: 'Cantidad', width: 48, align: 'right', text: ({ cantidad }) => trimmed(cantidad) },
  {
    title: 'Descripción',
    width: innerWidth - fixed,
    align: 'left',
    text: ({ item }) => item.descripcion,
    under: ({ item }) => extras(item),
  },
  {
    title: 'Precio Unitario',
    width: 60,
    align: 'right',
    text: ({ precioUnitario }) => trimmed(precioUnitario),
  },
  { title: 'Descuento', width: 50, align: 'right', text: ({ descuento }) => descuento },
  { title: 'Precio Total', width: 56, align: 'right', text: ({ total }) => total },
];

/** The lines of a sale, or of what takes one back; answers where they end. */
export const drawLines = (doc: Doc, lines: readonly Line[], top: number): number =>
  drawTable(doc, columns, lines, top);

/** What a line says beside what has a column of its own. */
export function extras({ detalles_adicionales = [] }: WithExtras): string {
  return detalles_adicionales.map(({ nombre, detalle }) => `${nombre}: ${detalle}`).join(' · ');
}
