import type { Log } from '../domain/ports.ts';

/**
 * Carries released jobs to a worker. It may lose, repeat or reorder everything it is given: the ledger's claim decides who
 * runs a job, and `recover` releases lost ones again.
 */
export interface Transport {
  /** How many jobs this process runs at once. */
  readonly concurrency: number;
  /** Sends jobs to the workers; rejects quickly when it cannot (`recover` then releases them again). */
  send(jobs: readonly QueuedJob[]): Promise<void>;
  /** Calls `handler` for every job, up to the transport's concurrency at once. One consumer per transport. */
  consume(handler: (job: QueuedJob) => Promise<void>): Promise<void>;
  /**
   * Runs `duty` at intervals, the first time at once or after one interval. Each run is done by one of the processes that
   * share the transport and have the duty. In one process no run of a duty begins beside another; a failed run is logged.
   */
  repeat(duty: Duty): void;
  /**
   * Takes no further job, waits at most `deadlineMs` for the running handlers and closes its connections. A second call
   * waits for the first.
   */
  close(deadlineMs: number): Promise<void>;
  /**
   * How many jobs are `waiting` for a worker, `delayed` until their slot, `active` in a worker. Where processes share the
   * transport the next run of a duty is one of the delayed.
   */
  counts(): Promise<{ waiting: number; delayed: number; active: number }>;
  /** Rejects when nothing can be sent now (readiness). */
  check(): Promise<void>;
}

/** A job as the transport carries it: its id and its slot, never facts, keys or buyers' data. */
export interface QueuedJob {
  /** The job's id in the ledger. */
  id: string;
  /** Real milliseconds to wait before it runs. */
  delayMs?: number;
  /** The slot booked for it, in milliseconds of the clock; a worker that starts too late books another. */
  slotAt?: number | null;
}

/** Something periodic that any one process does. */
export interface Duty {
  /** The same in all processes. */
  name: string;
  /** Real milliseconds from one run to the next. */
  everyMs: number;
  run(): Promise<void>;
}

export const dutyFailed = 'A periodic task failed; it runs again after its interval.';

/** Resolves with `ended` or after `deadlineMs`; answers whether it ended in time. */
export async function endsWithin(ended: Promise<unknown>, deadlineMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, deadlineMs, false);
  ended.then(
    () => resolve(true),
    () => resolve(true),
  );
  const inTime = await promise;
  clearTimeout(timer);
  return inTime;
}

const repeatedAfterMs = 60_000;

/**
 * Writes a line at once, and while it repeats one a minute, with how often it came since the last (`times`). Lines repeat
 * where message, endpoint, account, store and reason are the same.
 * @param now milliseconds of any clock.
 */
export function limitLines(write: Log['warn'], now: () => number): Log['warn'] {
  const seen = new Map<string, { at: number; times: number }>();
  return (fields, message) => {
    const line = JSON.stringify([message, fields.connection, fields.account, fields.store, fields.reason]);
    const last = seen.get(line);
    const times = (last?.times ?? 0) + 1;
    if (last && now() - last.at < repeatedAfterMs) last.times = times;
    else {
      seen.set(line, { at: now(), times: 0 });
      write({ ...fields, ...(times > 1 && { times }) }, message);
    }
  };
}

/** Logs the beginning and the end of an outage, and in between one line a minute. */
export interface Outage {
  readonly down: boolean;
  failed(error: unknown): void;
  over(): void;
}

export function watchOutage(log: Log, words: { failed: string; over: string }): Outage {
  let report: Log['error'] | null = null;
  return {
    get down() {
      return report !== null;
    },
    failed(error) {
      report ??= limitLines(log.error.bind(log), () => performance.now());
      report({ err: error }, words.failed);
    },
    over() {
      if (report !== null) log.info({}, words.over);
      report = null;
    },
  };
}
