import { rimpeLegend } from '../authority/tables.ts';
import { dayFirst } from '../clock.ts';
import type { WrittenDocument } from '../emission/documents.ts';
import { drawBarcode } from './barcode.ts';
import { drawLogo } from './logo.ts';
import { type Doc, frame, gap, ink, innerWidth, labelled, measure, page, write } from './page.ts';
import { words } from './words.ts';

const leftWidth = 250;
const rightX = page.margin + leftWidth + gap;
const rightWidth = innerWidth - leftWidth - gap;
const pad = 9;
const nameHeight = 62;
const logoHeight = 70;
const nameSizes = [17, 14, 11, 9, 7.5, 6.5];

/** Issuer on the left, document on the right; answers where the next box may start. */
export function drawHead(doc: Doc, document: WrittenDocument, logo?: Buffer): number {
  const top = page.margin;
  const bottom = Math.max(drawIssuer(doc, document, top, logo), drawDocument(doc, document, top));
  frame(doc, rightX, top, rightWidth, bottom - top);
  frame(doc, page.margin, top + 78, leftWidth, bottom - top - 78);
  return bottom + gap;
}

function drawIssuer(doc: Doc, { body }: WrittenDocument, top: number, logo?: Buffer): number {
  const { emisor } = body;
  if (logo) drawLogo(doc, logo, page.margin, top, leftWidth, logoHeight);
  else drawTradeName(doc, emisor.nombre_comercial, top + 10);
  const x = page.margin + pad;
  const width = leftWidth - 2 * pad;
  let y = top + 78 + pad;
  y += write(doc, emisor.razon_social || emisor.nombre_comercial, x, y, width, { size: 10, bold: true }) + 5;
  if (logo && emisor.razon_social) y += write(doc, emisor.nombre_comercial, x, y, width) + 5;
  const row = (label: string, value: string) => {
    y += labelled(doc, label, value, x, y, width) + 5;
  };
  row('Dir. Matriz:', emisor.direccion_matriz);
  row('Dir. Sucursal:', emisor.direccion_establecimiento);
  if (emisor.contribuyente_especial) row('Contribuyente Especial Nro.:', emisor.contribuyente_especial);
  row('OBLIGADO A LLEVAR CONTABILIDAD:', emisor.obligado_contabilidad ?? 'NO');
  if (emisor.agente_retencion) row('Agente de Retención Resolución No.:', emisor.numero_resolucion ?? '');
  if (emisor.calificacion_artesanal) row('Calificación Artesanal No.:', emisor.calificacion_artesanal);
  const rimpe = rimpeLegend(emisor);
  if (rimpe) y += write(doc, rimpe, x, y, width, { bold: true }) + 5;
  return y + pad - 5;
}

/** Without a logo the trade name takes its place. */
function drawTradeName(doc: Doc, name: string, y: number): void {
  const fits = (size: number) => measure(doc, name, leftWidth, { size, bold: true }) <= nameHeight;
  const size = nameSizes.find(fits) ?? 5;
  write(doc, name, page.margin, y, leftWidth, { size, bold: true, align: 'center' });
}

function drawDocument(doc: Doc, document: WrittenDocument, top: number): number {
  const x = rightX + pad;
  const width = rightWidth - 2 * pad;
  let y = top + pad;
  y += labelled(doc, 'R.U.C.:', document.ruc, x, y, width, 11) + 6;
  y += write(doc, words[document.tipo].title, x, y, width, { size: 16, bold: true }) + 2;
  y += labelled(doc, 'N°', document.numero, x, y, width, 11) + 8;
  const stacked = (label: string, value: string) => {
    y += write(doc, label, x, y, width, { size: 7.5, bold: true }) + 2;
    y += write(doc, value, x, y, width, { size: 8.5 }) + 6;
  };
  stacked('NÚMERO DE AUTORIZACIÓN', document.claveacceso);
  stacked('FECHA Y HORA DE AUTORIZACIÓN', instant(document.fechaAutorizacion));
  y += labelled(doc, 'AMBIENTE:', document.ambiente === 1 ? 'PRUEBAS' : 'PRODUCCIÓN', x, y, width) + 5;
  y += labelled(doc, 'EMISIÓN:', 'NORMAL', x, y, width) + 7;
  y += write(doc, 'CLAVE DE ACCESO', x, y, width, { size: 7.5, bold: true }) + 3;
  drawBarcode(doc, document.claveacceso, rightX + 2, y, rightWidth - 4, 34);
  y += 37;
  y += write(doc, document.claveacceso, x, y, width, { size: 8.5, align: 'center' });
  return y + pad;
}

/** `2026-11-20T08:30:00-05:00` as an accountant reads it. */
function instant(iso: string | null): string {
  if (!iso) return '';
  return `${dayFirst(iso.slice(0, 10).replaceAll('-', '/'))} ${iso.slice(11, 19)}`;
}

/** Light letters across the page: a test document has no tax value. */
export function drawTestMark(doc: Doc): void {
  doc.save().rotate(-38, { origin: [page.width / 2, page.height / 2] });
  doc.fillOpacity(0.05);
  write(doc, 'PRUEBAS', 0, page.height / 2 - 70, page.width, {
    size: 120,
    bold: true,
    align: 'center',
    color: ink.text,
  });
  doc.fillOpacity(0.09);
  write(doc, 'SIN VALIDEZ TRIBUTARIA', 0, page.height / 2 + 45, page.width, {
    size: 26,
    bold: true,
    align: 'center',
  });
  doc.restore();
}
