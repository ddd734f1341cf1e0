import { paymentForms } from '../authority/tables.ts';
import type { PricedDocument } from '../emission/documents.ts';
import { bar, type Doc, innerWidth, measure, page, rule, sizeOnOneLine, write } from './page.ts';
import { totalsWidth } from './totals.ts';

const x = page.margin;
const width = innerWidth - totalsWidth - 10;
const size = 7.5;
const labelWidth = 95;

/** Información adicional and forms of payment, beside the totals; answers where they end. */
export function drawNotes(doc: Doc, document: PricedDocument, top: number): number {
  let y = top;
  const room = (height: number) => {
    if (y + height <= page.bottom) return;
    doc.addPage();
    y = page.margin;
  };
  const entries = contact(document);
  if (entries.length > 0) {
    y = heading(doc, y, ['Información Adicional', x + 5, width - 10]);
    for (const { nombre, detalle } of entries) {
      const height = Math.max(
        measure(doc, nombre, labelWidth, { size, bold: true }),
        measure(doc, detalle, width - labelWidth - 20, { size }),
      );
      room(height + 6);
      write(doc, nombre, x + 5, y + 3, labelWidth, { size, bold: true });
      write(doc, detalle, x + 10 + labelWidth, y + 3, width - labelWidth - 15, { size });
      y += height + 6;
      rule(doc, x, y, width);
    }
    y += 8;
  }
  const { pagos } = document.figures;
  if (pagos.length === 0) return y;
  room(34);
  const valueX = x + width - 130;
  y = heading(
    doc,
    y,
    ['Forma de Pago', x + 5, valueX - x - 10],
    ['Valor', valueX, 45, 'right'],
    ['Plazo', valueX + 50, 35, 'right'],
    ['Tiempo', valueX + 88, 40],
  );
  for (const pago of pagos) {
    const name = `${pago.formaPago} - ${paymentForms[Number(pago.formaPago)] ?? ''}`;
    const height = measure(doc, name, valueX - x - 10, { size });
    room(height + 6);
    write(doc, name, x + 5, y + 3, valueX - x - 10, { size });
    const number = (text: string, at: number, wide: number) =>
      write(doc, text, at, y + 3, wide, { size: sizeOnOneLine(doc, text, wide, { size }), align: 'right' });
    number(pago.total, valueX, 45);
    number(pago.plazo ?? '', valueX + 50, 35);
    write(doc, pago.unidadTiempo ?? '', valueX + 88, y + 3, 42, { size });
    y += height + 6;
    rule(doc, x, y, width);
  }
  return y;
}

type Title = readonly [text: string, x: number, width: number, align?: 'right'];

function heading(doc: Doc, y: number, ...titles: Title[]): number {
  bar(doc, x, y, width, 15);
  for (const [text, at, wide, align = 'left'] of titles) {
    write(doc, text, at, y + 4, wide, { size, bold: true, align });
  }
  return y + 15;
}

/** The document's own entries, after the buyer's contact data the XML has no element for. */
function contact({ body, informacionAdicional }: PricedDocument): PricedDocument['informacionAdicional'] {
  const { telefono, celular, correo } = body.comprador;
  const known = [
    { nombre: 'Teléfono', detalle: telefono ?? '' },
    { nombre: 'Celular', detalle: celular ?? '' },
    { nombre: 'Correo', detalle: correo ?? '' },
  ];
  return [...known.filter(({ detalle }) => detalle.trim() !== ''), ...informacionAdicional];
}
