import type { Line } from '../emission/arithmetic.ts';
import {
  bar,
  type Doc,
  ink,
  innerWidth,
  measure,
  page,
  rule,
  sizeOnOneLine,
  trimmed,
  write,
} from './page.ts';

interface Column {
  title: string;
  width: number;
  align: 'left' | 'right';
  text(line: Line): string;
}

const fixed = 70 + 64 + 48 + 60 + 50 + 56;
const columns: readonly Column[] = [
  { title: 'Cod. Principal', width: 70, align: 'left', text: ({ item }) => item.codigo_principal ?? '' },
  { title: 'Cod. Auxiliar', width: 64, align: 'left', text: ({ item }) => item.codigo_auxiliar ?? '' },
  { title: 'Cantidad', width: 48, align: 'right', text: ({ cantidad }) => trimmed(cantidad) },
  { title: 'Descripción', width: innerWidth - fixed, align: 'left', text: ({ item }) => item.descripcion },
  {
    title: 'Precio Unitario',
    width: 60,
    align: 'right',
    text: ({ precioUnitario }) => trimmed(precioUnitario),
  },
  { title: 'Descuento', width: 50, align: 'right', text: ({ descuento }) => descuento },
  { title: 'Precio Total', width: 56, align: 'right', text: ({ total }) => total },
];
const pad = 3;
const size = 7.5;
const headHeight = 17;

/** The table of lines, with its head on every page it needs; answers where it ends. */
export function drawLines(doc: Doc, lines: readonly Line[], top: number): number {
  let y = top;
  const first = lines[0];
  if (first && y + headHeight + rowHeight(doc, first) > page.bottom) {
    doc.addPage();
    y = page.margin;
  }
  y = drawColumnTitles(doc, y);
  for (const line of lines) {
    const height = rowHeight(doc, line);
    if (y + height > page.bottom) {
      doc.addPage();
      y = drawColumnTitles(doc, page.margin);
    }
    drawRow(doc, line, y);
    y += height;
    rule(doc, page.margin, y, innerWidth);
  }
  return y;
}

function drawColumnTitles(doc: Doc, y: number): number {
  bar(doc, page.margin, y, innerWidth, headHeight);
  eachColumn((column, x) => {
    write(doc, column.title, x, y + 5, column.width - 2 * pad, { size, bold: true, align: column.align });
  });
  return y + headHeight;
}

function drawRow(doc: Doc, line: Line, y: number): void {
  eachColumn((column, x) => {
    const width = column.width - 2 * pad;
    const style = cellStyle(doc, column, line);
    const height = write(doc, column.text(line), x, y + pad + 1, width, { ...style, align: column.align });
    if (column.title === 'Descripción') {
      write(doc, extras(line), x, y + pad + 2 + height, width, { size: size - 1, color: ink.label });
    }
  });
}

function rowHeight(doc: Doc, line: Line): number {
  let tallest = size;
  eachColumn((column) => {
    const width = column.width - 2 * pad;
    const below =
      column.title === 'Descripción' ? measure(doc, extras(line), width, { size: size - 1 }) + 1 : 0;
    tallest = Math.max(tallest, measure(doc, column.text(line), width, cellStyle(doc, column, line)) + below);
  });
  return tallest + 2 * pad + 1;
}

function cellStyle(doc: Doc, column: Column, line: Line): { size: number } {
  if (column.align === 'left') return { size };
  return { size: sizeOnOneLine(doc, column.text(line), column.width - 2 * pad, { size }) };
}

function extras({ item }: Line): string {
  return (item.detalles_adicionales ?? []).map(({ nombre, detalle }) => `${nombre}: ${detalle}`).join(' · ');
}

function eachColumn(visit: (column: Column, x: number) => void): void {
  let x: number = page.margin;
  for (const column of columns) {
    visit(column, x + pad);
    x += column.width;
  }
}
