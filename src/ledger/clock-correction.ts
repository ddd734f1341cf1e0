import { type RawBuilder, sql } from 'kysely';
import { ecuadorDay } from '../domain/clock.ts';
import { jobKinds, longestWaitMs } from '../domain/job.ts';
import type { Access } from './access.ts';
import { waiting } from './jobs/partitions.ts';
import type { Schema } from './schema.ts';

/**
 * Corrects instants that were written by a clock that was ahead; the lists below name every column concerned. An event
 * dated later than now happened by now; a job due further ahead than it ever waits is due now. A job that runs early does
 * no harm, because it decides again what to do.
 */
export interface ClockCorrection {
  /**
   * Answers how many values were changed, by "table.column"; none where no clock was ever ahead.
   * @param jumped the clock has just been set back, so any waiting job may wait too long.
   */
  correct(now: Date, jumped: boolean): Promise<Record<string, number>>;
  /** The clock was moved by so many milliseconds: released and leased jobs stay so for as long as before. */
  moveLeases(ms: number): Promise<void>;
  /** Days that were closed before they ended. */
  closedTooSoon(now: Date): Promise<string[]>;
}

const minute = 60_000;
/** Smaller differences between clocks are ignored. */
const toleratedMs = minute;
/** The longest wait of locks, breakers and, after a jump, jobs. */
const shortMs = 15 * minute;
/** A living holder renews its lock within this time; a dead one loses it. */
const lockMs = 3 * minute;
/** The longest hold of a rate limit; the table counts in milliseconds (queue/gcra.ts). */
const longestHoldMs = 20 * minute;

interface Column {
  table: keyof Schema;
  column: string;
  where?: string;
}

/** As in the index of open documents; the instants of final ones decide nothing any more. */
const isOpen = `state not in ('authorized', 'cancelled')`;
const ofOpen = `document_id in (select id from documents where ${isOpen})`;

/** Instants of past events that something is computed from; the audit log stays as it is. */
const past: readonly Column[] = [
  { table: 'jobs', column: 'released_at' },
  { table: 'jobs', column: 'failing_since' },
  { table: 'documents', column: 'created_at', where: isOpen },
  { table: 'documents', column: 'updated_at', where: isOpen },
  { table: 'attempts', column: 'created_at', where: ofOpen },
  { table: 'attempts', column: 'ended_at', where: ofOpen },
  { table: 'history', column: 'at', where: ofOpen },
  { table: 'key_digits', column: 'varied_at' },
  { table: 'series', column: 'stopped_at' },
  { table: 'reconciliations', column: 'reconciled_to' },
  { table: 'reconciliations', column: 'behind_since' },
  { table: 'deliveries', column: 'received_at' },
  { table: 'pauses', column: 'since' },
  { table: 'breakers', column: 'since' },
  { table: 'alerts', column: 'since' },
  { table: 'alerts', column: 'over_at' },
  { table: 'alert_deliveries', column: 'notified_at' },
  { table: 'sessions', column: 'began_at' },
  { table: 'sessions', column: 'seen_at' },
];

/** Instants in the future, and how far ahead they may be. */
const future = (wasAhead: boolean): (Column & { atMostMs: number; lastsMs?: number })[] => [
  ...jobKinds.flatMap((kind) =>
    ['due_at', 'asked_again_at'].map((column) => ({
      table: 'jobs' as const,
      column,
      atMostMs: wasAhead ? shortMs : longestWaitMs(kind),
      where: `kind = '${kind}'`,
    })),
  ),
  { table: 'jobs', column: 'lease_until', atMostMs: shortMs, lastsMs: lockMs },
  { table: 'locks', column: 'until', atMostMs: shortMs, lastsMs: lockMs },
  { table: 'breakers', column: 'retry_at', atMostMs: shortMs },
  { table: 'failure_counts', column: 'ends_at', atMostMs: 25 * 60 * minute },
];

/** Counts of a day or hour in the future: deleted. */
const futureCounts = (now: Date): Column[] => {
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

export function clockCorrectionTable(access: Access): ClockCorrection {
  const { db } = access;
  return {
    correct: (now, jumped) =>
      access.atomic(async (inside) => {
        const { db } = inside;
        const found: Record<string, number> = {};
        const run = async ({ table, column }: Column, statement: RawBuilder<unknown>) => {
          const changed = Number((await statement.execute(db())).numAffectedRows ?? 0);
          if (changed > 0) found[`${table}.${column}`] = changed + (found[`${table}.${column}`] ?? 0);
        };
        const after = (ms: number) => new Date(now.getTime() + ms).toISOString();
        const toNow = ({ table, column, where = 'true' }: Column, atMostMs: number, lastsMs = 0) =>
          sql`update ${sql.table(table)} set ${sql.ref(column)} = ${after(lastsMs)}
            where ${sql.ref(column)} > ${after(atMostMs)} and (${sql.raw(where)})`;
        for (const one of past) await run(one, toNow(one, toleratedMs));
        for (const one of futureCounts(now))
          await run(one, sql`delete from ${sql.table(one.table)} where ${sql.raw(one.where ?? 'true')}`);
        const wasAhead = jumped || Object.keys(found).length > 0;
        for (const one of future(wasAhead)) await run(one, toNow(one, one.atMostMs, one.lastsMs));
        const held = now.getTime() + longestHoldMs;
        await run(
          { table: 'rate_limits', column: 'tat' },
          sql`update rate_limits set tat = ${now.getTime()}, slow_until = 0 where tat > ${held} or slow_until > ${held}`,
        );
        inside.jobChanged();
        return found;
      }),

    moveLeases: (ms) =>
      access.atomic(async ({ db }) => {
        const moved = (at: string | null) => at && new Date(Date.parse(at) + ms).toISOString();
        const taken = db()
          .selectFrom('jobs')
          .select(['id', 'released_at', 'lease_until', 'asked_again_at'])
          .where('state', '<>', waiting);
        for (const { id, released_at, lease_until, asked_again_at } of await taken.execute())
          await db()
            .updateTable('jobs')
            .set({
              released_at: moved(released_at),
              lease_until: moved(lease_until),
              asked_again_at: moved(asked_again_at),
            })
            .where('id', '=', id)
            .execute();
      }),

    async closedTooSoon(now) {
      const rows = await db()
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
