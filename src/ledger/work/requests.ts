import { sql } from 'kysely';
import type { WorkRequest } from '../../domain/work.ts';
import type { Access } from '../access.ts';
import { newId } from '../ids.ts';
import { type Insert, insertMany } from '../insert-many.ts';
import { laneOf } from './lanes.ts';
import { leased } from './states.ts';

const key = ['subject', 'kind'] as const;
const others = ['id', 'store_id', 'budget', 'lane', 'priority', 'due_at', 'payload', 'trace'] as const;
export const workColumns = [...key, ...others] as const;

/**
 * Asking for known work: while it waits or lies at the transport it moves earlier; while somebody runs it, it
 * is remembered for `finish`. A request without payload leaves the stored facts alone. Work that waits stays on
 * the journey that asked first.
 */
export const joinKnown = (insert: Insert<'work'>): Insert<'work'> =>
  insert.onConflict((known) =>
    known.columns(key).doUpdateSet({
      store_id: sql`excluded.store_id`,
      budget: sql`excluded.budget`,
      lane: sql`excluded.lane`,
      priority: sql`case when excluded.priority < work.priority then excluded.priority else work.priority end`,
      payload: sql`coalesce(excluded.payload, work.payload)`,
      trace: sql`case when work.state = ${leased} then coalesce(excluded.trace, work.trace)
          else coalesce(work.trace, excluded.trace) end`,
      due_at: sql`case when work.state <> ${leased} and excluded.due_at < work.due_at
          then excluded.due_at else work.due_at end`,
      asked_again_at: sql`case when work.state <> ${leased} then null
          when work.asked_again_at < excluded.due_at then work.asked_again_at else excluded.due_at end`,
    }),
  );

const insert = insertMany('work', key, others, joinKnown);
const insertUnknown = insertMany('work', key, others, (rows) =>
  rows.onConflict((known) => known.columns(key).doNothing()),
);

/** In the order of `workColumns`. */
export const workRow = (access: Pick<Access, 'trace'>, it: WorkRequest): unknown[] => [
  it.subject,
  it.kind,
  newId(),
  it.storeId,
  it.budget,
  laneOf(it),
  it.priority,
  it.dueAt.toISOString(),
  it.payload === undefined ? null : JSON.stringify(it.payload),
  traceOf(access, it),
];

const traceOf = (access: Pick<Access, 'trace'>, { trace }: WorkRequest): string | null =>
  trace === undefined ? access.trace() : trace;

/** Asks for several at once; no two may have the same kind and subject. */
export function askForWork(access: Access, requests: readonly WorkRequest[]): Promise<void> {
  return access.atomic(async (inside) => {
    await insert(
      inside,
      requests.map((it) => workRow(inside, it)),
    );
    inside.workChanged();
  });
}

/** The same, but what is known already stays as it is. */
export async function ensureWork(access: Access, requests: readonly WorkRequest[]): Promise<void> {
  if (requests.length === 0) return;
  const written = await insertUnknown(
    access,
    requests.map((it) => workRow(access, it)),
  );
  if (written.includes(true)) access.workChanged();
}
