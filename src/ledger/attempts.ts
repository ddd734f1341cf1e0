import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Attempt } from '../domain/document.ts';
import { picked } from '../domain/text.ts';
import { type Access, newId, wrote } from './access.ts';
import type { Cipher } from './cipher.ts';
import type { FileKind, OrderKey, UnknownDocument } from './schema.ts';

export const attemptPlace = (id: string): string => `attempts.encryptedBody ${id}`;

const content = ['documentId', 'issueDate', 'secuencial', 'total', 'buyerId', 'overpaid'] as const;
const lists = ['nettedRefunds', 'lineReferences', 'leftOut'] as const;

export interface NewAttempt
  extends Pick<Attempt, (typeof content)[number] | (typeof lists)[number] | 'body'> {
  /** null (the default): the key cannot be foreseen. */
  foreseenKey?: string | null;
  now: Date;
}

export type Attempts = ReturnType<typeof attemptTable>;

export function attemptTable({ db }: Access, cipher: Cipher) {
  return {
    async add(attempt: NewAttempt): Promise<Attempt> {
      const id = newId();
      const { documentId, body, foreseenKey = null, now } = attempt;
      const { nettedRefunds, lineReferences, leftOut } = attempt;
      const row = await db()
        .insertInto('attempts')
        .values({
          ...picked(attempt, content),
          id,
          n: sql<number>`(select coalesce(max(n), 0) + 1 from attempts where document_id = ${documentId})`,
          encryptedBody: cipher.close(body, attemptPlace(id)),
          nettedRefunds: JSON.stringify(nettedRefunds),
          lineReferences: JSON.stringify(lineReferences),
          leftOut: JSON.stringify(leftOut),
          foreseenKey,
          outcome: 'open',
          errors: '[]',
          createdAt: now.toISOString(),
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      const { encryptedBody, endedAt, ...added } = row;
      return { ...added, body };
    },

    async ofDocument(documentId: string): Promise<Attempt[]> {
      const rows = await db()
        .selectFrom('attempts')
        .selectAll()
        .where('documentId', '=', documentId)
        .orderBy('n')
        .execute();
      return rows.map(({ encryptedBody, endedAt, ...row }) => ({
        ...row,
        body: cipher.open(encryptedBody, attemptPlace(row.id)),
      }));
    },

    /** Sets the outcome, except of an authorised attempt. */
    async end(
      id: string,
      end: Pick<Attempt, 'outcome'> &
        Partial<Pick<Attempt, 'accessKey' | 'serviceId' | 'errors'>> & { now: Date },
    ): Promise<void> {
      const { outcome, accessKey, serviceId, errors, now } = end;
      await db()
        .updateTable('attempts')
        .set({ outcome, accessKey, errors: errors && JSON.stringify(errors), endedAt: now.toISOString() })
        .$if(serviceId != null, (query) => query.set({ serviceId }))
        .where('id', '=', id)
        .where('outcome', '<>', 'authorized')
        .execute();
    },

    async reprocessed(id: string): Promise<void> {
      await db()
        .updateTable('attempts')
        .set({ outcome: 'reprocessed', reprocessed: sql`reprocessed + 1`, endedAt: null })
        .where('id', '=', id)
        .execute();
    },
  };
}

const place = (documentId: string, kind: FileKind) => `files.encrypted ${documentId} ${kind}`;

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64url');

export function fileTable({ db }: Access, cipher: Cipher) {
  return {
    async get(documentId: string, kind: FileKind): Promise<Uint8Array | undefined> {
      const row = await db()
        .selectFrom('files')
        .select('encrypted')
        .where((is) => is.and({ documentId, kind }))
        .executeTakeFirst();
      return row && cipher.openBytes(row.encrypted, place(documentId, kind));
    },

    async kinds(documentId: string): Promise<FileKind[]> {
      const rows = await db()
        .selectFrom('files')
        .select('kind')
        .where('documentId', '=', documentId)
        .execute();
      return rows.map(({ kind }) => kind);
    },

    async isOfAnother(documentId: string, bytes: Uint8Array): Promise<boolean> {
      const row = await db()
        .selectFrom('files')
        .select('documentId')
        .where('digest', '=', digestOf(bytes))
        .where('documentId', '<>', documentId)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    async drop(documentId: string, kind: FileKind): Promise<void> {
      await db()
        .deleteFrom('files')
        .where((is) => is.and({ documentId, kind }))
        .execute();
    },

    /** Stores a file unless there is one: an authorised document never changes. */
    async keep(file: { documentId: string; kind: FileKind; bytes: Uint8Array; now: Date }): Promise<void> {
      const { documentId, kind, bytes, now } = file;
      const encrypted = cipher.closeBytes(bytes, place(documentId, kind));
      const row = { documentId, kind, size: encrypted.length, keptAt: now.toISOString(), encrypted };
      await db()
        .insertInto('files')
        .values({ ...row, digest: digestOf(bytes) })
        .onConflict((known) => known.columns(['documentId', 'kind']).doNothing())
        .execute();
    },

    async prune(maxBytes: number): Promise<number> {
      const deleted = await sql`
        delete from files where (document_id, kind) in (
          select document_id, kind from (
            select document_id, kind, sum(size) over (order by kept_at desc, document_id desc, kind desc) as newer
            from files
          ) as ranked where newer > ${maxBytes}
        )`.execute(db());
      return Number(deleted.numAffectedRows ?? 0n);
    },
  };
}

export function unknownDocumentTable({ db }: Access) {
  const all = () => db().selectFrom('unknownDocuments').selectAll();
  const open = () => all().where('boundAt', 'is', null);
  const listed = async (query: ReturnType<typeof all>): Promise<UnknownDocument[]> =>
    (await query.orderBy('accessKey').execute()).map(({ seenAt, boundAt, ...document }) => document);
  return {
    note: (document: UnknownDocument, now: Date) =>
      wrote(
        db()
          .insertInto('unknownDocuments')
          .values({ ...document, seenAt: now.toISOString() })
          .onConflict((known) => known.column('accessKey').doNothing()),
      ),

    ofOrder: ({ platform, shop, orderId }: OrderKey, refundIds: readonly string[]) =>
      listed(
        open()
          .where((is) => is.and({ platform, shop }))
          .where((is) =>
            is.or([
              is('orderId', '=', orderId),
              is.and([is('kind', '=', 'nota-credito'), is('sourceId', 'in', refundIds)]),
            ]),
          )
          .orderBy('kind'),
      ),

    since: (instant: Date) => listed(all().where('seenAt', '>=', instant.toISOString())),

    open: () => listed(open()),

    async bound(accessKey: string, now: Date): Promise<void> {
      await db()
        .updateTable('unknownDocuments')
        .set({ boundAt: now.toISOString() })
        .where('accessKey', '=', accessKey)
        .execute();
    },
  };
}
