import type {
  ClaimedJob,
  JobHandler,
  JobKind,
  JobRequest,
  RateLimit,
  RateLimits,
} from '../../src/domain/job.ts';
import { silentLog } from '../../src/domain/ports.ts';
import type { Claims, Releases } from '../../src/ledger/jobs.ts';
import { startDispatcher } from '../../src/queue/dispatcher.ts';
import { memoryRateLimitTable, prepaid, rateLimitFor, rateLimitsOver } from '../../src/queue/rate-limit.ts';
import type { QueuedJob, Transport } from '../../src/queue/transport.ts';
import { startWorker } from '../../src/queue/worker.ts';
import type { Chance } from './chance.ts';
import { costs, lookCpu, networkMs, openStation, type Station, server } from './costs.ts';
import type { JobModel } from './queue-model.ts';
import type { Counted, Record } from './record.ts';
import type { Timeline } from './timeline.ts';

/** The parts of a worker process that a job uses. */
export interface Process {
  n: number;
  cpu: Station;
  /** Enqueues a job, and wakes the dispatcher of this process. */
  enqueue(request: JobRequest): void;
  /** The rate limit of a job's key; the slot of its release covers its first call. */
  rateLimit(job: ClaimedJob): RateLimit;
}

export type JobHandlers = (process: Process) => Readonly<globalThis.Record<JobKind, JobHandler>>;

/** The slots of one worker process, its default. */
const concurrency = 64;

/**
 * Worker processes on one PostgreSQL and one Redis: their real dispatchers, fair scheduling, rate limits and workers, on
 * simulated time and the model of the ledger's jobs table.
 */
export async function startFleet(parts: {
  timeline: Timeline;
  chance: Chance;
  model: JobModel;
  database: Station;
  record: Record;
  workers: number;
  handlers: JobHandlers;
}): Promise<{ processes: Process[]; rateLimits: RateLimits }> {
  const { timeline, chance, model, database, record, handlers } = parts;
  const { clock } = timeline;
  const start = timeline.now();
  const tick = (what: Counted, by = 1) => record.tick(what, timeline.now() - start, by);
  const queue = sharedQueue(timeline);
  const table = memoryRateLimitTable();
  const rateLimits = rateLimitsOver(
    {
      async read(name) {
        await database.use(server.reserve / 2);
        return table.read(name);
      },
      async swap(name, expected, next) {
        tick('reserves');
        tick('transactions');
        tick('rows');
        await database.use(server.reserve / 2);
        return table.swap(name, expected, next);
      },
    },
    { clock, log: silentLog },
  );

  async function open(n: number): Promise<Process> {
    const cpu = openStation(timeline, 1);
    const listeners = new Set<() => void>();
    const ring = () => {
      for (const listener of listeners) listener();
    };
    /** A newly waiting job wakes the dispatcher of this process. */
    const ringing = async <T>(task: Promise<T>): Promise<T> => {
      const before = model.counts().waiting;
      const answer = await task;
      if (model.counts().waiting > before) ring();
      return answer;
    };
    const written = () => database.use(server.transaction + server.row);
    const jobs: Claims & Releases = {
      ...model,
      async due(now, perPartition, limit) {
        tick('looks');
        const { waiting, due } = model.partitions();
        const found = await model.due(now, perPartition, limit);
        const ms = server.look(waiting, due, found.length);
        tick('lookMs', ms);
        await database.use(ms);
        await cpu.use(lookCpu(found.length));
        return found;
      },
      async release(ids, now) {
        const won = await model.release(ids, now);
        tick('releases');
        tick('transactions');
        tick('rows', won.length);
        await database.use(server.transaction + ids.length * server.row);
        return won;
      },
      async claim(...args) {
        await written();
        return model.claim(...args);
      },
      async finish(...args) {
        await written();
        return ringing(model.finish(...args));
      },
      async postpone(...args) {
        await written();
        return ringing(model.postpone(...args));
      },
      recover: (...args) => ringing(model.recover(...args)),
    };
    const perKey = new Map<string, RateLimit>();
    const rateLimitOf = (key: string): RateLimit => {
      const known = perKey.get(key) ?? rateLimitFor(rateLimits, key, clock, 1, timeline);
      perKey.set(key, known);
      return known;
    };
    const process: Process = {
      n,
      cpu,
      enqueue(request) {
        model.enqueue(request);
        ring();
      },
      rateLimit: (queued) =>
        prepaid(rateLimitOf(queued.rateLimit ?? queued.subject), queued.slotAt ?? 0, clock),
    };
    const running = Object.fromEntries(
      Object.entries(handlers(process)).map(([kind, handler]) => [kind, counted(kind as JobKind, handler)]),
    ) as globalThis.Record<JobKind, JobHandler>;
    function counted(kind: JobKind, handler: JobHandler): JobHandler {
      const { cpu: cpuMs = 0, transactions = 0, rows = 0 } = costs[kind] ?? {};
      return async (queued) => {
        tick(kind as Counted);
        tick('transactions', transactions);
        tick('rows', rows);
        const began = timeline.now();
        await cpu.use(cpuMs);
        const outcome = await handler(queued);
        // Claim and finish are counted elsewhere.
        await database.use(
          Math.max(transactions - 2, 0) * server.transaction + Math.max(rows - 2, 0) * server.row,
        );
        tick('slotMs', timeline.now() - began);
        return outcome;
      };
    }
    const transport = queue.open();
    const ledger = {
      jobs,
      onJob(listener: () => void) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    const common = { ledger, transport, clock, log: silentLog, timers: timeline };
    await startWorker({ ...common, runJob: (job) => running[job.kind](job), random: chance.next });
    startDispatcher({ ...common, rateLimits });
    return process;
  }

  const processes: Process[] = [];
  for (let n = 0; n < parts.workers; n += 1) processes.push(await open(n));
  return { processes, rateLimits };
}

/** One queue for all processes, as BullMQ is: a job goes to the next of them that has a slot. */
function sharedQueue(timeline: Timeline): { open(): Transport } {
  const waiting: QueuedJob[] = [];
  let first = 0;
  const consumers: { active: number; handle: (queued: QueuedJob) => Promise<void> }[] = [];
  let turn = 0;

  function pump(): void {
    while (first < waiting.length) {
      const at = consumers.findIndex(
        (_, n) => (consumers[(turn + n) % consumers.length]?.active ?? 0) < concurrency,
      );
      const consumer = consumers[(turn + at) % consumers.length];
      const queued = waiting[first];
      if (at < 0 || !consumer || !queued) return;
      turn += at + 1;
      first += 1;
      if (first > 1_000) waiting.splice(0, first);
      if (first > 1_000) first = 0;
      consumer.active += 1;
      void consumer.handle(queued).then(() => {
        consumer.active -= 1;
        pump();
      });
    }
  }

  return {
    open: () => ({
      concurrency,
      async send(jobs) {
        await timeline.wait(networkMs);
        for (const queued of jobs)
          timeline.after(queued.delayMs ?? 0, () => {
            waiting.push(queued);
            pump();
          });
      },
      async consume(handle) {
        consumers.push({ active: 0, handle });
      },
      async close() {},
      counts: async () => ({ waiting: waiting.length - first, delayed: 0, active: 0 }),
      async check() {},
    }),
  };
}
