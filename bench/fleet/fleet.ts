import type { Budget, Budgets } from '../../src/domain/budget.ts';
import { silentLog } from '../../src/domain/log.ts';
import type { ClaimedWork, Step, WorkKind, WorkRequest } from '../../src/domain/work.ts';
import type { Taking } from '../../src/ledger/work/tables.ts';
import { budgetsOver, memoryBudgetTable } from '../../src/queue/budgets.ts';
import { startDispatcher } from '../../src/queue/dispatcher.ts';
import { budgetFor, prepaid } from '../../src/queue/key-budget.ts';
import type { Job, Transport } from '../../src/queue/transport.ts';
import { startWorker } from '../../src/queue/worker.ts';
import type { Chance } from './chance.ts';
import { costs, lookCpu, networkMs, openStation, type Station, server } from './costs.ts';
import type { Counted, Record } from './record.ts';
import type { Timeline } from './timeline.ts';
import type { WorkModel } from './work-model.ts';

/** What a worker process is made of, as far as a job meets it. */
export interface Process {
  n: number;
  cpu: Station;
  /** Asks for a job, and wakes the dispatcher of this process. */
  ask(request: WorkRequest): void;
  /** The rate limit of a job's key: its first call is paid for by the slot it was released with. */
  budget(work: ClaimedWork): Budget;
}

export type JobHandlers = (process: Process) => Readonly<globalThis.Record<WorkKind, Step>>;

/** The slots of one worker process, its default. */
const concurrency = 64;

/**
 * Worker processes on one PostgreSQL and one Redis: their real dispatchers, fair scheduling, rate limits and workers, on
 * the time of the simulation and the model of the ledger's work.
 */
export async function startFleet(parts: {
  timeline: Timeline;
  chance: Chance;
  model: WorkModel;
  database: Station;
  record: Record;
  workers: number;
  handlers: JobHandlers;
}): Promise<{ processes: Process[]; budgets: Budgets }> {
  const { timeline, chance, model, database, record, handlers } = parts;
  const { clock } = timeline;
  const start = timeline.now();
  const tick = (what: Counted, by = 1) => record.tick(what, timeline.now() - start, by);
  const queue = sharedQueue(timeline);
  const table = memoryBudgetTable();
  const budgets = budgetsOver(
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
    /** What waits now and did not before wakes the dispatcher of this process. */
    const ringing = async <T>(task: Promise<T>): Promise<T> => {
      const before = model.counts().waiting;
      const answer = await task;
      if (model.counts().waiting > before) ring();
      return answer;
    };
    const written = () => database.use(server.transaction + server.row);
    const work: Taking = {
      ...model,
      counts: async () => model.counts(),
      async due(now, perLane, limit) {
        tick('looks');
        const { waiting, due } = model.lanes();
        const found = await model.due(now, perLane, limit);
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
    const perKey = new Map<string, Budget>();
    const budgetOf = (key: string): Budget => {
      const known = perKey.get(key) ?? budgetFor(budgets, key, clock, 1, timeline);
      perKey.set(key, known);
      return known;
    };
    const process: Process = {
      n,
      cpu,
      ask(request) {
        model.ask(request);
        ring();
      },
      budget: (job) => prepaid(budgetOf(job.budget ?? job.subject), job.slotAt ?? 0, clock),
    };
    const steps = Object.fromEntries(
      Object.entries(handlers(process)).map(([kind, step]) => [kind, counted(kind as WorkKind, step)]),
    ) as globalThis.Record<WorkKind, Step>;
    function counted(kind: WorkKind, step: Step): Step {
      const { cpu: cpuMs = 0, transactions = 0, rows = 0 } = costs[kind] ?? {};
      return async (job) => {
        tick(kind as Counted);
        tick('transactions', transactions);
        tick('rows', rows);
        const began = timeline.now();
        await cpu.use(cpuMs);
        const outcome = await step(job);
        // Its claim and its end are counted where they happen.
        await database.use(
          Math.max(transactions - 2, 0) * server.transaction + Math.max(rows - 2, 0) * server.row,
        );
        tick('slotMs', timeline.now() - began);
        return outcome;
      };
    }
    const transport = queue.open();
    const ledger = {
      work,
      claims: work,
      onWork(listener: () => void) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    const common = { ledger, transport, clock, log: silentLog, timers: timeline };
    await startWorker({ ...common, steps, random: chance.next });
    startDispatcher({ ...common, budgets });
    return process;
  }

  const processes: Process[] = [];
  for (let n = 0; n < parts.workers; n += 1) processes.push(await open(n));
  return { processes, budgets };
}

/** One queue for all processes, as BullMQ is: a job goes to the next of them that has a slot. */
function sharedQueue(timeline: Timeline): { open(): Transport } {
  const waiting: Job[] = [];
  let first = 0;
  const consumers: { active: number; handle: (job: Job) => Promise<void> }[] = [];
  let turn = 0;

  function pump(): void {
    while (first < waiting.length) {
      const at = consumers.findIndex(
        (_, n) => (consumers[(turn + n) % consumers.length]?.active ?? 0) < concurrency,
      );
      const consumer = consumers[(turn + at) % consumers.length];
      const job = waiting[first];
      if (at < 0 || !consumer || !job) return;
      turn += at + 1;
      first += 1;
      if (first > 1_000) waiting.splice(0, first);
      if (first > 1_000) first = 0;
      consumer.active += 1;
      void consumer.handle(job).then(() => {
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
        for (const job of jobs)
          timeline.after(job.delayMs ?? 0, () => {
            waiting.push(job);
            pump();
          });
      },
      async consume(handle) {
        consumers.push({ active: 0, handle });
      },
      repeat() {},
      async close() {},
      counts: async () => ({ waiting: waiting.length - first, delayed: 0, active: 0 }),
      async check() {},
    }),
  };
}
