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

type New = Omit<AttemptRecord, 'n' | 'access_key' | 'ended_at'>;

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
      outcome: value('outcome'),
      reprocessed: value('reprocessed'),
      errors: value('errors'),
      created_at: value('created_at'),
    })
    .returning('n'),
);

type End = Pick<AttemptRecord, 'id' | 'outcome' | 'ended_at' | 'access_key' | 'errors'>;

/** One query for each set of columns an end may name. */
const endings = (unlessSettled: boolean) =>
  new Map(
    [[], ['access_key'], ['errors'], ['access_key', 'errors']].map((named) => [
      named.join(),
      keepQuery<End>((db, value) => {
        const one = db
          .updateTable('attempts')
          .set({
            outcome: value('outcome'),
            ended_at: value('ended_at'),
            ...(named.includes('access_key') ? { access_key: value('access_key') } : {}),
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
      accessKey: row.access_key,
      outcome: row.outcome,
      reprocessed: row.reprocessed,
      errors: JSON.parse(row.errors),
      createdAt: row.created_at,
    };
  }

  return {
    async add(attempt) {
      const id = newId();
      const createdAt = attempt.now.toISOString();
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
        outcome: 'open',
        reprocessed: 0,
        errors: '[]',
        created_at: createdAt,
      });
      const { now: _now, ...facts } = attempt;
      const n = rows[0]?.n ?? 1;
      return { ...facts, id, n, accessKey: null, outcome: 'open', reprocessed: 0, errors: [], createdAt };
    },

    async ofDocument(documentId) {
      const { rows } = await ofDocument(access, { id: documentId });
      return rows.map(readAttempt);
    },

    async end(id, { outcome, accessKey, errors, now, unlessSettled = false }) {
      const given = { access_key: accessKey, errors: errors && JSON.stringify(errors) };
      const named = (['access_key', 'errors'] as const).filter((column) => given[column] !== undefined);
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
