import { sql } from 'kysely';
import { type Day, ecuadorDay, startOfEcuadorDay } from '../domain/calendar.ts';
import { type Ambiente, type DocumentKind, type DocumentState, documentKinds } from '../domain/document.ts';
import { type Amount, decimal, toAmount } from '../domain/money.ts';
import type { Scope } from '../domain/scope.ts';
import type { Access } from './access.ts';

/** So many documents of a kind and state that came in on a day in Ecuador, and what they add up to. */
export interface DayTally {
  day: Day;
  storeId: string;
  ambiente: Ambiente;
  kind: DocumentKind;
  state: DocumentState;
  count: number;
  /** Of what the documents say, or of what the buyer was charged while there is no document yet. */
  amount: Amount;
}

/**
 * Documents by the day on which they came in. Tallying a day of 11,000 documents takes SQLite some 30 ms (it answers
 * nobody else meanwhile), so days that are over are kept once tallied, and of today the hours that are over. A document
 * only ever leaves the open states and never comes back, and none comes in at a time that is over: so what was kept of
 * a time is right as long as the same number of its documents is open.
 */
export interface DayTallies {
  /**
   * From `from` to the day it is `now`, both included; days without documents have no rows. What is kept is one row per
   * store and day, of which a scope takes its stores'.
   */
  since(from: Day, now: Date, scope?: Scope | null): Promise<DayTally[]>;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

type Tally = Omit<HourTally, 'hour'>;

interface Span {
  key: string;
  from: Date;
  to: Date;
}

export function dayTallyTable(access: Access): DayTallies {
  async function keep(span: string, rows: readonly Tally[]): Promise<void> {
    const kept = {
      open: openIn(rows),
      tallies: JSON.stringify(rows.filter((row) => !isOpen(row))),
    };
    await access
      .db()
      .insertInto('tallies')
      .values({ span, ...kept })
      .onConflict((known) => known.column('span').doUpdateSet(kept))
      .execute();
  }

  /** Of times that are over: from what was kept, else counted and kept. */
  async function over(
    spans: readonly Span[],
    open: ReadonlyMap<string, HourTally[]>,
  ): Promise<Map<string, Tally[]>> {
    const [first, last] = [spans[0], spans.at(-1)];
    if (!first || !last) return new Map();
    const rows = await access
      .db()
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

  /** Hours of days that are over: their day is kept. */
  async function forgetHours(before: Date): Promise<void> {
    const last = hourKey(before.toISOString().slice(0, 13));
    const old = await access
      .db()
      .selectFrom('tallies')
      .select('span')
      .where('span', '>=', 'h')
      .where('span', '<', last)
      .limit(1)
      .executeTakeFirst();
    if (old)
      await access.db().deleteFrom('tallies').where('span', '>=', 'h').where('span', '<', last).execute();
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

function spansOf(from: number, to: number, step: number, keyOf: (at: Date) => string): Span[] {
  const count = Math.max(0, Math.round((to - from) / step));
  return Array.from({ length: count }, (_, n) => {
    const at = new Date(from + n * step);
    return { key: keyOf(at), from: at, to: new Date(at.getTime() + step) };
  });
}

const hourKey = (hour: string): string => `h${hour}`;
const isOpen = ({ state }: Tally): boolean => state !== 'authorized' && state !== 'cancelled';
const openIn = (rows: readonly Tally[]): number =>
  rows.reduce((sum, row) => sum + (isOpen(row) ? row.count : 0), 0);

/** One row for all that are alike. */
function merged(rows: readonly Tally[]): Tally[] {
  const found = new Map<string, Tally>();
  for (const { storeId, ambiente, kind, state, count, cents } of rows) {
    const key = `${storeId}/${ambiente}/${kind}/${state}`;
    const known = found.get(key) ?? { storeId, ambiente, kind, state, count: 0, cents: 0 };
    found.set(key, { ...known, count: known.count + count, cents: known.cents + cents });
  }
  return [...found.values()];
}

/** Documents of one hour that are alike, and their whole cents. */
interface HourTally {
  /** UTC: "2026-11-21T14". */
  hour: string;
  storeId: string;
  ambiente: Ambiente;
  kind: DocumentKind;
  state: DocumentState;
  count: number;
  cents: number;
}

const hourOf = sql<string>`substr(created_at, 1, 13)`;
/** Integers add up exactly on both engines. */
const cents = sql<string>`sum(cast(round(cast(coalesce(total, charged) as double precision) * 100) as integer))`;

/** Before `midnight` only the hours matter at which a day begins somewhere: five in UTC is midnight in Ecuador. */
const coarseHour = (
  midnight: Date,
) => sql<string>`case when created_at >= ${midnight.toISOString()} then ${hourOf}
  else substr(created_at, 1, 11) || case when substr(created_at, 12, 2) < '05' then '00' else '05' end end`;

const tallied = (access: Access, hour = hourOf) =>
  access
    .db()
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
  (await query.execute()).map(({ store_id, count, cents: whole, ...row }) => ({
    ...row,
    storeId: store_id,
    count: Number(count),
    cents: Number(whole),
  }));

/** All documents that came in from the one instant on and before the other, in the time of their number. */
const tallyBetween = (access: Access, from: Date, to: Date): Promise<HourTally[]> =>
  rowsOf(
    tallied(access).where('created_at', '>=', from.toISOString()).where('created_at', '<', to.toISOString()),
  );

/**
 * What is open, whenever it came in: by the hour since `midnight` in Ecuador, before it by day. Read from the index of
 * what is open (the condition has its words).
 */
const tallyOpen = (access: Access, midnight: Date): Promise<HourTally[]> =>
  rowsOf(
    tallied(access, coarseHour(midnight))
      // All there are; names the index to SQLite.
      .where('kind', 'in', documentKinds)
      .where(sql<boolean>`state not in ('authorized', 'cancelled')`),
  );
