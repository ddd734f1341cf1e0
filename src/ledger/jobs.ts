import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { type ClaimedJob, type JobKind, type JobRequest, jobKinds, longestWaitMs } from '../domain/job.ts';
import { type Access, count, everyRow, wrote } from './access.ts';
import { setMark } from './marks.ts';
import {
  enqueueJobs,
  ensureJobs,
  failureCount,
  freed,
  held,
  isShut,
  type Later,
  leased,
  lostWithProcess,
  noFailures,
  postponedTo,
  released,
  requeued,
  waiting,
} from './partitions.ts';
import type { JobState } from './schema.ts';

export interface DueJob extends Pick<JobRequest, 'kind' | 'storeId' | 'rateLimit' | 'priority'> {
  id: string;
  partition: string;
  dueAt: string;
}

export type HeldJob = Pick<JobRequest, 'kind' | 'subject' | 'storeId'>;

export type JobTable = ReturnType<typeof jobTable>;

export type Claims = Pick<JobTable, 'claim' | 'extend' | 'finish' | 'postpone' | 'leaveRunning' | 'survived'>;

export type Releases = Pick<
  JobTable,
  'due' | 'release' | 'takeBack' | 'unfinished' | 'recover' | 'nextDueAt' | 'unclaimed'
>;

/** How long a job that ran when a process died runs without other such jobs, so that one that kills quickly is found. */
const aloneMs = 5_000;

const lastClaim = 'claim';
const notedEveryMs = 30_000;

/** The longest lease and the longest lock (config/schema.ts `leaseSeconds`). */
const longestHoldMs = 10 * 60_000;

const later = (now: Date, ms: number) => new Date(now.getTime() + ms).toISOString();

/** The row of a job says who holds it, to every process (docs/adr/0033-one-lease-protocol.md). */
export function jobTable(access: Access) {
  const { db } = access;
  let notedAt = 0;

  async function noteClaim(kind: JobKind, now: Date): Promise<void> {
    if (kind === 'deliver-alerts' || Math.abs(now.getTime() - notedAt) < notedEveryMs) return;
    notedAt = now.getTime();
    await setMark(access, lastClaim, { at: now.toISOString(), id: '' });
  }

  const update = () => db().updateTable('jobs');
  const claimed = (id: string, token: string) => update().where((is) => is.and({ id, token }));

  return {
    ...dueJobs(access),

    /** The same kind + subject is one row (see JobRequest). */
    enqueue: (request: JobRequest) => enqueueJobs(access, [request]),

    ensure: (requests: readonly JobRequest[]) => ensureJobs(access, requests),

    async existing(kind: JobKind, subjects: readonly string[]): Promise<Set<string>> {
      const rows = await db()
        .selectFrom('jobs')
        .select('subject')
        .where('kind', '=', kind)
        .where('subject', 'in', subjects)
        .execute();
      return new Set(rows.map(({ subject }) => subject));
    },

    /** Answers the ids won: another process took the others. */
    async release(ids: readonly string[], now: Date): Promise<string[]> {
      const won = await update()
        .set({ state: released, releasedAt: now.toISOString() })
        .where('id', 'in', [...ids].sort())
        .where('state', '=', waiting)
        .where('dueAt', '<=', now.toISOString())
        .returning('id')
        .execute();
      return won.map((row) => row.id);
    },

    async takeBack(ids: readonly string[]): Promise<void> {
      await update()
        .set(requeued)
        .where('id', 'in', [...ids].sort())
        .where('state', '=', released)
        .execute();
    },

    async unfinished(ids: readonly string[]): Promise<Set<string>> {
      const rows = await db()
        .selectFrom('jobs')
        .select('id')
        .where('id', 'in', ids)
        .where('state', 'in', [released, leased])
        .execute();
      return new Set(rows.map((row) => row.id));
    },

    async claim(id: string, leaseMs: number, now: Date): Promise<ClaimedJob | undefined> {
      const token = randomBytes(12).toString('base64url');
      const row = await update()
        .set({ state: leased, token, leaseUntil: later(now, leaseMs), releasedAt: now.toISOString() })
        .where((is) => is.and({ id, state: released }))
        .returning(['id', 'kind', 'subject', 'storeId', 'rateLimit', 'payload', 'trace', 'attempts'])
        .executeTakeFirst();
      if (!row) return undefined;
      await noteClaim(row.kind, now);
      return { ...row, payload: row.payload ?? undefined, token };
    },

    async unclaimed(): Promise<Map<string | null, number>> {
      const rows = await db()
        .selectFrom('jobs')
        .select(['rateLimit', count])
        .where('state', '=', released)
        .groupBy('rateLimit')
        .execute();
      return new Map(rows.map((row) => [row.rateLimit, row.count]));
    },

    async counts(): Promise<Record<JobState, number>> {
      const rows = await db().selectFrom('jobs').select(['state', count]).groupBy('state').execute();
      const counts = { waiting: 0, released: 0, leased: 0, held: 0 };
      for (const row of rows) counts[row.state] = row.count;
      return counts;
    },

    /** Omits jobs that a pause keeps; the oldest first. */
    overdue: (before: Date, only?: { kind: JobKind }): Promise<{ id: string; dueAt: string }[]> =>
      db()
        .selectFrom('jobs')
        .select(['id', 'dueAt'])
        .where('state', 'in', [waiting, released])
        .where('dueAt', '<=', before.toISOString())
        .where(only === undefined ? everyRow : sql<boolean>`kind = ${only.kind}`)
        .where(({ not }) => not(isShut(access, 'partition')))
        .orderBy('dueAt')
        .limit(100)
        .execute(),

    /** Exact to half a minute; null before the first. Deliveries of alerts do not count (watch.ts). */
    async lastClaimAt(): Promise<Date | null> {
      const row = await db()
        .selectFrom('marks')
        .select('at')
        .where('name', '=', lastClaim)
        .executeTakeFirst();
      return row ? new Date(row.at) : null;
    },

    extend: (id: string, token: string, leaseMs: number, now: Date) =>
      wrote(claimed(id, token).set({ leaseUntil: later(now, leaseMs) })),

    async holds(id: string, token: string): Promise<boolean> {
      const rows = db()
        .selectFrom('jobs')
        .select('id')
        .where((is) => is.and({ id, token }));
      return (await rows.execute()).length > 0;
    },

    /** Makes the job due again when it was enqueued meanwhile; false when the token is no longer valid. */
    async finish(id: string, token: string): Promise<boolean> {
      // Two statements need no transaction: nobody clears `askedAgainAt` while the token is valid.
      const gone = db()
        .deleteFrom('jobs')
        .where((is) => is.and({ id, token }))
        .where('askedAgainAt', 'is', null);
      if (await wrote(gone)) return true;
      const again = {
        ...requeued,
        ...noFailures,
        dueAt: sql<string>`asked_again_at`,
        deaths: 0,
        reason: null,
      };
      return notify(wrote(claimed(id, token).set(again)));
    },

    postpone(id: string, token: string, { reason, ...later }: Later): Promise<boolean> {
      const at = postponedTo(access, later);
      const dueAt = sql<string>`case when asked_again_at < ${at} then asked_again_at else ${at} end`;
      const again = { ...requeued, ...failureCount(later), dueAt, deaths: 0, reason };
      return notify(wrote(claimed(id, token).set(again)));
    },

    async forget(kind: JobKind, subject: string): Promise<void> {
      await db()
        .deleteFrom('jobs')
        .where((is) => is.and({ kind, subject }))
        .where('state', 'in', [waiting, held])
        .execute();
    },

    /** Its lease then runs out without counting as a death. */
    async leaveRunning(id: string, token: string): Promise<void> {
      await claimed(id, token).set({ deaths: -1 }).execute();
    },

    /** Its worker lost the lease and lives: it does not count as a death. */
    async survived(id: string): Promise<void> {
      const known = update().where('id', '=', id).where('deaths', '>', 0);
      if (!(await notify(wrote(known.set(freed).where('state', '=', held)))))
        await known.set({ deaths: 0 }).execute();
    },

    held: (): Promise<HeldJob[]> =>
      db()
        .selectFrom('jobs')
        .select(['kind', 'subject', 'storeId'])
        .where('state', '=', held)
        .orderBy('id')
        .execute(),

    async free(
      { kind, subjects }: { kind?: JobKind | undefined; subjects: readonly string[] },
      now: Date,
    ): Promise<Pick<HeldJob, 'kind' | 'subject'>[]> {
      const rows = await update()
        .set({ ...freed, dueAt: now.toISOString() })
        .where('state', '=', held)
        .where('subject', 'in', subjects)
        .where(kind === undefined ? everyRow : sql<boolean>`kind = ${kind}`)
        .returning(['kind', 'subject'])
        .execute();
      if (rows.length > 0) access.jobChanged();
      return rows;
    },

    /** A lease that ran out counts as a failure and a death; the second death holds the job (except `neverHeld`). */
    async recover(now: Date, releasedForMs: number): Promise<number> {
      const forgotten = await update()
        .set(requeued)
        .where('state', '=', released)
        .where('releasedAt', '<=', later(now, -releasedForMs))
        .executeTakeFirst();
      const lost = await update()
        .set(lostWithProcess(now))
        .where('state', '=', leased)
        .where('leaseUntil', '<=', now.toISOString())
        .executeTakeFirst();
      const recovered = Number(forgotten.numUpdatedRows + lost.numUpdatedRows);
      if (recovered > 0) access.jobChanged();
      return recovered;
    },

    /**
     * What waits longer than it ever does was written by a clock that was ahead: a job is due now, which is harmless, and a dead
     * holder's lease or lock ends. `jumpedBack`: every wait may be such.
     */
    endLongWaits: (now: Date, jumpedBack = false): Promise<void> =>
      access.atomic(async ({ db, jobChanged }) => {
        const farthest = sql.join(
          jobKinds.map((kind) => sql`when ${kind} then ${later(now, jumpedBack ? 0 : longestWaitMs(kind))}`),
          sql` `,
        );
        for (const column of ['dueAt', 'askedAgainAt'] as const)
          await sql`update jobs set ${sql.ref(column)} = ${now.toISOString()}
            where ${sql.ref(column)} > case kind ${farthest} end`.execute(db());
        const held = later(now, longestHoldMs);
        await db().updateTable('jobs').set({ leaseUntil: held }).where('leaseUntil', '>', held).execute();
        await db().updateTable('locks').set({ until: held }).where('until', '>', held).execute();
        jobChanged();
      }),
  };

  async function notify(change: Promise<boolean>): Promise<boolean> {
    const changed = await change;
    if (changed) access.jobChanged();
    return changed;
  }
}

export async function recoverAll({ db }: Access, now: Date): Promise<number> {
  const jobs = () => db().updateTable('jobs');
  const lost = await jobs().set(lostWithProcess(now)).where('state', '=', leased).executeTakeFirst();
  const unclaimed = await jobs().set(requeued).where('state', '=', released).executeTakeFirst();
  return Number(lost.numUpdatedRows + unclaimed.numUpdatedRows);
}

function dueJobs(access: Access) {
  const { db } = access;
  return {
    /** Ordered by priority, then due time. Jobs that ran when a process died run one by one, each alone for at most 5 s. */
    async due(now: Date, perPartition: number, limit: number): Promise<DueJob[]> {
      // A loose index scan: the cost grows with the number of partitions, not with the backlog.
      const first = sql`select * from jobs as t
        where t.state = ${waiting} and t.partition = partitions.partition and t.due_at <= ${now.toISOString()}
          and (t.deaths <= 0 or not exists (
            select 1 from jobs as s where s.deaths > 0 and s.state in (${released}, ${leased})
              and s.released_at > ${later(now, -aloneMs)}))
        order by t.priority, t.due_at, t.id limit ${perPartition}`;
      const { rows } = await sql<DueJob & { suspect: 0 | 1 }>`
        with recursive scan(partition) as (
          select min(partition) from jobs where state = ${waiting}
          union all
          select (select min(t.partition) from jobs as t where t.state = ${waiting} and t.partition > scan.partition)
          from scan where scan.partition is not null
        ),
        partitions as (
          select partition from scan where not ${isShut(access, 'scan.partition')}
        )
        select w.id, w.kind, w.store_id, w.rate_limit, w.partition, w.priority, w.due_at,
          case when w.deaths > 0 then 1 else 0 end as suspect
        from partitions ${access.dialect.joinEach(first)}
        order by w.priority, w.due_at, w.id limit ${limit}
      `.execute(db());
      // They begin one at a time, so that the second death holds the one that caused it.
      const firstSuspect = rows.find((row) => row.suspect === 1);
      return rows
        .filter((row) => row.suspect === 0 || row === firstSuspect)
        .map(({ suspect, ...row }) => row);
    },

    async nextDueAt(after?: Date): Promise<Date | null> {
      const row = await db()
        .selectFrom('jobs')
        .select(({ fn }) => fn.min<string | null>('dueAt').as('dueAt'))
        .where('state', '=', waiting)
        .$if(after !== undefined, (query) => query.where('dueAt', '>', after?.toISOString() ?? ''))
        .executeTakeFirst();
      return row?.dueAt ? new Date(row.dueAt) : null;
    },
  };
}
