import { sql } from 'kysely';
import type { Access } from '../access.ts';
import { hasBreaker } from '../breakers.ts';
import type { WorkRecord } from './schema.ts';
import { isShut, waiting } from './states.ts';
import type { WorkTable } from './tables.ts';

type Row = Pick<WorkRecord, 'id' | 'kind' | 'store_id' | 'budget' | 'lane' | 'priority' | 'due_at'> & {
  probe: 0 | 1;
};

/** What waits, as a dispatcher sees it. */
export function dueWork(access: Access): Pick<WorkTable, 'due' | 'nextDueAt'> {
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
