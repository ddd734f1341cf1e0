import type { Document } from '../domain/document.ts';
import type { ServiceCalls } from '../service/client.ts';
import { keysInPdf } from '../service/pdf-keys.ts';
import type { StepDeps } from './deps.ts';
import { tellMixedUp } from './mixed-up.ts';

export type FileKind = 'pdf' | 'xml';
type Deps = Pick<StepDeps, 'ledger' | 'clock' | 'log' | 'alerts'>;
/** An authorised document. */
type Keyed = Document & { accessKey: string };

/** The file of a document that is kept; one that proves another's is dropped, and will be fetched anew. */
export async function keptFile(deps: Deps, document: Keyed, kind: FileKind): Promise<Uint8Array | null> {
  const bytes = await deps.ledger.files.get(document.id, kind);
  if (!bytes) return null;
  if (ofFile(kind, bytes, document.accessKey) !== 'another') return bytes;
  await deps.ledger.files.drop(document.id, kind);
  deps.log.warn(
    { store: document.storeId, document: document.id, kind },
    'A kept file was of another document and is dropped',
  );
  return null;
}

/**
 * A file of an authorised document from the service, kept where files are; null when it cannot be had now. It is bound
 * to its document first: the key must stand in it. A PDF in which no key can be read is believed unless it is the very
 * file of another document.
 */
export async function fetchFile(
  deps: Deps,
  calls: Pick<ServiceCalls, 'descargarPdf' | 'descargarXml'>,
  document: Keyed,
  kind: FileKind,
  keep: boolean,
): Promise<Uint8Array | null> {
  const { id, accessKey, storeId, account } = document;
  const bytes = await readWhole(calls, kind, accessKey);
  if (bytes === null) return null;
  const of = ofFile(kind, bytes, accessKey);
  if (of === 'another' || (of === 'unread' && (await deps.ledger.files.isOfAnother(id, bytes)))) {
    await tellMixedUp(deps, account, { store: storeId, document: id, kind });
    return null;
  }
  if (keep) await deps.ledger.files.keep({ documentId: id, kind, bytes, now: deps.clock.now() });
  return bytes;
}

/** Whose file it is, as far as it says. */
function ofFile(kind: FileKind, bytes: Uint8Array, accessKey: string): 'ours' | 'another' | 'unread' {
  if (kind === 'xml') return Buffer.from(bytes).includes(accessKey) ? 'ours' : 'another';
  const keys = keysInPdf(bytes);
  if (keys.length === 0) return 'unread';
  return keys.includes(accessKey) ? 'ours' : 'another';
}

/** Far more than a RIDE of a thousand lines. */
const mostBytes = 16 * 1024 * 1024;

/** A file of an authorised document as a whole; null when it cannot be had now, or breaks off. */
async function readWhole(
  calls: Pick<ServiceCalls, 'descargarPdf' | 'descargarXml'>,
  kind: FileKind,
  accessKey: string,
): Promise<Uint8Array | null> {
  const answer = await (kind === 'pdf'
    ? calls.descargarPdf(accessKey)
    : calls.descargarXml(accessKey, 'stream'));
  if (answer.kind !== 'found') return null;
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of answer.stream as AsyncIterable<Uint8Array>) {
      size += part.length;
      if (size > mostBytes) return null;
      parts.push(part);
    }
  } catch {
    return null;
  }
  if (answer.length !== null && answer.length !== size) return null;
  return Buffer.concat(parts);
}
