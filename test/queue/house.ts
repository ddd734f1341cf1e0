import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Budgets } from '../../src/domain/budget.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { runTestClock } from '../../src/domain/clock.ts';
import type { Log } from '../../src/domain/log.ts';
import { silentLog } from '../../src/domain/log.ts';
import { done, type Step, type WorkKind, type WorkRequest, workKinds } from '../../src/domain/work.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { type Dispatcher, type DispatcherOptions, startDispatcher } from '../../src/queue/dispatcher.ts';
import { openBudgets, openTransport } from '../../src/queue/open.ts';
import type { Transport } from '../../src/queue/transport.ts';
import { startWorker, type Worker, type WorkerOptions } from '../../src/queue/worker.ts';
import { openDatabase, ownRedisPrefix, redisUrl } from '../support/servers.ts';
import { answering } from './answering.ts';

const real: Clock = { now: () => new Date() };

/** A clock that runs `rate` times as fast as real time, from now. */
export const clockAt = (rate: number): Clock => runTestClock({ anchor: real.now(), offsetMs: 0, rate }, real);

/** One process of the product, as far as dispatch goes. */
export interface House {
  ledger: Ledger;
  transport: Transport;
  budgets: Budgets;
  clock: Clock;
  rate: number;
  log: Log;
  dispatch(options?: Partial<DispatcherOptions>): Dispatcher;
  work(step: Step, options?: Partial<WorkerOptions>): Promise<Worker>;
}

/** A state that processes share. */
export interface Street {
  /** Opens one more process on the same state. */
  open(options?: { rate?: number; clock?: Clock; log?: Log; concurrency?: number }): Promise<House>;
  /** Where its jobs lie in Redis; null in memory. */
  prefix: string | null;
}

/** SQLite and the transport in memory: one process. */
export async function openSmallStreet(): Promise<Street> {
  const directory = await mkdtemp(join(tmpdir(), 'fp-dispatch-'));
  const sealKey = randomBytes(32);
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return {
    prefix: null,
    open: (options = {}) =>
      openHouse((clock) => openLedger({ directory, sealKey }, clock, silentLog), options),
  };
}

/** PostgreSQL and Redis, or PostgreSQL alone: as many processes as a test wants. */
export async function openWideStreet(transport: 'redis' | 'memory' = 'redis'): Promise<Street> {
  const database = await openDatabase();
  onTestFinished(database.drop);
  const prefix = transport === 'redis' ? ownRedisPrefix() : null;
  const sealKey = randomBytes(32);
  return {
    prefix,
    open: (options = {}) =>
      openHouse((clock) => openLedger({ url: database.url, sealKey }, clock, silentLog), {
        ...options,
        ...(prefix === null ? {} : { redis: { redisUrl, prefix } }),
      }),
  };
}

async function openHouse(
  open: (clock: Clock) => Promise<Ledger>,
  options: {
    rate?: number;
    clock?: Clock;
    log?: Log;
    concurrency?: number;
    redis?: { redisUrl: string; prefix: string };
  },
): Promise<House> {
  const { rate = 1, log = silentLog, concurrency = 10, redis } = options;
  const { clock = clockAt(rate) } = options;
  const ledger = await open(clock);
  const transport = await openTransport({ ...redis, concurrency, log });
  // A job that is refused comes back much later than a test waits.
  await answering(transport);
  const budgets = openBudgets({ ledger, clock, log });
  const dispatchers: Dispatcher[] = [];
  onTestFinished(async () => {
    for (const dispatcher of dispatchers) await dispatcher.stop();
    await transport.close(1_000);
    await ledger.close();
  });
  return {
    ledger,
    transport,
    budgets,
    clock,
    rate,
    log,
    dispatch(more = {}) {
      const dispatcher = startDispatcher({
        ledger,
        transport,
        budgets,
        clock,
        log,
        rate,
        pollMs: 50,
        ...more,
      });
      dispatchers.push(dispatcher);
      return dispatcher;
    },
    work: (step, more = {}) =>
      startWorker({ ledger, transport, steps: everyKind(step), clock, log, rate, ...more }),
  };
}

function everyKind(step: Step): Record<WorkKind, Step> {
  return Object.fromEntries(workKinds.map((kind) => [kind, step])) as Record<WorkKind, Step>;
}

/** Work that is due now and needs no slot. */
export function request(clock: Clock, subject: string, more: Partial<WorkRequest> = {}): WorkRequest {
  return {
    kind: 'sync-order',
    subject,
    storeId: 'tienda',
    budget: null,
    priority: 5,
    dueAt: clock.now(),
    ...more,
  };
}

/** A step that counts its runs by subject. */
export function counting(): { step: Step; runs: Map<string, number> } {
  const runs = new Map<string, number>();
  return {
    runs,
    async step(work) {
      runs.set(work.subject, (runs.get(work.subject) ?? 0) + 1);
      return done;
    },
  };
}

export async function isIdle(ledger: Ledger): Promise<boolean> {
  const { waiting, released, leased } = await ledger.work.counts();
  return waiting + released + leased === 0;
}
