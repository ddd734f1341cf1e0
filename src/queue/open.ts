import PQueue from 'p-queue';
import type { Log } from '../domain/ports.ts';
import { endsWithin, type QueuedJob, type Transport } from './transport.ts';

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
