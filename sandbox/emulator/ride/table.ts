import { bar, type Doc, ink, innerWidth, measure, page, rule, sizeOnOneLine, write } from './page.ts';

/** A column of a table; numbers stand on the right and stay on one line. */
export interface Column<Row> {
  title: string;
  width: number;
  align: 'left' | 'right';
  text(row: Row): string;
  /** A smaller line below the text; none where it is empty. */
  under?(row: Row): string;
}

const pad = 3;
const size = 7.5;

/** A table over the whole width, with its head on every page it needs; answers where it ends. */
export function drawTable<Row>(
  doc: Doc,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  top: number,
): number {
  let y = top;
  const first = rows[0];
  if (first && y + headHeight(doc, columns) + rowHeight(doc, columns, first) > page.bottom) {
    doc.addPage();
    y = page.margin;
  }
  y = drawTitles(doc, columns, y);
  for (const row of rows) {
    const height = rowHeight(doc, columns, row);
    if (y + height > page.bottom) {
      doc.addPage();
      y = drawTitles(doc, columns, page.margin);
    }
    drawRow(doc, columns, row, y);
    y += height;
    rule(doc, page.margin, y, innerWidth);
  }
  return y;
}

function headHeight<Row>(doc: Doc, columns: readonly Column<Row>[]): number {
  const heights = columns.map(({ title, width }) =>
    measure(doc, title, width - 2 * pad, { size, bold: true }),
  );
  return Math.max(...heights) + 8;
}

function drawTitles<Row>(doc: Doc, columns: readonly Column<Row>[], y: number): number {
  const height = headHeight(doc, columns);
  bar(doc, page.margin, y, innerWidth, height);
  eachColumn(columns, (column, x) => {
    write(doc, column.title, x, y + 5, column.width - 2 * pad, { size, bold: true, align: column.align });
  });
  return y + height;
}

function drawRow<Row>(doc: Doc, columns: readonly Column<Row>[], row: Row, y: number): void {
  eachColumn(columns, (column, x) => {
    const width = column.width - 2 * pad;
    const style = cellStyle(doc, column, row);
    const height = write(doc, column.text(row), x, y + pad + 1, width, { ...style, align: column.align });
    if (column.under) {
      write(doc, column.under(row), x, y + pad + 2 + height, width, { size: size - 1, color: ink.label });
    }
  });
}

function rowHeight<Row>(doc: Doc, columns: readonly Column<Row>[], row: Row): number {
  let tallest = size;
  eachColumn(columns, (column) => {
    const width = column.width - 2 * pad;
    const below = column.under ? measure(doc, column.under(row), width, { size: size - 1 }) + 1 : 0;
    tallest = Math.max(tallest, measure(doc, column.text(row), width, cellStyle(doc, column, row)) + below);
  });
  return tallest + 2 * pad + 1;
}

function cellStyle<Row>(doc: Doc, column: Column<Row>, row: Row): { size: number } {
  if (column.align === 'left') return { size };
  return { size: sizeOnOneLine(doc, column.text(row), column.width - 2 * pad, { size }) };
}

function eachColumn<Row>(
  columns: readonly Column<Row>[],
  visit: (column: Column<Row>, x: number) => void,
): void {
  let x: number = page.margin;
  for (const column of columns) {
    visit(column, x + pad);
    x += column.width;
  }
}
