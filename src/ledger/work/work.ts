import { sql } from 'kysely';
import type { Access } from '../access.ts';
import { askForWork, ensureWork } from './requests.ts';
import { leased, unmarked, waiting } from './states.ts';
import type { WorkTable } from './tables.ts';
import { takenWork } from './taken.ts';

export function workTable(access: Access): WorkTable {
  return {
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
    ...takenWork(access),
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
