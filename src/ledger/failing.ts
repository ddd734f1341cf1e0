import type { WorkKind } from '../domain/work.ts';
import type { Access } from './access.ts';

/** A job that has not run well since it failed first. */
export interface FailingJob {
  kind: WorkKind;
  subject: string;
  storeId: string;
  failures: number;
  since: string;
  /** Of its last failure, as the merchant reads it. */
  reason: string;
  dueAt: string;
}

/** Jobs that keep failing. */
export interface Failing {
  /** Those that failed so often, or began to fail before `since`; the longest first. */
  list(atLeast: { failures: number; since: Date }): Promise<FailingJob[]>;
}

export function failingTable(access: Access): Failing {
  return {
    async list({ failures, since }) {
      const rows = await access
        .db()
        .selectFrom('work')
        .select(['kind', 'subject', 'store_id', 'attempts', 'failing_since', 'reason', 'due_at'])
        .where('failing_since', 'is not', null)
        .where((row) =>
          row.or([row('attempts', '>=', failures), row('failing_since', '<=', since.toISOString())]),
        )
        .orderBy('failing_since')
        .orderBy('id')
        .execute();
      return rows.map(({ store_id, attempts, failing_since, reason, due_at, ...row }) => ({
        ...row,
        storeId: store_id,
        failures: attempts,
        since: failing_since ?? '',
        reason: reason ?? '',
        dueAt: due_at,
      }));
    },
  };
}
