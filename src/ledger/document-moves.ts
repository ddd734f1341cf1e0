import type { DocumentState } from '../core/document.ts';
import type { Access } from './access.ts';
import { keepQuery } from './kept-query.ts';
import type { DocumentRecord } from './schema.ts';

const one = keepQuery<{ id: string }, DocumentRecord>((db, value) =>
  db.selectFrom('documents').selectAll().where('id', '=', value('id')),
);

const oneLocked = keepQuery<{ id: string }, DocumentRecord>((db, value, dialect) =>
  db.selectFrom('documents').selectAll().where('id', '=', value('id')).modifyEnd(dialect.lockRows),
);

/** Every column a move may change, and the version that was read. */
const update = keepQuery<DocumentRecord & { read: number }>((db, value) =>
  db
    .updateTable('documents')
    .set({
      account: value('account'),
      key_hash: value('key_hash'),
      secuencial: value('secuencial'),
      access_key: value('access_key'),
      issue_date: value('issue_date'),
      authorized_at: value('authorized_at'),
      charged: value('charged'),
      total: value('total'),
      code: value('code'),
      reason: value('reason'),
      state: value('state'),
      version: value('version'),
      trace: value('trace'),
      updated_at: value('updated_at'),
    })
    .where('id', '=', value('id'))
    .where('version', '=', value('read')),
);

export async function findDocument(access: Access, id: string): Promise<DocumentRecord | undefined> {
  return (await one(access, { id })).rows[0];
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
  const [row] = (await oneLocked(access, { id })).rows;
  return row && states.includes(row.state) ? row : undefined;
}

/** Writes the next version of a document that is held still. */
export async function writeMoved(
  access: Access,
  held: DocumentRecord,
  changes: Partial<DocumentRecord>,
): Promise<DocumentRecord> {
  const moved = { ...held, ...changes, version: held.version + 1 };
  const { touched } = await update(access, { ...moved, read: held.version });
  if (touched === 0) throw new Error(`Document ${held.id} was not held still: another move came between.`);
  return moved;
}
