import { sql } from 'kysely';
import { type Document, type DocumentState, type MoveNote, mayMove, roundingOf } from '../domain/document.ts';
import { LedgerError } from '../domain/errors.ts';
import { camelCased, picked, snakeCased } from '../domain/text.ts';
import { type Access, newId } from './access.ts';
import type { Documents, HistoryEntry, Move, NewDocument } from './document-tables.ts';
import type { DocumentRecord } from './schema.ts';
import { readSeries, seriesColumns, seriesTable } from './sequences.ts';

export function documentTable(access: Access): Documents {
  const { db } = access;
  const all = () => db().selectFrom('documents').selectAll();
  const first = async (query: ReturnType<typeof all>) => {
    const row = await query.executeTakeFirst();
    return row && readDocument(row);
  };
  const listed = async (query: ReturnType<typeof all>) => (await query.execute()).map(readDocument);

  return {
    get: (id) => first(all().where('id', '=', id)),

    byNumber: (series, secuencial) =>
      first(all().where((is) => is.and({ ...seriesColumns(series), secuencial, displaced: '' }))),

    async byAccessKey(accessKey) {
      const byAttempt = await db()
        .selectFrom('attempts')
        .select('document_id')
        .where('access_key', '=', accessKey)
        .executeTakeFirst();
      return first(
        byAttempt ? all().where('id', '=', byAttempt.document_id) : all().where('access_key', '=', accessKey),
      );
    },

    ofOrder: ({ platform, shop, orderId }) =>
      listed(
        all()
          .where((is) => is.and({ platform, shop, order_id: orderId }))
          .orderBy('created_at')
          .orderBy('id'),
      ),

    async ofOtherOrders({ platform, shop, orderId }, refundIds) {
      if (refundIds.length === 0) return [];
      return listed(
        all()
          // The condition of the index, word for word.
          .where(sql<boolean>`kind = 'nota-credito'`)
          .where('source_id', 'in', [...refundIds])
          .where((is) => is.and({ shop, platform }))
          .where('order_id', '!=', orderId)
          .orderBy('created_at')
          .orderBy('id'),
      );
    },

    async stamp({ platform, shop, orderId }, fingerprint) {
      await db()
        .updateTable('documents')
        .set({ fingerprint: JSON.stringify(fingerprint) })
        .where((is) => is.and({ platform, shop, order_id: orderId }))
        .where('fingerprint', 'is', null)
        .execute();
    },

    async confirm(id, what, now) {
      const document = await first(all().where('id', '=', id));
      if (!document?.fingerprint) return;
      const fingerprint = JSON.stringify({ ...document.fingerprint, ...what });
      await db()
        .updateTable('documents')
        .set({ fingerprint, updated_at: now.toISOString() })
        .where('id', '=', id)
        .execute();
    },

    async list({ states, code, limit }) {
      if (states?.length === 0) return [];
      return listed(
        all()
          .orderBy('created_at', 'desc')
          .orderBy('id', 'desc')
          .limit(limit)
          .$if(states !== undefined, (query) => query.where('state', 'in', [...(states ?? [])]))
          .$if(code !== undefined, (query) => query.where('code', '=', code ?? '')),
      );
    },

    create: (document) =>
      access.atomic(async (inside) => {
        const row = toDocumentRow(document, inside.trace());
        if (!(await insertNew(inside, row))) return undefined;
        if (document.state === 'ready') row.secuencial = await numberNew(inside, row);
        const { state, note, now } = document;
        await addHistory(inside, { documentId: row.id, at: now, from: null, to: state, note });
        return readDocument(row);
      }),

    bind: ({ secuencial, accessKey, issueDate, ...document }) =>
      access.atomic(async (inside) => {
        const row = {
          ...toDocumentRow({ ...document, state: 'manual' }, inside.trace()),
          ...{ secuencial, access_key: accessKey, issue_date: issueDate },
        };
        await inside
          .db()
          .updateTable('documents')
          .set({ key: sql<string>`key || '/' || id` })
          .where((is) => is.and({ key: row.key, state: 'cancelled' }))
          .execute();
        if (!(await insertNew(inside, row))) return undefined;
        const bound = readDocument(row);
        await seriesTable(inside).skipPast(bound, secuencial);
        const { note, now } = document;
        await addHistory(inside, { documentId: row.id, at: now, from: null, to: 'manual', note });
        return bound;
      }),

    async displace(id) {
      await db()
        .updateTable('documents')
        .set({ displaced: id })
        .where((is) => is.and({ id, state: 'cancelled' }))
        .execute();
    },

    /** Legal moves take one compare-and-set where the caller knows the document as it stands. */
    async move(id, move) {
      refuseIllegal(id, move);
      return access.atomic(
        async (inside) => (await moveKnown(inside, move)) ?? (await moveRead(inside, id, move)),
      );
    },

    async lock(id) {
      const row = await lockRow(access, id);
      return row && readDocument(row);
    },

    async written(id, state, now) {
      await db()
        .updateTable('documents')
        .set({ written_back: state, updated_at: now.toISOString() })
        .where('id', '=', id)
        .execute();
    },

    writtenAgain: (id, note, now) => addNote(access, id, note, now),

    async verified(id, verification, now) {
      const at = now.toISOString();
      const note = roundingOf(verification);
      await access.atomic(async (inside) => {
        await inside
          .db()
          .updateTable('documents')
          .set({ verified_at: at, verification: JSON.stringify(verification), updated_at: at })
          .where('id', '=', id)
          .execute();
        if (note) await addNote(inside, id, { ...note }, now);
      });
    },

    async annulled(id, now) {
      await access.atomic(async (inside) => {
        const at = now.toISOString();
        const changed = await inside
          .db()
          .updateTable('documents')
          .set({ annulled_at: at, updated_at: at })
          .where('id', '=', id)
          .where('annulled_at', 'is', null)
          .executeTakeFirst();
        if (changed.numUpdatedRows > 0n) await addNote(inside, id, { code: 'document-annulled' }, now);
      });
    },

    history: (id) => readHistory(access, id),
  };
}

export function readDocument({ first_secuencial, displaced, ...row }: DocumentRecord): Document {
  const { verification, fingerprint } = row;
  return {
    ...camelCased(row),
    verification: verification === null ? null : JSON.parse(verification),
    fingerprint: fingerprint === null ? null : JSON.parse(fingerprint),
  };
}

/** What a new document brings along, and what may change with a move. */
const numberSource = [
  'key',
  'ruc',
  'ambiente',
  'establecimiento',
  'puntoEmision',
  'firstSecuencial',
] as const;
const stated = ['account', 'keyHash', 'charged', 'total', 'code', 'reason'] as const;
const identity = ['platform', 'shop', 'kind', 'sourceId', 'ordinal'] as const;
const given = [
  ...numberSource,
  ...stated,
  ...identity,
  ...(['storeId', 'orderId', 'orderName', 'codDoc', 'state'] as const),
];
const changeable = [...numberSource, ...stated, ...(['accessKey', 'issueDate', 'authorizedAt'] as const)];

function toDocumentRow(document: NewDocument, trace: string | null): DocumentRecord {
  const { fingerprint, now } = document;
  return {
    ...snakeCased(picked(document, given)),
    id: newId(),
    fingerprint: fingerprint ? JSON.stringify(fingerprint) : null,
    version: 1,
    trace,
    secuencial: null,
    access_key: null,
    issue_date: null,
    authorized_at: null,
    written_back: null,
    verified_at: null,
    verification: null,
    annulled_at: null,
    displaced: '',
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  };
}

/** False where a document of that key exists. */
async function insertNew({ db }: Access, row: DocumentRecord): Promise<boolean> {
  const made = await db()
    .insertInto('documents')
    .values(row)
    .onConflict((known) => known.column('key').doNothing())
    .returning('id')
    .executeTakeFirst();
  return made !== undefined;
}

/** Numbers a document just inserted. Only a new key takes a number, so the number comes second. */
async function numberNew(access: Access, row: DocumentRecord): Promise<string> {
  const { db } = access;
  try {
    const secuencial = await reserve(access, row);
    await db().updateTable('documents').set({ secuencial }).where('id', '=', row.id).execute();
    return secuencial;
  } catch (error) {
    // A stopped series: a caller that catches this inside a transaction must not find half a document.
    if (error instanceof LedgerError) await db().deleteFrom('documents').where('id', '=', row.id).execute();
    throw error;
  }
}

/** The document, locked until COMMIT: what is decided on it (a number above all) is never undone. */
function lockRow({ db, dialect }: Access, id: string): Promise<DocumentRecord | undefined> {
  return db()
    .selectFrom('documents')
    .selectAll()
    .where('id', '=', id)
    .modifyEnd(dialect.lockRows)
    .executeTakeFirst();
}

/** What a move may change besides the version. */
type MoveChanges = Partial<Omit<DocumentRecord, 'id' | 'version'>>;

/** Writes the next version of a document over the one that was read; false when another move came between. */
async function writeMoved(
  { db }: Access,
  { id, version }: { id: string; version: number },
  changes: MoveChanges,
): Promise<boolean> {
  const written = await db()
    .updateTable('documents')
    .set({ ...changes, version: version + 1 })
    .where((is) => is.and({ id, version }))
    .executeTakeFirst();
  return written.numUpdatedRows > 0n;
}

/** The move of a document as the caller knows it; undefined when it must be read first. */
async function moveKnown(access: Access, move: Move): Promise<Document | undefined> {
  const { known, from, to } = move;
  if (!known || !from.includes(known.state) || (to === 'ready' && known.secuencial === null))
    return undefined;
  const changes = changesOf(access, move, known.trace);
  if (!(await writeMoved(access, known, changes))) return undefined;
  await addHistory(access, { documentId: known.id, at: move.now, from: known.state, to, note: move.note });
  const { first_secuencial, ...changed } = changes;
  return { ...known, ...(camelCased(changed) as Partial<Document>), version: known.version + 1 };
}

async function moveRead(access: Access, id: string, move: Move): Promise<Document | undefined> {
  const row = await lockRow(access, id);
  if (!row || !move.from.includes(row.state)) return undefined;
  const changes = changesOf(access, move, row.trace);
  if (move.to === 'ready' && row.secuencial === null)
    changes.secuencial = await reserve(access, { ...row, ...changes });
  if (!(await writeMoved(access, row, changes)))
    throw new Error(`Document ${id} was locked, but another move came between.`);
  await addHistory(access, { documentId: id, at: move.now, from: row.state, to: move.to, note: move.note });
  return readDocument({ ...row, ...changes, version: row.version + 1 });
}

/** The columns of a move; those of indexes only where they change. */
function changesOf(access: Access, { patch = {}, to, now }: Move, trace: string | null): MoveChanges {
  const changed = Object.entries(picked(patch, changeable)).filter(([, value]) => value !== undefined);
  const current = access.trace() ?? trace;
  return {
    ...snakeCased(Object.fromEntries(changed)),
    state: to,
    updated_at: now.toISOString(),
    ...(current !== trace && { trace: current }),
  };
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
const reserve = (access: Access, row: DocumentRecord): Promise<string> =>
  seriesTable(access).reserve(readSeries(row), row.first_secuencial);

/** One row for every move of a document; rows are only added. */
async function addHistory(
  { db }: Access,
  entry: {
    documentId: string;
    at: Date;
    from: DocumentState | null;
    to: DocumentState;
    note?: MoveNote | undefined;
  },
): Promise<void> {
  await db()
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

/** A row of history of an authorised document, which stays in its state. */
const addNote = (access: Access, documentId: string, note: MoveNote, at: Date): Promise<void> =>
  addHistory(access, { documentId, at, from: 'authorized', to: 'authorized', note });

/** Oldest first. */
export async function readHistory({ db }: Access, documentId: string): Promise<HistoryEntry[]> {
  const rows = await db()
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
