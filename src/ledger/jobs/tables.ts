import type { ClaimedJob, JobRequest } from '../../domain/job.ts';
import type { JobState } from '../schema.ts';

/* The tables of jobs and of the rate limits they run under. */

/** A due job that a dispatcher may release. */
export interface DueJob extends Pick<JobRequest, 'kind' | 'storeId' | 'rateLimit' | 'priority'> {
  id: string;
  /** The queue it waits in (partitions.ts). */
  partition: string;
  dueAt: string;
  /** It calls a shop whose circuit breaker is half-open: only one of its kind runs at a time. */
  probe: boolean;
}

export type HeldJob = Pick<JobRequest, 'kind' | 'subject' | 'storeId'>;

/** When a postponed job is due. */
export interface Later {
  dueAt: Date;
  /** Keeps its due time where a pause shuts its partition, because there it is not released again at once. */
  putBack?: boolean;
  /** Counts a failure; null where it succeeded, which ends a row of failures, or was put back, which changes nothing. */
  failedAt: Date | null;
  /** Stored with the job. */
  reason: string;
}

/** What a worker does with a job. */
export interface Claims {
  /** Takes the lease; undefined where another worker has it or the job is no longer released. */
  claim(id: string, leaseMs: number, now: Date): Promise<ClaimedJob | undefined>;
  /** Extends a lease; false when the token is no longer valid. */
  extend(id: string, token: string, leaseMs: number, now: Date): Promise<boolean>;
  /** Deletes a finished job, or makes it due again when it was enqueued meanwhile; false when the token is no longer valid. */
  finish(id: string, token: string, now: Date): Promise<boolean>;
  /** Returns it for later; false when the token is no longer valid. */
  postpone(id: string, token: string, later: Later): Promise<boolean>;
  /** The process ends before the job does: that its lease then runs out is no death. */
  leaveRunning(id: string, token: string): Promise<void>;
  /** Its worker lost the lease and lives: what was counted as a death was none. */
  survived(id: string): Promise<void>;
}

/** What a dispatcher does with jobs. */
export interface Releases {
  /**
   * Due, unreleased jobs, at most `perPartition` of each partition, by priority, then due time; without those of paused
   * accounts and of shops whose circuit breaker is open. Of jobs that ran when a process died, the next one
   * when the one before has ended or run for five seconds.
   */
  due(now: Date, perPartition: number, limit: number): Promise<DueJob[]>;
  /** Marks due jobs as released to the transport; answers the ids won (another process took the others). */
  release(ids: readonly string[], now: Date): Promise<string[]>;
  /** Makes released jobs that no transport took wait again. */
  takeBack(ids: readonly string[]): Promise<void>;
  /** Of these ids those that are released or leased. */
  unfinished(ids: readonly string[]): Promise<Set<string>>;
  /**
   * Makes jobs due again that nobody claimed for `releasedForMs`, and those whose lease ran out: that counts as a failure
   * and a death of their process, the second of which holds them for a person (not those of `neverHeld`). Answers how many.
   */
  recover(now: Date, releasedForMs: number): Promise<number>;
  /** When the first waiting job is due after `after`; null when none waits. */
  nextDueAt(after?: Date): Promise<Date | null>;
  /** How many jobs are released and not yet claimed, by rate limit. */
  unclaimed(): Promise<Map<string | null, number>>;
}

export interface JobTable extends Claims, Releases {
  /** Enqueues a job; the same kind + subject is one row (see JobRequest). */
  enqueue(request: JobRequest): Promise<void>;
  /** Enqueues those that do not exist; others stay as they are. No two may have the same kind and subject. */
  ensure(requests: readonly JobRequest[]): Promise<void>;
  /** Of these subjects those that have a job of this kind, in any state. */
  existing(kind: JobRequest['kind'], subjects: readonly string[]): Promise<Set<string>>;
  /** Whether the token is still valid: nobody claimed the job since. */
  holds(id: string, token: string): Promise<boolean>;
  /** Deletes a waiting or held job that is no longer needed; one already released runs and finds nothing to do. */
  forget(kind: JobRequest['kind'], subject: string): Promise<void>;
  /** The jobs that wait for a person, because processes died while they ran them. */
  held(): Promise<HeldJob[]>;
  /** Gives held jobs of these subjects, of one kind or all, another try at once; answers which. */
  free(
    which: { kind?: JobRequest['kind'] | undefined; subjects: readonly string[] },
    now: Date,
  ): Promise<Pick<HeldJob, 'kind' | 'subject'>[]>;
  counts(): Promise<Record<JobState, number>>;
  /**
   * The ids of jobs that could be claimed since `before` and were not, without those a pause or circuit breaker keeps; the oldest
   * first.
   */
  overdue(
    before: Date,
    now: Date,
    only?: { kind: JobRequest['kind'] },
  ): Promise<{ id: string; dueAt: string }[]>;
  /** When a worker last claimed a job, to half a minute; null before the first. Deliveries of alerts do not count (watch.ts). */
  lastClaimAt(): Promise<Date | null>;
}

/** Both in milliseconds since the epoch. */
export interface RateLimitState {
  /** The theoretical arrival time (queue/gcra.ts). */
  tat: number;
  /** Until then the key is used at the lower rate; 0 after none was exceeded. */
  slowUntil: number;
}

/** Compare-and-set on the state of a rate limit, by the key's hash or a name below it; the first `swap` creates it. */
export interface RateLimitTable {
  read(name: string): Promise<RateLimitState | null>;
  swap(name: string, expected: RateLimitState | null, next: RateLimitState): Promise<boolean>;
}
