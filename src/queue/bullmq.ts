import { randomUUID } from 'node:crypto';
import { isNotConnectionError, type JobsOptions, Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { Log } from '../domain/log.ts';
import { warnOfEviction } from './eviction.ts';
import { type Outage, watchOutage } from './outage.ts';
import { type Duty, dutyFailed, endsWithin, type Job, type Transport } from './transport.ts';

export const queueName = 'work';
const jobName = 'work';
/** More waiting jobs mean that nobody takes them; the ledger keeps the work, Redis need not fill up. */
const waitingLimit = 2_000;

/**
 * The transport between processes and machines: BullMQ on Redis, ids only. Retries, backoff and truth are
 * rows of the ledger, so a job is tried once and forgotten; Redis may be emptied at any time.
 * @param options.prefix Redis key prefix; braces keep all keys on one node of a cluster.
 */
export function openBullTransport(options: {
  redisUrl: string;
  prefix: string;
  concurrency: number;
  log: Log;
}): Transport {
  const { redisUrl, prefix, concurrency, log } = options;
  const outage = watchOutage(log, {
    failed: 'Redis does not answer; work waits in the ledger until it does.',
    over: 'Redis answers again.',
  });
  // Adds fail at once instead of piling up in this process while Redis is away; a hung Redis counts as away.
  const producer = watched(
    new Redis(redisUrl, { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 5_000 }),
    outage,
  );
  // BullMQ's objects repeat what their connections say; what is left is about single jobs (gone, lock ran out).
  const bookkeeping = (error: Error & { code?: unknown }) => {
    if (typeof error.code === 'string' || !isNotConnectionError(error)) return;
    log.warn({ err: error }, 'Redis lost track of a job; the ledger decides, nothing is lost.');
  };
  const duties = new Map<string, Duty>();
  const timers = new Set<NodeJS.Timeout>();
  /** Duties under way: no second turn begins beside them. */
  const turns = new Set<string>();
  let queue: Queue | undefined;
  let consumer: Redis | undefined;
  let worker: Worker | undefined;
  let closing: Promise<void> | undefined;

  // BullMQ's objects never recover from a connection that fails while they start: they start on a living one.
  producer.once('ready', () => {
    queue = new Queue(queueName, {
      connection: producer,
      prefix,
      streams: { events: { maxLen: 100 } },
    }).on('error', bookkeeping);
    void warnOfEviction(producer, log);
    for (const duty of duties.values()) schedule(duty, true);
  });

  function schedule(duty: Duty, starting: boolean): void {
    if (queue === undefined || producer.status !== 'ready' || closing) return;
    // What failed here is looked at again after the interval.
    keepSchedule(queue, duty, starting).catch((error: Error) => {
      if (producer.status === 'ready')
        log.warn({ err: error, duty: duty.name }, 'A schedule could not be kept.');
    });
  }

  async function turn(name: string): Promise<void> {
    const duty = duties.get(name);
    // A process of another release may have a duty that this one does not know.
    if (!duty || turns.has(name)) return;
    turns.add(name);
    await duty.run().catch((error: unknown) => log.warn({ err: error, duty: name }, dutyFailed));
    turns.delete(name);
  }

  async function sending(): Promise<Queue> {
    if (closing)
      throw new Error('The Redis transport is closed and takes no jobs; stop the dispatcher first.');
    if (queue === undefined || producer.status !== 'ready')
      throw new Error('Redis is not connected; look at REDIS_URL and at the server.');
    const waiting = await queue.getWaitingCount();
    if (waiting > waitingLimit)
      throw new Error(`${waiting} jobs wait in Redis and nobody takes them; start a worker process.`);
    return queue;
  }

  return {
    concurrency,
    async send(jobs) {
      const open = await sending();
      await open.addBulk(
        jobs.map(({ id, delayMs, slotAt = null }) => ({
          name: jobName,
          data: { id, slotAt },
          opts: once(delayMs),
        })),
      );
    },
    async consume(handler) {
      const connection = watched(new Redis(redisUrl, { maxRetriesPerRequest: null }), outage);
      consumer = connection;
      connection.once('ready', () => {
        if (closing) return;
        const run = ({ name, data: { id, slotAt = null } }: { name: string; data: Job }) =>
          name === jobName ? handler({ id, slotAt }) : turn(name);
        worker = new Worker<Job>(queueName, run, { connection, prefix, concurrency }).on(
          'error',
          bookkeeping,
        );
      });
    },
    repeat(duty) {
      duties.set(duty.name, duty);
      schedule(duty, true);
      const timer = setInterval(schedule, duty.everyMs, duty, false);
      timer.unref();
      timers.add(timer);
    },
    close(deadlineMs) {
      closing ??= (async () => {
        for (const timer of timers) clearInterval(timer);
        const all = [worker?.close(), queue?.close()];
        const inTime = await endsWithin(Promise.all(all), deadlineMs);
        // `disconnect` waits for nothing; the worker's blocking connection is BullMQ's own.
        if (!inTime) worker?.disconnect().catch(bookkeeping);
        consumer?.disconnect();
        producer.disconnect();
      })();
      return closing;
    },
    async counts() {
      if (queue === undefined || producer.status !== 'ready') throw new Error('Redis is not connected.');
      const { wait = 0, delayed = 0, active = 0 } = await queue.getJobCounts('wait', 'delayed', 'active');
      return { waiting: wait, delayed, active };
    },
    async check() {
      await sending();
    },
  };
}

/** A random id: BullMQ ignores a job whose id is still known, and a release while its work still runs must count. */
function once(delayMs = 0): JobsOptions {
  const delay = Math.max(Math.round(delayMs), 0);
  return { jobId: randomUUID(), delay, attempts: 1, removeOnComplete: true, removeOnFail: true };
}

/** Without an `error` listener a lost connection would end the process. */
function watched(client: Redis, outage: Outage): Redis {
  return client.on('error', outage.failed).on('ready', outage.over);
}

const template: JobsOptions = { attempts: 1, removeOnComplete: true, removeOnFail: true };

/**
 * The duty's job scheduler in Redis: one for all processes, which is never removed, because others live by it. At a
 * start it takes this process's interval; later it is only looked at, and made anew where it got lost (an emptied
 * Redis, a job that vanished with its worker), so that processes of two releases do not pull at it.
 */
async function keepSchedule(queue: Queue, { name, everyMs }: Duty, starting: boolean): Promise<void> {
  const found = await queue.getJobScheduler(name);
  const late = Date.now() - (found?.next ?? 0);
  // Further ahead than an interval: it was planned by a clock that was ahead.
  const missed = found?.next === undefined || late > everyMs || late < -2 * everyMs;
  // Done without need, it would begin the interval anew.
  if (missed || (starting && found.every !== everyMs))
    await queue.upsertJobScheduler(name, { every: everyMs }, { name, data: {}, opts: template });
}
