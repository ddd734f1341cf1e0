import { sql } from 'kysely';
import type { Access } from '../access.ts';
import type { WorkState } from './schema.ts';
import type { Later } from './tables.ts';

// Literals, not parameters: only then may the engines use the partial indexes.
export const waiting = sql.lit<WorkState>('waiting');
export const released = sql.lit<WorkState>('released');
export const leased = sql.lit<WorkState>('leased');

/** Back in the queue with nobody's mark on it. */
export const unmarked = {
  state: waiting,
  released_at: null,
  token: null,
  lease_until: null,
  asked_again_at: null,
} as const;

/**
 * A pause passes over this lane: what waits in it is due and stays. The account is the second part of its name (lanes.ts),
 * by which its pauses are found however many others there are.
 */
export const isShut = ({ dialect }: Pick<Access, 'dialect'>, lane: string) => sql<boolean>`exists (
  select 1 from pauses where pauses.account = ${dialect.part(sql.ref(lane), 2)} and (
    substr(${sql.ref(lane)}, 1, length(pauses.emissions)) = pauses.emissions
      or substr(${sql.ref(lane)}, 1, length(pauses.questions)) = pauses.questions)
)`;

/** When postponed work is due. */
export const backAt = (
  access: Pick<Access, 'dialect'>,
  { dueAt, putBack = false }: Pick<Later, 'dueAt' | 'putBack'>,
) => {
  const at = sql<string>`${dueAt.toISOString()}`;
  return putBack ? sql<string>`case when ${isShut(access, 'work.lane')} then due_at else ${at} end` : at;
};

/** What becomes of the count of failures in a row. */
export const counted = ({ failedAt, putBack = false }: Pick<Later, 'failedAt' | 'putBack'>) => {
  if (failedAt !== null) return failedOnce(failedAt);
  return putBack ? {} : ranWell;
};

export const ranWell = { attempts: 0, failing_since: null } as const;

export const failedOnce = (at: Date) => ({
  attempts: sql<number>`attempts + 1`,
  failing_since: sql<string>`coalesce(failing_since, ${at.toISOString()})`,
});

/** Of work whose worker said nothing more until its lease ran out. */
export const noWord = 'El proceso que lo hacía se detuvo o tardó demasiado.';
