import { sql } from 'kysely';
import type { Day } from '../domain/calendar.ts';
import type { Series } from '../domain/document.ts';
import type { Access } from './access.ts';

/** Numbers of a series no document of the ledger has. */
export interface NumberGap {
  from: number;
  to: number;
  /** The issue days of the documents with the next lower and the next higher number; null where there is none. */
  before: Day | null;
  after: Day | null;
}

/** See Days.gaps. Looks at the documents of the span and their neighbours, however long the series is. */
export async function gapsOf(
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
