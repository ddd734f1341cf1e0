import PDFDocument from 'pdfkit';
import type { WrittenDocument } from '../emission/documents.ts';
import { drawGuiaRemision } from './guia-remision.ts';
import { drawHead, drawTestMark } from './head.ts';
import { type Doc, ink, innerWidth, page, write } from './page.ts';
import { drawRetencion } from './retencion.ts';
import { drawSale } from './sale.ts';
import { words } from './words.ts';

/** The RIDE: the printable form of an authorised document (ficha técnica, anexo 2), as PDF bytes. */
export async function drawRide(document: WrittenDocument, logo?: Buffer): Promise<Buffer> {
  const doc = new PDFDocument({
    size: 'A4',
    margin: page.margin,
    bufferPages: true,
    lang: 'es-EC',
    info: { Title: nameOf(document), Author: document.body.emisor.nombre_comercial },
  });
  const bytes = collect(doc);
  drawBody(doc, document, drawHead(doc, document, logo));
  finishPages(doc, document);
  doc.end();
  return bytes;
}

function drawBody(doc: Doc, document: WrittenDocument, top: number): void {
  if (document.tipo === '06') drawGuiaRemision(doc, document, top);
  else if (document.tipo === '07') drawRetencion(doc, document, top);
  else drawSale(doc, document, top);
}

// The number of pages is known only now, so marks and footers come last.
function finishPages(doc: Doc, document: WrittenDocument): void {
  const { count } = doc.bufferedPageRange();
  for (let index = 0; index < count; index++) {
    doc.switchToPage(index);
    // The footer lies inside the bottom margin, where pdfkit would otherwise open a new page.
    doc.page.margins.bottom = 0;
    if (document.ambiente === 1) drawTestMark(doc);
    const style = { size: 6.5, color: ink.label };
    write(doc, `${nameOf(document)} · Clave de acceso ${document.claveacceso}`, page.margin, 812, 420, style);
    write(doc, `Página ${index + 1} de ${count}`, page.margin, 812, innerWidth, { ...style, align: 'right' });
  }
}

const nameOf = ({ tipo, numero }: WrittenDocument) => `${words[tipo].name} ${numero}`;

async function collect(doc: Doc): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of doc) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
