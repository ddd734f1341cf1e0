import { sql } from 'kysely';
import { type Day, dayMs, ecuadorDay, startOfEcuadorDay } from '../domain/clock.ts';
import { documentKinds } from '../domain/document.ts';
import { type Amount, decimal, toAmount } from '../domain/money.ts';
import type { Scope } from '../domain/settings.ts';
import { type Access, count, wrote } from './access.ts';
import type { KeptClose, Tally } from './schema.ts';

export type Closes = ReturnType<typeof closeTable>;

export function closeTable({ db }: Access) {
  const all = () => db().selectFrom('closes').selectAll();
  const newest = () => all().orderBy('n', 'desc').limit(1);
  return {
    last: (): Promise<KeptClose | undefined> => newest().executeTakeFirst(),

    /** Adds one; false when another process took its number `n` meanwhile. */
    add: (close: KeptClose) =>
      wrote(
        db()
          .insertInto('closes')
          .values(close)
          .onConflict((known) => known.column('n').doNothing()),
      ),

    /** The newest of a day and scope (a store's id, several ids, or "*"). */
    ofDay: (day: Day, scope: string): Promise<KeptClose | undefined> =>
      newest()
        .where((is) => is.and({ day, scope }))
        .executeTakeFirst(),

    recent: (limit: number, scopes?: readonly string[]): Promise<KeptClose[]> =>
      all()
        .$if(scopes !== undefined, (query) => query.where('scope', 'in', scopes ?? []))
        .orderBy('day', 'desc')
        .orderBy('n', 'desc')
        .limit(limit)
        .execute(),

    chain: (after: number, limit: number): Promise<KeptClose[]> =>
      all().where('n', '>', after).orderBy('n').limit(limit).execute(),
  };
}

export interface DayTally extends Omit<Tally, 'cents'> {
  day: Day;
  /** The documents' totals, or the charges where there is no total yet. */
  amount: Amount;
}

/**
 * Tallying a day of 11,000 documents takes SQLite some 30 ms, so past days are stored. A stored tally is right
 * as long as the same number of its documents is open: documents become final once, and none is created in the past.
 */
export function dayTallyTable(access: Access) {
  const { db } = access;

  async function keep(day: Day, tallies: readonly Tally[]): Promise<void> {
    const final = tallies.filter((one) => !isOpen(one));
    const kept = { open: openIn(tallies), tallies: JSON.stringify(final) };
    await db()
      .insertInto('tallies')
      .values({ day, ...kept })
      .onConflict((known) => known.column('day').doUpdateSet(kept))
      .execute();
  }

  return {
    async since(from: Day, now: Date, scope: Scope | null = null): Promise<DayTally[]> {
      const today = ecuadorDay(now);
      const rows = await db()
        .selectFrom('tallies')
        .selectAll()
        .where('day', '>=', from)
        .where('day', '<', today)
        .execute();
      const kept = new Map(rows.map((row) => [row.day, row]));
      const open = await tallyOpen(access);
      const found: DayTally[] = [];
      for (let at = startOfEcuadorDay(from).getTime(); at <= now.getTime(); at += dayMs) {
        const day = ecuadorDay(new Date(at));
        const still = open.get(day) ?? [];
        const one = kept.get(day);
        const isKept = one?.open === openIn(still);
        const tallies = isKept ? [...one.tallies, ...still] : await tallyDay(access, new Date(at));
        if (!isKept && day < today) await keep(day, tallies);
        for (const { cents, ...tally } of tallies)
          if (scope === null || scope.storeIds.has(tally.storeId))
            found.push({ ...tally, day, amount: toAmount(decimal(cents).div(100)) });
      }
      return found;
    },
  };
}

const isOpen = ({ state }: Tally): boolean => state !== 'authorized' && state !== 'cancelled';
const openIn = (tallies: readonly Tally[]): number =>
  tallies.reduce((sum, one) => sum + (isOpen(one) ? one.count : 0), 0);

/** Cents, because integers add up exactly on both engines. */
const cents = sql<string>`sum(cast(round(cast(coalesce(total, charged) as double precision) * 100) as integer))`;
const tallied = ['storeId', 'ambiente', 'kind', 'state'] as const;

async function tallyDay({ db }: Access, midnight: Date): Promise<Tally[]> {
  const rows = await db()
    .selectFrom('documents')
    .select([...tallied, count, cents.as('cents')])
    .where('createdAt', '>=', midnight.toISOString())
    .where('createdAt', '<', new Date(midnight.getTime() + dayMs).toISOString())
    .groupBy(tallied)
    .execute();
  return rows.map((row) => ({ ...row, cents: Number(row.cents) }));
}

/** A day in Ecuador begins at 05:00 UTC. Uses the index of open documents. */
async function tallyOpen({ db }: Access): Promise<Map<Day, Tally[]>> {
  const half = sql<string>`substr(created_at, 1, 11) || case when substr(created_at, 12, 2) < '05' then '00' else '05' end`;
  const rows = await db()
    .selectFrom('documents')
    .select([...tallied, half.as('half'), count, cents.as('cents')])
    // Naming all kinds makes SQLite use the index.
    .where('kind', 'in', documentKinds)
    .where(sql<boolean>`state not in ('authorized', 'cancelled')`)
    .groupBy([...tallied, 'half'])
    .execute();
  const tallies = rows.map(({ half, cents, ...row }) => ({
    day: ecuadorDay(new Date(`${half}:00:00Z`)),
    tally: { ...row, cents: Number(cents) },
  }));
  const byDay = Map.groupBy(tallies, ({ day }) => day);
  return new Map([...byDay].map(([day, some]) => [day, merged(some.map(({ tally }) => tally))]));
}

/** One row for each store, ambiente, kind and state: a day in Ecuador has two halves of days in UTC. */
function merged(rows: readonly Tally[]): Tally[] {
  const found = new Map<string, Tally>();
  for (const row of rows) {
    const key = `${row.storeId}/${row.ambiente}/${row.kind}/${row.state}`;
    const known = found.get(key);
    found.set(
      key,
      known ? { ...known, count: known.count + row.count, cents: known.cents + row.cents } : row,
    );
  }
  return [...found.values()];
}
