import PQueue from 'p-queue';
import type { Clock } from '../domain/clock.ts';
import type { RateLimits, Slot, SlotRequest } from '../domain/job.ts';
import type { Log } from '../domain/ports.ts';
import type { RateLimitTable } from '../ledger/pauses.ts';
import type { RateLimitState } from '../ledger/schema.ts';
import {
  believable,
  book,
  hold,
  intervalMs,
  look,
  type Rate,
  rateClass,
  serviceRate,
  slowForMs,
  slowRate,
} from './gcra.ts';
import { dutyFailed, endsWithin, type QueuedJob, type Transport } from './transport.ts';

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
  const duties = new Set<NodeJS.Timeout>();
  const running = new Map<string, Promise<void>>();
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
    repeat({ name, everyMs, run }) {
      const runOnce = async () => {
        if (running.has(name) || closing) return;
        const current = run().catch((error: unknown) => log.warn({ err: error, duty: name }, dutyFailed));
        running.set(name, current);
        await current;
        running.delete(name);
      };
      const timer = setInterval(runOnce, everyMs);
      timer.unref();
      duties.add(timer);
    },
    close(deadlineMs) {
      closing ??= (async () => {
        for (const timer of timers) clearTimeout(timer);
        for (const timer of duties) clearInterval(timer);
        queue.pause();
        await endsWithin(Promise.all([queue.onPendingZero(), ...running.values()]), deadlineMs);
      })();
      return closing;
    },
    async counts() {
      return { waiting: queue.size, delayed: timers.size, active: queue.pending };
    },
    async check() {},
  };
}

/** So many lost races in a row mean much contention for one key: the caller retries later. */
const races = 20;
const fresh: RateLimitState = { tat: 0, slowUntil: 0 };

export function rateLimitsOver(
  table: RateLimitTable,
  options: { clock: Clock; log: Log; rate?: Rate },
): RateLimits {
  const { clock, log, rate = serviceRate } = options;
  const clockNow = () => clock.now().getTime();

  /** After a lost race `next` gets the new state; null changes nothing. */
  async function change<T>(
    name: string,
    next: (state: RateLimitState, now: number) => { state: RateLimitState | null; answer: T },
    tries = races,
  ): Promise<T | undefined> {
    for (let race = 0; race < tries; race += 1) {
      const expected = await table.read(name);
      const now = clockNow();
      const { state, answer } = next(believable(expected ?? fresh, now), now);
      if (state === null || (await table.swap(name, expected, state))) return answer;
    }
    return undefined;
  }

  /** @param options.dry only answers whether the slot would be booked. */
  async function bookOn(
    name: string,
    full: Rate,
    { lookAheadMs, spare = 0, dry = false }: { lookAheadMs: number; spare?: number; dry?: boolean },
  ): Promise<Slot> {
    const slot = await change<Slot>(name, (state, now) => {
      const at = now < state.slowUntil ? slowRate : full;
      const booking = book(state.tat, now, lookAheadMs, at, spare);
      if (!booking.booked) return { state: null, answer: booking };
      const answer = { booked: true, waitMs: booking.waitMs } as const;
      return { state: dry ? null : { ...state, tat: booking.tat }, answer };
    });
    return slot ?? { booked: false, retryInMs: 50 };
  }

  return {
    async reserve(keyHash, { kind, lookAheadMs, setAsideOnly = false }: SlotRequest) {
      const { spare, setAside } = rateClass[kind];
      const usual: Slot =
        setAsideOnly && setAside
          ? { booked: false, retryInMs: Number.POSITIVE_INFINITY }
          : await bookOn(keyHash, rate, { lookAheadMs, spare });
      if (usual.booked || setAside === null) return usual;
      // A longer look-ahead than that of more urgent kinds gets it its slot, however fast they are.
      const further = { lookAheadMs: 2 * (lookAheadMs + intervalMs(rate)) };
      const would = await bookOn(keyHash, rate, { ...further, dry: true });
      if (!would.booked) return would;
      const own = await bookOn(`${keyHash}/${kind}`, setAside, { lookAheadMs: 0 });
      if (!own.booked) return { booked: false, retryInMs: Math.min(own.retryInMs, usual.retryInMs) };
      return bookOn(keyHash, rate, further);
    },

    async look(keyHash) {
      const now = clockNow();
      const { tat, slowUntil } = believable((await table.read(keyHash)) ?? fresh, now);
      return look(tat, now, now < slowUntil ? slowRate : rate);
    },

    async slow(keyHash, forMs) {
      log.warn(
        { key: keyHash.slice(0, 8), forMs },
        'The tax document service answered 429; the key is held back.',
      );
      const held = (state: RateLimitState, now: number) => ({
        state: {
          tat: hold(state.tat, now, forMs, slowRate),
          slowUntil: Math.max(state.slowUntil, now + forMs + slowForMs),
        },
        answer: undefined,
      });
      await change(keyHash, held, Number.POSITIVE_INFINITY);
    },
  };
}

export function memoryRateLimitTable(): RateLimitTable {
  const states = new Map<string, RateLimitState>();
  return {
    async read(name) {
      return states.get(name) ?? null;
    },
    async swap(name, expected, next) {
      const current = states.get(name);
      if (current?.tat !== expected?.tat || current?.slowUntil !== expected?.slowUntil) return false;
      states.set(name, next);
      return true;
    },
  };
}
