import { sql } from 'kysely';
import type { Attempt } from '../domain/document.ts';
import type { Access } from './access.ts';
import type { Attempts } from './document-tables.ts';
import { newId } from './ids.ts';
import type { AttemptRecord } from './schema.ts';
import type { Seal } from './seal.ts';

/** What the body of an attempt is sealed for. */
export const attemptPlace = (id: string): string => `attempts.sealed_body ${id}`;

export function attemptTable(access: Access, seal: Seal): Attempts {
  function readAttempt(row: AttemptRecord): Attempt {
    return {
      id: row.id,
      documentId: row.document_id,
      n: row.n,
      issueDate: row.issue_date,
      secuencial: row.secuencial,
      body: seal.open(row.sealed_body, attemptPlace(row.id)),
      total: row.total,
      buyerId: row.buyer_id,
      nettedRefunds: JSON.parse(row.netted_refunds),
      ties: row.ties === null ? [] : JSON.parse(row.ties),
      foreseenKey: row.foreseen_key,
      accessKey: row.access_key,
      serviceId: row.service_id === null ? null : Number(row.service_id),
      outcome: row.outcome,
      reprocessed: row.reprocessed,
      errors: JSON.parse(row.errors),
      createdAt: row.created_at,
    };
  }

  return {
    async add({ now, foreseenKey = null, ...attempt }) {
      const id = newId();
      const createdAt = now.toISOString();
      const { n } = await access
        .db()
        .insertInto('attempts')
        .values({
          id,
          document_id: attempt.documentId,
          n: sql<number>`(select coalesce(max(n), 0) + 1 from attempts where document_id = ${attempt.documentId})`,
          issue_date: attempt.issueDate,
          secuencial: attempt.secuencial,
          sealed_body: seal.close(attempt.body, attemptPlace(id)),
          total: attempt.total,
          buyer_id: attempt.buyerId,
          netted_refunds: JSON.stringify(attempt.nettedRefunds),
          ties: JSON.stringify(attempt.ties),
          foreseen_key: foreseenKey,
          outcome: 'open',
          reprocessed: 0,
          errors: '[]',
          created_at: createdAt,
        })
        .returning('n')
        .executeTakeFirstOrThrow();
      const open = { accessKey: null, serviceId: null, outcome: 'open', reprocessed: 0 } as const;
      return { ...attempt, ...open, id, n, foreseenKey, errors: [], createdAt };
    },

    async ofDocument(documentId) {
      const rows = await access
        .db()
        .selectFrom('attempts')
        .selectAll()
        .where('document_id', '=', documentId)
        .orderBy('n')
        .execute();
      return rows.map(readAttempt);
    },

    async end(id, { outcome, accessKey, serviceId, errors, now, unlessSettled = false }) {
      await access
        .db()
        .updateTable('attempts')
        .set({
          outcome,
          ended_at: now.toISOString(),
          ...(accessKey !== undefined && { access_key: accessKey }),
          ...(serviceId != null && { service_id: String(serviceId) }),
          ...(errors && { errors: JSON.stringify(errors) }),
        })
        .where('id', '=', id)
        .where('outcome', 'not in', unlessSettled ? ['authorized', 'error'] : ['authorized'])
        .execute();
    },

    async reprocessed(id) {
      await access
        .db()
        .updateTable('attempts')
        .set({ outcome: 'reprocessed', reprocessed: sql`reprocessed + 1`, ended_at: null })
        .where('id', '=', id)
        .execute();
    },
  };
}
