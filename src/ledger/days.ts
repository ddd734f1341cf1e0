import { sql } from 'kysely';
import { type Day, startOfEcuadorDay } from '../domain/clock.ts';
import {
  type Attempt,
  type Document,
  type DocumentState,
  type Series,
  secuencialOf,
} from '../domain/document.ts';
import { camelCased, type SnakeCased } from '../domain/text.ts';
import type { Access } from './access.ts';
import { readDocument } from './documents.ts';
import { seriesColumns } from './sequences.ts';

/** An attempt without its document, which somebody deleted by hand. */
export type Orphan = Pick<Attempt, 'secuencial' | 'accessKey' | 'total'>;

/** Queries for the accounts of days and months; first and last day are included. */
export interface Days {
  /** Documents by issue date, then id, after `after`. */
  issued(query: {
    from: Day;
    to: Day;
    states?: readonly DocumentState[];
    after: Pick<Document, 'issueDate' | 'id'> | null;
    limit: number;
  }): Promise<Document[]>;
  /**
   * The gaps of a series, from its first number to its next one, that belong to a span: the next document after the gap
   * was issued within it, or, where that has no date, the one before.
   */
  gaps(series: Series, of: { first: number; from: Day; to: Day }): Promise<NumberGap[]>;
  /** Documents with a number that are not authorised, by issue date; one never sent counts when it was created. */
  unsettled(span: { from: Day; to: Day }): Promise<Document[]>;
  /** When the production documents of an account issued in a span were authorised; null while they are under way. */
  chargeable(account: string, span: { from: Day; to: Day }): Promise<Pick<Document, 'authorizedAt'>[]>;
  orphans(day: Day): Promise<Orphan[]>;
  /** Access keys of this day that the service's webhooks reported as authorised, and the accounts of the webhooks. */
  reportedKeys(day: Day): Promise<{ accessKey: string; accounts: string[] }[]>;
  /** When the first order or document of a shop was stored, of those still stored; null where there is none. */
  firstRecord(shop: { platform: string; shop: string }): Promise<string | null>;
}

/** The service repeats an event for 81 minutes (spec, delivery); the authority may take longer. */
const reportedWithin = 7 * 24 * 3_600_000;

export function dayTable(access: Access): Days {
  const { db } = access;
  return {
    async issued({ from, to, states, after, limit }) {
      const rows = await db()
        .selectFrom('documents')
        .selectAll()
        .where('issue_date', '>=', from)
        .where('issue_date', '<=', to)
        .$if(states !== undefined, (query) => query.where('state', 'in', [...(states ?? [])]))
        .$if(after !== null, (query) =>
          query.where(({ eb, refTuple, tuple }) =>
            eb(refTuple('issue_date', 'id'), '>', tuple(after?.issueDate ?? '', after?.id ?? '')),
          ),
        )
        .orderBy('issue_date')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(readDocument);
    },

    async chargeable(account, { from, to }) {
      const rows = await db()
        .selectFrom('documents')
        .select(['state', 'authorized_at'])
        .where('issue_date', '>=', from)
        .where('issue_date', '<=', to)
        .where((is) => is.and({ account, ambiente: 2 }))
        .where('state', 'in', ['authorized', 'sending', 'processing', 'uncertain'])
        .execute();
      return rows.map((row) => ({ authorizedAt: row.state === 'authorized' ? row.authorized_at : null }));
    },

    gaps: (series, span) => gapsOf(access, series, span),

    async unsettled({ from, to }) {
      const begins = startOfEcuadorDay(from).toISOString();
      const ends = new Date(startOfEcuadorDay(to).getTime() + 24 * 3_600_000).toISOString();
      const rows = await db()
        .selectFrom('documents')
        .selectAll()
        .where('secuencial', 'is not', null)
        .where('state', '<>', 'authorized')
        .where((row) =>
          row.or([
            row.and([row('issue_date', '>=', from), row('issue_date', '<=', to)]),
            row.and([
              row('issue_date', 'is', null),
              row('created_at', '>=', begins),
              row('created_at', '<', ends),
            ]),
          ]),
        )
        .orderBy('ruc')
        .orderBy('cod_doc')
        .orderBy('establecimiento')
        .orderBy('punto_emision')
        .orderBy('secuencial')
        .execute();
      return rows.map(readDocument);
    },

    async orphans(day) {
      const { rows } = await sql<SnakeCased<Orphan>>`
        select secuencial, access_key, total from attempts
        where issue_date = ${day}
          and not exists (select 1 from documents where documents.id = attempts.document_id)
        order by secuencial, n`.execute(db());
      return rows.map(camelCased);
    },

    async reportedKeys(day) {
      const begins = startOfEcuadorDay(day);
      const [year, month, date] = day.split('-');
      const rows = await db()
        .selectFrom('deliveries')
        .select(['dedupe_key', 'connection'])
        .where('received_at', '>=', begins.toISOString())
        .where('received_at', '<', new Date(begins.getTime() + reportedWithin).toISOString())
        .where('topic', '=', 'comprobante.autorizado')
        .where('connection', 'like', 'service:%')
        // An access key begins with its issue date (ficha técnica SRI, tabla 1).
        .where('dedupe_key', 'like', `${date}${month}${year}%`)
        .execute();
      const byKey = Map.groupBy(rows, ({ dedupe_key }) => dedupe_key.slice(0, 49));
      return [...byKey].map(([accessKey, reported]) => ({
        accessKey,
        accounts: [...new Set(reported.map(({ connection }) => connection.slice('service:'.length)))],
      }));
    },

    async firstRecord({ platform, shop }) {
      const rows = await db()
        .selectFrom('documents')
        .select(({ fn }) => fn.min<string | null>('created_at').as('first'))
        .where((is) => is.and({ platform, shop }))
        .unionAll(({ selectFrom }) =>
          selectFrom('orders')
            .select(({ fn }) => fn.min<string | null>('synced_at').as('first'))
            .where((is) => is.and({ platform, shop })),
        )
        .execute();
      return rows.flatMap(({ first }) => first ?? []).sort()[0] ?? null;
    },
  };
}

/** Numbers of a series that no document of the ledger has. */
interface NumberGap {
  from: number;
  to: number;
  /** The issue dates of the documents with the next lower and the next higher number; null where there is none. */
  before: Day | null;
  after: Day | null;
}

/** Below or above. */
type Side = -1 | 1;

/** See Days.gaps. Reads the documents of the span and their neighbours, however long the series is. */
async function gapsOf(
  access: Access,
  series: Series,
  { first, from, to }: { first: number; from: Day; to: Day },
): Promise<NumberGap[]> {
  const counted = await access
    .db()
    .selectFrom('series')
    .select('next')
    .where((is) => is.and(seriesColumns(series)))
    .executeTakeFirst();
  const next = counted?.next == null ? null : Number(counted.next);
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
    and ${column('cod_doc')} = ${series.codDoc} and ${column('establecimiento')} = ${series.establecimiento}
    and ${column('punto_emision')} = ${series.puntoEmision}`;
}

/** `||` and `+` keep SQLite from using the index of numbers: it would read a whole series instead of a few days. */
const sameSeries = ({ ruc, ambiente, codDoc, establecimiento, puntoEmision }: Series) =>
  sql<boolean>`ruc || cod_doc || establecimiento || punto_emision = ${ruc + codDoc + establecimiento + puntoEmision}
    and ambiente + 0 = ${ambiente}`;

/** The documents of a span whose next lower or higher number no document has. */
async function beforeGaps(
  { db }: Access,
  series: Series,
  { from, to, side }: { from: Day; to: Day; side: Side },
): Promise<{ number: number; day: Day }[]> {
  const { rows } = await sql<{ secuencial: string; issue_date: Day }>`
    select secuencial, issue_date from documents as own
    where ${sameSeries(series)} and secuencial is not null and issue_date >= ${from} and issue_date <= ${to}
      and not exists (
        select 1 from documents as beside
        where ${inSeries(series, 'beside')}
          and beside.secuencial = substr(cast(1000000000 + cast(own.secuencial as integer) + ${sql.lit(side)} as ${sql.raw('varchar(10)')}), 2)
      )`.execute(db());
  return rows.map(({ secuencial, issue_date }) => ({ number: Number(secuencial), day: issue_date }));
}

/** The nearest document below or above a number. */
async function neighbour(
  { db }: Access,
  series: Series,
  number: number,
  side: Side,
): Promise<{ number: number; day: Day | null } | null> {
  const row = await db()
    .selectFrom('documents')
    .select(['secuencial', 'issue_date'])
    .where((is) => is.and(seriesColumns(series)))
    .where('secuencial', side === -1 ? '<' : '>', secuencialOf(number))
    .orderBy('secuencial', side === -1 ? 'desc' : 'asc')
    .limit(1)
    .executeTakeFirst();
  return row ? { number: Number(row.secuencial), day: row.issue_date } : null;
}
