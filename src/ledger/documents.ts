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

export interface NumberSource
  extends Pick<Document, 'key' | 'ruc' | 'ambiente' | 'establecimiento' | 'puntoEmision'> {
  firstSecuencial: number;
}

export interface NewDocument
  extends DocumentIdentity,
    NumberSource,
    Pick<Document, 'storeId' | 'orderId' | 'orderName' | 'account' | 'keyHash' | 'codDoc'>,
    Pick<Document, 'charged' | 'total' | 'code' | 'reason'> {
  fingerprint?: SourceFingerprint | null;
  state: 'held' | 'ready' | 'manual';
  note?: MoveNote;
  now: Date;
}

export interface Bound {
  secuencial: string;
  accessKey: string;
  issueDate: string;
}

/** A number reserved by the move is of the series named here. */
export type DocumentPatch = Partial<
  NumberSource & Pick<Document, (typeof stated)[number] | 'accessKey' | 'issueDate' | 'authorizedAt'>
>;

export interface Move {
  from: readonly DocumentState[];
  to: DocumentState;
  patch?: DocumentPatch;
  note?: MoveNote;
  now: Date;
}

export interface HistoryEntry {
  at: string;
  from: DocumentState | null;
  to: DocumentState;
  note: unknown;
}

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

    /** The key may be that of any attempt of the document. */
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

    ofOtherOrders: ({ platform, shop, orderId }: OrderKey, refundIds: readonly string[]) =>
      listed(
        all()
          // SQLite uses the index only for this exact condition.
          .where(sql<boolean>`kind = 'nota-credito'`)
          .where('sourceId', 'in', [...refundIds])
          .where((is) => is.and({ shop, platform }))
          .where('orderId', '!=', orderId)
          .orderBy('createdAt')
          .orderBy('id'),
      ),

    list: ({ states, code, limit }: { states?: readonly DocumentState[]; code?: string; limit: number }) =>
      listed(
        all()
          .orderBy('createdAt', 'desc')
          .orderBy('id', 'desc')
          .limit(limit)
          .$if(states !== undefined, (query) => query.where('state', 'in', [...(states ?? [])]))
          .$if(code !== undefined, (query) => query.where('code', '=', code ?? '')),
      ),

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

    underWayByShop: () =>
      db()
        .selectFrom('documents')
        .select(({ fn }) => ['platform', 'shop', fn.max('storeId').as('storeId'), count])
        .where(isUnderWay)
        .groupBy(['platform', 'shop'])
        .execute(),

    /** Documents from before fingerprints have none. */
    async stamp({ platform, shop, orderId }: OrderKey, fingerprint: SourceFingerprint): Promise<void> {
      await db()
        .updateTable('documents')
        .set({ fingerprint: JSON.stringify(fingerprint) })
        .where((is) => is.and({ platform, shop, orderId }))
        .where('fingerprint', 'is', null)
        .execute();
    },

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

    /** undefined when its key exists. `ready` takes a number for good. Throws LedgerError `series-stopped`. */
    create: (document: NewDocument): Promise<Document | undefined> =>
      access.atomic(async (inside) => {
        const { state, note, now } = document;
        const row = await insertNew(inside, document, { state });
        if (!row) return undefined;
        if (state === 'ready') row.secuencial = await numberNew(inside, row);
        await addHistory(inside, { documentId: row.id, at: now, from: null, to: state, note });
        return documentOf(row);
      }),

    /** The service holds the document already. undefined when its key exists, unless a cancelled document has it. */
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

    /** The cancelled document keeps its number for its history. */
    async displace(id: string): Promise<void> {
      await db()
        .updateTable('documents')
        .set({ displaced: id })
        .where((is) => is.and({ id, state: 'cancelled' }))
        .execute();
    },

    /** undefined when the document was not in `from`. Throws LedgerError `internal` (illegal move) and `series-stopped`. */
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
        // Columns of indexes are written only where they change.
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

    async lock(id: string): Promise<Document | undefined> {
      const row = await lockRow(access, id);
      return row && documentOf(row);
    },

    async written(id: string, state: DocumentState, now: Date): Promise<void> {
      await update(access, id, { writtenBack: state }, now).execute();
    },

    writtenAgain: (id: string, note: MoveNote, now: Date) => addNote(access, id, note, now),

    verified: (id: string, verification: Verification, now: Date): Promise<void> =>
      access.atomic(async (inside) => {
        const changes = { verifiedAt: now.toISOString(), verification: JSON.stringify(verification) };
        await update(inside, id, changes, now).execute();
        const note = roundingOf(verification);
        if (note) await addNote(inside, id, { ...note }, now);
      }),

    /** Its state stays final. */
    annulled: (id: string, now: Date): Promise<void> =>
      access.atomic(async (inside) => {
        const change = update(inside, id, { annulledAt: now.toISOString() }, now);
        if (await wrote(change.where('annulledAt', 'is', null)))
          await addNote(inside, id, { code: 'document-annulled' }, now);
      }),

    history: (documentId: string): Promise<HistoryEntry[]> =>
      db()
        .selectFrom('history')
        .select(['at', 'fromState as from', 'toState as to', 'note'])
        .where('documentId', '=', documentId)
        .orderBy('id')
        .execute(),

    /** Answers the version of new links. */
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

/** The number comes second, because only a new key takes one. */
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

/** A decision on a locked document (a number above all) is never undone. */
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

const addNote = (access: Access, documentId: string, note: MoveNote, at: Date): Promise<void> =>
  addHistory(access, { documentId, at, from: 'authorized', to: 'authorized', note });
