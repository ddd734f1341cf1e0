import PQueue from 'p-queue';
import type { Log } from '../domain/log.ts';
import { dutyFailed, endsWithin, type Job, type Transport } from './transport.ts';

/** The transport within one process. What still waits at `close` is forgotten; the ledger releases it again. */
export function openMemoryTransport(options: { concurrency: number; log: Log }): Transport {
  const { concurrency, log } = options;
  const queue = new PQueue({ concurrency, autoStart: false });
  const timers = new Set<NodeJS.Timeout>();
  const duties = new Set<NodeJS.Timeout>();
  /** Duties under way: no second turn begins beside them. */
  const turns = new Map<string, Promise<void>>();
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
    concurrency,
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
    repeat({ name, everyMs, run }) {
      const next = async () => {
        if (turns.has(name) || closing) return;
        const turn = run().catch((error: unknown) => log.warn({ err: error, duty: name }, dutyFailed));
        turns.set(name, turn);
        await turn;
        turns.delete(name);
      };
      const timer = setInterval(next, everyMs);
      timer.unref();
      duties.add(timer);
    },
    close(deadlineMs) {
      closing ??= (async () => {
        for (const timer of timers) clearTimeout(timer);
        for (const timer of duties) clearInterval(timer);
        queue.pause();
        await endsWithin(Promise.all([queue.onPendingZero(), ...turns.values()]), deadlineMs);
      })();
      return closing;
    },
    async counts() {
      return { waiting: queue.size, delayed: timers.size, active: queue.pending };
    },
    async check() {},
  };
}
