import type { Clock } from '../domain/clock.ts';
import { FacturapuenteError } from '../domain/errors.ts';
import type { ClaimedJob, JobHandler, JobOutcome } from '../domain/job.ts';
import type { Log } from '../domain/ports.ts';
import type { Claims } from '../ledger/jobs.ts';
import { type QueuedJob, type Transport, watchOutage } from './transport.ts';

export interface Worker {
  /** Waits at most `deadlineMs`; another worker claims what still runs after its lease. Stop the dispatcher first. */
  stop(deadlineMs: number): Promise<void>;
}

export interface WorkerOptions {
  ledger: { jobs: Claims };
  transport: Transport;
  runJob: JobHandler;
  clock: Clock;
  log: Log;
  /** How many times faster than real time `clock` runs (a test clock's rate). */
  rate?: number;
  /** Real milliseconds a crashed worker's jobs stay leased; extended while a job runs. */
  leaseMs?: number;
  random?: () => number;
  timers?: Timers;
}

type Ending = JobOutcome | { kind: 'failed'; dueAt: Date; reason: string };

export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { ledger, transport, runJob, clock, log, rate = 1, leaseMs = 60_000, random } = options;
  const { timers = realTimers } = options;
  // Leases are measured in real time, whatever the rate of the clock.
  const lease = leaseMs * rate;
  const running = new Map<string, ClaimedJob>();
  const reported = new Set<string>();
  /** Runs that ended while the ledger could not store it, by token. */
  const unwritten = new Map<string, { job: ClaimedJob; ending: Ending }>();
  let left = false;
  const outage = watchOutage(log, {
    failed:
      'The worker cannot use the ledger; it stores later which jobs ended, unless their leases end before.',
    over: 'The worker reaches the ledger again.',
  });

  async function tryLedger<T>(task: (jobs: Claims) => Promise<T>): Promise<T | undefined> {
    try {
      const answer = await task(ledger.jobs);
      outage.over();
      return answer;
    } catch (error) {
      outage.failed(error);
      return undefined;
    }
  }

  async function handle(queued: QueuedJob): Promise<void> {
    await settleUnwritten();
    const claimed = await tryLedger((jobs) => jobs.claim(queued.id, lease, clock.now()));
    if (claimed === undefined) return;
    const job = { ...claimed, slotAt: queued.slotAt ?? null };
    running.set(job.token, job);
    const endRenewal = every(timers, leaseMs / 3, () => renew(job));
    try {
      await settle(job, await runJob(job).catch((error: unknown) => failure(job, error)));
    } finally {
      endRenewal();
      running.delete(job.token);
    }
  }

  function renew(job: ClaimedJob): void {
    if (!left) void tryLedger((jobs) => jobs.extend(job.id, job.token, lease, clock.now()));
  }

  function failure(job: ClaimedJob, error: unknown): Ending {
    const { retryable } = retryOf(error);
    const waitMs = waitAfter(error, job.attempts, random);
    const dueAt = new Date(clock.now().getTime() + waitMs);
    const { id, kind, subject, trace } = job;
    const fields = {
      ...(trace === null ? {} : { trace }),
      job: id,
      kind,
      subject,
      failures: job.attempts + 1,
      dueAt,
      err: error,
    };
    if (retryable) log.warn(fields, 'A job failed and is retried later.');
    else if (!reported.has(id))
      log.error(fields, 'A job failed in a way that waiting does not resolve; it needs a person.');
    if (!retryable) reported.add(id);
    return { kind: 'failed', dueAt, reason: reasonOf(error) };
  }

  async function settle(job: ClaimedJob, ending: Ending): Promise<void> {
    if (ending.kind !== 'failed') reported.delete(job.id);
    const isWritten = await tryLedger(async (jobs) => {
      if (await endJob(jobs, job, ending)) return true;
      log.warn({ job: job.id, kind: job.kind }, 'A job ran longer than its lease and was claimed again.');
      await jobs.survived(job.id);
      return true;
    });
    if (!isWritten) unwritten.set(job.token, { job, ending });
  }

  /** A lease that ran out while the ledger was away counts as a death, which this worker takes back. */
  async function settleUnwritten(): Promise<void> {
    for (const [token, { job, ending }] of [...unwritten]) {
      if (!unwritten.delete(token)) continue;
      await settle(job, ending);
      if (unwritten.has(token)) return;
    }
  }

  async function endJob(jobs: Claims, { id, token }: ClaimedJob, ending: Ending): Promise<boolean> {
    if (ending.kind === 'finished') return ending.held;
    if (ending.kind === 'done') return jobs.finish(id, token);
    return jobs.postpone(id, token, {
      dueAt: ending.dueAt,
      putBack: ending.kind === 'put-back',
      failedAt: ending.kind === 'failed' ? clock.now() : null,
      reason: ending.reason,
    });
  }

  await transport.consume(handle);
  return {
    async stop(deadlineMs) {
      await transport.close(deadlineMs);
      left = true;
      await settleUnwritten();
      if (running.size === 0) return;
      const stopped = [...running.values()];
      await Promise.all(stopped.map(({ id, token }) => tryLedger((jobs) => jobs.leaveRunning(id, token))));
      const jobs = stopped.map(({ id, kind, subject }) => ({ id, kind, subject }));
      log.warn({ jobs }, 'Stopped while jobs still ran; they run again when their leases end.');
    },
  };
}

/** Read by a merchant, and by its code; the product's own errors carry no secrets or buyers' data. */
export function reasonOf(error: unknown): string {
  if (error instanceof FacturapuenteError) return `${error.code}: ${error.merchant}`.slice(0, 500);
  return (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 500);
}

const firstMs = 1_000;
const longestMs = 15 * 60_000;
/** Often enough to notice that a person fixed the cause. */
const hopelessMs = 60 * 60_000;

/** Anywhere between a second and 2 s × 2^attempts, 15 minutes at most: full jitter separates jobs that failed together. */
export function backoffMs(attempts: number, random: () => number = Math.random): number {
  const ceiling = Math.min(2 * firstMs * 2 ** attempts, longestMs);
  return Math.round(firstMs + random() * (ceiling - firstMs));
}

const longestNamedMs = 24 * 60 * 60_000;
/** How often in a row `retryAfterMs` alone decides; after that the backoff is the minimum. */
const believedTimes = 3;

export function waitAfter(error: unknown, failures: number, random?: () => number): number {
  const { retryable, retryAfterMs } = retryOf(error);
  if (retryAfterMs === null) return retryable ? backoffMs(failures, random) : hopelessMs;
  const named = Math.min(retryAfterMs, longestNamedMs);
  return failures < believedTimes ? named : Math.max(named, backoffMs(failures - believedTimes, random));
}

/** See domain/errors.ts. */
export function retryOf(error: unknown): { retryable: boolean; retryAfterMs: number | null } {
  const message = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  const after = message.retryAfterMs;
  return {
    retryable: message.retryable !== false,
    retryAfterMs: typeof after === 'number' && Number.isFinite(after) && after >= 0 ? after : null,
  };
}

export interface Timers {
  /** Milliseconds since some moment; it never goes back. */
  passed(): number;
  after(ms: number, then: () => void): () => void;
}

export const realTimers: Timers = {
  passed: () => performance.now(),
  after(ms, then) {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};

export const nap = ({ after }: Timers, ms: number): Promise<void> =>
  new Promise((resolve) => {
    after(ms, resolve);
  });

function every({ after }: Timers, ms: number, run: () => void): () => void {
  const next = () => {
    cancel = after(ms, next);
    run();
  };
  let cancel = after(ms, next);
  return () => cancel();
}

/** A test clock may run faster: a first short nap measures its pace. Never early, at most a nap late. */
export async function clockPassed(clock: Clock, ms: number, timers = realTimers): Promise<void> {
  let start = clock.now().getTime();
  let begun = timers.passed();
  for (;;) {
    const passed = clock.now().getTime() - start;
    if (passed >= ms) return;
    // The clock was set back: the wait starts again.
    if (passed < 0) [start, begun] = [start + passed, timers.passed()];
    const pace = Math.max(passed, 0) / Math.max(timers.passed() - begun, 1);
    const rest = pace > 0 ? (ms - passed) / pace : 5;
    await nap(timers, Math.min(Math.max(Math.ceil(rest), 1), pace > 0 ? 1000 : 5));
  }
}

/** Waking it while it is awake makes its next sleep end at once. */
interface Alarm {
  ring(): void;
  sleep(ms: number): Promise<void>;
}

export function openAlarm({ after }: Timers = realTimers): Alarm {
  let rung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      rung = true;
      wake?.();
    },
    async sleep(ms) {
      if (!rung) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const cancel = after(ms, resolve);
        wake = resolve;
        await promise;
        cancel();
        wake = undefined;
      }
      rung = false;
    },
  };
}
