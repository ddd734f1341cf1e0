import { withheldTaxes } from '../authority/tables.ts';
import { fiscalPeriod } from '../authority/xml/retencion.ts';
import { dayFirst } from '../clock.ts';
import { exact, money } from '../emission/decimals.ts';
import type { RetencionDocument } from '../emission/documents.ts';
import { type Retencion, type RetencionBody, sustentoFigures, totalRetenido } from '../emission/retencion.ts';
import { drawBox, type Row } from './box.ts';
import { drawEntries } from './notes.ts';
import { type Doc, gap, innerWidth, page } from './page.ts';
import { type Column, drawTable } from './table.ts';
import { type AmountRow, amountsHeight, drawAmounts } from './totals.ts';
import { documentNames } from './words.ts';

/** The part below the head of a comprobante de retención (ficha técnica, anexo 2). */
export function drawRetencion(doc: Doc, document: RetencionDocument, top: number): void {
  const { body } = document;
  const groups =
    body.version === '1.0.0' ? [supplier(document)] : [supplier(document), supplierDocument(body)];
  const tableTop = drawBox(doc, groups, top) + gap;
  let y = drawTable(doc, columns, rowsOf(document), tableTop) + 10;
  const totals: AmountRow[] = [['TOTAL RETENIDO', totalRetenido(body)]];
  if (y + amountsHeight(totals) > page.bottom) {
    doc.addPage();
    y = page.margin;
  }
  drawAmounts(doc, totals, y);
  drawEntries(doc, document, y);
}

function supplier({ body: { proveedor }, fechaEmision }: RetencionDocument): Row[] {
  return [
    [
      ['Razón Social / Nombres y Apellidos:', proveedor.razon_social],
      ['Identificación:', proveedor.identificacion],
    ],
    [['Fecha de Emisión:', dayFirst(fechaEmision)]],
  ];
}

/** What version 2.0.0 says of the document beside its number and date. */
function supplierDocument({ sustento }: RetencionBody): Row[] {
  const { totalSinImpuestos, importeTotal } = sustentoFigures(sustento);
  return [
    [['Autorización del comprobante:', sustento.numero_autorizacion]],
    [
      ['Código de Sustento Tributario:', sustento.codigo_sustento_tributario],
      ['Registro Contable:', dayFirst(sustento.fecha_registro_contable)],
    ],
    [
      ['Total sin Impuestos:', totalSinImpuestos],
      ['Importe Total:', importeTotal],
    ],
  ];
}

/** One tax withheld, beside the document it is withheld on. */
interface Withheld extends Retencion {
  comprobante: string;
  numero: string;
  fecha: string;
  ejercicio: string;
}

function rowsOf({ body: { sustento, retenciones }, fechaEmision }: RetencionDocument): Withheld[] {
  const { codigo_documento_sustento: tipo, numero_documento_sustento: number } = sustento;
  const document = {
    comprobante: documentNames[tipo] ?? tipo,
    numero: `${number.slice(0, 3)}-${number.slice(3, 6)}-${number.slice(6)}`,
    fecha: dayFirst(sustento.fecha_documento_sustento),
    ejercicio: fiscalPeriod(fechaEmision),
  };
  return retenciones.map((row) => ({ ...document, ...row }));
}

const amount = (value: number) => money(exact(value));
const columns: readonly Column<Withheld>[] = [
  { title: 'Comprobante', width: innerWidth - 455, align: 'left', text: ({ comprobante }) => comprobante },
  { title: 'Número', width: 80, align: 'left', text: ({ numero }) => numero },
  { title: 'Fecha Emisión', width: 52, align: 'left', text: ({ fecha }) => fecha },
  { title: 'Ejercicio Fiscal', width: 46, align: 'left', text: ({ ejercicio }) => ejercicio },
  {
    title: 'Base Imponible para la Retención',
    width: 80,
    align: 'right',
    text: ({ base_imponible }) => amount(base_imponible),
  },
  {
    title: 'Impuesto',
    width: 45,
    align: 'left',
    text: ({ codigoimpuesto }) => withheldTaxes[codigoimpuesto] ?? '',
  },
  { title: 'Código', width: 42, align: 'left', text: ({ codigo_retencion }) => codigo_retencion },
  {
    title: 'Porcentaje Retención',
    width: 55,
    align: 'right',
    text: ({ porcentaje_retencion }) => amount(porcentaje_retencion),
  },
  {
    title: 'Valor Retenido',
    width: 55,
    align: 'right',
    text: ({ valor_retenido }) => amount(valor_retenido),
  },
];
