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
