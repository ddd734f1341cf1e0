import { type Document, type DocumentState, mayMove } from '../domain/document.ts';
import { LedgerError } from '../domain/errors.ts';
import type { Access } from './access.ts';
import { readDocument, toPatchRow } from './document-rows.ts';
import type { Move } from './document-tables.ts';
import { addHistory } from './history.ts';
import type { DocumentRecord } from './schema.ts';
import { seriesTable } from './sequences.ts';

/** What a move may change besides the version. */
type MoveChanges = Partial<Omit<DocumentRecord, 'id' | 'version'>>;

export async function findDocument(access: Access, id: string): Promise<DocumentRecord | undefined> {
  return access.db().selectFrom('documents').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * The document, if it stands in one of `states`, locked until COMMIT, so that what is decided on it (a number above
 * all) is never taken back.
 */
export async function holdStill(
  access: Access,
  id: string,
  states: readonly DocumentState[],
): Promise<DocumentRecord | undefined> {
  const row = await access
    .db()
    .selectFrom('documents')
    .selectAll()
    .where('id', '=', id)
    .modifyEnd(access.dialect.lockRows)
    .executeTakeFirst();
  return row && states.includes(row.state) ? row : undefined;
}

/** Writes the next version of a document over the one that was read; false when another move came between. */
async function writeMoved(
  access: Access,
  read: { id: string; version: number },
  changes: MoveChanges,
): Promise<boolean> {
  const written = await access
    .db()
    .updateTable('documents')
    .set({ ...changes, version: read.version + 1 })
    .where('id', '=', read.id)
    .where('version', '=', read.version)
    .executeTakeFirst();
  return written.numUpdatedRows > 0n;
}

/** See `Documents.move`. */
export async function moveDocument(access: Access, id: string, move: Move): Promise<Document | undefined> {
  refuseIllegal(id, move);
  return access.atomic(
    async (inside) => (await moveKnown(inside, move)) ?? (await moveRead(inside, id, move)),
  );
}

/** The move of a document as the caller knows it; undefined when it has to be read first. */
async function moveKnown(access: Access, move: Move): Promise<Document | undefined> {
  const { known, from, to, patch = {} } = move;
  if (!known || !from.includes(known.state) || (to === 'ready' && known.secuencial === null))
    return undefined;
  const trace = access.trace() ?? known.trace;
  const changes = changesOf({ ...move, trace, read: known.trace });
  if (!(await writeMoved(access, known, changes))) return undefined;
  await addHistory(access, { documentId: known.id, at: move.now, from: known.state, to, note: move.note });
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  const moved = { state: to, trace, version: known.version + 1, updatedAt: move.now.toISOString() };
  return { ...known, ...(Object.fromEntries(given) as Partial<Document>), ...moved };
}

async function moveRead(access: Access, id: string, move: Move): Promise<Document | undefined> {
  const row = await holdStill(access, id, move.from);
  if (!row) return undefined;
  const changes = changesOf({ ...move, trace: access.trace() ?? row.trace, read: row.trace });
  if (move.to === 'ready' && row.secuencial === null)
    changes.secuencial = await reserve(access, { ...row, ...changes });
  if (!(await writeMoved(access, row, changes)))
    throw new Error(`Document ${id} was not held still: another move came between.`);
  await addHistory(access, { documentId: id, at: move.now, from: row.state, to: move.to, note: move.note });
  return readDocument({ ...row, ...changes, version: row.version + 1 });
}

/** The columns of a move; those of indexes only where they change. */
function changesOf({
  patch = {},
  to,
  now,
  trace,
  read,
}: Move & { trace: string | null; read: string | null }): MoveChanges {
  const row: MoveChanges = toPatchRow(patch);
  row.state = to;
  row.updated_at = now.toISOString();
  if (trace !== read) row.trace = trace;
  return row;
}

function refuseIllegal(id: string, { from, to }: Move): void {
  const illegal = from.filter((state) => !mayMove(state, to));
  if (illegal.length === 0 && from.length > 0) return;
  throw new LedgerError(
    'illegal-move',
    'Error interno: cambio de estado no permitido en un documento. Avise al soporte técnico.',
    `Document ${id} may not move from ${illegal.join(', ') || 'no state'} to ${to}; domain/document.ts names the legal moves.`,
  );
}

/** The next number of the document's series. */
export function reserve(access: Access, row: DocumentRecord): Promise<string> {
  const { ruc, ambiente, cod_doc, establecimiento, punto_emision } = row;
  return seriesTable(access).reserve(
    { ruc, ambiente, codDoc: cod_doc, establecimiento, puntoEmision: punto_emision },
    row.first_secuencial,
  );
}
