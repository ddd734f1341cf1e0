import { ivaTable } from '../../../mappers/index.ts';
import { type Document, documentNumber } from '../../domain/document.ts';
import { decimal, sum, toAmount } from '../../domain/money.ts';
import type { AuthorizedXml } from '../../service/authorized-xml.ts';
import { authorizedTaxes, type TaxRow } from '../tax-rows.ts';

interface ExportedDocument {
  document: Document;
  xml: AuthorizedXml;
}

const rates = [...ivaTable].sort((a, b) => Number(a.until !== null) - Number(b.until !== null));
const isTaxed = ({ rate }: (typeof rates)[number]) => !decimal(rate).isZero();

type Cell = (exported: ExportedDocument, style: CsvStyle) => string;

const taxCell =
  (codigo: string, code: string | null, what: 'base' | 'valor'): Cell =>
  ({ xml }, style) =>
    style.amount(addedUp(authorizedTaxes(xml.totalImpuestos), codigo, code, what));

const columns: readonly (readonly [name: string, cell: Cell])[] = [
  ['RUC emisor', ({ xml }, style) => style.digits(xml.ruc)],
  ['Ambiente', ({ document }) => String(document.ambiente)],
  ['Fecha de emisión', ({ xml }) => xml.fechaEmision],
  ['Número', ({ document, xml }) => documentNumber(document) ?? xml.numero],
  ['Clave de acceso', ({ xml }, style) => style.digits(xml.claveAcceso)],
  ['Autorizado', ({ document }) => document.authorizedAt ?? ''],
  ['Estado', ({ document }) => (document.annulledAt === null ? 'AUTORIZADO' : 'ANULADO')],
  ['Tipo de identificación', ({ xml }, style) => style.digits(xml.tipoIdentificacionComprador ?? '')],
  ['Identificación', ({ xml }, style) => style.digits(xml.identificacionComprador)],
  ['Comprador', ({ xml }, style) => style.text(xml.razonSocialComprador ?? '')],
  ...rates.flatMap((row): [string, Cell][] => {
    const base: [string, Cell] = [`Base ${row.name}`, taxCell('2', String(row.code), 'base')];
    return isTaxed(row) ? [base, [`Valor ${row.name}`, taxCell('2', String(row.code), 'valor')]] : [base];
  }),
  ['Total IVA', taxCell('2', null, 'valor')],
  ['ICE', taxCell('3', null, 'valor')],
  ['IRBPNR', taxCell('5', null, 'valor')],
  ['Total', ({ xml }, style) => style.amount(toAmount(xml.importeTotal))],
  [
    'Formas de pago',
    ({ xml }, style) =>
      xml.pagos
        .map(({ formaPago, total }) => `${formaPago}: ${style.amount(toAmount(total ?? '0'))}`)
        .join(' + '),
  ],
  ['Documento modificado', ({ xml }) => xml.documentoModificado?.numero ?? ''],
  ['Motivo', ({ xml }, style) => style.text(xml.documentoModificado?.motivo ?? '')],
  ['Tienda', ({ document }) => document.storeId],
  ['Pedido', ({ document }, style) => style.text(document.orderName)],
];

export const documentColumns: readonly string[] = columns.map(([name]) => name);

export function documentRow(exported: ExportedDocument, style: CsvStyle): string[] {
  return columns.map(([, cell]) => cell(exported, style));
}

function addedUp(
  taxes: readonly TaxRow[],
  codigo: string,
  code: string | null,
  what: 'base' | 'valor',
): string {
  const rows = taxes.filter(
    (tax) => tax.codigo === codigo && (code === null || tax.codigoPorcentaje === code),
  );
  return toAmount(sum(rows.map((row) => row[what])));
}

export interface CsvStyle {
  /** Makes Excel read the file as UTF-8. */
  bom: boolean;
  delimiter: ';' | ',';
  amount(value: string): string;
  /** Digits that are no number: an access key, a cédula with its leading zero. */
  digits(value: string): string;
  text(value: string): string;
}

/** Spreadsheets take these beginnings for a formula (OWASP, "CSV Injection"), some also in full-width form. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

const harmless = (value: string): string => (formula.test(value) ? `'${value}` : value);

/** As in es-EC; digits as ="…", because Excel rounds an access key to 15 figures. */
export const excel: CsvStyle = {
  bom: true,
  delimiter: ';',
  amount: (value) => value.replace('.', ','),
  digits: (value) => (/^\d+$/.test(value) ? `="${value}"` : harmless(value)),
  text: harmless,
};

/** RFC 4180. */
export const plain: CsvStyle = {
  bom: false,
  delimiter: ',',
  amount: (value) => value,
  digits: harmless,
  text: harmless,
};
