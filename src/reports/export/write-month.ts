import type { Day } from '../../domain/calendar.ts';
import { type Document, documentNumber } from '../../domain/document.ts';
import type { Store } from '../../domain/settings.ts';
import type { AccountingDeps } from '../deps.ts';
import { isAbout } from '../shop-names.ts';
import type { Archive } from './archive.ts';
import { type CsvStyle, excel, plain } from './cells.ts';
import { documentColumns, documentRow } from './document-row.ts';
import { type Files, readAllFiles } from './files.ts';
import { openIvaSummary, summaryColumns } from './iva-summary.ts';
import { folders, type Month, spanOf } from './month.ts';
import { gapColumns, numberGaps } from './number-gaps.ts';
import { readMe } from './read-me.ts';
import { openTable, type Table } from './table.ts';

export interface MonthAsked {
  month: Month;
  stores: readonly Store[];
  /** The store it is about, or "*" for all of them. */
  scope: string;
  /** Only documents of this issuer. */
  ruc?: string | undefined;
  /** For programs instead of Excel. */
  plain?: boolean | undefined;
}

/** What stands in the archive of a month. */
export interface MonthCounts {
  facturas: number;
  creditNotes: number;
  /** Names of files nobody could hand out; each is in faltantes.csv. */
  missing: number;
}

const pageSize = 200;

/**
 * Writes every authorised document of a month into an archive for the accountant: XML, PDF, and tables, which grow in
 * files that begin with `scratch` and are gone afterwards. However many there are, a few are held in memory.
 */
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
    const { summary, ...counts } = await writeDocuments(
      deps,
      archive,
      tables,
      style,
      documentsOf(deps, asked, span),
    );
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
    // One annulled at the portal is listed, and adds nothing.
    if (document.annulledAt === null) summary.add(document.kind, xml.facts);
  }
  return {
    facturas: counts.factura,
    creditNotes: counts['nota-credito'],
    missing,
    summary: summary.rows(style),
  };
}
