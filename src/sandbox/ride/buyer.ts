import { dayFirst } from '../clock.ts';
import type { PricedDocument } from '../emission/documents.ts';
import { modifiedDocument } from '../emission/modified-document.ts';
import { type Doc, frame, innerWidth, labelled, page, rule } from './page.ts';
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

/** The buyer and, in a nota de crédito, what it modifies (ficha técnica, anexo 2); answers where the box ends. */
export function drawBuyer(doc: Doc, document: PricedDocument, top: number): number {
  let y = top + pad - 1;
  const draw = ([left, right]: Row) => {
    const height = labelled(doc, ...left, x, y, right ? wide : inner);
    y += Math.max(height, right ? labelled(doc, ...right, narrowX, y, narrow) : 0) + 4;
  };
  buyerRows(document).forEach(draw);
  const modified = modifiedRows(document);
  if (modified.length > 0) {
    rule(doc, x, y + 1, inner);
    y += 7;
    modified.forEach(draw);
  }
  frame(doc, page.margin, top, innerWidth, y - top + pad - 5);
  return y + pad - 5;
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
