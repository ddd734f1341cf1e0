import { paymentForms } from '../authority/tables.ts';
import type { Figures } from '../emission/arithmetic.ts';
import { receiverOf, type WrittenDocument } from '../emission/documents.ts';
import { bar, type Doc, innerWidth, measure, page, rule, sizeOnOneLine, write } from './page.ts';
import { totalsWidth } from './totals.ts';

const x = page.margin;
const width = innerWidth - totalsWidth - 10;
const size = 7.5;
const labelWidth = 95;
const headingHeight = 15;

/** Información adicional, left of the block at the right edge; answers where the next section begins. */
export function drawEntries(doc: Doc, document: WrittenDocument, top: number): number {
  const entries = [...contact(document), ...document.informacionAdicional].map((entry) => ({
    ...entry,
    height: entryHeight(doc, entry),
  }));
  const [first] = entries;
  if (!first) return top;
  // A heading is never left alone at the end of a page.
  const start = withRoom(doc, top, headingHeight + first.height);
  let y = heading(doc, start, ['Información Adicional', x + 5, width - 10]);
  for (const { nombre, detalle, height } of entries) {
    y = withRoom(doc, y, height);
    write(doc, nombre, x + 5, y + 3, labelWidth, { size, bold: true });
    write(doc, detalle, x + 10 + labelWidth, y + 3, width - labelWidth - 15, { size });
    y += height;
    rule(doc, x, y, width);
  }
  return y + 8;
}

function entryHeight(doc: Doc, { nombre, detalle }: { nombre: string; detalle: string }): number {
  const name = measure(doc, nombre, labelWidth, { size, bold: true });
  return Math.max(name, measure(doc, detalle, width - labelWidth - 20, { size })) + 6;
}

/** The forms of payment of a factura; nothing where it states none. */
export function drawPayments(doc: Doc, pagos: Figures['pagos'], top: number): void {
  if (pagos.length === 0) return;
  const valueX = x + width - 130;
  let y = heading(
    doc,
    withRoom(doc, top, 34),
    ['Forma de Pago', x + 5, valueX - x - 10],
    ['Valor', valueX, 45, 'right'],
    ['Plazo', valueX + 50, 35, 'right'],
    ['Tiempo', valueX + 88, 40],
  );
  for (const pago of pagos) {
    const name = `${pago.formaPago} - ${paymentForms[Number(pago.formaPago)] ?? ''}`;
    const height = measure(doc, name, valueX - x - 10, { size });
    y = withRoom(doc, y, height + 6);
    write(doc, name, x + 5, y + 3, valueX - x - 10, { size });
    const number = (text: string, at: number, wide: number) =>
      write(doc, text, at, y + 3, wide, { size: sizeOnOneLine(doc, text, wide, { size }), align: 'right' });
    number(pago.total, valueX, 45);
    number(pago.plazo ?? '', valueX + 50, 35);
    write(doc, pago.unidadTiempo ?? '', valueX + 88, y + 3, 42, { size });
    y += height + 6;
    rule(doc, x, y, width);
  }
}

/** Where so much fits: here, or at the top of a new page. */
function withRoom(doc: Doc, y: number, height: number): number {
  if (y + height <= page.bottom) return y;
  doc.addPage();
  return page.margin;
}

type Title = readonly [text: string, x: number, width: number, align?: 'right'];

function heading(doc: Doc, y: number, ...titles: Title[]): number {
  bar(doc, x, y, width, headingHeight);
  for (const [text, at, wide, align = 'left'] of titles) {
    write(doc, text, at, y + 4, wide, { size, bold: true, align });
  }
  return y + headingHeight;
}

/** How to reach whom the document is for: the XML has no element for it. */
function contact(document: WrittenDocument): WrittenDocument['informacionAdicional'] {
  const { direccion, telefono, celular, correo } = receiverOf(document);
  // The RIDE of a factura has its address above.
  const known = [
    { nombre: 'Dirección', detalle: document.tipo === '06' || document.tipo === '07' ? direccion : '' },
    { nombre: 'Teléfono', detalle: telefono ?? '' },
    { nombre: 'Celular', detalle: celular ?? '' },
    { nombre: 'Correo', detalle: correo ?? '' },
  ];
  return known.filter(({ detalle }) => detalle.trim() !== '');
}
