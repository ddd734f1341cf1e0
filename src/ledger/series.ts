import { sql, type UpdateObject } from 'kysely';
import { type Document, type Series, secuencialOf } from '../domain/document.ts';
import { LedgerError } from '../domain/errors.ts';
import { type Access, wrote } from './access.ts';
import type { KeyIssuer, Schema } from './schema.ts';

export interface SeriesStop {
  reason: string;
  /** A number (9 digits) that somebody else's document holds; null for a stop of another kind. */
  secuencial: string | null;
  exhausted?: true;
}

/** 9 digits (ficha técnica SRI, tabla 1: secuencial). */
const lastNumber = 999_999_999;

const exhausted = (series: Series): string =>
  `La serie ${seriesName(series)} llegó a su último número. Abra otro punto de emisión en el SRI y configúrelo.`;

export function seriesName(series: Series): string {
  const { ruc, ambiente, codDoc, establecimiento, puntoEmision } = series;
  return `${establecimiento}-${puntoEmision} (RUC ${ruc}, ambiente ${ambiente}, tipo ${codDoc})`;
}

export const seriesOf = ({ ruc, ambiente, codDoc, establecimiento, puntoEmision }: Series): Series => ({
  ruc,
  ambiente,
  codDoc,
  establecimiento,
  puntoEmision,
});

const flowing = { stoppedReason: null, stoppedSecuencial: null, stoppedAt: null };

const identity = ['ruc', 'ambiente', 'codDoc', 'establecimiento', 'puntoEmision'] as const;

export function seriesTable({ db }: Access) {
  const find = (series: Series) =>
    db()
      .selectFrom('series')
      .selectAll()
      .where((is) => is.and(seriesOf(series)))
      .executeTakeFirst();
  const documentsOf = (series: Series) =>
    db()
      .selectFrom('documents')
      .where((is) => is.and(seriesOf(series)));
  const update = (series: Series, set: UpdateObject<Schema, 'series'>) =>
    db()
      .updateTable('series')
      .set(set)
      .where((is) => is.and(seriesOf(series)));

  async function stopped(series: Series): Promise<SeriesStop | null> {
    const row = await find(series);
    if (row?.stoppedReason == null)
      return (row?.next ?? 0) > lastNumber
        ? { reason: exhausted(series), secuencial: null, exhausted: true }
        : null;
    return { reason: row.stoppedReason, secuencial: row.stoppedSecuencial };
  }

  const stateOf = (id: string) =>
    db().selectFrom('documents').select(['state', 'updatedAt']).where('id', '=', id).executeTakeFirst();

  return {
    stopped,

    /** 9 digits; the first call answers `first`. Throws LedgerError `series-stopped`, `series-exhausted`. */
    async reserve(series: Series, first: number): Promise<string> {
      const row = await db()
        .insertInto('series')
        .values({ ...seriesOf(series), next: first + 1 })
        .onConflict((known) =>
          known
            .columns(identity)
            .doUpdateSet({ next: sql`coalesce(series.next + 1, excluded.next)` })
            .where('series.stoppedReason', 'is', null),
        )
        .returning('next')
        .executeTakeFirst();
      if (row?.next == null) {
        const reason = (await stopped(series))?.reason ?? '';
        throw new LedgerError('series-stopped', { series: seriesName(series), reason });
      }
      const number = row.next - 1;
      if (number > lastNumber) throw new LedgerError('series-exhausted', { series: seriesName(series) });
      return secuencialOf(number);
    },

    async stop(series: Series, { reason, secuencial }: SeriesStop, now: Date): Promise<void> {
      const stop = { stoppedReason: reason, stoppedSecuencial: secuencial, stoppedAt: now.toISOString() };
      await db()
        .insertInto('series')
        .values({ ...seriesOf(series), ...stop })
        .onConflict((known) =>
          // The first reason stays.
          known.columns(identity).doUpdateSet(stop).where('series.stoppedReason', 'is', null),
        )
        .execute();
    },

    async skipPast(series: Series, secuencial: string): Promise<void> {
      await db()
        .insertInto('series')
        .values({ ...seriesOf(series), next: Number(secuencial) + 1 })
        .onConflict((known) =>
          known.columns(identity).doUpdateSet({
            next: sql`case when coalesce(series.next, 0) < excluded.next then excluded.next else series.next end`,
          }),
        )
        .execute();
    },

    async frontier(series: Series) {
      const open = await documentsOf(series)
        .select(['state', 'secuencial'])
        .where(sql<boolean>`documents.state not in ('authorized', 'cancelled')`)
        .where('secuencial', 'is not', null)
        .execute();
      const lowest = (some: typeof open) =>
        some.length === 0 ? null : Math.min(...some.map(({ secuencial }) => Number(secuencial)));
      return {
        next: (await find(series))?.next ?? null,
        lowestOpen: lowest(open),
        lowestReady: lowest(open.filter(({ state }) => state === 'ready')),
      };
    },

    async lastBefore(series: Series, number: number): Promise<{ number: number; day: string | null } | null> {
      const row = await documentsOf(series)
        .select(['secuencial', 'issueDate'])
        .where('secuencial', '<', secuencialOf(number))
        .orderBy('secuencial', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row ? { number: Number(row.secuencial), day: row.issueDate } : null;
    },

    /** What decides whether a ready document may be sent beside the others of its series (protocol/send.ts). Locks the series. */
    async view(
      series: Series,
      { id, secuencial, createdAt }: Pick<Document, 'id' | 'secuencial' | 'createdAt'>,
    ) {
      // On PostgreSQL another process may read at the same moment.
      const row = await update(series, { next: sql`series.next` }).returning('sentAlone').executeTakeFirst();
      const number = secuencial ?? '';
      const lower = await documentsOf(series)
        .select('id')
        .where('state', '=', 'ready')
        .where('secuencial', '<', number)
        .limit(1)
        .executeTakeFirst();
      const last = row?.sentAlone == null || row.sentAlone === id ? undefined : await stateOf(row.sentAlone);
      return {
        createdAt: Date.parse(createdAt),
        isLowest: lower === undefined,
        sentAlone: last ? { isThis: false, state: last.state, at: Date.parse(last.updatedAt) } : null,
      };
    },

    /** The document is the one of its series that is sent while no other is. */
    sendAlone: (series: Series, id: string) => update(series, { sentAlone: id }).execute(),

    /** The access key of the highest number that has one; null where none has. */
    async lastKey(series: Series): Promise<string | null> {
      const row = await documentsOf(series)
        .select('accessKey')
        .where('accessKey', 'is not', null)
        .orderBy('secuencial', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row?.accessKey ?? null;
    },

    restart: (series: Series, reason: string) =>
      wrote(update(series, flowing).where('stoppedReason', '=', reason)),

    resume: (series: Series, secuencial: string) =>
      wrote(
        update(series, flowing)
          .where('stoppedReason', 'is not', null)
          .where('stoppedSecuencial', '=', secuencial),
      ),

    /** Every number below `first` is taken. A series that is further already stays as it is. Answers whether it moved. */
    raise: (series: Series, first: number) =>
      wrote(update(series, { next: first, ...flowing }).where('next', '<', first)),

    async numberConflicts(series: Series): Promise<string[]> {
      const stoppedAt = (await find(series))?.stoppedAt;
      if (stoppedAt == null) return [];
      const found = await documentsOf(series)
        .select('id')
        .where('state', 'in', ['manual', 'cancelled'])
        .where('code', 'in', ['number-conflict', 'replaced'])
        .where('updatedAt', '>=', stoppedAt)
        .execute();
      return found.map(({ id }) => id);
    },
  };
}

/** Documents with the same digits in a row: two have the same eight by chance once in a hundred million. */
const enough = 2;

const issuerKey = ['account', 'ruc', 'ambiente', 'codDoc'] as const;
const issuerOf = ({ account, ruc, ambiente, codDoc }: KeyIssuer): KeyIssuer => ({
  account,
  ruc,
  ambiente,
  codDoc,
});

/** src/service/event.ts; where an issuer always uses the same digits. */
export function keyDigitsTable({ db }: Access) {
  const find = (issuer: KeyIssuer) =>
    db()
      .selectFrom('keyDigits')
      .select(['digits', 'seen'])
      .where((is) => is.and(issuerOf(issuer)))
      .executeTakeFirst();
  return {
    /** null unless the last two documents had the same. */
    async constant(issuer: KeyIssuer): Promise<string | null> {
      const known = await find(issuer);
      return known && known.seen >= enough ? known.digits : null;
    },

    latest: async (issuer: KeyIssuer): Promise<string | null> => (await find(issuer))?.digits || null,

    /** Ignored for a document sent before the digits last varied. */
    async learn(issuer: KeyIssuer, digits: string, sentAt: string): Promise<void> {
      const seen = sql<number>`case when key_digits.digits = excluded.digits then key_digits.seen + 1 else 1 end`;
      await db()
        .insertInto('keyDigits')
        .values({ ...issuerOf(issuer), digits, seen: 1 })
        .onConflict((known) =>
          known
            .columns(issuerKey)
            .doUpdateSet({ digits, seen })
            .where((is) =>
              is.and([
                is.or([is('keyDigits.variedAt', 'is', null), is('keyDigits.variedAt', '<', sentAt)]),
                is.or([is('keyDigits.digits', '<>', digits), is('keyDigits.seen', '<', enough)]),
              ]),
            ),
        )
        .execute();
    },

    /** Unknown until two documents sent from now on have the same. */
    async varied(issuer: KeyIssuer, now: Date): Promise<void> {
      const unknown = { digits: '', seen: 0, variedAt: now.toISOString() };
      await db()
        .insertInto('keyDigits')
        .values({ ...issuerOf(issuer), ...unknown })
        .onConflict((known) => known.columns(issuerKey).doUpdateSet(unknown))
        .execute();
    },
  };
}
