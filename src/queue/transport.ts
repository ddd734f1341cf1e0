import PQueue from 'p-queue';
import type { Log } from '../domain/ports.ts';

/** May lose, repeat or reorder jobs: the ledger's claim decides who runs one, and `recover` releases lost ones again. */
export interface Transport {
  readonly concurrency: number;
  /** Rejects quickly when it cannot send (`recover` then releases them again). */
  send(jobs: readonly QueuedJob[]): Promise<void>;
  /** A transport has one consumer. */
  consume(handler: (job: QueuedJob) => Promise<void>): Promise<void>;
  /** Waits at most `deadlineMs` for the running handlers. A second call waits for the first. */
  close(deadlineMs: number): Promise<void>;
  counts(): Promise<{ waiting: number; delayed: number; active: number }>;
  /** Rejects when nothing can be sent now (readiness). */
  check(): Promise<void>;
}

/** Never contains facts, keys or buyers' data. */
export interface QueuedJob {
  id: string;
  /** Real milliseconds. */
  delayMs?: number;
  /** Milliseconds of the clock; a worker that starts too late books another. */
  slotAt?: number | null;
}

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

/** Writes at once, then once a minute while the line repeats (`times`): same message, endpoint, account, store, reason. */
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

/** BullMQ with `redisUrl`, in memory without. `prefix` is the Redis key prefix of this installation, in braces. */
export async function openTransport(options: {
  redisUrl?: string | undefined;
  prefix?: string | undefined;
  concurrency: number;
  log: Log;
}): Promise<Transport> {
  const { redisUrl, prefix = '{facturapuente}', concurrency, log } = options;
  if (redisUrl === undefined) return openMemoryTransport({ concurrency, log });
  // A process without Redis never loads its client.
  const { openBullTransport } = await import('./bullmq.ts');
  return openBullTransport({ redisUrl, prefix, concurrency, log });
}

/** Jobs waiting at `close` are forgotten; the ledger releases them again. */
export function openMemoryTransport(options: { concurrency: number; log: Log }): Transport {
  const { concurrency, log } = options;
  const queue = new PQueue({ concurrency, autoStart: false });
  const timers = new Set<NodeJS.Timeout>();
  let handle: ((queued: QueuedJob) => Promise<void>) | undefined;
  let closing: Promise<void> | undefined;

  function enqueue(queued: QueuedJob): void {
    queue
      .add(async () => handle?.(queued))
      .catch((error) =>
        log.error({ err: error, job: queued.id }, 'A job failed outside its handler; it runs again later.'),
      );
  }

  return {
    concurrency,
    async send(jobs) {
      if (closing)
        throw new Error('The memory transport is closed and takes no jobs; stop the dispatcher first.');
      for (const queued of jobs) {
        if (!queued.delayMs || queued.delayMs <= 0) {
          enqueue(queued);
          continue;
        }
        const timer = setTimeout(() => {
          timers.delete(timer);
          enqueue(queued);
        }, queued.delayMs);
        timers.add(timer);
      }
    },
    async consume(handler) {
      handle = handler;
      queue.start();
    },
    close(deadlineMs) {
      closing ??= (async () => {
        for (const timer of timers) clearTimeout(timer);
        queue.pause();
        await endsWithin(queue.onPendingZero(), deadlineMs);
      })();
      return closing;
    },
    async counts() {
      return { waiting: queue.size, delayed: timers.size, active: queue.pending };
    },
    async check() {},
  };
}
