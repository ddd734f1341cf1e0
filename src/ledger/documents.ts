import { sql, type UpdateObject } from 'kysely';
import {
  type Document,
  type DocumentIdentity,
  type DocumentState,
  type MoveNote,
  mayMove,
  roundingOf,
  type Series,
  statesUnderWay,
  type Verification,
} from '../domain/document.ts';
import { LedgerError } from '../domain/errors.ts';
import type { JobKind } from '../domain/job.ts';
import type { SourceFingerprint } from '../domain/order.ts';
import { picked } from '../domain/text.ts';
import { type Access, count, newId, wrote } from './access.ts';
import type { OrderKey, Schema } from './schema.ts';
import { seriesOf, seriesTable } from './series.ts';

/** Where a document takes its number from. None of this changes once it has one. */
export interface NumberSource
  extends Pick<Document, 'key' | 'ruc' | 'ambiente' | 'establecimiento' | 'puntoEmision'> {
  /** The first number of a series that was never used. */
  firstSecuencial: number;
}

export interface NewDocument
  extends DocumentIdentity,
    NumberSource,
    Pick<Document, 'storeId' | 'orderId' | 'orderName' | 'account' | 'keyHash' | 'codDoc'>,
    Pick<Document, 'charged' | 'total' | 'code' | 'reason'> {
  fingerprint?: SourceFingerprint | null;
  state: 'held' | 'ready' | 'manual';
  /** For the first row of its history, as in a move. */
  note?: MoveNote;
  now: Date;
}

/** The number of a document that was issued before this ledger knew it. */
export interface Bound {
  /** 9 digits. */
  secuencial: string;
  accessKey: string;
  issueDate: string;
}

/** What may change together with a move; a number reserved by the move is of the series named here. */
export type DocumentPatch = Partial<
  NumberSource & Pick<Document, (typeof stated)[number] | 'accessKey' | 'issueDate' | 'authorizedAt'>
>;

export interface Move {
  /** The states it may come from; in any other state nothing changes. */
  from: readonly DocumentState[];
  to: DocumentState;
  patch?: DocumentPatch;
  /** For the history: small facts as JSON, no buyers' data. */
  note?: MoveNote;
  now: Date;
}

export interface HistoryEntry {
  at: string;
  from: DocumentState | null;
  to: DocumentState;
  note: unknown;
}

/** The row as a document of the domain. */
export function documentOf<Row extends { firstSecuencial: number; displaced: string }>({
  firstSecuencial,
  displaced,
  ...document
}: Row): Omit<Row, 'firstSecuencial' | 'displaced'> {
  return document;
}

const numberSource = [
  'key',
  'ruc',
  'ambiente',
  'establecimiento',
  'puntoEmision',
  'firstSecuencial',
] as const;
const stated = ['account', 'keyHash', 'charged', 'total', 'code', 'reason'] as const;
const given = [
  ...numberSource,
  ...stated,
  ...(['platform', 'shop', 'kind', 'sourceId', 'ordinal'] as const),
  ...(['storeId', 'orderId', 'orderName', 'codDoc'] as const),
];
const changeable = [...numberSource, ...stated, ...(['accessKey', 'issueDate', 'authorizedAt'] as const)];

export type Documents = ReturnType<typeof documentTable>;

export function documentTable(access: Access) {
  const { db } = access;
  const all = () => db().selectFrom('documents').selectAll();
  const first = async (query: ReturnType<typeof all>): Promise<Document | undefined> => {
    const row = await query.executeTakeFirst();
    return row && documentOf(row);
  };
  const listed = async (query: ReturnType<typeof all>): Promise<Document[]> =>
    (await query.execute()).map(documentOf);
  const get = (id: string) => first(all().where('id', '=', id));

  return {
    get,

    byNumber: (series: Series, secuencial: string) =>
      first(all().where((is) => is.and({ ...seriesOf(series), secuencial, displaced: '' }))),

    /** By the access key of any of its attempts. */
    async byAccessKey(accessKey: string): Promise<Document | undefined> {
      const attempt = await db()
        .selectFrom('attempts')
        .select('documentId')
        .where('accessKey', '=', accessKey)
        .executeTakeFirst();
      return attempt ? get(attempt.documentId) : first(all().where('accessKey', '=', accessKey));
    },

    ofOrder: ({ platform, shop, orderId }: OrderKey) =>
      listed(
        all()
          .where((is) => is.and({ platform, shop, orderId }))
          .orderBy('createdAt')
          .orderBy('id'),
      ),

    /** The notas de crédito with these refund ids that are of other orders of the shop. */
    ofOtherOrders: ({ platform, shop, orderId }: OrderKey, refundIds: readonly string[]) =>
      listed(
        all()
          // The condition of the index, word for word.
          .where(sql<boolean>`kind = 'nota-credito'`)
          .where('sourceId', 'in', [...refundIds])
          .where((is) => is.and({ shop, platform }))
          .where('orderId', '!=', orderId)
          .orderBy('createdAt')
          .orderBy('id'),
      ),

    /** Newest first. */
    list: ({ states, code, limit }: { states?: readonly DocumentState[]; code?: string; limit: number }) =>
      listed(
        all()
          .orderBy('createdAt', 'desc')
          .orderBy('id', 'desc')
          .limit(limit)
          .$if(states !== undefined, (query) => query.where('state', 'in', [...(states ?? [])]))
          .$if(code !== undefined, (query) => query.where('code', '=', code ?? '')),
      ),

    /** Those under way after `after` that no job will move on, by their ids. */
    underWayWithoutJob: (after: string, limit: number) =>
      listed(
        all()
          .where(isUnderWay)
          .where('id', '>', after)
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('jobs')
                  .select('jobs.id')
                  .whereRef('jobs.subject', '=', 'documents.id')
                  .where('jobs.kind', 'in', leading),
              ),
            ),
          )
          .orderBy('id')
          .limit(limit),
      ),

    /** How many are under way in each shop; `storeId`: on one of them. */
    underWayByShop: () =>
      db()
        .selectFrom('documents')
        .select(({ fn }) => ['platform', 'shop', fn.max('storeId').as('storeId'), count])
        .where(isUnderWay)
        .groupBy(['platform', 'shop'])
        .execute(),

    /** Sets the fingerprint of the order's documents that have none, because they are older than fingerprints. */
    async stamp({ platform, shop, orderId }: OrderKey, fingerprint: SourceFingerprint): Promise<void> {
      await db()
        .updateTable('documents')
        .set({ fingerprint: JSON.stringify(fingerprint) })
        .where((is) => is.and({ platform, shop, orderId }))
        .where('fingerprint', 'is', null)
        .execute();
    },

    /** Records what a person confirmed about its order or refund. */
    async confirm(
      id: string,
      what: Pick<SourceFingerprint, 'accepted' | 'apartFrom' | 'foreignKeys'>,
      now: Date,
    ): Promise<void> {
      const document = await get(id);
      if (!document?.fingerprint) return;
      const fingerprint = JSON.stringify({ ...document.fingerprint, ...what });
      await update(access, id, { fingerprint }, now).execute();
    },

    /**
     * Creates the document, with its secuencial when its state is `ready`; undefined when its key exists already. The
     * number is reserved at the first move to `ready` and never given back; in a stopped series LedgerError
     * `series-stopped` is thrown and nothing changes.
     */
    create: (document: NewDocument): Promise<Document | undefined> =>
      access.atomic(async (inside) => {
        const { state, note, now } = document;
        const row = await insertNew(inside, document, { state });
        if (!row) return undefined;
        if (state === 'ready') row.secuencial = await numberNew(inside, row);
        await addHistory(inside, { documentId: row.id, at: now, from: null, to: state, note });
        return documentOf(row);
      }),

    /**
     * Creates a document that the service holds already, `manual`, with the number it has there; undefined when its key
     * exists, unless a cancelled document has it. The series continues after that number.
     */
    bind: (document: Omit<NewDocument, 'state'> & Bound): Promise<Document | undefined> =>
      access.atomic(async (inside) => {
        const { key, secuencial, accessKey, issueDate, note, now } = document;
        await inside
          .db()
          .updateTable('documents')
          .set({ key: sql<string>`key || '/' || id` })
          .where((is) => is.and({ key, state: 'cancelled' }))
          .execute();
        const row = await insertNew(inside, document, { state: 'manual', secuencial, accessKey, issueDate });
        if (!row) return undefined;
        await seriesTable(inside).skipPast(row, secuencial);
        await addHistory(inside, { documentId: row.id, at: now, from: null, to: 'manual', note });
        return documentOf(row);
      }),

    /** Gives the number of a cancelled document to another one; this one keeps it for its history. */
    async displace(id: string): Promise<void> {
      await db()
        .updateTable('documents')
        .set({ displaced: id })
        .where((is) => is.and({ id, state: 'cancelled' }))
        .execute();
    },

    /**
     * One compare-and-set and one row of history; undefined when the document was not in `from`. Illegal moves
     * throw LedgerError `internal`; the first move to `ready` in a stopped series throws `series-stopped`.
     */
    async move(id: string, move: Move): Promise<Document | undefined> {
      refuseIllegal(id, move);
      return access.atomic(async (inside) => {
        const row = await lockRow(inside, id);
        if (!row || !move.from.includes(row.state)) return undefined;
        const { patch = {}, to, note, now } = move;
        const changed = Object.entries(picked(patch, changeable)).filter(([, value]) => value !== undefined);
        const trace = inside.trace() ?? row.trace;
        const moved = { ...row, ...Object.fromEntries(changed), state: to, trace };
        if (to === 'ready' && row.secuencial === null)
          moved.secuencial = await seriesTable(inside).reserve(moved, moved.firstSecuencial);
        // Columns of indexes only where they change.
        const changes = Object.entries(moved).filter(
          ([name, value]) => value !== row[name as keyof typeof row],
        );
        const next = { version: row.version + 1, updatedAt: now.toISOString() };
        await inside
          .db()
          .updateTable('documents')
          .set({ ...Object.fromEntries(changes), ...next })
          .where('id', '=', id)
          .execute();
        await addHistory(inside, { documentId: id, at: now, from: row.state, to, note });
        return documentOf({ ...moved, ...next });
      });
    },

    /** Inside a transaction: the current document, which nobody else locks or moves until COMMIT. */
    async lock(id: string): Promise<Document | undefined> {
      const row = await lockRow(access, id);
      return row && documentOf(row);
    },

    /** Records that this state was written back onto the order. */
    async written(id: string, state: DocumentState, now: Date): Promise<void> {
      await update(access, id, { writtenBack: state }, now).execute();
    },

    /** Records in its history that it is written back again, because the order lost it. */
    writtenAgain: (id: string, note: MoveNote, now: Date) => addNote(access, id, note, now),

    /** Records how the authorised XML compares with what was sent. */
    verified: (id: string, verification: Verification, now: Date): Promise<void> =>
      access.atomic(async (inside) => {
        const changes = { verifiedAt: now.toISOString(), verification: JSON.stringify(verification) };
        await update(inside, id, changes, now).execute();
        const note = roundingOf(verification);
        if (note) await addNote(inside, id, { ...note }, now);
      }),

    /** Records, once, that it is annulled at the authority's portal; its state stays final. */
    annulled: (id: string, now: Date): Promise<void> =>
      access.atomic(async (inside) => {
        const change = update(inside, id, { annulledAt: now.toISOString() }, now);
        if (await wrote(change.where('annulledAt', 'is', null)))
          await addNote(inside, id, { code: 'document-annulled' }, now);
      }),

    /** Oldest first. */
    history: (documentId: string): Promise<HistoryEntry[]> =>
      db()
        .selectFrom('history')
        .select(['at', 'fromState as from', 'toState as to', 'note'])
        .where('documentId', '=', documentId)
        .orderBy('id')
        .execute(),

    /** Invalidates every link made so far; answers the version of new ones. */
    async revokeLinks(id: string): Promise<number> {
      const row = await db()
        .updateTable('documents')
        .set({ linkVersion: sql`link_version + 1` })
        .where('id', '=', id)
        .returning('linkVersion')
        .executeTakeFirstOrThrow();
      return row.linkVersion;
    },
  };
}

/** The jobs that move a document on to a final state. */
const leading: readonly JobKind[] = ['submit-document', 'follow-up', 'reprocess-document'];

// The first condition is that of the index of open documents, the second one uses its first column.
const isUnderWay = sql<boolean>`documents.state not in ('authorized', 'cancelled')
  and documents.kind in ('factura', 'nota-credito')
  and documents.state in (${sql.join(statesUnderWay.map((state) => sql.lit(state)))})`;

const update = ({ db }: Access, id: string, set: UpdateObject<Schema, 'documents'>, now: Date) =>
  db()
    .updateTable('documents')
    .set({ ...set, updatedAt: now.toISOString() })
    .where('id', '=', id);

/** The row of a new document; undefined where a document of that key exists. */
function insertNew(
  { db, trace }: Access,
  document: Omit<NewDocument, 'state'>,
  known: Pick<Document, 'state'> & Partial<Bound>,
) {
  const { fingerprint, now } = document;
  return db()
    .insertInto('documents')
    .values({
      ...picked(document, given),
      ...known,
      id: newId(),
      fingerprint: fingerprint ? JSON.stringify(fingerprint) : null,
      version: 1,
      trace: trace(),
      createdAt: now.toISOString(),
      updatedAt: now.toISOString(),
    })
    .onConflict((known) => known.column('key').doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Numbers a document just inserted. Only a new key takes a number, so the number comes second. */
async function numberNew(
  access: Access,
  row: Series & Pick<Document, 'id'> & Pick<NumberSource, 'firstSecuencial'>,
): Promise<string> {
  const { db } = access;
  try {
    const secuencial = await seriesTable(access).reserve(row, row.firstSecuencial);
    await db().updateTable('documents').set({ secuencial }).where('id', '=', row.id).execute();
    return secuencial;
  } catch (error) {
    // A stopped series: a caller that catches this inside a transaction must not find half a document.
    if (error instanceof LedgerError) await db().deleteFrom('documents').where('id', '=', row.id).execute();
    throw error;
  }
}

/** The document, locked until COMMIT: what is decided on it (a number above all) is never undone. */
const lockRow = ({ db, dialect }: Access, id: string) =>
  db()
    .selectFrom('documents')
    .selectAll()
    .where('id', '=', id)
    .modifyEnd(dialect.lockRows)
    .executeTakeFirst();

function refuseIllegal(id: string, { from, to }: Move): void {
  const illegal = from.filter((state) => !mayMove(state, to));
  if (illegal.length === 0 && from.length > 0) return;
  const named = illegal.join(', ') || 'ningún estado';
  throw new LedgerError('internal', { why: 'move', document: id, from: named, to });
}

/** One row for every move of a document; rows are only added. */
async function addHistory(
  { db }: Access,
  entry: Omit<HistoryEntry, 'at' | 'note'> & { documentId: string; at: Date; note?: MoveNote | undefined },
): Promise<void> {
  const { documentId, at, from: fromState, to: toState, note } = entry;
  await db()
    .insertInto('history')
    .values({
      documentId,
      at: at.toISOString(),
      fromState,
      toState,
      note: note ? JSON.stringify(note) : null,
    })
    .execute();
}

/** A row of history of an authorised document, which stays in its state. */
const addNote = (access: Access, documentId: string, note: MoveNote, at: Date): Promise<void> =>
  addHistory(access, { documentId, at, from: 'authorized', to: 'authorized', note });
