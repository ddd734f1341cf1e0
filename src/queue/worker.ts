import type { Clock } from '../domain/clock.ts';
import { FacturapuenteError } from '../domain/errors.ts';
import type { Log } from '../domain/log.ts';
import type { ClaimedWork, Step, StepOutcome, WorkKind } from '../domain/work.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Claims } from '../ledger/work/tables.ts';
import { watchOutage } from './outage.ts';
import type { Job, Transport } from './transport.ts';
import { every, realTimers, type Timers } from './waiting.ts';

export interface Worker {
  /**
   * Takes no further work and closes the transport; waits at most `deadlineMs` for running steps. What still
   * runs then is left alone: its lease runs out and another worker takes it up. Stop the dispatcher first.
   */
  stop(deadlineMs: number): Promise<void>;
}

export interface WorkerOptions {
  ledger: Pick<Ledger, 'claims'>;
  transport: Transport;
  steps: Readonly<Record<WorkKind, Step>>;
  clock: Clock;
  log: Log;
  /** How many times faster than real time `clock` runs (a test clock's rate). */
  rate?: number;
  /** Real milliseconds a crashed worker's work stays locked; prolonged while a step runs. */
  leaseMs?: number;
  random?: () => number;
  timers?: Timers;
}

type Ending = StepOutcome | { kind: 'failed'; dueAt: Date; reason: string };

/** Runs the step of every job the transport brings, if the ledger lets this worker have its work. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { ledger, transport, steps, clock, log, rate = 1, leaseMs = 60_000, random } = options;
  const { timers = realTimers } = options;
  // A lease protects against dead processes, which die in real time whatever the clock says.
  const lease = leaseMs * rate;
  const running = new Map<string, ClaimedWork>();
  const told = new Set<string>();
  let left = false;
  const outage = watchOutage(log, {
    failed: 'The worker cannot use the ledger; work it could not settle comes back when its lease runs out.',
    over: 'The worker reaches the ledger again.',
  });

  async function ask<T>(question: (claims: Claims) => Promise<T>): Promise<T | undefined> {
    try {
      const answer = await question(ledger.claims);
      outage.over();
      return answer;
    } catch (error) {
      outage.failed(error);
      return undefined;
    }
  }

  async function handle(job: Job): Promise<void> {
    const claimed = await ask((claims) => claims.claim(job.id, lease, clock.now()));
    if (claimed === undefined) return;
    const work = { ...claimed, slotAt: job.slotAt ?? null };
    running.set(work.token, work);
    const endRenewal = every(timers, leaseMs / 3, () => renew(work));
    try {
      await settle(work, await runStep(work));
    } finally {
      endRenewal();
      running.delete(work.token);
    }
  }

  function renew(work: ClaimedWork): void {
    if (!left) void ask((claims) => claims.extend(work.id, work.token, lease, clock.now()));
  }

  async function runStep(work: ClaimedWork): Promise<Ending> {
    try {
      return await steps[work.kind](work);
    } catch (error) {
      return failure(work, error);
    }
  }

  function failure(work: ClaimedWork, error: unknown): Ending {
    const { retryable } = retryOf(error);
    const waitMs = waitAfter(error, work.attempts, random);
    const dueAt = new Date(clock.now().getTime() + waitMs);
    const { id, kind, subject, trace } = work;
    const fields = {
      ...(trace === null ? {} : { trace }),
      work: id,
      kind,
      subject,
      failures: work.attempts + 1,
      dueAt,
      err: error,
    };
    if (retryable) log.warn(fields, 'A step failed and comes back later.');
    else if (!told.has(id))
      log.error(fields, 'A step failed in a way that waiting does not cure; it needs a person.');
    if (!retryable) told.add(id);
    return { kind: 'failed', dueAt, reason: sentence(error) };
  }

  async function settle(work: ClaimedWork, ending: Ending): Promise<void> {
    if (ending.kind !== 'failed') told.delete(work.id);
    if ((await isHeld(work, ending)) === false)
      log.warn({ work: work.id, kind: work.kind }, 'A step outlived its lease; its work was taken up again.');
  }

  /** Gives the work back or takes it away; false when somebody else holds it by now. */
  async function isHeld({ id, token }: ClaimedWork, ending: Ending): Promise<boolean | undefined> {
    if (ending.kind === 'finished') return ending.held;
    return ask((claims) =>
      ending.kind === 'done'
        ? claims.finish(id, token, clock.now())
        : claims.postpone(id, token, {
            dueAt: ending.dueAt,
            putBack: ending.kind === 'put-back',
            failedAt: ending.kind === 'failed' ? clock.now() : null,
            reason: ending.reason,
          }),
    );
  }

  await transport.consume(handle);
  return {
    async stop(deadlineMs) {
      await transport.close(deadlineMs);
      left = true;
      if (running.size === 0) return;
      const works = [...running.values()].map(({ id, kind, subject }) => ({ id, kind, subject }));
      log.warn({ works }, 'Stopped while steps still ran; their leases run out and they are taken up again.');
    },
  };
}

/** A short reason for the ledger, which a merchant reads; our own errors carry no secrets or buyers' data. */
function sentence(error: unknown): string {
  if (error instanceof FacturapuenteError) return `${error.code}: ${error.merchant}`.slice(0, 500);
  return (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 500);
}

/** First and longest pause between two tries of failing work, in milliseconds. */
const firstMs = 1_000;
const longestMs = 15 * 60_000;
/** For errors that waiting cannot cure: often enough to notice that somebody fixed the cause. */
const hopelessMs = 60 * 60_000;

/**
 * Exponential backoff with full jitter: anywhere between a second and 2 s × 2^attempts, 15 minutes at most.
 * Full jitter keeps works that failed together from coming back together.
 */
export function backoffMs(attempts: number, random: () => number = Math.random): number {
  const ceiling = Math.min(2 * firstMs * 2 ** attempts, longestMs);
  return Math.round(firstMs + random() * (ceiling - firstMs));
}

/** Nobody is left alone for longer, whatever time to come back he names. */
const longestNamedMs = 24 * 60 * 60_000;
/** Who names a time to come back is believed so often in a row; then it takes at least as long as without. */
const believedTimes = 3;

/** How long failing work waits for its next try, after so many failures in a row. */
export function waitAfter(error: unknown, failures: number, random?: () => number): number {
  const { retryable, retryAfterMs } = retryOf(error);
  if (retryAfterMs === null) return retryable ? backoffMs(failures, random) : hopelessMs;
  const named = Math.min(retryAfterMs, longestNamedMs);
  return failures < believedTimes ? named : Math.max(named, backoffMs(failures - believedTimes, random));
}

/** What a thrown error says about coming back (the port: `retryable` and `retryAfterMs`, see domain/errors.ts). */
export function retryOf(error: unknown): { retryable: boolean; retryAfterMs: number | null } {
  const says = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  const after = says.retryAfterMs;
  return {
    retryable: says.retryable !== false,
    retryAfterMs: typeof after === 'number' && Number.isFinite(after) && after >= 0 ? after : null,
  };
}
