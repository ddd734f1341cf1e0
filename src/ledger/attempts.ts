import { sql } from 'kysely';
import type { Attempt } from '../core/document.ts';
import type { Access } from './access.ts';
import type { Attempts } from './document-tables.ts';
import { newId } from './ids.ts';
import { keepQuery } from './kept-query.ts';
import type { AttemptRecord } from './schema.ts';
import type { Seal } from './seal.ts';

/** What the body of an attempt is sealed for. */
export const attemptPlace = (id: string): string => `attempts.sealed_body ${id}`;

const ofDocument = keepQuery<{ id: string }, AttemptRecord>((db, value) =>
  db.selectFrom('attempts').selectAll().where('document_id', '=', value('id')).orderBy('n'),
);

type New = Omit<AttemptRecord, 'n' | 'access_key' | 'service_id' | 'ended_at'>;

const insert = keepQuery<New, Pick<AttemptRecord, 'n'>>((db, value) =>
  db
    .insertInto('attempts')
    .values({
      id: value('id'),
      document_id: value('document_id'),
      n: sql<number>`(select coalesce(max(n), 0) + 1 from attempts where document_id = ${value('document_id')})`,
      issue_date: value('issue_date'),
      secuencial: value('secuencial'),
      sealed_body: value('sealed_body'),
      total: value('total'),
      buyer_id: value('buyer_id'),
      netted_refunds: value('netted_refunds'),
      ties: value('ties'),
      foreseen_key: value('foreseen_key'),
      outcome: value('outcome'),
      reprocessed: value('reprocessed'),
      errors: value('errors'),
      created_at: value('created_at'),
    })
    .returning('n'),
);

type End = Pick<AttemptRecord, 'id' | 'outcome' | 'ended_at' | 'access_key' | 'service_id' | 'errors'>;

/** What an end may say beside its outcome. */
const ends = ['access_key', 'service_id', 'errors'] as const;
const setsOf = Array.from({ length: 2 ** ends.length }, (_none, bits) =>
  ends.filter((_name, n) => Math.floor(bits / 2 ** n) % 2 === 1),
);

/** One query for each set of columns an end may name. */
const endings = (unlessSettled: boolean) =>
  new Map(
    setsOf.map((named) => [
      named.join(),
      keepQuery<End>((db, value) => {
        const one = db
          .updateTable('attempts')
          .set({
            outcome: value('outcome'),
            ended_at: value('ended_at'),
            ...(named.includes('access_key') ? { access_key: value('access_key') } : {}),
            ...(named.includes('service_id') ? { service_id: value('service_id') } : {}),
            ...(named.includes('errors') ? { errors: value('errors') } : {}),
          })
          .where('id', '=', value('id'))
          .where('outcome', '<>', 'authorized');
        return unlessSettled ? one.where('outcome', '<>', 'error') : one;
      }),
    ]),
  );
const anyEnding = endings(false);
const endingUnlessSettled = endings(true);

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
      const { rows } = await insert(access, {
        id,
        document_id: attempt.documentId,
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
      });
      const n = rows[0]?.n ?? 1;
      const open = { accessKey: null, serviceId: null, outcome: 'open', reprocessed: 0 } as const;
      return { ...attempt, ...open, id, n, foreseenKey, errors: [], createdAt };
    },

    async ofDocument(documentId) {
      const { rows } = await ofDocument(access, { id: documentId });
      return rows.map(readAttempt);
    },

    async end(id, { outcome, accessKey, serviceId, errors, now, unlessSettled = false }) {
      const given = {
        access_key: accessKey,
        service_id: serviceId == null ? undefined : String(serviceId),
        errors: errors && JSON.stringify(errors),
      };
      const named = ends.filter((column) => given[column] !== undefined);
      const query = (unlessSettled ? endingUnlessSettled : anyEnding).get(named.join());
      await query?.(access, { id, outcome, ended_at: now.toISOString(), ...given } as End);
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
