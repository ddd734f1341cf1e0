import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { JobKind } from '../../domain/job.ts';
import { camelCased } from '../../domain/text.ts';
import { type Access, everyRow, writeCheck } from '../access.ts';
import { hasBreaker } from '../pauses.ts';
import type { JobRecord } from '../schema.ts';
import {
  enqueueJobs,
  ensureJobs,
  failureCount,
  freed,
  held,
  isShut,
  leased,
  lostWithProcess,
  noFailures,
  postponedTo,
  released,
  requeued,
  waiting,
} from './partitions.ts';
import type { JobTable } from './tables.ts';

const facts = ['id', 'kind', 'subject', 'store_id', 'rate_limit', 'payload', 'trace', 'attempts'] as const;

/**
 * How long a job that ran when a process died runs without other such jobs: one that kills quickly is found alone, and a slow
 * shop delays nobody for long; one that kills later may be held with those that began meanwhile.
 */
const aloneMs = 5_000;

const lastClaim = 'claim';
const notedEveryMs = 30_000;

const later = (now: Date, ms: number) => new Date(now.getTime() + ms).toISOString();

/** The row of a job says who holds it, to every process (docs/adr/0033-one-lease-protocol.md). */
export function jobTable(access: Access): JobTable {
  const { db } = access;
  let notedAt = 0;

  async function noteClaim(kind: JobKind, now: Date): Promise<void> {
    if (kind === 'deliver-alerts' || Math.abs(now.getTime() - notedAt) < notedEveryMs) return;
    notedAt = now.getTime();
    await writeCheck(access, lastClaim, now);
  }

  return {
    ...dueJobs(access),
    enqueue: (request) => enqueueJobs(access, [request]),
    ensure: (requests) => ensureJobs(access, requests),
    async existing(kind, subjects) {
      if (subjects.length === 0) return new Set();
      const rows = await db()
        .selectFrom('jobs')
        .select('subject')
        .where('kind', '=', kind)
        .where('subject', 'in', [...subjects])
        .execute();
      return new Set(rows.map(({ subject }) => subject));
    },

    async release(ids, now) {
      if (ids.length === 0) return [];
      const won = await db()
        .updateTable('jobs')
        .set({ state: released, released_at: now.toISOString() })
        .where('id', 'in', [...ids].sort())
        .where('state', '=', waiting)
        .where('due_at', '<=', now.toISOString())
        .returning('id')
        .execute();
      return won.map((row) => row.id);
    },

    async takeBack(ids) {
      await db()
        .updateTable('jobs')
        .set(requeued)
        .where('id', 'in', [...ids].sort())
        .where('state', '=', released)
        .execute();
    },

    async unfinished(ids) {
      if (ids.length === 0) return new Set();
      const rows = await db()
        .selectFrom('jobs')
        .select('id')
        .where('id', 'in', [...ids])
        .where('state', 'in', [released, leased])
        .execute();
      return new Set(rows.map((row) => row.id));
    },

    async claim(id, leaseMs, now) {
      const token = randomBytes(12).toString('base64url');
      const row = await db()
        .updateTable('jobs')
        .set({ state: leased, token, lease_until: later(now, leaseMs), released_at: now.toISOString() })
        .where((is) => is.and({ id, state: released }))
        .returning(facts)
        .executeTakeFirst();
      if (!row) return undefined;
      await noteClaim(row.kind, now);
      const payload = row.payload === null ? undefined : JSON.parse(row.payload);
      return { ...camelCased(row), payload, token };
    },

    async unclaimed() {
      const rows = await db()
        .selectFrom('jobs')
        .select((select) => ['rate_limit', select.fn.countAll().as('count')])
        .where('state', '=', released)
        .groupBy('rate_limit')
        .execute();
      return new Map(rows.map(({ rate_limit, count }) => [rate_limit, Number(count)]));
    },

    async counts() {
      const rows = await db()
        .selectFrom('jobs')
        .select((select) => ['state', select.fn.countAll().as('count')])
        .groupBy('state')
        .execute();
      const counts = { waiting: 0, released: 0, leased: 0, held: 0 };
      for (const row of rows) counts[row.state] = Number(row.count);
      return counts;
    },

    async overdue(before, now, only) {
      const rows = await db()
        .selectFrom('jobs')
        .select(['id', 'due_at as dueAt'])
        .where('state', 'in', [waiting, released])
        .where('due_at', '<=', before.toISOString())
        .where(only === undefined ? everyRow : sql<boolean>`kind = ${only.kind}`)
        .where(({ not }) => not(isShut(access, 'partition')))
        .where(({ not }) =>
          not(hasBreaker(access, 'partition', { openAt: now, reconciliationOf: 'jobs.store_id' })),
        )
        .orderBy('due_at')
        .limit(100)
        .execute();
      return rows;
    },

    async lastClaimAt() {
      const row = await db()
        .selectFrom('write_checks')
        .select('at')
        .where('name', '=', lastClaim)
        .executeTakeFirst();
      return row ? new Date(row.at) : null;
    },

    async extend(id, token, leaseMs, now) {
      const held = await db()
        .updateTable('jobs')
        .set({ lease_until: later(now, leaseMs) })
        .where((is) => is.and({ id, token }))
        .executeTakeFirst();
      return held.numUpdatedRows > 0n;
    },

    async holds(id, token) {
      const rows = db()
        .selectFrom('jobs')
        .select('id')
        .where((is) => is.and({ id, token }));
      return (await rows.execute()).length > 0;
    },

    async finish(id, token) {
      // Two statements need no transaction: nobody clears `asked_again_at` while the token is valid.
      const gone = await db()
        .deleteFrom('jobs')
        .where((is) => is.and({ id, token }))
        .where('asked_again_at', 'is', null)
        .executeTakeFirst();
      if (gone.numDeletedRows > 0n) return true;
      const again = await db()
        .updateTable('jobs')
        .set({ ...requeued, due_at: sql`asked_again_at`, ...noFailures, deaths: 0, reason: null })
        .where((is) => is.and({ id, token }))
        .executeTakeFirst();
      if (again.numUpdatedRows > 0n) access.jobChanged();
      return again.numUpdatedRows > 0n;
    },

    async postpone(id, token, { reason, ...later }) {
      const at = postponedTo(access, later);
      const held = await db()
        .updateTable('jobs')
        .set({
          ...requeued,
          due_at: sql`case when asked_again_at < ${at} then asked_again_at else ${at} end`,
          ...failureCount(later),
          deaths: 0,
          reason,
        })
        .where((is) => is.and({ id, token }))
        .executeTakeFirst();
      if (held.numUpdatedRows > 0n) access.jobChanged();
      return held.numUpdatedRows > 0n;
    },

    async forget(kind, subject) {
      await db()
        .deleteFrom('jobs')
        .where((is) => is.and({ kind, subject }))
        .where('state', 'in', [waiting, held])
        .execute();
    },

    async leaveRunning(id, token) {
      await db()
        .updateTable('jobs')
        .set({ deaths: -1 })
        .where((is) => is.and({ id, token }))
        .execute();
    },

    async survived(id) {
      const known = db().updateTable('jobs').where('id', '=', id).where('deaths', '>', 0);
      const wasHeld = await known.set(freed).where('state', '=', held).executeTakeFirst();
      if (wasHeld.numUpdatedRows > 0n) access.jobChanged();
      else await known.set({ deaths: 0 }).execute();
    },

    async held() {
      const rows = await db()
        .selectFrom('jobs')
        .select(['kind', 'subject', 'store_id'])
        .where('state', '=', held)
        .orderBy('id')
        .execute();
      return rows.map((row) => camelCased(row));
    },

    async free({ kind, subjects }, now) {
      const rows = await db()
        .updateTable('jobs')
        .set({ ...freed, due_at: now.toISOString() })
        .where('state', '=', held)
        .where('subject', 'in', [...subjects])
        .where(kind === undefined ? everyRow : sql<boolean>`kind = ${kind}`)
        .returning(['kind', 'subject'])
        .execute();
      if (rows.length > 0) access.jobChanged();
      return rows;
    },

    async recover(now, releasedForMs) {
      const forgotten = await db()
        .updateTable('jobs')
        .set(requeued)
        .where('state', '=', released)
        .where('released_at', '<=', later(now, -releasedForMs))
        .executeTakeFirst();
      // A worker that lives after all says so with `survived`.
      const lost = await db()
        .updateTable('jobs')
        .set(lostWithProcess(now))
        .where('state', '=', leased)
        .where('lease_until', '<=', now.toISOString())
        .executeTakeFirst();
      const count = Number(forgotten.numUpdatedRows + lost.numUpdatedRows);
      if (count > 0) access.jobChanged();
      return count;
    },
  };
}

/** Makes the jobs of a process that is known to be dead (the former one on a SQLite directory) due at once. */
export async function recoverAll({ db }: Access, now: Date): Promise<number> {
  const jobs = () => db().updateTable('jobs');
  const lost = await jobs().set(lostWithProcess(now)).where('state', '=', leased).executeTakeFirst();
  const unclaimed = await jobs().set(requeued).where('state', '=', released).executeTakeFirst();
  return Number(lost.numUpdatedRows + unclaimed.numUpdatedRows);
}

type Row = Pick<
  JobRecord,
  'id' | 'kind' | 'store_id' | 'rate_limit' | 'partition' | 'priority' | 'due_at'
> & {
  probe: 0 | 1;
  suspect: 0 | 1;
};

/** The waiting jobs, for the dispatcher. */
function dueJobs(access: Access): Pick<JobTable, 'due' | 'nextDueAt'> {
  const { db } = access;
  return {
    async due(now, perPartition, limit) {
      // A loose index scan finds the partitions, and each gives its first few jobs: the cost grows with the number of
      // partitions, not with the backlog. Skips those of paused accounts and of shops whose circuit breaker is open.
      const first = sql`select * from jobs as t
        where t.state = ${waiting} and t.partition = partitions.partition and t.due_at <= ${now.toISOString()}
          and (t.deaths <= 0 or not exists (
            select 1 from jobs as s where s.deaths > 0 and s.state in (${released}, ${leased})
              and s.released_at > ${later(now, -aloneMs)}))
          and not (t.partition = 'reconciliation' and ${hasBreaker(access, 't.partition', { openAt: now, reconciliationOf: 't.store_id' })})
        order by t.priority, t.due_at, t.id limit ${perPartition}`;
      const half = hasBreaker(access, 'w.partition', { reconciliationOf: 'w.store_id' });
      const { rows } = await sql<Row>`
        with recursive scan(partition) as (
          select min(partition) from jobs where state = ${waiting}
          union all
          select (select min(t.partition) from jobs as t where t.state = ${waiting} and t.partition > scan.partition)
          from scan where scan.partition is not null
        ),
        partitions as (
          select partition from scan where not ${isShut(access, 'scan.partition')}
            and not ${hasBreaker(access, 'scan.partition', { openAt: now })}
        )
        select w.id, w.kind, w.store_id, w.rate_limit, w.partition, w.priority, w.due_at,
          case when ${half} then 1 else 0 end as probe, case when w.deaths > 0 then 1 else 0 end as suspect
        from partitions ${access.dialect.joinEach(first)}
        order by w.priority, w.due_at, w.id limit ${limit}
      `.execute(db());
      // Jobs that ran when a process died begin again one at a time, so that the second death holds the one that caused it.
      const suspect = rows.find((row) => row.suspect === 1);
      return rows
        .filter((row) => row.suspect === 0 || row === suspect)
        .map(({ suspect: _suspect, ...row }) => ({ ...camelCased(row), probe: row.probe === 1 }));
    },

    async nextDueAt(after) {
      const all = db()
        .selectFrom('jobs')
        .select((select) => select.fn.min('due_at').as('due_at'))
        .where('state', '=', waiting);
      const row = await (after ? all.where('due_at', '>', after.toISOString()) : all).executeTakeFirst();
      return row?.due_at ? new Date(row.due_at) : null;
    },
  };
}
