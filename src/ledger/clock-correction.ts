import { type RawBuilder, sql } from 'kysely';
import { ecuadorDay } from '../domain/clock.ts';
import { jobKinds, longestWaitMs } from '../domain/job.ts';
import type { Access } from './access.ts';
import { waiting } from './partitions.ts';
import type { Schema } from './schema.ts';

const minute = 60_000;
const toleratedMs = minute;
/** The longest wait of locks and, after a jump, jobs. */
const shortMs = 15 * minute;
/** A living holder renews its lock within this time; a dead one loses it. */
const lockMs = 3 * minute;
/** The longest hold of a rate limit; the table counts in milliseconds (queue/rate-limit.ts). */
const longestHoldMs = 20 * minute;

interface Column {
  table: keyof Schema;
  column: string;
  where?: string;
}

/** The index of open documents has the same condition; the instants of final ones decide nothing. */
const isOpen = `state not in ('authorized', 'cancelled')`;
const ofOpen = `document_id in (select id from documents where ${isOpen})`;

/** Instants of past events that something is computed from; the audit log stays as it is. */
const past: readonly Column[] = [
  { table: 'jobs', column: 'releasedAt' },
  { table: 'jobs', column: 'failingSince' },
  { table: 'documents', column: 'createdAt', where: isOpen },
  { table: 'documents', column: 'updatedAt', where: isOpen },
  { table: 'attempts', column: 'createdAt', where: ofOpen },
  { table: 'attempts', column: 'endedAt', where: ofOpen },
  { table: 'history', column: 'at', where: ofOpen },
  { table: 'keyDigits', column: 'variedAt' },
  { table: 'series', column: 'stoppedAt' },
  { table: 'reconciliations', column: 'reconciledTo' },
  { table: 'reconciliations', column: 'behindSince' },
  { table: 'deliveries', column: 'receivedAt' },
  { table: 'pauses', column: 'since' },
  { table: 'alerts', column: 'since' },
  { table: 'alerts', column: 'overAt' },
  { table: 'alertDeliveries', column: 'notifiedAt' },
  { table: 'sessions', column: 'beganAt' },
  { table: 'sessions', column: 'seenAt' },
];

const future = (wasAhead: boolean): (Column & { atMostMs: number; lastsMs?: number })[] => [
  ...jobKinds.flatMap((kind) =>
    ['dueAt', 'askedAgainAt'].map((column) => ({
      table: 'jobs' as const,
      column,
      atMostMs: wasAhead ? shortMs : longestWaitMs(kind),
      where: `kind = '${kind}'`,
    })),
  ),
  { table: 'jobs', column: 'leaseUntil', atMostMs: shortMs, lastsMs: lockMs },
  { table: 'locks', column: 'until', atMostMs: shortMs, lastsMs: lockMs },
  { table: 'counters', column: 'endsAt', atMostMs: 25 * 60 * minute },
];

/** An event dated later than now happened by now; a job due later than it ever waits is due now, which is harmless. */
export function clockCorrectionTable(access: Access) {
  const { db } = access;
  return {
    /** @param jumped the clock has just been set back, so any waiting job may wait too long. */
    correct: (now: Date, jumped: boolean): Promise<Record<string, number>> =>
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
        await run(
          { table: 'tallies', column: 'day' },
          sql`delete from tallies where day >= ${ecuadorDay(now)}`,
        );
        const wasAhead = jumped || Object.keys(found).length > 0;
        for (const one of future(wasAhead)) await run(one, toNow(one, one.atMostMs, one.lastsMs));
        const held = now.getTime() + longestHoldMs;
        await run(
          { table: 'rateLimits', column: 'tat' },
          sql`update rate_limits set tat = ${now.getTime()}, slow_until = 0 where tat > ${held} or slow_until > ${held}`,
        );
        inside.jobChanged();
        return found;
      }),

    moveLeases: (ms: number): Promise<void> =>
      access.atomic(async ({ db }) => {
        const moved = (at: string | null) => at && new Date(Date.parse(at) + ms).toISOString();
        const taken = db()
          .selectFrom('jobs')
          .select(['id', 'releasedAt', 'leaseUntil', 'askedAgainAt'])
          .where('state', '<>', waiting);
        for (const { id, releasedAt, leaseUntil, askedAgainAt } of await taken.execute())
          await db()
            .updateTable('jobs')
            .set({
              releasedAt: moved(releasedAt),
              leaseUntil: moved(leaseUntil),
              askedAgainAt: moved(askedAgainAt),
            })
            .where('id', '=', id)
            .execute();
      }),

    async closedTooSoon(now: Date): Promise<string[]> {
      const rows = await db()
        .selectFrom('closes')
        .select('day')
        .distinct()
        .where('closedAt', '>', new Date(now.getTime() + toleratedMs).toISOString())
        .orderBy('day')
        .execute();
      return rows.map(({ day }) => day);
    },
  };
}
