import type { JobRequest } from '../domain/job.ts';
import { type Access, refuseInside } from './access.ts';
import { enqueueJobs } from './jobs/partitions.ts';
import type { Ledger } from './ledger.ts';
import { deliveryName, storeDeliveries } from './orders.ts';
import type { NewDelivery } from './shop-tables.ts';

type Outcome = 'stored' | 'duplicate';

interface Waiting {
  delivery: NewDelivery;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/** A larger batch would only delay the first ones. */
const batchLimit = 256;

/**
 * The endpoint's write. Everything accepted in one turn of the event loop (and, while the engine's limit of COMMITs is
 * running, everything accepted meanwhile) shares one transaction and one flush to disk, which allows ten times the rate of
 * one transaction each (measured, see bench/).
 */
export function groupCommit(access: Access): { accept: Ledger['accept']; idle(): Promise<void> } {
  let waiting: Waiting[] = [];
  const running = new Set<Promise<void>>();
  let underWay = 0;
  let gathering = false;

  async function run(): Promise<void> {
    underWay += 1;
    gathering = true;
    await new Promise((resolve) => setImmediate(resolve));
    gathering = false;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchLimit);
      waiting = waiting.slice(batchLimit);
      await settle(access, batch);
      // A caller that was answered may send more in the same turn.
      if (waiting.length > 0) await new Promise((resolve) => setImmediate(resolve));
    }
    // Synchronously after the last check: a delivery accepted from now on starts another run.
    underWay -= 1;
  }

  return {
    accept: (delivery) =>
      new Promise((resolve, reject) => {
        refuseInside();
        waiting.push({ delivery: withTrace(delivery, access.trace()), resolve, reject });
        if (gathering || underWay >= access.dialect.batchesAtOnce) return;
        const one = run().finally(() => running.delete(one));
        running.add(one);
      }),
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** Gives the delivery's job the trace id of its caller, which the batch would lose. */
function withTrace(delivery: NewDelivery, trace: string | null): NewDelivery {
  const { job } = delivery;
  return job ? { ...delivery, job: { trace, ...job } } : delivery;
}

async function settle(access: Access, batch: readonly Waiting[]): Promise<void> {
  try {
    const deliveries = batch.map((it) => it.delivery);
    const outcomes = await access.atomic((inside) => store(inside, deliveries));
    for (const [index, it] of batch.entries()) it.resolve(outcomes[index] ?? 'duplicate');
  } catch (error) {
    if (batch.length === 1 || !access.dialect.blamesRow(error)) {
      for (const it of batch) it.reject(error);
      return;
    }
    // One of them cannot be stored: each is stored alone.
    for (const it of batch) await settle(access, [it]);
  }
}

/** Stores new deliveries and enqueues their jobs, in the open transaction. */
async function store(access: Access, deliveries: readonly NewDelivery[]): Promise<Outcome[]> {
  const firsts = new Map<string, { delivery: NewDelivery; index: number }>();
  for (const [index, delivery] of deliveries.entries()) {
    const name = deliveryName(delivery);
    if (!firsts.has(name)) firsts.set(name, { delivery, index });
  }
  const unique = sorted(firsts);
  const stored = await storeDeliveries(
    access,
    unique.map((it) => it.delivery),
  );
  const outcomes: Outcome[] = deliveries.map(() => 'duplicate');
  for (const [position, { index }] of unique.entries()) if (stored[position]) outcomes[index] = 'stored';

  const jobs = new Map<string, JobRequest>();
  for (const [index, { job }] of deliveries.entries()) {
    if (!job || outcomes[index] !== 'stored') continue;
    const name = jobName(job);
    jobs.set(name, merged(jobs.get(name), job));
  }
  if (jobs.size > 0) await enqueueJobs(access, sorted(jobs));
  return outcomes;
}

const jobName = ({ subject, kind }: JobRequest): string => `${subject}\n${kind}`;

/** By name: processes that lock the same rows in the same order do not deadlock. */
function sorted<T>(named: ReadonlyMap<string, T>): T[] {
  return [...named].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, it]) => it);
}

/** Two requests for the same job, merged as the table does: the earlier time, the newer payload. */
function merged(earlier: JobRequest | undefined, request: JobRequest): JobRequest {
  if (!earlier) return request;
  const sooner = earlier.dueAt < request.dueAt ? earlier : request;
  return {
    ...request,
    priority: Math.min(earlier.priority, request.priority),
    dueAt: sooner.dueAt,
    payload: request.payload === undefined ? earlier.payload : request.payload,
    trace: earlier.trace ?? request.trace ?? null,
  };
}
