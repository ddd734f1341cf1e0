import type { Readable } from 'node:stream';
import { type Clock, type Day, ecuadorDay } from '../../domain/clock.ts';
import { type Document, documentNumber } from '../../domain/document.ts';
import { CommandError } from '../../domain/errors.ts';
import type { Store } from '../../domain/settings.ts';
import { issuerOf } from '../../jobs/deps.ts';
import { fetchFile, keptFile } from '../../jobs/files.ts';
import { type AuthorizedXml, readAuthorizedXml } from '../../service/authorized-xml.ts';
import { type AccountingDeps, askService, isAbout, issuedDocuments, seriesOfStores } from '../sources.ts';
import {
  type CsvStyle,
  documentColumns,
  documentRow,
  excel,
  gapColumns,
  gapRow,
  openIvaSummary,
  openTable,
  plain,
  summaryColumns,
  type Table,
  unsettledRow,
} from './tables.ts';

export interface MonthAsked {
  month: Month;
  stores: readonly Store[];
  scope: string;
  ruc?: string | undefined;
  plain?: boolean | undefined;
}

export interface MonthCounts {
  facturas: number;
  creditNotes: number;
  /** Files that could not be read; faltantes.csv names them. */
  missing: number;
}

/** The ZIP that is written while the documents are read. */
export interface Archive {
  add(name: string, bytes: Uint8Array): Promise<void>;
  addStream(name: string, stream: Readable): Promise<void>;
  finish(): Promise<void>;
  abandon(): Promise<void>;
}

/** Tables grow in temporary files whose names begin with `scratch`, so memory does not grow with the documents. */
export async function writeMonth(
  deps: AccountingDeps,
  archive: Archive,
  scratch: string,
  asked: MonthAsked,
): Promise<MonthCounts> {
  const now = deps.clock.now();
  const style = asked.plain ? plain : excel;
  const tables = {
    factura: openTable(`${scratch}.facturas.part`, documentColumns, style),
    'nota-credito': openTable(`${scratch}.notas.part`, documentColumns, style),
    summary: openTable(`${scratch}.resumen.part`, summaryColumns, style),
    gaps: openTable(`${scratch}.huecos.part`, gapColumns, style),
    missing: openTable(`${scratch}.faltantes.part`, ['Número', 'Clave de acceso', 'Archivo'], style),
  };
  try {
    const span = spanOf(asked.month, deps.clock);
    const documents = documentsOf(deps, asked, span);
    const { summary, ...counts } = await writeDocuments(deps, archive, tables, style, documents);
    for (const row of summary) await tables.summary.add(row);
    for await (const row of numberGaps(deps, asked, span, style)) await tables.gaps.add(row);
    await archive.addStream('facturas.csv', await tables.factura.read());
    await archive.addStream('notas-de-credito.csv', await tables['nota-credito'].read());
    await archive.addStream('resumen-iva.csv', await tables.summary.read());
    await archive.addStream('huecos.csv', await tables.gaps.read());
    await archive.addStream('faltantes.csv', await tables.missing.read());
    const madeAt = new Date(now.getTime() - 5 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ');
    const text = readMe({ month: asked.month, ...counts, forExcel: !asked.plain, madeAt });
    await archive.add('LEEME.txt', Buffer.from(`\uFEFF${text}`));
    await archive.finish();
    return counts;
  } catch (error) {
    await archive.abandon();
    throw error;
  } finally {
    for (const table of Object.values(tables)) await table.drop();
  }
}

async function* documentsOf(
  deps: AccountingDeps,
  { ruc, ...chosen }: MonthAsked,
  span: { from: Day; to: Day },
): AsyncGenerator<Document> {
  for await (const one of issuedDocuments(deps, chosen, { ...span, states: ['authorized'] }))
    if (ruc === undefined || one.ruc === ruc) yield one;
}

async function writeDocuments(
  deps: AccountingDeps,
  archive: Archive,
  tables: Record<Document['kind'] | 'missing', Table>,
  style: CsvStyle,
  documents: AsyncIterable<Document>,
): Promise<MonthCounts & { summary: string[][] }> {
  const summary = openIvaSummary();
  const counts = { factura: 0, 'nota-credito': 0 };
  let missing = 0;
  const lacks = async ({ document }: Files, file: string) => {
    missing += 1;
    await tables.missing.add([documentNumber(document) ?? '', style.digits(document.accessKey ?? ''), file]);
  };
  for await (const files of readAllFiles(deps, documents)) {
    const { document, xml, pdf } = files;
    const name = `${folders[document.kind]}/${document.ruc}_${documentNumber(document)}_${document.accessKey}`;
    if (pdf) await archive.add(`${name}.pdf`, pdf);
    else await lacks(files, 'PDF');
    if (!xml) {
      await lacks(files, 'XML');
      continue;
    }
    await archive.add(`${name}.xml`, xml.bytes);
    counts[document.kind] += 1;
    await tables[document.kind].add(documentRow({ document, xml: xml.facts }, style));
    // Annulled documents are listed and not added up.
    if (document.annulledAt === null) summary.add(document.kind, xml.facts);
  }
  return {
    facturas: counts.factura,
    creditNotes: counts['nota-credito'],
    missing,
    summary: summary.rows(style),
  };
}

interface Files {
  document: Document;
  xml: { bytes: Uint8Array; facts: AuthorizedXml } | null;
  pdf: Uint8Array | null;
}

type FileDeps = Pick<
  AccountingDeps,
  'ledger' | 'clock' | 'log' | 'alerts' | 'accounts' | 'revoked' | 'service'
>;

const readFiles = async (deps: FileDeps, document: Document): Promise<Files> => ({
  document,
  xml: await readXml(deps, document),
  pdf: await readPdf(deps, document),
});

async function readXml(deps: FileDeps, document: Document): Promise<Files['xml']> {
  const kept = await deps.ledger.files.get(document.id, 'xml');
  const facts = kept && readAuthorizedXml(Buffer.from(kept).toString('utf8'));
  if (kept && facts) return { bytes: kept, facts };
  if (document.accessKey === null) return null;
  const found = await askService(deps, document, document.accessKey);
  return found.kind === 'authorized' ? { bytes: Buffer.from(found.xml), facts: found.facts } : null;
}

async function readPdf(deps: FileDeps, document: Document): Promise<Uint8Array | null> {
  const { accessKey } = document;
  if (accessKey === null) return null;
  const keyed = { ...document, accessKey };
  const kept = await keptFile(deps, keyed, 'pdf');
  const key = issuerOf(deps, document);
  if (kept || !key) return kept;
  return fetchFile(deps, deps.service(key.account, null, key.keyHash), keyed, 'pdf', false);
}

const ahead = 6;

async function* readAllFiles(deps: FileDeps, documents: AsyncIterable<Document>): AsyncGenerator<Files> {
  const reading: Promise<Files>[] = [];
  for await (const document of documents) {
    const one = readFiles(deps, document);
    one.catch(() => {});
    reading.push(one);
    if (reading.length > ahead) yield await (reading.shift() as Promise<Files>);
  }
  for (const one of reading) yield await one;
}

function readMe({
  month,
  facturas,
  creditNotes,
  missing,
  forExcel,
  madeAt,
}: MonthCounts & { month: Month; forExcel: boolean; madeAt: string }): string {
  const lines = [
    `Comprobantes electrónicos de ${month}`,
    `Generado el ${madeAt} (hora de Ecuador).`,
    '',
    `Contiene ${facturas} facturas y ${creditNotes} notas de crédito autorizadas por el SRI, por su fecha de emisión.`,
    '',
    'facturas.csv            un renglón por factura: comprador, base y valor por cada tarifa de IVA, ICE, total y forma de pago.',
    'notas-de-credito.csv    lo mismo por nota de crédito, con el documento que modifica y el motivo.',
    'resumen-iva.csv         un renglón por tarifa: facturas y notas de crédito por separado, y el neto; sin los de estado ANULADO.',
    'huecos.csv              cada número de la serie sin comprobante autorizado en el mes, y por qué.',
    'faltantes.csv           cada XML o PDF que no se pudo obtener; vacío si no falta ninguno.',
    'facturas/, notas-de-credito/    el XML autorizado y el PDF de cada uno, por número y clave de acceso.',
    '',
    'Las cifras se leen del XML que autorizó el SRI, al centavo. Un comprobante cuyo XML falta no está en las tablas: está en faltantes.csv.',
    missing === 0
      ? 'No falta ningún archivo.'
      : `ATENCIÓN: faltan ${missing} archivos; vea faltantes.csv y repita la exportación antes de declarar.`,
    '',
    forExcel
      ? 'Las tablas se abren con doble clic en Excel configurado para Ecuador (separador «;», coma decimal). Las claves y las identificaciones van como ="…" para que Excel no las convierta en números. Para otros programas, exporte con --plain.'
      : 'Las tablas están escritas para programas: separador «,», punto decimal, UTF-8 (RFC 4180).',
    'Un texto que empieza con =, +, - o @ lleva un apóstrofo delante, para que ninguna hoja de cálculo lo ejecute como fórmula.',
    '',
    'Este archivo contiene datos personales de compradores: guárdelo y envíelo cifrado, y bórrelo cuando no lo necesite (LOPDP).',
  ];
  return `${lines.join('\r\n')}\r\n`;
}

async function* numberGaps(
  { ledger }: Pick<AccountingDeps, 'ledger'>,
  { stores, scope, ruc }: MonthAsked,
  span: { from: Day; to: Day },
  style: CsvStyle,
): AsyncGenerator<string[]> {
  for (const one of await ledger.days.unsettled(span))
    if (isAbout(one, stores, scope) && (ruc === undefined || one.ruc === ruc)) yield unsettledRow(one, style);
  for (const series of seriesOfStores(stores)) {
    if (ruc !== undefined && series.ruc !== ruc) continue;
    for (const gap of await ledger.days.gaps(series, { first: series.first, ...span }))
      yield gapRow(series, gap, style);
  }
}

type Month = string;

/** Throws CommandError `input-invalid` for no month, or a future one. */
export function spanOf(month: Month, clock: Clock): { from: Day; to: Day } {
  const [, year, number] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month) ?? [];
  const from = `${month}-01`;
  if (year === undefined || number === undefined || from > ecuadorDay(clock.now()))
    throw new CommandError('input-invalid', { why: 'month', month });
  const last = new Date(Date.UTC(Number(year), Number(number), 0)).getUTCDate();
  return { from, to: `${month}-${String(last).padStart(2, '0')}` };
}

const folders: Record<Document['kind'], string> = {
  factura: 'facturas',
  'nota-credito': 'notas-de-credito',
};
