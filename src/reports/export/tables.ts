import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import { ivaTable } from '../../../mappers/index.ts';
import { ecuadorDay } from '../../domain/clock.ts';
import {
  type Document,
  type DocumentKind,
  documentCodes,
  documentNumber,
  numberIn,
  type Series,
} from '../../domain/document.ts';
import { type Decimal, decimal, sum, toAmount } from '../../domain/money.ts';
import type { NumberGap } from '../../ledger/days.ts';
import type { AuthorizedXml } from '../../service/authorized-xml.ts';
import { authorizedTaxes, type TaxRow, taxWords } from '../tax-rows.ts';
import { newPrivate } from '../write-private.ts';

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

export interface Table {
  add(row: readonly string[]): Promise<void>;
  read(): Promise<Readable>;
  drop(): Promise<void>;
}

export function openTable(file: string, columns: readonly string[], style: CsvStyle): Table {
  const csv = stringify({ bom: style.bom, delimiter: style.delimiter, record_delimiter: 'windows' });
  const disk = createWriteStream(file, newPrivate);
  // Handled where it is awaited: a full disk ends the export, not the process.
  const written = pipeline(csv, disk);
  written.catch(() => {});
  csv.write([...columns]);
  return {
    async add(row) {
      if (!csv.write([...row])) await Promise.race([once(csv, 'drain'), written]);
    },
    async read() {
      csv.end();
      await written;
      return createReadStream(file);
    },
    async drop() {
      csv.destroy();
      disk.destroy();
      if (!disk.closed) await new Promise<void>((closed) => disk.once('close', closed));
      await rm(file, { force: true });
    },
  };
}

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

export const summaryColumns: readonly string[] = [
  'RUC emisor',
  'Ambiente',
  'Impuesto',
  'Base en facturas',
  'Valor en facturas',
  'Base en notas de crédito',
  'Valor en notas de crédito',
  'Base neta',
  'Valor neto',
];

interface Row {
  ruc: string;
  ambiente: string;
  codigo: string;
  codigoPorcentaje: string;
  base: Record<DocumentKind, Decimal>;
  valor: Record<DocumentKind, Decimal>;
}

interface IvaSummary {
  add(kind: DocumentKind, xml: AuthorizedXml): void;
  rows(style: CsvStyle): string[][];
}

const nothing = () => ({ factura: decimal(0), 'nota-credito': decimal(0) });

export function openIvaSummary(): IvaSummary {
  const rows = new Map<string, Row>();
  return {
    add(kind, xml) {
      for (const { codigo, codigoPorcentaje, base, valor } of authorizedTaxes(xml.totalImpuestos)) {
        const of = { ruc: xml.ruc, ambiente: xml.ambiente ?? '', codigo, codigoPorcentaje };
        const name = [of.ruc, of.ambiente, codigo, codigoPorcentaje.padStart(4, '0')].join(' ');
        const row = rows.get(name) ?? { ...of, base: nothing(), valor: nothing() };
        rows.set(name, row);
        row.base[kind] = row.base[kind].plus(base);
        row.valor[kind] = row.valor[kind].plus(valor);
      }
    },
    rows: (style) =>
      [...rows]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, { ruc, ambiente, base, valor, ...tax }]) => {
          const amount = (value: Decimal) => style.amount(toAmount(value));
          return [
            style.digits(ruc),
            ambiente,
            taxWords(tax),
            amount(base.factura),
            amount(valor.factura),
            amount(base['nota-credito']),
            amount(valor['nota-credito']),
            amount(base.factura.minus(base['nota-credito'])),
            amount(valor.factura.minus(valor['nota-credito'])),
          ];
        }),
  };
}

export const gapColumns: readonly string[] = [
  'RUC emisor',
  'Ambiente',
  'Tipo',
  'Número',
  'Hasta',
  'Fecha desde',
  'Fecha hasta',
  'Qué pasó',
  'Pedido',
];

const kinds: Record<string, string> = {
  [documentCodes.factura]: 'factura',
  [documentCodes['nota-credito']]: 'nota de crédito',
};

/** A number whose document is not authorised; its date is the one it was sent with, or the day it was made. */
export function unsettledRow(document: Document, style: CsvStyle): string[] {
  const { ruc, ambiente, codDoc, issueDate, createdAt, state, orderName } = document;
  const day = issueDate ?? ecuadorDay(new Date(createdAt));
  return [
    style.digits(ruc),
    String(ambiente),
    kinds[codDoc] ?? codDoc,
    documentNumber(document) ?? '',
    '',
    day,
    day,
    whats[state] ?? 'En trámite: todavía no se conoce la respuesta.',
    style.text(orderName),
  ];
}

/** Numbers without a document, between the issue dates of the documents before and after them. */
export function gapRow(series: Series, { from, to, before, after }: NumberGap, style: CsvStyle): string[] {
  return [
    style.digits(series.ruc),
    String(series.ambiente),
    kinds[series.codDoc] ?? series.codDoc,
    numberIn(series, from),
    to === from ? '' : numberIn(series, to),
    before ?? '',
    after ?? '',
    'Este sistema no asignó el número, o su documento ya no está en el registro: compruebe en el portal del SRI si otro sistema lo usó.',
    '',
  ];
}

const whats: Partial<Record<Document['state'], string>> = {
  cancelled: 'Se reservó y no se envió: el documento dejó de hacer falta.',
  rejected: 'Lo rechazó el servicio o el SRI; el mismo número se usa cuando se corrija.',
  manual: 'Por decidir: se envió y no se sabe si existe, o no hay cómo emitirlo.',
};
