import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Access } from './access.ts';
import type { Seal } from './seal.ts';

export type FileKind = 'pdf' | 'xml';

/** The files of authorised documents, sealed: links work while the service is away. */
export interface Files {
  get(documentId: string, kind: FileKind): Promise<Uint8Array | undefined>;
  /** Which of them are kept, without reading them. */
  kinds(documentId: string): Promise<FileKind[]>;
  /** Whether another document has a file of these very bytes. */
  isOfAnother(documentId: string, bytes: Uint8Array): Promise<boolean>;
  /** Takes a file away that proved to be another document's. */
  drop(documentId: string, kind: FileKind): Promise<void>;
  /** An authorised document never changes: the first copy stays. */
  keep(file: { documentId: string; kind: FileKind; bytes: Uint8Array; now: Date }): Promise<void>;
  /** Deletes the oldest until the rest takes at most so many bytes; the answer is how many went. */
  prune(maxBytes: number): Promise<number>;
}

const place = (documentId: string, kind: FileKind) => `files.sealed ${documentId} ${kind}`;

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64url');

export function fileTable(access: Access, seal: Seal): Files {
  return {
    async get(documentId, kind) {
      const row = await access
        .db()
        .selectFrom('files')
        .select('sealed')
        .where('document_id', '=', documentId)
        .where('kind', '=', kind)
        .executeTakeFirst();
      return row && seal.openBytes(row.sealed, place(documentId, kind));
    },

    async kinds(documentId) {
      const rows = await access
        .db()
        .selectFrom('files')
        .select('kind')
        .where('document_id', '=', documentId)
        .execute();
      return rows.map(({ kind }) => kind as FileKind);
    },

    async isOfAnother(documentId, bytes) {
      const row = await access
        .db()
        .selectFrom('files')
        .select('document_id')
        .where('digest', '=', digestOf(bytes))
        .where('document_id', '<>', documentId)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    async drop(documentId, kind) {
      await access
        .db()
        .deleteFrom('files')
        .where('document_id', '=', documentId)
        .where('kind', '=', kind)
        .execute();
    },

    async keep({ documentId, kind, bytes, now }) {
      const sealed = seal.closeBytes(bytes, place(documentId, kind));
      await access
        .db()
        .insertInto('files')
        .values({
          ...{ document_id: documentId, kind, size: sealed.length, kept_at: now.toISOString(), sealed },
          digest: digestOf(bytes),
        })
        .onConflict((known) => known.columns(['document_id', 'kind']).doNothing())
        .execute();
    },

    async prune(maxBytes) {
      const deleted = await sql`
        delete from files where (document_id, kind) in (
          select document_id, kind from (
            select document_id, kind, sum(size) over (order by kept_at desc, document_id desc, kind desc) as newer
            from files
          ) as ranked where newer > ${maxBytes}
        )`.execute(access.db());
      return Number(deleted.numAffectedRows ?? 0n);
    },
  };
}
