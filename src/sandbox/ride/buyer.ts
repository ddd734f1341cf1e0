import { dayFirst } from '../clock.ts';
import type { PricedDocument } from '../emission/documents.ts';
import { modifiedDocument } from '../emission/modified-document.ts';
import { type Doc, frame, innerWidth, labelled, measureLabelled, page, rule } from './page.ts';
import { documentNames } from './words.ts';

type Entry = readonly [label: string, value: string];
/** One line of the box: an entry over its whole width, or two beside each other. */
type Row = readonly [Entry] | readonly [Entry, Entry];

const pad = 9;
const x = page.margin + pad;
const inner = innerWidth - 2 * pad;
const wide = 330;
const narrowX = x + wide + 12;
const narrow = inner - wide - 12;
const ruleHeight = 7;

/** The buyer and, in a nota de crédito, what it modifies (ficha técnica, anexo 2); answers where the box ends. */
export function drawBuyer(doc: Doc, document: PricedDocument, top: number): number {
  const groups = [buyerRows(document), modifiedRows(document)].filter((rows) => rows.length > 0);
  const height = groups.flat().reduce((sum, row) => sum + rowHeight(doc, row), 0) + 2 * pad - 6;
  const total = height + (groups.length - 1) * ruleHeight;
  let boxTop = top;
  if (top + total > page.bottom) {
    doc.addPage();
    boxTop = page.margin;
  }
  let y = boxTop + pad - 1;
  groups.forEach((rows, index) => {
    if (index > 0) {
      rule(doc, x, y + 1, inner);
      y += ruleHeight;
    }
    for (const row of rows) {
      const [left, right] = row;
      labelled(doc, ...left, x, y, right ? wide : inner);
      if (right) labelled(doc, ...right, narrowX, y, narrow);
      y += rowHeight(doc, row);
    }
  });
  frame(doc, page.margin, boxTop, innerWidth, total);
  return boxTop + total;
}

function rowHeight(doc: Doc, [left, right]: Row): number {
  const height = measureLabelled(doc, ...left, right ? wide : inner);
  return Math.max(height, right ? measureLabelled(doc, ...right, narrow) : 0) + 4;
}

function buyerRows({ tipo, body, fechaEmision }: PricedDocument): Row[] {
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

function modifiedRows({ tipo, body }: PricedDocument): Row[] {
  if (tipo !== '04') return [];
  const modified = modifiedDocument(body);
  const name = documentNames[modified.tipo] ?? modified.tipo;
  return [
    [['Comprobante que se modifica:', `${name} ${modified.numero}`]],
    [['Fecha Emisión (Comprobante a modificar):', dayFirst(modified.fecha)]],
    [['Razón de Modificación:', modified.motivo]],
  ];
}
