import { sql } from 'kysely';
import { documentStates, roundingOf } from '../domain/document.ts';
import { LedgerError } from '../domain/errors.ts';
import type { Access } from './access.ts';
import { findDocument, holdStill, moveDocument, reserve } from './document-moves.ts';
import { readDocument, toDocumentRow } from './document-rows.ts';
import type { Documents } from './document-tables.ts';
import { addHistory, readHistory } from './history.ts';
import type { DocumentRecord } from './schema.ts';
import { seriesTable } from './sequences.ts';
import type { OrderKey } from './shop-tables.ts';

export function documentTable(access: Access): Documents {
  const all = () => access.db().selectFrom('documents').selectAll();
  const first = async (query: ReturnType<typeof all>) => {
    const row = await query.executeTakeFirst();
    return row && readDocument(row);
  };

  return {
    async get(id) {
      const row = await findDocument(access, id);
      return row && readDocument(row);
    },
    byNumber: ({ ruc, ambiente, codDoc, establecimiento, puntoEmision }, secuencial) =>
      first(
        all()
          .where('ruc', '=', ruc)
          .where('ambiente', '=', ambiente)
          .where('cod_doc', '=', codDoc)
          .where('establecimiento', '=', establecimiento)
          .where('punto_emision', '=', puntoEmision)
          .where('secuencial', '=', secuencial)
          .where('displaced', '=', ''),
      ),

    async byAccessKey(accessKey) {
      const byAttempt = await access
        .db()
        .selectFrom('attempts')
        .select('document_id')
        .where('access_key', '=', accessKey)
        .executeTakeFirst();
      return first(
        byAttempt ? all().where('id', '=', byAttempt.document_id) : all().where('access_key', '=', accessKey),
      );
    },

    async ofOrder({ platform, shop, orderId }: OrderKey) {
      const rows = await all()
        .where('platform', '=', platform)
        .where('shop', '=', shop)
        .where('order_id', '=', orderId)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(readDocument);
    },

    async ofOtherOrders({ platform, shop, orderId }, refundIds) {
      if (refundIds.length === 0) return [];
      const rows = await all()
        // Said as the index says it.
        .where(sql<boolean>`kind = 'nota-credito'`)
        .where('source_id', 'in', [...refundIds])
        .where('shop', '=', shop)
        .where('platform', '=', platform)
        .where('order_id', '!=', orderId)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(readDocument);
    },

    async stamp({ platform, shop, orderId }, fingerprint) {
      await access
        .db()
        .updateTable('documents')
        .set({ fingerprint: JSON.stringify(fingerprint) })
        .where('platform', '=', platform)
        .where('shop', '=', shop)
        .where('order_id', '=', orderId)
        .where('fingerprint', 'is', null)
        .execute();
    },

    async acceptRefund(id, now) {
      const row = await findDocument(access, id);
      if (!row?.fingerprint) return;
      const fingerprint = JSON.stringify({ ...JSON.parse(row.fingerprint), accepted: true });
      await access
        .db()
        .updateTable('documents')
        .set({ fingerprint, updated_at: now.toISOString() })
        .where('id', '=', id)
        .execute();
    },

    async list({ states, code, limit }) {
      if (states?.length === 0) return [];
      const newest = all().orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit);
      const rows = await newest
        .$if(states !== undefined, (query) => query.where('state', 'in', [...(states ?? [])]))
        .$if(code !== undefined, (query) => query.where('code', '=', code ?? ''))
        .execute();
      return rows.map(readDocument);
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
        const row = toDocumentRow({ ...document, state: 'manual' }, inside.trace());
        Object.assign(row, { secuencial, access_key: accessKey, issue_date: issueDate });
        await inside
          .db()
          .updateTable('documents')
          .set({ key: sql<string>`key || '/' || id` })
          .where('key', '=', row.key)
          .where('state', '=', 'cancelled')
          .execute();
        if (!(await insertNew(inside, row))) return undefined;
        const bound = readDocument(row);
        await seriesTable(inside).pass(bound, secuencial);
        const { note, now } = document;
        await addHistory(inside, { documentId: row.id, at: now, from: null, to: 'manual', note });
        return bound;
      }),

    async displace(id) {
      await access
        .db()
        .updateTable('documents')
        .set({ displaced: id })
        .where('id', '=', id)
        .where('state', '=', 'cancelled')
        .execute();
    },

    move: (id, move) => moveDocument(access, id, move),

    async lock(id) {
      const row = await holdStill(access, id, documentStates);
      return row && readDocument(row);
    },

    async written(id, state, now) {
      await access
        .db()
        .updateTable('documents')
        .set({ written_back: state, updated_at: now.toISOString() })
        .where('id', '=', id)
        .execute();
    },

    writtenAgain: (id, note, now) =>
      addHistory(access, { documentId: id, at: now, from: 'authorized', to: 'authorized', note }),

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
        if (note)
          await addHistory(inside, {
            ...{ documentId: id, at: now, from: 'authorized', to: 'authorized' },
            note: { ...note },
          });
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
        if (changed.numUpdatedRows === 0n) return;
        await addHistory(inside, {
          ...{ documentId: id, at: now, from: 'authorized', to: 'authorized' },
          note: { code: 'document-annulled' },
        });
      });
    },

    history: (id) => readHistory(access, id),
  };
}

/** False where a document of that key is there already. */
async function insertNew(access: Access, row: DocumentRecord): Promise<boolean> {
  const made = await access
    .db()
    .insertInto('documents')
    .values(row)
    .onConflict((known) => known.column('key').doNothing())
    .returning('id')
    .executeTakeFirst();
  return made !== undefined;
}

/** Numbers a document just inserted. Only a new key takes a number, so the number comes second. */
async function numberNew(access: Access, row: DocumentRecord): Promise<string> {
  try {
    const secuencial = await reserve(access, row);
    await access.db().updateTable('documents').set({ secuencial }).where('id', '=', row.id).execute();
    return secuencial;
  } catch (error) {
    // A stopped series: whoever catches this inside a transaction must not find half a document.
    if (error instanceof LedgerError)
      await access.db().deleteFrom('documents').where('id', '=', row.id).execute();
    throw error;
  }
}
