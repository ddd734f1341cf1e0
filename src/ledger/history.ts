import type { DocumentState } from '../domain/document.ts';
import type { MoveNote } from '../domain/move-note.ts';
import type { Access } from './access.ts';
import type { HistoryEntry } from './document-tables.ts';

/** One row for every move of a document; only ever added to. */
export async function addHistory(
  access: Access,
  entry: {
    documentId: string;
    at: Date;
    from: DocumentState | null;
    to: DocumentState;
    note?: MoveNote | undefined;
  },
): Promise<void> {
  await access
    .db()
    .insertInto('history')
    .values({
      document_id: entry.documentId,
      at: entry.at.toISOString(),
      from_state: entry.from,
      to_state: entry.to,
      note: entry.note ? JSON.stringify(entry.note) : null,
    })
    .execute();
}

/** Oldest first. */
export async function readHistory(access: Access, documentId: string): Promise<HistoryEntry[]> {
  const rows = await access
    .db()
    .selectFrom('history')
    .selectAll()
    .where('document_id', '=', documentId)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    at: row.at,
    from: row.from_state,
    to: row.to_state,
    note: row.note === null ? null : JSON.parse(row.note),
  }));
}
