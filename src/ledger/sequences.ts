import { sql, type UpdateObject } from 'kysely';
import { type Series, secuencialOf } from '../domain/document.ts';
import { LedgerError } from '../domain/errors.ts';
import { type SnakeCased, snakeCased } from '../domain/text.ts';
import type { Access } from './access.ts';
import type { Sequences, SeriesStop } from './document-tables.ts';
import type { Schema } from './schema.ts';

/** The number has 9 digits (ficha técnica SRI, table 1: secuencial). */
const lastNumber = 999_999_999;

const exhausted = (series: Series): string =>
  `La serie ${seriesName(series)} llegó a su último número. Abra otro punto de emisión en el SRI y configúrelo.`;

export function seriesName(series: Series): string {
  const { ruc, ambiente, codDoc, establecimiento, puntoEmision } = series;
  return `${establecimiento}-${puntoEmision} (RUC ${ruc}, ambiente ${ambiente}, tipo ${codDoc})`;
}

/** The columns that name a series. */
export const seriesColumns = ({ ruc, ambiente, codDoc, establecimiento, puntoEmision }: Series) =>
  snakeCased({ ruc, ambiente, codDoc, establecimiento, puntoEmision });

/** The series of a row. */
export function readSeries(row: SnakeCased<Series>): Series {
  const { ruc, ambiente, cod_doc: codDoc, establecimiento, punto_emision: puntoEmision } = row;
  return { ruc, ambiente, codDoc, establecimiento, puntoEmision };
}

/** The columns of a series that is not stopped. */
const flowing = { stopped_reason: null, stopped_secuencial: null, stopped_at: null };

const identity = ['ruc', 'ambiente', 'cod_doc', 'establecimiento', 'punto_emision'] as const;

export function seriesTable({ db }: Access): Sequences {
  async function stopped(series: Series): Promise<SeriesStop | null> {
    const row = await db()
      .selectFrom('series')
      .select(['next', 'stopped_reason', 'stopped_secuencial'])
      .where((is) => is.and(seriesColumns(series)))
      .executeTakeFirst();
    if (row?.stopped_reason == null)
      return (row?.next ?? 0) > lastNumber
        ? { reason: exhausted(series), secuencial: null, exhausted: true }
        : null;
    return { reason: row.stopped_reason, secuencial: row.stopped_secuencial };
  }

  const updated = (series: Series, set: UpdateObject<Schema, 'series'>) =>
    db()
      .updateTable('series')
      .set(set)
      .where((is) => is.and(seriesColumns(series)));
  /** Changes the series if it meets the condition; answers whether it did. */
  async function update(
    series: Series,
    set: UpdateObject<Schema, 'series'>,
    condition: (rows: ReturnType<typeof updated>) => ReturnType<typeof updated>,
  ): Promise<boolean> {
    return (await condition(updated(series, set)).executeTakeFirst()).numUpdatedRows > 0n;
  }

  /** Whether a document is being sent, or was since then and its outcome is not decided. */
  async function isUndecided(id: string, since: Date): Promise<boolean> {
    const found = await db()
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
      const row = await db()
        .insertInto('series')
        .values({ ...seriesColumns(series), next: first + 1 })
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
          `Series ${seriesName(series)} is stopped, no number was reserved: ${reason} Look at the document that holds the number, then configure a free first number.`,
        );
      }
      const number = row.next - 1;
      if (number > lastNumber)
        throw new LedgerError(
          'series-exhausted',
          exhausted(series),
          `Series ${seriesName(series)} gave its last number (${lastNumber}); configure another puntoEmision.`,
        );
      return secuencialOf(number);
    },

    async stop(series, { reason, secuencial }, now) {
      const stop = {
        stopped_reason: reason,
        stopped_secuencial: secuencial,
        stopped_at: now.toISOString(),
      };
      await db()
        .insertInto('series')
        .values({ ...seriesColumns(series), next: null, ...stop })
        .onConflict((known) =>
          known
            .columns(identity)
            .doUpdateSet(stop)
            // The first reason stays.
            .where('series.stopped_reason', 'is', null),
        )
        .execute();
    },

    async skipPast(series, secuencial) {
      await db()
        .insertInto('series')
        .values({ ...seriesColumns(series), next: Number(secuencial) + 1 })
        .onConflict((known) =>
          known.columns(identity).doUpdateSet({
            next: sql`case when coalesce(series.next, 0) < excluded.next then excluded.next else series.next end`,
          }),
        )
        .execute();
    },

    async frontier(series) {
      const row = await db()
        .selectFrom('series')
        .select('next')
        .where((is) => is.and(seriesColumns(series)))
        .executeTakeFirst();
      const open = await db()
        .selectFrom('documents')
        .select(['state', 'secuencial'])
        .where((is) => is.and(seriesColumns(series)))
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
      const row = await db()
        .selectFrom('documents')
        .select(['secuencial', 'issue_date'])
        .where((is) => is.and(seriesColumns(series)))
        .where('secuencial', '<', secuencialOf(number))
        .orderBy('secuencial', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row ? { number: Number(row.secuencial), day: row.issue_date } : null;
    },

    async sendAlone(series, { id, secuencial }, since) {
      // Locks the row: on PostgreSQL another process may call at the same moment.
      const row = await db()
        .updateTable('series')
        .set({ next: sql`series.next` })
        .where((is) => is.and(seriesColumns(series)))
        .returning('sent_alone')
        .executeTakeFirst();
      const before = row?.sent_alone ?? null;
      if (before !== null && before !== id && (await isUndecided(before, since)))
        return { may: false, isLast: false };
      await db()
        .updateTable('series')
        .set({ sent_alone: id })
        .where((is) => is.and(seriesColumns(series)))
        .execute();
      const beyond = await db()
        .selectFrom('documents')
        .select('id')
        .where((is) => is.and(seriesColumns(series)))
        .where('secuencial', '>', secuencial)
        .where('state', 'not in', ['held', 'ready'])
        .limit(1)
        .executeTakeFirst();
      return { may: true, isLast: beyond === undefined };
    },

    async lastKey(series) {
      const row = await db()
        .selectFrom('documents')
        .select('access_key')
        .where((is) => is.and(seriesColumns(series)))
        .where('access_key', 'is not', null)
        .orderBy('secuencial', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row?.access_key ?? null;
    },

    restart: (series, reason) => update(series, flowing, (rows) => rows.where('stopped_reason', '=', reason)),

    async numberConflicts(series) {
      const row = await db()
        .selectFrom('series')
        .select('stopped_at')
        .where((is) => is.and(seriesColumns(series)))
        .executeTakeFirst();
      if (row?.stopped_at == null) return [];
      const found = await db()
        .selectFrom('documents')
        .select('id')
        .where((is) => is.and(seriesColumns(series)))
        .where('state', 'in', ['manual', 'cancelled'])
        .where('code', 'in', ['number-conflict', 'replaced'])
        .where('updated_at', '>=', row.stopped_at)
        .execute();
      return found.map(({ id }) => id);
    },

    resume: (series, secuencial) =>
      update(series, flowing, (rows) =>
        rows.where('stopped_reason', 'is not', null).where('stopped_secuencial', '=', secuencial),
      ),

    raise: (series, first) =>
      update(series, { next: first, ...flowing }, (rows) => rows.where('next', '<', first)),
  };
}
