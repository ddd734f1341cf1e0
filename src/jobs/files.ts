import type { Clock } from '../domain/clock.ts';
import type { Document } from '../domain/document.ts';
import { done, type JobOutcome } from '../domain/job.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { FileKind } from '../ledger/schema.ts';
import type { ServiceCalls } from '../service/client.ts';
import { keysInPdf } from '../service/event.ts';
import { reportMixedUp } from './alerts.ts';
import { again, type Handler, type JobDeps, serviceOf, unknownStoreOf } from './deps.ts';
import { enqueueDocument } from './enqueue.ts';

type Deps = Pick<JobDeps, 'ledger' | 'clock' | 'log' | 'alerts'>;
type Keyed = Document & { accessKey: string };

/** A file of another document is dropped, and fetched again. */
export async function keptFile(deps: Deps, document: Keyed, kind: FileKind): Promise<Uint8Array | null> {
  const bytes = await deps.ledger.files.get(document.id, kind);
  if (!bytes) return null;
  if (ofFile(kind, bytes, document.accessKey) !== 'another') return bytes;
  await deps.ledger.files.drop(document.id, kind);
  deps.log.warn(
    { store: document.storeId, document: document.id, kind },
    'A stored file was of another document and is dropped',
  );
  return null;
}

/** Null when it cannot be had now. A PDF without a readable key counts unless another document has the very same file. */
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
    await reportMixedUp(deps, account, { store: storeId, document: id, kind });
    return null;
  }
  if (keep) await deps.ledger.files.keep({ documentId: id, kind, bytes, now: deps.clock.now() });
  return bytes;
}

function ofFile(kind: FileKind, bytes: Uint8Array, accessKey: string): 'ours' | 'another' | 'unread' {
  if (kind === 'xml') return Buffer.from(bytes).includes(accessKey) ? 'ours' : 'another';
  const keys = keysInPdf(bytes);
  if (keys.length === 0) return 'unread';
  return keys.includes(accessKey) ? 'ours' : 'another';
}

/** Far more than a RIDE of a thousand lines. */
const mostBytes = 16 * 1024 * 1024;

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

export function keepFiles(deps: JobDeps): Handler {
  return async (job) => {
    const document = await deps.ledger.documents.get(job.subject);
    const { accessKey = null } = document ?? {};
    if (document?.state !== 'authorized' || accessKey === null || deps.keepBytes === 0) return done;
    const kept = await deps.ledger.files.kinds(document.id);
    const store = deps.storeOf(document.platform, document.shop);
    if (!store) return unknownStoreOf(deps, document);
    const calls = serviceOf(deps, document, store).calls(job);
    for (const kind of ['pdf', 'xml'] as const)
      if (!kept.includes(kind) && !(await fetchFile(deps, calls, { ...document, accessKey }, kind, true)))
        return later(deps.clock, document.updatedAt);
    return done;
  };
}

const hour = 60 * 60_000;

/** As long again as the document is old, from five minutes to a day; after a week the endpoint fetches on demand. */
function later(clock: Clock, since: string): JobOutcome {
  const age = clock.now().getTime() - Date.parse(since);
  if (age > 7 * 24 * hour) return done;
  return again(clock, Math.min(Math.max(age, hour / 12), 24 * hour), 'the files cannot be read yet');
}

/** Revokes every link to the document; its order gets new ones. Returns the version of the new ones. */
export function revokeLinks(
  { ledger, clock }: { ledger: Ledger; clock: Clock },
  document: Document,
): Promise<number> {
  const now = clock.now();
  return ledger.transaction(async (tables) => {
    const version = await tables.documents.revokeLinks(document.id);
    if (document.state === 'authorized') await enqueueDocument(tables, 'write-back', document, now);
    return version;
  });
}
