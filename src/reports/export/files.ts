import type { Document } from '../../domain/document.ts';
import { fetchFile, keptFile } from '../../jobs/document-file.ts';
import { issuerOf } from '../../jobs/issued.ts';
import { type AuthorizedXml, readAuthorizedXml } from '../../service/authorized-xml.ts';
import { askService } from '../ask-service.ts';
import type { AccountingDeps } from '../deps.ts';

/** What there is of one authorised document; null what neither the ledger nor the service has now. */
export interface Files {
  document: Document;
  xml: { bytes: Uint8Array; facts: AuthorizedXml } | null;
  pdf: Uint8Array | null;
}

type FileDeps = Pick<
  AccountingDeps,
  'ledger' | 'clock' | 'log' | 'alerts' | 'accounts' | 'revoked' | 'service'
>;

/** From the ledger, where files are kept, else from the service within the rate of its key. */
export async function readFiles(deps: FileDeps, document: Document): Promise<Files> {
  return { document, xml: await readXml(deps, document), pdf: await readPdf(deps, document) };
}

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

/** So many documents are read ahead of the one that is written. */
const ahead = 6;

/** The files of each document in their order; a window of them is read at once, and never more is held. */
export async function* readAllFiles(
  deps: FileDeps,
  documents: AsyncIterable<Document>,
): AsyncGenerator<Files> {
  const reading: Promise<Files>[] = [];
  for await (const document of documents) {
    const one = readFiles(deps, document);
    // Told when its turn comes; until then it must not count as unheard.
    one.catch(() => {});
    reading.push(one);
    if (reading.length > ahead) yield await (reading.shift() as Promise<Files>);
  }
  for (const one of reading) yield await one;
}
