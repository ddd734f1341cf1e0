import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Access } from '../access.ts';
import { hasBreaker } from '../breakers.ts';
import { askForWork, ensureWork } from './requests.ts';
import type { WorkRecord } from './schema.ts';
import {
  backAt,
  counted,
  failedOnce,
  isShut,
  leased,
  noWord,
  ranWell,
  released,
  unmarked,
  waiting,
} from './states.ts';
import type { WorkTable } from './tables.ts';

const facts = ['id', 'kind', 'subject', 'store_id', 'budget', 'payload', 'trace', 'attempts'] as const;

/** Who has which work is said by its row, to every process (docs/adr/0033-one-lease-protocol.md). See `WorkTable`. */
export function workTable(access: Access): WorkTable {
  const later = (now: Date, ms: number) => new Date(now.getTime() + ms).toISOString();

  return {
    ...dueWork(access),
    ask: (request) => askForWork(access, [request]),
    ensure: (requests) => ensureWork(access, requests),
    async standing(kind, subjects) {
      if (subjects.length === 0) return new Set();
      const rows = await access
        .db()
        .selectFrom('work')
        .select('subject')
        .where('kind', '=', kind)
        .where('subject', 'in', [...subjects])
        .execute();
      return new Set(rows.map(({ subject }) => subject));
    },

    async release(ids, now) {
      if (ids.length === 0) return [];
      const won = await access
        .db()
        .updateTable('work')
        .set({ state: released, released_at: now.toISOString() })
        .where('id', 'in', [...ids].sort())
        .where('state', '=', waiting)
        .where('due_at', '<=', now.toISOString())
        .returning('id')
        .execute();
      return won.map((row) => row.id);
    },

    async inHand(ids) {
      if (ids.length === 0) return new Set();
      const rows = await access
        .db()
        .selectFrom('work')
        .select('id')
        .where('id', 'in', [...ids])
        .where('state', '<>', waiting)
        .execute();
      return new Set(rows.map((row) => row.id));
    },

    async claim(id, leaseMs, now) {
      const token = randomBytes(12).toString('base64url');
      const row = await access
        .db()
        .updateTable('work')
        .set({ state: leased, token, lease_until: later(now, leaseMs), released_at: null })
        .where('id', '=', id)
        .where('state', '=', released)
        .returning(facts)
        .executeTakeFirst();
      if (!row) return undefined;
      const { store_id, payload, ...work } = row;
      return {
        ...work,
        storeId: store_id,
        payload: payload === null ? undefined : JSON.parse(payload),
        token,
      };
    },

    async unclaimed() {
      const rows = await access
        .db()
        .selectFrom('work')
        .select((select) => ['budget', select.fn.countAll().as('count')])
        .where('state', '=', released)
        .groupBy('budget')
        .execute();
      return new Map(rows.map(({ budget, count }) => [budget, Number(count)]));
    },

    async counts() {
      const rows = await access
        .db()
        .selectFrom('work')
        .select((select) => ['state', select.fn.countAll().as('count')])
        .groupBy('state')
        .execute();
      const counts = { waiting: 0, released: 0, leased: 0 };
      for (const row of rows) counts[row.state] = Number(row.count);
      return counts;
    },

    async extend(id, token, leaseMs, now) {
      const held = await access
        .db()
        .updateTable('work')
        .set({ lease_until: later(now, leaseMs) })
        .where('id', '=', id)
        .where('token', '=', token)
        .executeTakeFirst();
      return held.numUpdatedRows > 0n;
    },

    async holds(id, token) {
      const rows = access
        .db()
        .selectFrom('work')
        .select('id')
        .where('id', '=', id)
        .where('token', '=', token);
      return (await rows.execute()).length > 0;
    },

    async finish(id, token) {
      // Two statements need no transaction: while the token holds, nobody takes an asked_again_at away.
      const gone = await access
        .db()
        .deleteFrom('work')
        .where('id', '=', id)
        .where('token', '=', token)
        .where('asked_again_at', 'is', null)
        .executeTakeFirst();
      if (gone.numDeletedRows > 0n) return true;
      const again = await access
        .db()
        .updateTable('work')
        .set({ ...unmarked, due_at: sql`asked_again_at`, ...ranWell, reason: null })
        .where('id', '=', id)
        .where('token', '=', token)
        .executeTakeFirst();
      if (again.numUpdatedRows > 0n) access.workChanged();
      return again.numUpdatedRows > 0n;
    },

    async postpone(id, token, { reason, ...later }) {
      const at = backAt(access, later);
      const held = await access
        .db()
        .updateTable('work')
        .set({
          ...unmarked,
          due_at: sql`case when asked_again_at < ${at} then asked_again_at else ${at} end`,
          ...counted(later),
          reason,
        })
        .where('id', '=', id)
        .where('token', '=', token)
        .executeTakeFirst();
      if (held.numUpdatedRows > 0n) access.workChanged();
      return held.numUpdatedRows > 0n;
    },

    async forget(kind, subject) {
      await access
        .db()
        .deleteFrom('work')
        .where('kind', '=', kind)
        .where('subject', '=', subject)
        .where('state', '=', waiting)
        .execute();
    },

    async recover(now, releasedForMs) {
      const forgotten = await access
        .db()
        .updateTable('work')
        .set(unmarked)
        .where('state', '=', released)
        .where('released_at', '<=', later(now, -releasedForMs))
        .executeTakeFirst();
      // A lease that ran out counts as a failure: work that kills its worker must not come back for ever at once.
      const lost = await access
        .db()
        .updateTable('work')
        .set({ ...unmarked, ...failedOnce(now), reason: noWord })
        .where('state', '=', leased)
        .where('lease_until', '<=', now.toISOString())
        .executeTakeFirst();
      const count = Number(forgotten.numUpdatedRows + lost.numUpdatedRows);
      if (count > 0) access.workChanged();
      return count;
    },
  };
}

/** Work held by a process that is known to be dead (the predecessor on a SQLite directory) is free at once. */
export async function recoverAll(access: Access, now: Date): Promise<number> {
  const result = await access
    .db()
    .updateTable('work')
    .set({
      ...unmarked,
      attempts: sql`attempts + case when state = ${leased} then 1 else 0 end`,
      failing_since: sql`case when state = ${leased} then coalesce(failing_since, ${now.toISOString()}) else failing_since end`,
    })
    .where('state', '<>', waiting)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

type Row = Pick<WorkRecord, 'id' | 'kind' | 'store_id' | 'budget' | 'lane' | 'priority' | 'due_at'> & {
  probe: 0 | 1;
};

/** What waits, as a dispatcher sees it. */
function dueWork(access: Access): Pick<WorkTable, 'due' | 'nextDueAt'> {
  return {
    async due(now, perLane, limit) {
      // The lanes are found by leaping from one to the next in the index, and each gives its first few: the
      // cost grows with the lanes, not with the backlog behind them. Those of paused accounts, and of shops whose
      // circuit breaker is open, are passed over.
      const first = sql`select * from work as t
        where t.state = ${waiting} and t.lane = lanes.lane and t.due_at <= ${now.toISOString()}
          and not (t.lane = 'sweep' and ${hasBreaker(access, 't.lane', { openAt: now, sweepOf: 't.store_id' })})
        order by t.priority, t.due_at, t.id limit ${perLane}`;
      const half = hasBreaker(access, 'w.lane', { sweepOf: 'w.store_id' });
      const { rows } = await sql<Row>`
        with recursive leaps(lane) as (
          select min(lane) from work where state = ${waiting}
          union all
          select (select min(t.lane) from work as t where t.state = ${waiting} and t.lane > leaps.lane)
          from leaps where leaps.lane is not null
        ),
        lanes as (
          select lane from leaps where not ${isShut(access, 'leaps.lane')}
            and not ${hasBreaker(access, 'leaps.lane', { openAt: now })}
        )
        select w.id, w.kind, w.store_id, w.budget, w.lane, w.priority, w.due_at,
          case when ${half} then 1 else 0 end as probe
        from lanes ${access.dialect.joinEach(first)}
        order by w.priority, w.due_at, w.id limit ${limit}
      `.execute(access.db());
      return rows.map(({ due_at, store_id, probe, ...row }) => ({
        ...row,
        storeId: store_id,
        dueAt: due_at,
        probe: probe === 1,
      }));
    },

    async nextDueAt(after) {
      const all = access
        .db()
        .selectFrom('work')
        .select((select) => select.fn.min('due_at').as('due_at'))
        .where('state', '=', waiting);
      const row = await (after ? all.where('due_at', '>', after.toISOString()) : all).executeTakeFirst();
      return row?.due_at ? new Date(row.due_at) : null;
    },
  };
}
