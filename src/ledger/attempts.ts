import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Ambiente, Attempt } from '../domain/document.ts';
import { type CamelCased, camelCased, picked, snakeCased } from '../domain/text.ts';
import { type Access, newId } from './access.ts';
import type { Cipher } from './cipher.ts';
import type { Attempts } from './document-tables.ts';
import type { AttemptRecord, UnknownDocumentRecord } from './schema.ts';
import type { OrderKey } from './shop-tables.ts';

/** The place an attempt's body is encrypted for (cipher.ts). */
export const attemptPlace = (id: string): string => `attempts.encrypted_body ${id}`;

/** What an attempt leaves with, beside its body. */
const content = [
  'documentId',
  'issueDate',
  'secuencial',
  'total',
  'buyerId',
  'nettedRefunds',
  'overpaid',
  'lineReferences',
  'leftOut',
] as const;

export function attemptTable({ db }: Access, cipher: Cipher): Attempts {
  function readAttempt({ encrypted_body, ended_at, ...row }: AttemptRecord): Attempt {
    return {
      ...camelCased(row),
      body: cipher.open(encrypted_body, attemptPlace(row.id)),
      nettedRefunds: JSON.parse(row.netted_refunds),
      lineReferences: row.line_references === null ? [] : JSON.parse(row.line_references),
      leftOut: JSON.parse(row.left_out),
      serviceId: row.service_id === null ? null : Number(row.service_id),
      errors: JSON.parse(row.errors),
    };
  }

  return {
    async add({ now, foreseenKey = null, body, ...more }) {
      const id = newId();
      const attempt = picked(more, content);
      const { n } = await db()
        .insertInto('attempts')
        .values({
          ...snakeCased(attempt),
          id,
          n: sql<number>`(select coalesce(max(n), 0) + 1 from attempts where document_id = ${attempt.documentId})`,
          encrypted_body: cipher.close(body, attemptPlace(id)),
          netted_refunds: JSON.stringify(attempt.nettedRefunds),
          line_references: JSON.stringify(attempt.lineReferences),
          left_out: JSON.stringify(attempt.leftOut),
          foreseen_key: foreseenKey,
          outcome: 'open',
          reprocessed: 0,
          errors: '[]',
          created_at: now.toISOString(),
        })
        .returning('n')
        .executeTakeFirstOrThrow();
      const open = { accessKey: null, serviceId: null, outcome: 'open', reprocessed: 0 } as const;
      return { ...attempt, ...open, errors: [], body, id, n, foreseenKey, createdAt: now.toISOString() };
    },

    async ofDocument(documentId) {
      const rows = await db()
        .selectFrom('attempts')
        .selectAll()
        .where('document_id', '=', documentId)
        .orderBy('n')
        .execute();
      return rows.map(readAttempt);
    },

    async end(id, { outcome, accessKey, serviceId, errors, now }) {
      await db()
        .updateTable('attempts')
        .set({
          outcome,
          ended_at: now.toISOString(),
          ...(accessKey !== undefined && { access_key: accessKey }),
          ...(serviceId != null && { service_id: String(serviceId) }),
          ...(errors && { errors: JSON.stringify(errors) }),
        })
        .where('id', '=', id)
        .where('outcome', '<>', 'authorized')
        .execute();
    },

    async reprocessed(id) {
      await db()
        .updateTable('attempts')
        .set({ outcome: 'reprocessed', reprocessed: sql`reprocessed + 1`, ended_at: null })
        .where('id', '=', id)
        .execute();
    },
  };
}

/** The documents whose access keys may have the same free digits: of one account, issuer, environment and type. */
export interface KeyIssuer {
  account: string;
  ruc: string;
  ambiente: Ambiente;
  codDoc: string;
}

/** The free digits of access keys (src/service/event.ts), where an issuer always uses the same. */
export interface KeyDigits {
  /** The digits of the next key, if the last two documents had the same; else null. */
  constant(issuer: KeyIssuer): Promise<string | null>;
  /** The digits of the newest document, to ask with; null while there is none. */
  latest(issuer: KeyIssuer): Promise<string | null>;
  /** Records the digits of a document sent at `sentAt`; ignored for one sent before the digits last varied. */
  learn(issuer: KeyIssuer, digits: string, sentAt: string): Promise<void>;
  /** A key had other digits: they count as unknown until two documents sent from now on have the same. */
  varied(issuer: KeyIssuer, now: Date): Promise<void>;
}

/** Documents with the same digits in a row: two have the same eight by chance once in a hundred million. */
const enough = 2;

const issuerColumns = ({ account, ruc, ambiente, codDoc }: KeyIssuer) =>
  snakeCased({ account, ruc, ambiente, codDoc });
const key = ['account', 'ruc', 'ambiente', 'cod_doc'] as const;

export function keyDigitsTable({ db }: Access): KeyDigits {
  const find = (issuer: KeyIssuer) =>
    db()
      .selectFrom('key_digits')
      .select(['digits', 'seen'])
      .where((is) => is.and(issuerColumns(issuer)))
      .executeTakeFirst();
  return {
    async constant(issuer) {
      const known = await find(issuer);
      return known && known.seen >= enough ? known.digits : null;
    },

    latest: async (issuer) => (await find(issuer))?.digits || null,

    async learn(issuer, digits, sentAt) {
      await db()
        .insertInto('key_digits')
        .values({ ...issuerColumns(issuer), digits, seen: 1, varied_at: null })
        .onConflict((known) =>
          known
            .columns(key)
            .doUpdateSet({
              digits,
              seen: sql`case when key_digits.digits = excluded.digits then key_digits.seen + 1 else 1 end`,
            })
            .where((is) =>
              is.and([
                is.or([is('key_digits.varied_at', 'is', null), is('key_digits.varied_at', '<', sentAt)]),
                is.or([is('key_digits.digits', '<>', digits), is('key_digits.seen', '<', enough)]),
              ]),
            ),
        )
        .execute();
    },

    async varied(issuer, now) {
      const unknown = { digits: '', seen: 0, varied_at: now.toISOString() };
      await db()
        .insertInto('key_digits')
        .values({ ...issuerColumns(issuer), ...unknown })
        .onConflict((known) => known.columns(key).doUpdateSet(unknown))
        .execute();
    },
  };
}

export type FileKind = 'pdf' | 'xml';

/** The encrypted files of authorised documents: links work while the service is down. */
export interface Files {
  get(documentId: string, kind: FileKind): Promise<Uint8Array | undefined>;
  /** The kinds stored for a document. */
  kinds(documentId: string): Promise<FileKind[]>;
  /** Whether another document has a file with the same bytes. */
  isOfAnother(documentId: string, bytes: Uint8Array): Promise<boolean>;
  /** Deletes a file that belongs to another document. */
  drop(documentId: string, kind: FileKind): Promise<void>;
  /** Stores a file unless there is one: an authorised document never changes. */
  keep(file: { documentId: string; kind: FileKind; bytes: Uint8Array; now: Date }): Promise<void>;
  /** Deletes the oldest files until at most `maxBytes` are left; answers how many. */
  prune(maxBytes: number): Promise<number>;
}

const place = (documentId: string, kind: FileKind) => `files.encrypted ${documentId} ${kind}`;

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64url');

export function fileTable({ db }: Access, cipher: Cipher): Files {
  return {
    async get(documentId, kind) {
      const row = await db()
        .selectFrom('files')
        .select('encrypted')
        .where((is) => is.and({ document_id: documentId, kind }))
        .executeTakeFirst();
      return row && cipher.openBytes(row.encrypted, place(documentId, kind));
    },

    async kinds(documentId) {
      const rows = await db()
        .selectFrom('files')
        .select('kind')
        .where('document_id', '=', documentId)
        .execute();
      return rows.map(({ kind }) => kind as FileKind);
    },

    async isOfAnother(documentId, bytes) {
      const row = await db()
        .selectFrom('files')
        .select('document_id')
        .where('digest', '=', digestOf(bytes))
        .where('document_id', '<>', documentId)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    async drop(documentId, kind) {
      await db()
        .deleteFrom('files')
        .where((is) => is.and({ document_id: documentId, kind }))
        .execute();
    },

    async keep({ documentId, kind, bytes, now }) {
      const encrypted = cipher.closeBytes(bytes, place(documentId, kind));
      await db()
        .insertInto('files')
        .values({
          ...{ document_id: documentId, kind, size: encrypted.length, kept_at: now.toISOString(), encrypted },
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
        )`.execute(db());
      return Number(deleted.numAffectedRows ?? 0n);
    },
  };
}

/** A document of one of our shops that the service holds and this ledger does not know: an older copy was restored. */
export type UnknownDocument = CamelCased<Omit<UnknownDocumentRecord, 'seen_at' | 'bound_at'>>;

export interface UnknownDocuments {
  /** False where it was noted before. */
  note(document: UnknownDocument, now: Date): Promise<boolean>;
  /** Those of an order and of these refunds that are not bound yet, facturas first. */
  ofOrder(order: OrderKey, refundIds: readonly string[]): Promise<UnknownDocument[]>;
  /** All noted since an instant, bound or not. */
  since(instant: Date): Promise<UnknownDocument[]>;
  /** All that are not bound yet. */
  open(): Promise<UnknownDocument[]>;
  /** It is a document of the ledger from now on. */
  bound(accessKey: string, now: Date): Promise<void>;
}

export function unknownDocumentTable({ db }: Access): UnknownDocuments {
  const open = () => db().selectFrom('unknown_documents').selectAll().where('bound_at', 'is', null);
  return {
    async note(document, now) {
      const made = await db()
        .insertInto('unknown_documents')
        .values({ ...snakeCased(document), seen_at: now.toISOString(), bound_at: null })
        .onConflict((known) => known.column('access_key').doNothing())
        .returning('access_key')
        .executeTakeFirst();
      return made !== undefined;
    },

    async ofOrder({ platform, shop, orderId }, refundIds) {
      const rows = await open()
        .where((is) => is.and({ platform, shop }))
        .where((is) =>
          is.or([
            is('order_id', '=', orderId),
            // PostgreSQL takes no empty list.
            is.and([is('kind', '=', 'nota-credito'), is('source_id', 'in', ['', ...refundIds])]),
          ]),
        )
        .orderBy('kind')
        .orderBy('access_key')
        .execute();
      return rows.map(read);
    },

    async since(instant) {
      const rows = await db()
        .selectFrom('unknown_documents')
        .selectAll()
        .where('seen_at', '>=', instant.toISOString())
        .orderBy('access_key')
        .execute();
      return rows.map(read);
    },

    open: async () => (await open().orderBy('access_key').execute()).map(read),

    async bound(accessKey, now) {
      await db()
        .updateTable('unknown_documents')
        .set({ bound_at: now.toISOString() })
        .where('access_key', '=', accessKey)
        .execute();
    },
  };
}

const read = ({ seen_at, bound_at, ...row }: UnknownDocumentRecord): UnknownDocument => camelCased(row);
