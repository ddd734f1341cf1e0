import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import { type Clock, type Day, ecuadorDay } from '../../domain/clock.ts';
import { type Document, documentCodes, documentNumber, numberIn } from '../../domain/document.ts';
import { CommandError } from '../../domain/errors.ts';
import type { Store } from '../../domain/settings.ts';
import { issuerOf } from '../../jobs/deps.ts';
import { fetchFile, keptFile } from '../../jobs/files.ts';
import { type AuthorizedXml, readAuthorizedXml } from '../../service/authorized-xml.ts';
import { type AccountingDeps, askService } from '../ask-service.ts';
import { isAbout, seriesOfStores } from '../chosen-stores.ts';
import { newPrivate } from '../write-private.ts';
import type { Archive } from './archive.ts';
import { type CsvStyle, documentColumns, documentRow, excel, plain } from './document-row.ts';
import { openIvaSummary, summaryColumns } from './iva-summary.ts';

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

const pageSize = 200;

/** Tables grow in temporary files whose names begin with `scratch`, so memory does not grow with the documents. */
export async function writeMonth(
  deps: AccountingDeps,
  archive: Archive,
  scratch: string,
  asked: MonthAsked,
): Promise<MonthCounts> {
  const { stores, scope } = asked;
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
    for (const row of await numberGaps(deps, { ...span, stores, scope, ruc: asked.ruc }, style))
      await tables.gaps.add(row);
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
  { ledger }: AccountingDeps,
  { stores, scope, ruc }: MonthAsked,
  span: { from: Day; to: Day },
): AsyncGenerator<Document> {
  for (let after: Document | null = null; ; ) {
    const page: Document[] = await ledger.days.issued({
      ...span,
      states: ['authorized'],
      after,
      limit: pageSize,
    });
    for (const one of page)
      if (isAbout(one, stores, scope) && (ruc === undefined || one.ruc === ruc)) yield one;
    after = page.at(-1) ?? null;
    if (page.length < pageSize) return;
  }
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

const gapColumns: readonly string[] = ['RUC emisor', 'Tipo', 'Número', 'Hasta', 'Qué pasó', 'Pedido'];

const kinds: Record<string, string> = {
  [documentCodes.factura]: 'factura',
  [documentCodes['nota-credito']]: 'nota de crédito',
};

async function numberGaps(
  { ledger }: Pick<AccountingDeps, 'ledger'>,
  { from, to, stores, scope, ruc }: { from: Day; to: Day } & Pick<MonthAsked, 'stores' | 'scope' | 'ruc'>,
  style: CsvStyle,
): Promise<string[][]> {
  const unsettled = (await ledger.days.unsettled({ from, to }))
    .filter((one) => isAbout(one, stores, scope) && (ruc === undefined || one.ruc === ruc))
    .map((one) => [
      style.digits(one.ruc),
      kinds[one.codDoc] ?? one.codDoc,
      documentNumber(one) ?? '',
      '',
      style.text(whatOf(one)),
      style.text(one.orderName),
    ]);
  const unknown: string[][] = [];
  for (const series of seriesOfStores(stores)) {
    if (ruc !== undefined && series.ruc !== ruc) continue;
    for (const gap of await ledger.days.gaps(series, { first: series.first, from, to })) {
      unknown.push([
        style.digits(series.ruc),
        kinds[series.codDoc] ?? series.codDoc,
        numberIn(series, gap.from),
        gap.to === gap.from ? '' : numberIn(series, gap.to),
        'Este sistema no asignó el número, o su documento ya no está en el registro: compruebe en el portal del SRI si otro sistema lo usó.',
        '',
      ]);
    }
  }
  return [...unsettled, ...unknown];
}

const whats: Partial<Record<Document['state'], string>> = {
  cancelled: 'Se reservó y no se envió: el documento dejó de hacer falta.',
  rejected: 'Lo rechazó el servicio o el SRI; el mismo número se usa cuando se corrija.',
  manual: 'Por decidir: se envió y no se sabe si existe, o no hay cómo emitirlo.',
};

const whatOf = ({ state }: Document): string =>
  whats[state] ?? 'En trámite: todavía no se conoce la respuesta.';

interface Table {
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
