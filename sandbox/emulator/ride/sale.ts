import { dayFirst } from '../clock.ts';
import type { PricedDocument } from '../emission/documents.ts';
import { modifiedDocument } from '../emission/modified-document.ts';
import { drawBox, type Entry, type Row } from './box.ts';
import { drawLines } from './lines.ts';
import { drawEntries, drawPayments } from './notes.ts';
import { type Doc, gap, page } from './page.ts';
import { amountsHeight, drawAmounts, totalRows } from './totals.ts';
import { documentNames } from './words.ts';

/** The part below the head of a factura or nota de crédito (ficha técnica, anexo 2). */
export function drawSale(doc: Doc, document: PricedDocument, top: number): void {
  const groups = document.tipo === '04' ? [buyer(document), modified(document)] : [buyer(document)];
  const linesTop = drawBox(doc, groups, top) + gap;
  let y = drawLines(doc, document.figures.lines, linesTop) + 10;
  const totals = totalRows(document);
  if (y + amountsHeight(totals) > page.bottom) {
    doc.addPage();
    y = page.margin;
  }
  drawAmounts(doc, totals, y);
  drawPayments(doc, document.figures.pagos, drawEntries(doc, document, y));
}

function buyer({ tipo, body, fechaEmision }: PricedDocument): Row[] {
  const { comprador } = body;
  const names: Row = [
    ['Razón Social / Nombres y Apellidos:', comprador.razon_social],
    ['Identificación:', comprador.identificacion],
  ];
  const date: Entry = ['Fecha de Emisión:', dayFirst(fechaEmision)];
  // Neither the XML nor the format of a nota de crédito has a place for the address.
  if (tipo === '04') return [names, [date]];
  const rows: Row[] = [
    names,
    [date, ['Guía:', body.guiaremision ?? '']],
    [['Dirección:', comprador.direccion]],
  ];
  return body.placa ? [...rows, [['Placa:', body.placa]]] : rows;
}

function modified({ body }: PricedDocument & { tipo: '04' }): Row[] {
  const document = modifiedDocument(body);
  const name = documentNames[document.tipo] ?? document.tipo;
  return [
    [['Comprobante que se modifica:', `${name} ${document.numero}`]],
    [['Fecha Emisión (Comprobante a modificar):', dayFirst(document.fecha)]],
    [['Razón de Modificación:', document.motivo]],
  ];
}
