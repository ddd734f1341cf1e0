import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { isNotConnectionError, type JobsOptions, Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { Log } from '../domain/ports.ts';
import { assertWritable, warnOfEviction } from './redis.ts';
import {
  endsWithin,
  limitLines,
  type Outage,
  type QueuedJob,
  type Transport,
  watchOutage,
} from './transport.ts';

export const queueName = 'jobs';
const jobName = 'job';
/** More waiting jobs mean that no worker takes them; the ledger keeps them anyway. */
const waitingLimit = 2_000;

/**
 * Job ids only: the ledger keeps retries, backoff and results, so Redis may be emptied at any time.
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
    failed: 'Redis does not answer; jobs wait in the ledger until it does.',
    over: 'Redis answers again.',
  });
  // Adds fail at once instead of piling up in this process while Redis is down or hangs.
  const producer = watched(
    new Redis(redisUrl, { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 5_000 }),
    outage,
  );
  // BullMQ's objects repeat the errors of their connections; the others concern single jobs (gone, lock expired).
  const warn = limitLines(log.warn.bind(log), () => performance.now());
  const bookkeeping = (error: Error & { code?: unknown }) => {
    if (typeof error.code !== 'string' && isNotConnectionError(error))
      warn(
        { err: error },
        'Redis refused a command, or lost track of a job; the ledger decides, nothing is lost.',
      );
  };
  let queue: Queue | undefined;
  let consumer: Redis | undefined;
  let worker: Worker | undefined;
  let closing: Promise<void> | undefined;

  // BullMQ's objects never recover from a connection that fails while they start: they start on an open one.
  producer.once('ready', () => {
    queue = new Queue(queueName, {
      connection: producer,
      prefix,
      streams: { events: { maxLen: 100 } },
    }).on('error', bookkeeping);
    void warnOfEviction(producer, log);
  });

  async function sending(): Promise<Queue> {
    if (closing)
      throw new Error('The Redis transport is closed and takes no jobs; stop the dispatcher first.');
    if (queue === undefined || producer.status !== 'ready')
      throw new Error('Redis is not connected; check REDIS_URL and the server.');
    const waiting = await queue.getWaitingCount();
    if (waiting > waitingLimit)
      throw new Error(`${waiting} jobs wait in Redis and no worker takes them; start a worker process.`);
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
        const run = ({ data: { id, slotAt = null } }: { data: QueuedJob }) => handler({ id, slotAt });
        const options = { connection, prefix, concurrency };
        worker = new PatientWorker<QueuedJob>(queueName, run, options).on('error', bookkeeping);
      });
    },
    close(deadlineMs) {
      closing ??= (async () => {
        const all = [worker?.close(), queue?.close()];
        const inTime = await endsWithin(Promise.all(all), deadlineMs);
        // `disconnect` does not wait; the worker's blocking connection is BullMQ's own.
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
      await assertWritable(producer, prefix);
    },
  };
}

const refusedForMs = 1_000;

/** BullMQ's worker asks again at once where Redis refuses a command (its memory is full): 10,000 times a second. */
class PatientWorker<Data> extends Worker<Data> {
  protected override async moveToActive(token: string, name: string | undefined) {
    try {
      return await super.moveToActive(token, name);
    } catch (error) {
      await setTimeout(refusedForMs, undefined, { ref: false });
      throw error;
    }
  }
}

/** BullMQ ignores a job whose id it still knows, and a job may be released again while it runs. */
const once = (delayMs = 0): JobsOptions => ({
  attempts: 1,
  removeOnComplete: true,
  removeOnFail: true,
  jobId: randomUUID(),
  delay: Math.max(Math.round(delayMs), 0),
});

/** Without an `error` listener a lost connection would end the process. */
function watched(client: Redis, outage: Outage): Redis {
  return client.on('error', outage.failed).on('ready', outage.over);
}
