import { dayFirst } from '../clock.ts';
import { six } from '../emission/decimals.ts';
import type { GuiaRemisionDocument } from '../emission/documents.ts';
import { type GuiaRemisionItem, goodsDocument, transportOf } from '../emission/guia-remision.ts';
import { drawBox, type Row } from './box.ts';
import { extras } from './lines.ts';
import { drawEntries } from './notes.ts';
import { type Doc, gap, innerWidth, trimmed } from './page.ts';
import { type Column, drawTable } from './table.ts';
import { documentNames } from './words.ts';

/** The part below the head of a guía de remisión (ficha técnica, anexo 2). */
export function drawGuiaRemision(doc: Doc, document: GuiaRemisionDocument, top: number): void {
  const goods = goodsRows(document);
  const groups = goods.length > 0 ? [goods, destination(document)] : [destination(document)];
  let y = drawBox(doc, [transport(document)], top) + gap;
  y = drawBox(doc, groups, y) + gap;
  drawEntries(doc, document, drawTable(doc, columns, document.body.items, y) + 10);
}

function transport({ body }: GuiaRemisionDocument): Row[] {
  const { transportista } = body;
  const { placa, partida, inicio, fin } = transportOf(body);
  return [
    [
      ['Razón Social / Nombres y Apellidos (Transportista):', transportista.razon_social],
      ['Identificación:', transportista.identificacion],
    ],
    [
      ['Punto de Partida:', partida],
      ['Placa:', placa],
    ],
    [
      ['Fecha inicio Transporte:', dayFirst(inicio)],
      ['Fecha fin Transporte:', dayFirst(fin)],
    ],
  ];
}

/** The document the goods travel with; nothing where there is none. */
function goodsRows({ body }: GuiaRemisionDocument): Row[] {
  const { tipo, numero, fecha, autorizacion, aduanero } = goodsDocument(body);
  const rows: Row[] = [];
  if (tipo || numero || fecha) {
    const name = documentNames[tipo ?? ''] ?? tipo ?? '';
    rows.push([
      ['Comprobante de Venta:', `${name} ${numero ?? ''}`.trim()],
      ['Fecha de Emisión:', fecha ? dayFirst(fecha) : ''],
    ]);
  }
  if (autorizacion) rows.push([['Número de Autorización:', autorizacion]]);
  if (aduanero) rows.push([['Documento Aduanero:', aduanero]]);
  return rows;
}

function destination({ body }: GuiaRemisionDocument): Row[] {
  const { destinatario } = body;
  const { motivo, destino, ruta, establecimientoDestino } = transportOf(body);
  const rows: Row[] = [
    [['Motivo Traslado:', motivo]],
    [
      ['Razón Social / Nombres y Apellidos (Destinatario):', destinatario.razon_social],
      ['Identificación:', destinatario.identificacion],
    ],
    [['Destino (Punto de llegada):', destino]],
  ];
  if (establecimientoDestino) rows.push([['Código Establecimiento Destino:', establecimientoDestino]]);
  if (ruta) rows.push([['Ruta:', ruta]]);
  return rows;
}

const columns: readonly Column<GuiaRemisionItem>[] = [
  { title: 'Cantidad', width: 70, align: 'right', text: ({ cantidad }) => trimmed(six(cantidad)) },
  {
    title: 'Descripción',
    width: innerWidth - 70 - 110 - 110,
    align: 'left',
    text: ({ descripcion }) => descripcion,
    under: extras,
  },
  { title: 'Código Principal', width: 110, align: 'left', text: ({ codigo_principal }) => codigo_principal },
  {
    title: 'Código Auxiliar',
    width: 110,
    align: 'left',
    text: ({ codigo_auxiliar }) => codigo_auxiliar ?? '',
  },
];
