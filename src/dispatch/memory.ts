import PQueue from 'p-queue';
import type { Log } from '../core/log.ts';
import { endsWithin, type Job, type Transport } from './transport.ts';

/** The transport within one process. What still waits at `close` is forgotten; the ledger releases it again. */
export function openMemoryTransport(options: { concurrency: number; log: Log }): Transport {
  const { concurrency, log } = options;
  const queue = new PQueue({ concurrency, autoStart: false });
  const timers = new Set<NodeJS.Timeout>();
  let handle: ((job: Job) => Promise<void>) | undefined;
  let closing: Promise<void> | undefined;

  function enqueue(job: Job): void {
    queue
      .add(async () => handle?.(job))
      .catch((error) =>
        log.error({ err: error, work: job.id }, 'A job handler threw; its work comes back later.'),
      );
  }

  return {
    async send(jobs) {
      if (closing)
        throw new Error('The memory transport is closed and takes no jobs; stop the dispatcher first.');
      for (const job of jobs) {
        if (!job.delayMs || job.delayMs <= 0) {
          enqueue(job);
          continue;
        }
        const timer = setTimeout(() => {
          timers.delete(timer);
          enqueue(job);
        }, job.delayMs);
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
