import { type RawBuilder, sql } from 'kysely';
import { ecuadorDay } from '../domain/calendar.ts';
import { longestWaitMs, workKinds } from '../domain/work.ts';
import type { Access } from './access.ts';
import type { Schema } from './schema.ts';
import { waiting } from './work/states.ts';

/**
 * What a clock that was ahead left in the ledger, put right; this is the list of all that is reckoned with. An instant in
 * the future tells nothing else: what is said to have happened later than now happened by now, and what is due further
 * ahead than it ever waits is due now. Every job decides anew what is to be done, so that one that runs early does no harm.
 */
export interface Ahead {
  /**
   * Answers how many values were changed, by "table.column"; none where no clock was ever ahead.
   * @param jumped the clock has just been set back, so that everything that waits may wait too long.
   */
  correct(now: Date, jumped: boolean): Promise<Record<string, number>>;
  /** The clock was moved by so many milliseconds: what is handed over or leased stays so for as long as before. */
  moveLeases(ms: number): Promise<void>;
  /** Days that were closed before they were over. */
  closedTooSoon(now: Date): Promise<string[]>;
}

const minute = 60_000;
/** Clocks that differ by less are right. */
const toleratedMs = minute;
/** Locks, breakers and, after a jump, jobs: what lasts minutes by its nature. */
const shortMs = 15 * minute;
/** A lock whose holder lives is prolonged by then; that of a dead one ends. */
const lockMs = 3 * minute;
/** No hold of a rate limit lasts longer; the table counts in milliseconds (queue/gcra.ts). */
const longestHoldMs = 20 * minute;

interface Column {
  table: keyof Schema;
  column: string;
  where?: string;
}

/** As in the indexes of what is open (migration 0003): what is final is read, and decides nothing any more. */
const isOpen = `state not in ('authorized', 'cancelled')`;
const ofOpen = `document_id in (select id from documents where ${isOpen})`;

/** Instants at which something happened, as far as anything is reckoned from them; the audit log stays as it is. */
const past: readonly Column[] = [
  { table: 'work', column: 'released_at' },
  { table: 'work', column: 'failing_since' },
  { table: 'documents', column: 'created_at', where: isOpen },
  { table: 'documents', column: 'updated_at', where: isOpen },
  { table: 'attempts', column: 'created_at', where: ofOpen },
  { table: 'attempts', column: 'ended_at', where: ofOpen },
  { table: 'history', column: 'at', where: ofOpen },
  { table: 'key_digits', column: 'varied_at' },
  { table: 'series', column: 'stopped_at' },
  { table: 'sweeps', column: 'swept_to' },
  { table: 'sweeps', column: 'behind_since' },
  { table: 'deliveries', column: 'received_at' },
  { table: 'pauses', column: 'since' },
  { table: 'breakers', column: 'since' },
  { table: 'alerts', column: 'since' },
  { table: 'alerts', column: 'over_at' },
  { table: 'tellings', column: 'told_at' },
  { table: 'sessions', column: 'began_at' },
  { table: 'sessions', column: 'seen_at' },
];

/** Instants that lie in the future by their nature, and how far at most. */
const due = (wasAhead: boolean): (Column & { atMostMs: number; lastsMs?: number })[] => [
  ...workKinds.flatMap((kind) =>
    ['due_at', 'asked_again_at'].map((column) => ({
      table: 'work' as const,
      column,
      atMostMs: wasAhead ? shortMs : longestWaitMs(kind),
      where: `kind = '${kind}'`,
    })),
  ),
  { table: 'work', column: 'lease_until', atMostMs: shortMs, lastsMs: lockMs },
  { table: 'turns', column: 'until', atMostMs: shortMs, lastsMs: lockMs },
  { table: 'breakers', column: 'retry_at', atMostMs: shortMs },
  { table: 'failure_counts', column: 'ends_at', atMostMs: 25 * 60 * minute },
];

/** Counts of a time that has not come. */
const untrue = (now: Date): Column[] => {
  const today = ecuadorDay(now);
  return [
    { table: 'look_ups', column: 'day', where: `day > '${today}'` },
    {
      table: 'tallies',
      column: 'span',
      where: `(span >= '${today}' and span < 'h') or span >= 'h${now.toISOString().slice(0, 13)}'`,
    },
  ];
};

export function aheadTable(access: Access): Ahead {
  return {
    correct: (now, jumped) =>
      access.atomic(async (inside) => {
        const db = inside.db();
        const found: Record<string, number> = {};
        const run = async ({ table, column }: Column, statement: RawBuilder<unknown>) => {
          const changed = Number((await statement.execute(db)).numAffectedRows ?? 0);
          if (changed > 0) found[`${table}.${column}`] = changed + (found[`${table}.${column}`] ?? 0);
        };
        const after = (ms: number) => new Date(now.getTime() + ms).toISOString();
        const toNow = ({ table, column, where = 'true' }: Column, atMostMs: number, lastsMs = 0) =>
          sql`update ${sql.table(table)} set ${sql.ref(column)} = ${after(lastsMs)}
            where ${sql.ref(column)} > ${after(atMostMs)} and (${sql.raw(where)})`;
        for (const one of past) await run(one, toNow(one, toleratedMs));
        for (const one of untrue(now))
          await run(one, sql`delete from ${sql.table(one.table)} where ${sql.raw(one.where ?? 'true')}`);
        const wasAhead = jumped || Object.keys(found).length > 0;
        for (const one of due(wasAhead)) await run(one, toNow(one, one.atMostMs, one.lastsMs));
        const held = now.getTime() + longestHoldMs;
        await run(
          { table: 'budgets', column: 'tat' },
          sql`update budgets set tat = ${now.getTime()}, slow_until = 0 where tat > ${held} or slow_until > ${held}`,
        );
        inside.workChanged();
        return found;
      }),

    moveLeases: (ms) =>
      access.atomic(async (inside) => {
        const moved = (at: string | null) => at && new Date(Date.parse(at) + ms).toISOString();
        const taken = inside
          .db()
          .selectFrom('work')
          .select(['id', 'released_at', 'lease_until', 'asked_again_at'])
          .where('state', '<>', waiting);
        for (const { id, released_at, lease_until, asked_again_at } of await taken.execute())
          await inside
            .db()
            .updateTable('work')
            .set({
              released_at: moved(released_at),
              lease_until: moved(lease_until),
              asked_again_at: moved(asked_again_at),
            })
            .where('id', '=', id)
            .execute();
      }),

    async closedTooSoon(now) {
      const rows = await access
        .db()
        .selectFrom('closes')
        .select('day')
        .distinct()
        .where('closed_at', '>', new Date(now.getTime() + toleratedMs).toISOString())
        .orderBy('day')
        .execute();
      return rows.map(({ day }) => day);
    },
  };
}
