import { sql } from 'kysely';
import { type Day, startOfEcuadorDay } from '../domain/clock.ts';
import {
  type Attempt,
  type Document,
  type DocumentState,
  type Series,
  secuencialOf,
} from '../domain/document.ts';
import type { Access } from './access.ts';
import { documentOf } from './documents.ts';
import type { ShopKey } from './schema.ts';
import { seriesOf } from './series.ts';

/** An attempt whose document was deleted by hand. */
export type Orphan = Pick<Attempt, 'secuencial' | 'accessKey' | 'total'>;

export interface Span {
  from: Day;
  to: Day;
}

export type Days = ReturnType<typeof dayTable>;

/** The service repeats an event for 81 minutes (spec, delivery); SRI may take longer. */
const reportedWithin = 7 * 24 * 3_600_000;

export function dayTable(access: Access) {
  const { db } = access;
  return {
    async issued(query: {
      from: Day;
      to: Day;
      states?: readonly DocumentState[];
      after: Pick<Document, 'issueDate' | 'id'> | null;
      limit: number;
    }): Promise<Document[]> {
      const { from, to, states, after, limit } = query;
      const rows = await db()
        .selectFrom('documents')
        .selectAll()
        .where('issueDate', '>=', from)
        .where('issueDate', '<=', to)
        .$if(states !== undefined, (query) => query.where('state', 'in', states ?? []))
        .$if(after !== null, (query) =>
          query.where(({ eb, refTuple, tuple }) =>
            eb(refTuple('issueDate', 'id'), '>', tuple(after?.issueDate ?? '', after?.id ?? '')),
          ),
        )
        .orderBy('issueDate')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(documentOf);
    },

    async chargeable(account: string, { from, to }: Span): Promise<Pick<Document, 'authorizedAt'>[]> {
      const rows = await db()
        .selectFrom('documents')
        .select(['state', 'authorizedAt'])
        .where('issueDate', '>=', from)
        .where('issueDate', '<=', to)
        .where((is) => is.and({ account, ambiente: 2 }))
        .where('state', 'in', ['authorized', 'sending', 'processing', 'uncertain'])
        .execute();
      return rows.map((row) => ({ authorizedAt: row.state === 'authorized' ? row.authorizedAt : null }));
    },

    /** A gap belongs to the span in which the document after it was issued or, where that has no date, the one before. */
    gaps: (series: Series, span: Span & { first: number }) => gapsOf(access, series, span),

    async unsettled({ from, to }: Span): Promise<Document[]> {
      const begins = startOfEcuadorDay(from).toISOString();
      const ends = new Date(startOfEcuadorDay(to).getTime() + 24 * 3_600_000).toISOString();
      const rows = await db()
        .selectFrom('documents')
        .selectAll()
        .where('secuencial', 'is not', null)
        .where('state', '<>', 'authorized')
        .where((row) =>
          row.or([
            row.and([row('issueDate', '>=', from), row('issueDate', '<=', to)]),
            row.and([
              row('issueDate', 'is', null),
              row('createdAt', '>=', begins),
              row('createdAt', '<', ends),
            ]),
          ]),
        )
        .orderBy('ruc')
        .orderBy('codDoc')
        .orderBy('establecimiento')
        .orderBy('puntoEmision')
        .orderBy('secuencial')
        .execute();
      return rows.map(documentOf);
    },

    async orphans(day: Day): Promise<Orphan[]> {
      const { rows } = await sql<Orphan>`
        select secuencial, access_key, total from attempts
        where issue_date = ${day}
          and not exists (select 1 from documents where documents.id = attempts.document_id)
        order by secuencial, n`.execute(db());
      return rows;
    },

    async reportedKeys(day: Day): Promise<{ accessKey: string; accounts: string[] }[]> {
      const begins = startOfEcuadorDay(day);
      const [year, month, date] = day.split('-');
      const rows = await db()
        .selectFrom('deliveries')
        .select(['dedupeKey', 'connection'])
        .where('receivedAt', '>=', begins.toISOString())
        .where('receivedAt', '<', new Date(begins.getTime() + reportedWithin).toISOString())
        .where('topic', '=', 'comprobante.autorizado')
        .where('connection', 'like', 'service:%')
        // An access key begins with its issue date (ficha técnica SRI, tabla 1).
        .where('dedupeKey', 'like', `${date}${month}${year}%`)
        .execute();
      const byKey = Map.groupBy(rows, ({ dedupeKey }) => dedupeKey.slice(0, 49));
      return [...byKey].map(([accessKey, reported]) => ({
        accessKey,
        accounts: [...new Set(reported.map(({ connection }) => connection.slice('service:'.length)))],
      }));
    },

    async firstRecord({ platform, shop }: ShopKey): Promise<string | null> {
      const rows = await db()
        .selectFrom('documents')
        .select(({ fn }) => fn.min<string | null>('createdAt').as('first'))
        .where((is) => is.and({ platform, shop }))
        .unionAll(({ selectFrom }) =>
          selectFrom('orders')
            .select(({ fn }) => fn.min<string | null>('syncedAt').as('first'))
            .where((is) => is.and({ platform, shop })),
        )
        .execute();
      return rows.flatMap(({ first }) => first ?? []).sort()[0] ?? null;
    },
  };
}

export interface NumberGap {
  from: number;
  to: number;
  /** Issue dates of the documents with the next lower and next higher number; null where there is none. */
  before: Day | null;
  after: Day | null;
}

type Side = -1 | 1;

/** Reads the documents of the span and their neighbours only. */
async function gapsOf(
  access: Access,
  series: Series,
  { first, from, to }: Span & { first: number },
): Promise<NumberGap[]> {
  const counted = await access
    .db()
    .selectFrom('series')
    .select('next')
    .where((is) => is.and(seriesOf(series)))
    .executeTakeFirst();
  const next = counted?.next ?? null;
  const gaps = new Map<number, NumberGap>();
  for (const side of [-1, 1] as const)
    for (const { number, day } of await beforeGaps(access, series, { from, to, side })) {
      const other = await neighbour(access, series, number, side);
      const theirs = other?.day ?? null;
      const [low, high, before, after] =
        side === -1
          ? [other?.number ?? first - 1, number, theirs, day]
          : [number, other?.number ?? next ?? number + 1, day, theirs];
      if (high > low + 1) gaps.set(low + 1, { from: low + 1, to: high - 1, before, after });
    }
  const inSpan = (day: Day | null) => day !== null && day >= from && day <= to;
  return [...gaps.values()]
    .filter(({ before, after }) => inSpan(after ?? before))
    .sort((x, y) => x.from - y.from);
}

function inSeries(series: Series, table: string) {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql<boolean>`${column('ruc')} = ${series.ruc} and ${column('ambiente')} = ${series.ambiente}
    and ${column('codDoc')} = ${series.codDoc} and ${column('establecimiento')} = ${series.establecimiento}
    and ${column('puntoEmision')} = ${series.puntoEmision}`;
}

/** `||` and `+` keep SQLite from using the index of numbers, which would read a whole series. */
const sameSeries = ({ ruc, ambiente, codDoc, establecimiento, puntoEmision }: Series) =>
  sql<boolean>`ruc || cod_doc || establecimiento || punto_emision = ${ruc + codDoc + establecimiento + puntoEmision}
    and ambiente + 0 = ${ambiente}`;

async function beforeGaps(
  { db }: Access,
  series: Series,
  { from, to, side }: Span & { side: Side },
): Promise<{ number: number; day: Day }[]> {
  const { rows } = await sql<{ secuencial: string; issueDate: Day }>`
    select secuencial, issue_date from documents as own
    where ${sameSeries(series)} and secuencial is not null and issue_date >= ${from} and issue_date <= ${to}
      and not exists (
        select 1 from documents as beside
        where ${inSeries(series, 'beside')}
          and beside.secuencial = substr(cast(1000000000 + cast(own.secuencial as integer) + ${sql.lit(side)} as ${sql.raw('varchar(10)')}), 2)
      )`.execute(db());
  return rows.map(({ secuencial, issueDate }) => ({ number: Number(secuencial), day: issueDate }));
}

async function neighbour(
  { db }: Access,
  series: Series,
  number: number,
  side: Side,
): Promise<{ number: number; day: Day | null } | null> {
  const row = await db()
    .selectFrom('documents')
    .select(['secuencial', 'issueDate'])
    .where((is) => is.and(seriesOf(series)))
    .where('secuencial', side === -1 ? '<' : '>', secuencialOf(number))
    .orderBy('secuencial', side === -1 ? 'desc' : 'asc')
    .limit(1)
    .executeTakeFirst();
  return row ? { number: Number(row.secuencial), day: row.issueDate } : null;
}
