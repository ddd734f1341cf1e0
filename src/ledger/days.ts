import { sql } from 'kysely';
import { type Day, startOfEcuadorDay } from '../domain/calendar.ts';
import type { Document, DocumentState, Series } from '../domain/document.ts';
import type { Access } from './access.ts';
import { readDocument } from './document-rows.ts';

/** An attempt whose document is no longer in the ledger: somebody took it out by hand. */
export interface Orphan {
  secuencial: string;
  accessKey: string | null;
  total: string;
}

/** What accounting asks of days and months, both included. */
export interface Days {
  /** Documents by issue date, then id, from behind `after` on. */
  issued(asked: {
    from: Day;
    to: Day;
    states?: readonly DocumentState[];
    after: Pick<Document, 'issueDate' | 'id'> | null;
    limit: number;
  }): Promise<Document[]>;
  /**
   * The gaps of a series, from its first number up to its next one, that belong to a span: the next document behind
   * the gap bears a date of it, or, where that has none, the one before.
   */
  gaps(series: Series, of: { first: number; from: Day; to: Day }): Promise<NumberGap[]>;
  /** Documents of a span that have a number and are not authorised; what never left counts when it was made. */
  unsettled(span: { from: Day; to: Day }): Promise<Document[]>;
  /** When the production documents of an account that bear a date of a span were authorised; null while they are on their way. */
  chargeable(account: string, span: { from: Day; to: Day }): Promise<Pick<Document, 'authorizedAt'>[]>;
  orphans(day: Day): Promise<Orphan[]>;
  /** Access keys of this day of which the service told that they are authorised, and the accounts whose webhook told so. */
  toldKeys(day: Day): Promise<{ accessKey: string; accounts: string[] }[]>;
  /** When the ledger first wrote down something of a shop, as far as it still knows; null where there is nothing. */
  firstTrace(shop: { platform: string; shop: string }): Promise<string | null>;
}

/** The service repeats an event for 81 minutes (spec, delivery); a document may wait longer for the authority. */
const toldWithin = 7 * 24 * 3_600_000;

export function dayTable(access: Access): Days {
  return {
    async issued({ from, to, states, after, limit }) {
      const rows = await access
        .db()
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
      const rows = await access
        .db()
        .selectFrom('documents')
        .select(['state', 'authorized_at'])
        .where('issue_date', '>=', from)
        .where('issue_date', '<=', to)
        .where('account', '=', account)
        .where('ambiente', '=', 2)
        .where('state', 'in', ['authorized', 'sending', 'processing', 'uncertain'])
        .execute();
      return rows.map((row) => ({ authorizedAt: row.state === 'authorized' ? row.authorized_at : null }));
    },

    gaps: (series, span) => gapsOf(access, series, span),

    async unsettled({ from, to }) {
      const begins = startOfEcuadorDay(from).toISOString();
      const ends = new Date(startOfEcuadorDay(to).getTime() + 24 * 3_600_000).toISOString();
      const rows = await access
        .db()
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
      const { rows } = await sql<{ secuencial: string; access_key: string | null; total: string }>`
        select secuencial, access_key, total from attempts
        where issue_date = ${day}
          and not exists (select 1 from documents where documents.id = attempts.document_id)
        order by secuencial, n`.execute(access.db());
      return rows.map(({ secuencial, access_key, total }) => ({ secuencial, accessKey: access_key, total }));
    },

    async toldKeys(day) {
      const begins = startOfEcuadorDay(day);
      const [year, month, date] = day.split('-');
      const rows = await access
        .db()
        .selectFrom('deliveries')
        .select(['dedupe_key', 'connection'])
        .where('received_at', '>=', begins.toISOString())
        .where('received_at', '<', new Date(begins.getTime() + toldWithin).toISOString())
        .where('topic', '=', 'comprobante.autorizado')
        .where('connection', 'like', 'service:%')
        // An access key begins with its issue date (ficha técnica SRI, tabla 1).
        .where('dedupe_key', 'like', `${date}${month}${year}%`)
        .execute();
      const byKey = Map.groupBy(rows, ({ dedupe_key }) => dedupe_key.slice(0, 49));
      return [...byKey].map(([accessKey, told]) => ({
        accessKey,
        accounts: [...new Set(told.map(({ connection }) => connection.slice('service:'.length)))],
      }));
    },

    async firstTrace({ platform, shop }) {
      const rows = await access
        .db()
        .selectFrom('documents')
        .select(({ fn }) => fn.min<string | null>('created_at').as('first'))
        .where('platform', '=', platform)
        .where('shop', '=', shop)
        .unionAll(({ selectFrom }) =>
          selectFrom('orders')
            .select(({ fn }) => fn.min<string | null>('synced_at').as('first'))
            .where('platform', '=', platform)
            .where('shop', '=', shop),
        )
        .execute();
      return rows.flatMap(({ first }) => first ?? []).sort()[0] ?? null;
    },
  };
}

/** Numbers of a series no document of the ledger has. */
interface NumberGap {
  from: number;
  to: number;
  /** The issue days of the documents with the next lower and the next higher number; null where there is none. */
  before: Day | null;
  after: Day | null;
}

/** See Days.gaps. Looks at the documents of the span and their neighbours, however long the series is. */
async function gapsOf(
  access: Access,
  series: Series,
  { first, from, to }: { first: number; from: Day; to: Day },
): Promise<NumberGap[]> {
  const candidates = [
    ...(await lonelyIn(access, series, { from, to, step: -1 })).map((number) => ({
      number,
      step: -1 as const,
    })),
    ...(await lonelyIn(access, series, { from, to, step: 1 })).map((number) => ({
      number,
      step: 1 as const,
    })),
  ];
  const next = await nextOf(access, series);
  const gaps = new Map<number, NumberGap>();
  for (const { number, step } of candidates) {
    const other = await neighbour(access, series, number, step);
    const [low, high] =
      step === -1 ? [other?.number ?? first - 1, number] : [number, other?.number ?? next ?? number + 1];
    if (high <= low + 1) continue;
    const mine = await dayOf(access, series, number);
    const theirs = other?.day ?? null;
    const [before, after] = step === -1 ? [theirs, mine] : [mine, theirs];
    gaps.set(low + 1, { from: low + 1, to: high - 1, before, after });
  }
  const inSpan = (day: Day | null) => day !== null && day >= from && day <= to;
  return [...gaps.values()]
    .filter(({ before, after }) => inSpan(after ?? before))
    .sort((x, y) => x.from - y.from);
}

function inSeries(series: Series, table?: string) {
  const column = (name: string) => sql.ref(table === undefined ? name : `${table}.${name}`);
  return sql<boolean>`${column('ruc')} = ${series.ruc} and ${column('ambiente')} = ${series.ambiente}
    and ${column('cod_doc')} = ${series.codDoc} and ${column('establecimiento')} = ${series.establecimiento}
    and ${column('punto_emision')} = ${series.puntoEmision}`;
}

async function nextOf(access: Access, series: Series): Promise<number | null> {
  const { rows } = await sql<{ next: number | null }>`
    select next from series where ${inSeries(series)}`.execute(access.db());
  return rows[0]?.next == null ? null : Number(rows[0].next);
}

/** In words no index answers: SQLite would read a whole series by its numbers instead of a few days by their dates. */
const sameSeries = ({ ruc, ambiente, codDoc, establecimiento, puntoEmision }: Series) =>
  sql<boolean>`ruc || cod_doc || establecimiento || punto_emision = ${ruc + codDoc + establecimiento + puntoEmision}
    and ambiente + 0 = ${ambiente}`;

/** Numbers of a span whose neighbour below (-1) or above (1) no document has; each is one look into the index. */
async function lonelyIn(
  access: Access,
  series: Series,
  { from, to, step }: { from: Day; to: Day; step: -1 | 1 },
): Promise<number[]> {
  const { rows } = await sql<{ secuencial: string }>`
    select secuencial from documents as own
    where ${sameSeries(series)} and secuencial is not null and issue_date >= ${from} and issue_date <= ${to}
      and not exists (
        select 1 from documents as beside
        where ${inSeries(series, 'beside')}
          and beside.secuencial = substr(cast(1000000000 + cast(own.secuencial as integer) + ${sql.lit(step)} as ${sql.raw('varchar(10)')}), 2)
      )`.execute(access.db());
  return rows.map(({ secuencial }) => Number(secuencial));
}

async function neighbour(
  access: Access,
  series: Series,
  number: number,
  step: -1 | 1,
): Promise<{ number: number; day: Day | null } | null> {
  const text = String(number).padStart(9, '0');
  const beyond = step === -1 ? sql`secuencial < ${text}` : sql`secuencial > ${text}`;
  const { rows } = await sql<{ secuencial: string; issue_date: Day | null }>`
    select secuencial, issue_date from documents where ${inSeries(series)} and ${beyond}
    order by secuencial ${sql.raw(step === -1 ? 'desc' : 'asc')} limit 1`.execute(access.db());
  return rows[0] ? { number: Number(rows[0].secuencial), day: rows[0].issue_date } : null;
}

async function dayOf(access: Access, series: Series, number: number): Promise<Day | null> {
  const { rows } = await sql<{ issue_date: Day | null }>`
    select issue_date from documents where ${inSeries(series)}
      and secuencial = ${String(number).padStart(9, '0')}`.execute(access.db());
  return rows[0]?.issue_date ?? null;
}
