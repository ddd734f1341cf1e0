import { sql } from 'kysely';
import type { Access } from '../access.ts';
import type { WorkRecord } from './schema.ts';
import { inNoHand, isShut, waiting } from './states.ts';
import type { WorkTable } from './tables.ts';

/** What waits, as a dispatcher sees it. */
export function dueWork(access: Access): Pick<WorkTable, 'due' | 'nextDueAt'> {
  return {
    async due(now, perLane, limit) {
      // The lanes are found by leaping from one to the next in the index, and each gives its first few: the
      // cost grows with the lanes, not with the backlog behind them. Those of paused accounts are passed over.
      const first = sql`select * from work as t
        where t.state = ${waiting} and t.lane = lanes.lane and t.due_at <= ${now.toISOString()}
          and ${inNoHand(access, 't.id')}
        order by t.priority, t.due_at, t.id limit ${perLane}`;
      const { rows } = await sql<Pick<WorkRecord, 'id' | 'kind' | 'budget' | 'lane' | 'priority' | 'due_at'>>`
        with recursive leaps(lane) as (
          select min(lane) from work where state = ${waiting}
          union all
          select (select min(t.lane) from work as t where t.state = ${waiting} and t.lane > leaps.lane)
          from leaps where leaps.lane is not null
        ),
        lanes as (
          select lane from leaps where not ${isShut('leaps.lane')}
        )
        select w.id, w.kind, w.budget, w.lane, w.priority, w.due_at
        from lanes ${access.dialect.joinEach(first)}
        order by w.priority, w.due_at, w.id limit ${limit}
      `.execute(access.db());
      return rows.map(({ due_at, ...row }) => ({ ...row, dueAt: due_at }));
    },

    async nextDueAt(after) {
      const all = access
        .db()
        .selectFrom('work')
        .select((select) => select.fn.min('due_at').as('due_at'))
        .where('state', '=', waiting)
        .where(inNoHand(access, 'id'));
      const row = await (after ? all.where('due_at', '>', after.toISOString()) : all).executeTakeFirst();
      return row?.due_at ? new Date(row.due_at) : null;
    },
  };
}
