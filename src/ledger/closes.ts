import { sql } from 'kysely';
import { type Day, dayMs, ecuadorDay, startOfEcuadorDay } from '../domain/clock.ts';
import { type Ambiente, type DocumentKind, type DocumentState, documentKinds } from '../domain/document.ts';
import { type Amount, decimal, toAmount } from '../domain/money.ts';
import type { Scope } from '../domain/settings.ts';
import { type CamelCased, camelCased, snakeCased } from '../domain/text.ts';
import type { Access } from './access.ts';
import type { CloseRecord } from './schema.ts';

/** A stored close of a day; its fields are described at its record (schema.ts). */
export type KeptClose = CamelCased<CloseRecord>;

/** The closes of days; they are only added. */
export interface Closes {
  /** The newest of all; undefined before the first. */
  last(): Promise<KeptClose | undefined>;
  /** Adds one; false when another process took its number `n` meanwhile. */
  add(close: KeptClose): Promise<boolean>;
  /** The newest of a day and scope (a store's id, several ids, or "*"). */
  ofDay(day: Day, scope: string): Promise<KeptClose | undefined>;
  /** The newest day first, then the newest close; only of these scopes, if given. */
  recent(limit: number, scopes?: readonly string[]): Promise<KeptClose[]>;
  /** The chain after number `after`. */
  chain(after: number, limit: number): Promise<KeptClose[]>;
}

export function closeTable({ db }: Access): Closes {
  const all = () => db().selectFrom('closes').selectAll();
  const first = async (query: ReturnType<typeof all>) => {
    const row = await query.limit(1).executeTakeFirst();
    return row && readClose(row);
  };
  return {
    last: () => first(all().orderBy('n', 'desc')),

    async add(close) {
      const added = await db()
        .insertInto('closes')
        .values(snakeCased(close))
        .onConflict((known) => known.column('n').doNothing())
        .returning('n')
        .executeTakeFirst();
      return added !== undefined;
    },

    ofDay: (day, scope) =>
      first(
        all()
          .where((is) => is.and({ day, scope }))
          .orderBy('n', 'desc'),
      ),

    async recent(limit, scopes) {
      const rows = await all()
        .$if(scopes !== undefined, (query) => query.where('scope', 'in', [...(scopes ?? []), '']))
        .orderBy('day', 'desc')
        .orderBy('n', 'desc')
        .limit(limit)
        .execute();
      return rows.map(readClose);
    },

    async chain(after, limit) {
      const rows = await all().where('n', '>', after).orderBy('n').limit(limit).execute();
      return rows.map(readClose);
    },
  };
}

const readClose = (row: CloseRecord): KeptClose => ({ ...camelCased(row), n: Number(row.n) });

/** The documents of one kind and state created on a day in Ecuador: count and sum. */
export interface DayTally extends Omit<Tally, 'cents'> {
  day: Day;
  /** The sum of the documents' totals, or of the charges where there is no total yet. */
  amount: Amount;
}

/**
 * Tallies documents by the day they were created. Tallying a day of 11,000 documents takes SQLite some 30 ms, so past days
 * are stored once tallied, and of today the past hours. Documents leave the open states only once, and none is created in
 * the past: a stored tally is right as long as the same number of its documents is open.
 */
export interface DayTallies {
  /**
   * From the day `from` to that of `now`, both included; days without documents have no rows. With a scope only its stores.
   */
  since(from: Day, now: Date, scope?: Scope | null): Promise<DayTally[]>;
}

const hourMs = 3_600_000;

interface Span {
  key: string;
  from: Date;
  to: Date;
}

export function dayTallyTable(access: Access): DayTallies {
  const { db } = access;
  async function keep(span: string, rows: readonly Tally[]): Promise<void> {
    const kept = {
      open: openIn(rows),
      tallies: JSON.stringify(rows.filter((row) => !isOpen(row))),
    };
    await db()
      .insertInto('tallies')
      .values({ span, ...kept })
      .onConflict((known) => known.column('span').doUpdateSet(kept))
      .execute();
  }

  /** The tallies of past spans: stored ones, else counted and stored. */
  async function over(
    spans: readonly Span[],
    open: ReadonlyMap<string, HourTally[]>,
  ): Promise<Map<string, Tally[]>> {
    const [first, last] = [spans[0], spans.at(-1)];
    if (!first || !last) return new Map();
    const rows = await db()
      .selectFrom('tallies')
      .selectAll()
      .where('span', '>=', first.key)
      .where('span', '<=', last.key)
      .execute();
    const kept = new Map(rows.map((row) => [row.span, row]));
    const found = new Map<string, Tally[]>();
    for (const { key, from, to } of spans) {
      const still = open.get(key) ?? [];
      const one = kept.get(key);
      if (one?.open === openIn(still)) found.set(key, [...(JSON.parse(one.tallies) as Tally[]), ...still]);
      else {
        const counted = merged(await tallyBetween(access, from, to));
        await keep(key, counted);
        found.set(key, counted);
      }
    }
    return found;
  }

  /** Deletes the hours of past days, whose day is stored. */
  async function forgetHours(before: Date): Promise<void> {
    const last = hourKey(before.toISOString().slice(0, 13));
    const old = await db()
      .selectFrom('tallies')
      .select('span')
      .where('span', '>=', 'h')
      .where('span', '<', last)
      .limit(1)
      .executeTakeFirst();
    if (old) await db().deleteFrom('tallies').where('span', '>=', 'h').where('span', '<', last).execute();
  }

  return {
    async since(from, now, scope = null) {
      const today = ecuadorDay(now);
      const begin = startOfEcuadorDay(from).getTime();
      const midnight = startOfEcuadorDay(today).getTime();
      const thisHour = Math.floor(now.getTime() / hourMs) * hourMs;
      const open = await tallyOpen(access, new Date(midnight));
      const days = spansOf(begin, midnight, dayMs, (at) => ecuadorDay(at));
      const hours = spansOf(midnight, thisHour, hourMs, (at) => hourKey(at.toISOString().slice(0, 13)));
      const byDay = Map.groupBy(open, ({ hour }) => ecuadorDay(new Date(`${hour}:00:00Z`)));
      const byHour = Map.groupBy(open, ({ hour }) => hourKey(hour));
      const found = await over(days, byDay);
      await forgetHours(new Date(midnight));
      const ofToday = [
        ...[...(await over(hours, byHour)).values()].flat(),
        ...(await tallyBetween(access, new Date(thisHour), new Date(midnight + dayMs))),
      ];
      found.set(today, ofToday);
      return [...found].flatMap(([day, rows]) =>
        merged(scope === null ? rows : rows.filter(({ storeId }) => scope.storeIds.has(storeId))).map(
          ({ cents, ...row }) => ({ ...row, day, amount: toAmount(decimal(cents).div(100)) }),
        ),
      );
    },
  };
}

function spansOf(from: number, to: number, spanMs: number, keyOf: (at: Date) => string): Span[] {
  const count = Math.max(0, Math.round((to - from) / spanMs));
  return Array.from({ length: count }, (_, n) => {
    const at = new Date(from + n * spanMs);
    return { key: keyOf(at), from: at, to: new Date(at.getTime() + spanMs) };
  });
}

const hourKey = (hour: string): string => `h${hour}`;
const isOpen = ({ state }: Tally): boolean => state !== 'authorized' && state !== 'cancelled';
const openIn = (rows: readonly Tally[]): number =>
  rows.reduce((sum, row) => sum + (isOpen(row) ? row.count : 0), 0);

/** One row for each store, ambiente, kind and state. */
function merged(rows: readonly Tally[]): Tally[] {
  const found = new Map<string, Tally>();
  for (const { storeId, ambiente, kind, state, count, cents } of rows) {
    const key = `${storeId}/${ambiente}/${kind}/${state}`;
    const known = found.get(key) ?? { storeId, ambiente, kind, state, count: 0, cents: 0 };
    found.set(key, { ...known, count: known.count + count, cents: known.cents + cents });
  }
  return [...found.values()];
}

/** The documents of one store, ambiente, kind and state, and their sum in cents. */
interface Tally {
  storeId: string;
  ambiente: Ambiente;
  kind: DocumentKind;
  state: DocumentState;
  count: number;
  cents: number;
}

interface HourTally extends Tally {
  /** UTC: "2026-11-21T14". */
  hour: string;
}

const hourOf = sql<string>`substr(created_at, 1, 13)`;
/** Cents, because integers add up exactly on both engines. */
const cents = sql<string>`sum(cast(round(cast(coalesce(total, charged) as double precision) * 100) as integer))`;

/** The hour since `midnight`; before it only the half of the day, which begins at five UTC in Ecuador. */
const coarseHour = (
  midnight: Date,
) => sql<string>`case when created_at >= ${midnight.toISOString()} then ${hourOf}
  else substr(created_at, 1, 11) || case when substr(created_at, 12, 2) < '05' then '00' else '05' end end`;

const tallied = ({ db }: Access, hour = hourOf) =>
  db()
    .selectFrom('documents')
    .select(({ fn }) => [
      hour.as('hour'),
      'store_id',
      'ambiente',
      'kind',
      'state',
      fn.countAll().as('count'),
      cents.as('cents'),
    ])
    .groupBy(['hour', 'store_id', 'ambiente', 'kind', 'state']);

const rowsOf = async (query: ReturnType<typeof tallied>): Promise<HourTally[]> =>
  (await query.execute()).map((row) => ({
    ...camelCased(row),
    count: Number(row.count),
    cents: Number(row.cents),
  }));

/** All documents created from one instant on and before another. */
const tallyBetween = (access: Access, from: Date, to: Date): Promise<HourTally[]> =>
  rowsOf(
    tallied(access).where('created_at', '>=', from.toISOString()).where('created_at', '<', to.toISOString()),
  );

/** All open documents: by hour since `midnight` in Ecuador, before it by day. Uses the index of open documents. */
const tallyOpen = (access: Access, midnight: Date): Promise<HourTally[]> =>
  rowsOf(
    tallied(access, coarseHour(midnight))
      // All kinds: names the index to SQLite.
      .where('kind', 'in', documentKinds)
      .where(sql<boolean>`state not in ('authorized', 'cancelled')`),
  );
