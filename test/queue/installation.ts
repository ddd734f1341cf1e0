import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Clock, runTestClock } from '../../src/domain/clock.ts';
import { done, type JobHandler, type JobRequest, type RateLimits } from '../../src/domain/job.ts';
import { type Log, silentLog } from '../../src/domain/ports.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { type Dispatcher, type DispatcherOptions, startDispatcher } from '../../src/queue/dispatcher.ts';
import { rateLimitsOver } from '../../src/queue/rate-limit.ts';
import type { Transport } from '../../src/queue/transport.ts';
import { openTransport } from '../../src/queue/transport.ts';
import { startWorker, type Worker, type WorkerOptions } from '../../src/queue/worker.ts';
import { openDatabase, ownRedisPrefix, redisUrl } from '../support/servers.ts';
import { answering } from './answering.ts';

const real: Clock = { now: () => new Date() };

/** A clock that runs `rate` times as fast as real time, from now. */
export const clockAt = (rate: number): Clock => runTestClock({ anchor: real.now(), offsetMs: 0, rate }, real);

/** One process of the product, as far as dispatch goes. */
export interface Installation {
  ledger: Ledger;
  transport: Transport;
  rateLimits: RateLimits;
  clock: Clock;
  rate: number;
  log: Log;
  dispatch(options?: Partial<DispatcherOptions>): Dispatcher;
  jobs(handler: JobHandler, options?: Partial<WorkerOptions>): Promise<Worker>;
}

/** A state that processes share. */
export interface Deployment {
  /** Opens one more process on the same state. */
  open(options?: { rate?: number; clock?: Clock; log?: Log; concurrency?: number }): Promise<Installation>;
  /** The Redis prefix of its jobs; null in memory. */
  prefix: string | null;
}

/** SQLite and the transport in memory: one process. */
export async function openEmbedded(): Promise<Deployment> {
  const directory = await mkdtemp(join(tmpdir(), 'fp-dispatch-'));
  const encryptionKey = randomBytes(32);
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return {
    prefix: null,
    open: (options = {}) =>
      openInstallation((clock) => openLedger({ directory, encryptionKey }, clock, silentLog), options),
  };
}

/** PostgreSQL and Redis, or PostgreSQL alone: as many processes as a test wants. */
export async function openScaled(transport: 'redis' | 'memory' = 'redis'): Promise<Deployment> {
  const database = await openDatabase();
  onTestFinished(database.drop);
  const prefix = transport === 'redis' ? ownRedisPrefix() : null;
  const encryptionKey = randomBytes(32);
  return {
    prefix,
    open: (options = {}) =>
      openInstallation((clock) => openLedger({ url: database.url, encryptionKey }, clock, silentLog), {
        ...options,
        ...(prefix === null ? {} : { redis: { redisUrl, prefix } }),
      }),
  };
}

async function openInstallation(
  open: (clock: Clock) => Promise<Ledger>,
  options: {
    rate?: number;
    clock?: Clock;
    log?: Log;
    concurrency?: number;
    redis?: { redisUrl: string; prefix: string };
  },
): Promise<Installation> {
  const { rate = 1, log = silentLog, concurrency = 10, redis } = options;
  const { clock = clockAt(rate) } = options;
  const ledger = await open(clock);
  const transport = await openTransport({ ...redis, concurrency, log });
  // A refused job is retried much later than a test waits.
  await answering(transport);
  const rateLimits = rateLimitsOver(ledger.rateLimits, { clock, log });
  const dispatchers: Dispatcher[] = [];
  onTestFinished(async () => {
    for (const dispatcher of dispatchers) await dispatcher.stop();
    await transport.close(1_000);
    await ledger.close();
  });
  return {
    ledger,
    transport,
    rateLimits,
    clock,
    rate,
    log,
    dispatch(more = {}) {
      const dispatcher = startDispatcher({
        ledger,
        transport,
        rateLimits,
        clock,
        log,
        rate,
        pollMs: 50,
        ...more,
      });
      dispatchers.push(dispatcher);
      return dispatcher;
    },
    jobs: (handler, more = {}) =>
      startWorker({ ledger, transport, runJob: handler, clock, log, rate, ...more }),
  };
}

/** A job that is due now and needs no slot. */
export function request(clock: Clock, subject: string, more: Partial<JobRequest> = {}): JobRequest {
  return {
    kind: 'sync-order',
    subject,
    storeId: 'tienda',
    rateLimit: null,
    priority: 5,
    dueAt: clock.now(),
    ...more,
  };
}

/** A job handler that counts its runs by subject. */
export function counting(): { handler: JobHandler; runs: Map<string, number> } {
  const runs = new Map<string, number>();
  return {
    runs,
    async handler(job) {
      runs.set(job.subject, (runs.get(job.subject) ?? 0) + 1);
      return done;
    },
  };
}

export async function isIdle(ledger: Ledger): Promise<boolean> {
  const { waiting, released, leased } = await ledger.jobs.counts();
  return waiting + released + leased === 0;
}
