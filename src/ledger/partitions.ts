import { sql } from 'kysely';
import { type AccountPause, type JobRequest, neverHeld, shopKinds } from '../domain/job.ts';
import { type Access, newId, wrote } from './access.ts';
import type { JobState } from './schema.ts';

/**
 * A queue of one store, account, ambiente and urgency: "emission/principal/2/tienda/<key hash>"; downloads end in "/xml".
 * An API key's partitions are served by rotation. Jobs that call a shop have "shop:tienda/sync-order", so that they hide no other.
 */
export function partitionOf({ kind, storeId, rateLimit, account }: JobRequest): string {
  if (kind === 'reconciliation') return 'reconciliation';
  if (rateLimit === null && shopKinds.has(kind)) return `shop:${storeId}/${kind}`;
  if (rateLimit === null) return `store:${storeId}`;
  const { id, ambiente } = account ?? { id: '-', ambiente: 0 };
  const urgency = kind === 'submit-document' ? 'emission' : 'question';
  const own = kind === 'verify-document' ? '/xml' : '';
  return `${urgency}/${id}/${ambiente}/${storeId}/${rateLimit}${own}`;
}

export const emissionsOf = ({ account, ambiente }: Pick<AccountPause, 'account' | 'ambiente'>): string =>
  `emission/${account}/${ambiente === null ? '' : `${ambiente}/`}`;

/** A refused API key alone also pauses what is read. */
export const shutBy = (
  pause: Pick<AccountPause, 'account' | 'ambiente' | 'cause'>,
): { emissions: string; questions: string | null } => ({
  emissions: emissionsOf(pause),
  questions: pause.cause === 'api-key' ? `question/${pause.account}/` : null,
});

export function shuts(pause: AccountPause, partition: string): boolean {
  const { emissions, questions } = shutBy(pause);
  return partition.startsWith(emissions) || (questions !== null && partition.startsWith(questions));
}

// Literals, not parameters, so that the engines use the partial indexes.
export const waiting = sql.lit<JobState>('waiting');
export const released = sql.lit<JobState>('released');
export const leased = sql.lit<JobState>('leased');
export const held = sql.lit<JobState>('held');

export const requeued = {
  state: waiting,
  releasedAt: null,
  token: null,
  leaseUntil: null,
  askedAgainAt: null,
} as const;

/** The account is the second part of a partition's name. */
export const isShut = ({ dialect }: Pick<Access, 'dialect'>, partition: string) => sql<boolean>`exists (
  select 1 from pauses where pauses.account = ${dialect.part(sql.ref(partition), 2)} and (
    substr(${sql.ref(partition)}, 1, length(pauses.emissions)) = pauses.emissions
      or substr(${sql.ref(partition)}, 1, length(pauses.questions)) = pauses.questions)
)`;

export interface Later {
  dueAt: Date;
  /** Keeps its due time where a pause covers its partition. */
  putBack?: boolean;
  /** null: it succeeded, which ends a row of failures, or was put back, which changes nothing. */
  failedAt: Date | null;
  reason: string;
}

export const postponedTo = (
  access: Pick<Access, 'dialect'>,
  { dueAt, putBack = false }: Pick<Later, 'dueAt' | 'putBack'>,
) => {
  const at = sql<string>`${dueAt.toISOString()}`;
  return putBack ? sql<string>`case when ${isShut(access, 'jobs.partition')} then due_at else ${at} end` : at;
};

export const failureCount = ({ failedAt, putBack = false }: Pick<Later, 'failedAt' | 'putBack'>) => {
  if (failedAt !== null) return oneMoreFailure(failedAt);
  return putBack ? {} : noFailures;
};

export const noFailures = { attempts: 0, failingSince: null } as const;

const oneMoreFailure = (at: Date) => ({
  attempts: sql<number>`attempts + 1`,
  failingSince: sql<string>`coalesce(failing_since, ${at.toISOString()})`,
});

/** A job under which the process died so often waits for a person: a third try could end every other job too. */
const deathsToHold = 2;

export const lostWithProcess = (now: Date) => {
  const after = (minutes: number) => new Date(now.getTime() + minutes * 60_000).toISOString();
  const isAgain = sql<boolean>`deaths + 1 >= ${sql.lit(deathsToHold)}`;
  const isNeverHeld = sql<boolean>`kind in (${sql.join([...neverHeld].map(sql.lit))})`;
  const isHeld = sql<boolean>`(${isAgain} and not ${isNeverHeld})`;
  return {
    ...requeued,
    ...oneMoreFailure(now),
    deaths: sql<number>`deaths + 1`,
    // One that is never held waits longer after each death.
    dueAt: sql<string>`case when not (${isAgain} and ${isNeverHeld}) then due_at
      when deaths < 2 then ${after(1)} when deaths < 3 then ${after(5)} else ${after(15)} end`,
    state: sql<JobState>`case when ${isHeld} then ${held} else ${waiting} end`,
    reason: sql<string>`case when ${isHeld} then ${diedAgain} else ${died} end`,
  };
};

const died = 'the process that ran it died or took too long';
const diedAgain = 'the process died twice while it ran it';

export const freed = { ...requeued, ...noFailures, deaths: 0, reason: null } as const;

export async function enqueueJobs(access: Access, requests: readonly JobRequest[]): Promise<void> {
  await insertJobs(access, requests)
    .onConflict((known) => known.columns(['subject', 'kind']).doUpdateSet(mergedWithKnown))
    .execute();
  access.jobChanged();
}

export async function ensureJobs(access: Access, requests: readonly JobRequest[]): Promise<void> {
  if (requests.length === 0) return;
  const fresh = insertJobs(access, requests).onConflict((known) =>
    known.columns(['subject', 'kind']).doNothing(),
  );
  if (await wrote(fresh)) access.jobChanged();
}

const insertJobs = ({ db, trace }: Access, requests: readonly JobRequest[]) =>
  db()
    .insertInto('jobs')
    .values(
      requests.map((job) => ({
        id: newId(),
        kind: job.kind,
        subject: job.subject,
        storeId: job.storeId,
        rateLimit: job.rateLimit,
        partition: partitionOf(job),
        priority: job.priority,
        dueAt: job.dueAt.toISOString(),
        payload: job.payload === undefined ? null : JSON.stringify(job.payload),
        trace: job.trace === undefined ? trace() : job.trace,
      })),
    );

/** A waiting job moves earlier, a running one is due again at `finish`, a held one stays as it is. */
const mergedWithKnown = {
  storeId: sql<string>`excluded.store_id`,
  rateLimit: sql<string>`excluded.rate_limit`,
  partition: sql<string>`excluded.partition`,
  priority: sql<number>`case when excluded.priority < jobs.priority then excluded.priority else jobs.priority end`,
  payload: sql<string>`coalesce(excluded.payload, jobs.payload)`,
  trace: sql<string>`case when jobs.state = ${leased} then coalesce(excluded.trace, jobs.trace)
      else coalesce(jobs.trace, excluded.trace) end`,
  dueAt: sql<string>`case when jobs.state <> ${leased} and excluded.due_at < jobs.due_at
      then excluded.due_at else jobs.due_at end`,
  askedAgainAt: sql<string>`case when jobs.state <> ${leased} then null
      when jobs.asked_again_at < excluded.due_at then jobs.asked_again_at else excluded.due_at end`,
};
