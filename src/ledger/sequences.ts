import { type ExpressionBuilder, sql } from 'kysely';
import type { Series } from '../domain/document.ts';
import { LedgerError } from '../domain/errors.ts';
import type { Access } from './access.ts';
import type { Sequences, SeriesStop } from './document-tables.ts';
import type { Schema, SeriesRecord } from './schema.ts';

/** The number has 9 digits (ficha técnica SRI, table 1: secuencial). */
const lastNumber = 999_999_999;

const exhausted = (series: Series): string =>
  `La serie ${seriesName(series)} llegó a su último número. Abra otro punto de emisión en el SRI y configúrelo.`;

export function seriesName(series: Series): string {
  const { ruc, ambiente, codDoc, establecimiento, puntoEmision } = series;
  return `${establecimiento}-${puntoEmision} (RUC ${ruc}, ambiente ${ambiente}, tipo ${codDoc})`;
}

const columns = (series: Series) => ({
  ruc: series.ruc,
  ambiente: series.ambiente,
  cod_doc: series.codDoc,
  establecimiento: series.establecimiento,
  punto_emision: series.puntoEmision,
});

/** The series a row is of. */
export const readSeries = (row: SeriesRecord): Series => ({
  ruc: row.ruc,
  ambiente: row.ambiente,
  codDoc: row.cod_doc,
  establecimiento: row.establecimiento,
  puntoEmision: row.punto_emision,
});

/** A series that flows. */
const flowing = { stopped_reason: null, stopped_secuencial: null, stopped_at: null };

const identity = ['ruc', 'ambiente', 'cod_doc', 'establecimiento', 'punto_emision'] as const;

export function seriesTable(access: Access): Sequences {
  async function stopped(series: Series): Promise<SeriesStop | null> {
    const row = await access
      .db()
      .selectFrom('series')
      .select(['next', 'stopped_reason', 'stopped_secuencial'])
      .where((where) => where.and(columns(series)))
      .executeTakeFirst();
    if (row?.stopped_reason == null)
      return (row?.next ?? 0) > lastNumber
        ? { reason: exhausted(series), secuencial: null, exhausted: true }
        : null;
    return { reason: row.stopped_reason, secuencial: row.stopped_secuencial };
  }

  /** Whether a document is being sent, or was since then and nobody has decided on it yet. */
  async function isUndecided(id: string, since: Date): Promise<boolean> {
    const found = await access
      .db()
      .selectFrom('documents')
      .select(['state', 'updated_at'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (found?.state === 'sending') return true;
    return found?.state === 'processing' && found.updated_at >= since.toISOString();
  }

  return {
    stopped,

    async reserve(series, first) {
      const row = await access
        .db()
        .insertInto('series')
        .values({ ...columns(series), next: first + 1 })
        .onConflict((known) =>
          known
            .columns(identity)
            .doUpdateSet({ next: sql`coalesce(series.next + 1, excluded.next)` })
            .where('series.stopped_reason', 'is', null),
        )
        .returning('next')
        .executeTakeFirst();
      if (row?.next == null) {
        const reason = (await stopped(series))?.reason ?? '';
        throw new LedgerError(
          'series-stopped',
          `La serie ${seriesName(series)} está detenida y no entrega más números: ${reason}`,
          `Series ${seriesName(series)} is stopped, no number was reserved: ${reason} Look at the foreign document, then configure a free first number.`,
        );
      }
      const number = row.next - 1;
      if (number > lastNumber)
        throw new LedgerError(
          'series-exhausted',
          exhausted(series),
          `Series ${seriesName(series)} gave its last number (${lastNumber}); configure another puntoEmision.`,
        );
      return String(number).padStart(9, '0');
    },

    async stop(series, { reason, secuencial }, now) {
      const stop = {
        stopped_reason: reason,
        stopped_secuencial: secuencial,
        stopped_at: now.toISOString(),
      };
      await access
        .db()
        .insertInto('series')
        .values({ ...columns(series), next: null, ...stop })
        .onConflict((known) =>
          known
            .columns(identity)
            .doUpdateSet(stop)
            // The first reason is the one to look at.
            .where('series.stopped_reason', 'is', null),
        )
        .execute();
    },

    async pass(series, secuencial) {
      await access
        .db()
        .insertInto('series')
        .values({ ...columns(series), next: Number(secuencial) + 1 })
        .onConflict((known) =>
          known.columns(identity).doUpdateSet({
            next: sql`case when coalesce(series.next, 0) < excluded.next then excluded.next else series.next end`,
          }),
        )
        .execute();
    },

    async frontier(series) {
      const row = await access
        .db()
        .selectFrom('series')
        .select('next')
        .where((where) => where.and(columns(series)))
        .executeTakeFirst();
      const open = await access
        .db()
        .selectFrom('documents')
        .select(['state', 'secuencial'])
        .where((where) => where.and(columns(series)))
        .where(sql<boolean>`documents.state not in ('authorized', 'cancelled')`)
        .where('secuencial', 'is not', null)
        .execute();
      const lowest = (some: typeof open) =>
        some.length === 0 ? null : Math.min(...some.map(({ secuencial }) => Number(secuencial)));
      return {
        next: row?.next == null ? null : Number(row.next),
        lowestOpen: lowest(open),
        lowestReady: lowest(open.filter(({ state }) => state === 'ready')),
      };
    },

    async lastBefore(series, number) {
      const row = await access
        .db()
        .selectFrom('documents')
        .select(['secuencial', 'issue_date'])
        .where((where) => where.and(columns(series)))
        .where('secuencial', '<', String(number).padStart(9, '0'))
        .orderBy('secuencial', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row ? { number: Number(row.secuencial), day: row.issue_date } : null;
    },

    async leaveAlone(series, { id, secuencial }, since) {
      const ofSeries = (where: ExpressionBuilder<Schema, 'series'>) => where.and(columns(series));
      // Takes the row's lock: on PostgreSQL another process may ask at the same moment.
      const row = await access
        .db()
        .updateTable('series')
        .set({ next: sql`series.next` })
        .where(ofSeries)
        .returning('sent_alone')
        .executeTakeFirst();
      const before = row?.sent_alone ?? null;
      if (before !== null && before !== id && (await isUndecided(before, since)))
        return { may: false, isLast: false };
      await access.db().updateTable('series').set({ sent_alone: id }).where(ofSeries).execute();
      const beyond = await access
        .db()
        .selectFrom('documents')
        .select('id')
        .where((where) => where.and(columns(series)))
        .where('secuencial', '>', secuencial)
        .where('state', 'not in', ['held', 'ready'])
        .limit(1)
        .executeTakeFirst();
      return { may: true, isLast: beyond === undefined };
    },

    async lastKey(series) {
      const row = await access
        .db()
        .selectFrom('documents')
        .select('access_key')
        .where((where) => where.and(columns(series)))
        .where('access_key', 'is not', null)
        .orderBy('secuencial', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row?.access_key ?? null;
    },

    async flow(series, reason) {
      const resumed = await access
        .db()
        .updateTable('series')
        .set(flowing)
        .where((where) => where.and(columns(series)))
        .where('stopped_reason', '=', reason)
        .executeTakeFirst();
      return resumed.numUpdatedRows > 0n;
    },

    async foreign(series) {
      const row = await access
        .db()
        .selectFrom('series')
        .select('stopped_at')
        .where((where) => where.and(columns(series)))
        .executeTakeFirst();
      if (row?.stopped_at == null) return [];
      const found = await access
        .db()
        .selectFrom('documents')
        .select('id')
        .where((where) => where.and(columns(series)))
        .where('state', 'in', ['manual', 'cancelled'])
        .where('code', 'in', ['foreign-number', 'replaced'])
        .where('updated_at', '>=', row.stopped_at)
        .execute();
      return found.map(({ id }) => id);
    },

    async resume(series, secuencial) {
      const resumed = await access
        .db()
        .updateTable('series')
        .set(flowing)
        .where((where) => where.and(columns(series)))
        .where('stopped_reason', 'is not', null)
        .where('stopped_secuencial', '=', secuencial)
        .executeTakeFirst();
      return resumed.numUpdatedRows > 0n;
    },

    async raise(series, first) {
      const raised = await access
        .db()
        .updateTable('series')
        .set({ next: first, ...flowing })
        .where((where) => where.and(columns(series)))
        .where('next', '<', first)
        .executeTakeFirst();
      return raised.numUpdatedRows > 0n;
    },
  };
}
