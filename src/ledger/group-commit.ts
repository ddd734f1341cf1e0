import type { WorkRequest } from '../domain/work.ts';
import { type Access, refuseInside } from './access.ts';
import { deliveryName, storeDeliveries } from './deliveries.ts';
import type { Ledger } from './ledger.ts';
import type { NewDelivery } from './shop-tables.ts';
import { askForWork } from './work/requests.ts';

type Outcome = 'stored' | 'duplicate';

interface Waiting {
  delivery: NewDelivery;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/** More would only make the first ones wait. */
const batchLimit = 256;

/**
 * The door's write. Everything accepted in one turn of the event loop (and, while as many COMMITs are under way as
 * the engine wants, everything that comes meanwhile) shares one transaction: one flush to disk for all of them, ten
 * times the rate of one transaction each (measured, see bench/).
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
      // Whoever was answered may have more to say in the same turn.
      if (waiting.length > 0) await new Promise((resolve) => setImmediate(resolve));
    }
    // In the same breath as the last look: whoever comes from now on starts anew.
    underWay -= 1;
  }

  return {
    accept: (delivery) =>
      new Promise((resolve, reject) => {
        refuseInside();
        waiting.push({ delivery: onJourney(delivery, access.trace()), resolve, reject });
        if (gathering || underWay >= access.dialect.batchesAtOnce) return;
        const one = run().finally(() => running.delete(one));
        running.add(one);
      }),
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** The batch is stored on the journey of whoever came first; each delivery keeps its own. */
function onJourney(delivery: NewDelivery, trace: string | null): NewDelivery {
  const { work } = delivery;
  return work ? { ...delivery, work: { trace, ...work } } : delivery;
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
    // One of them cannot be stored; its neighbours must not suffer. Rare, so each simply goes alone.
    for (const it of batch) await settle(access, [it]);
  }
}

/** Stores what is new and asks for its work, in whatever transaction is open. */
async function store(access: Access, deliveries: readonly NewDelivery[]): Promise<Outcome[]> {
  const firsts = new Map<string, { delivery: NewDelivery; index: number }>();
  for (const [index, delivery] of deliveries.entries()) {
    const name = nameOf(delivery);
    if (!firsts.has(name)) firsts.set(name, { delivery, index });
  }
  const unique = inOneOrder(firsts);
  const stored = await storeDeliveries(
    access,
    unique.map((it) => it.delivery),
  );
  const outcomes: Outcome[] = deliveries.map(() => 'duplicate');
  for (const [position, { index }] of unique.entries()) if (stored[position]) outcomes[index] = 'stored';

  const asked = new Map<string, WorkRequest>();
  for (const [index, { work }] of deliveries.entries()) {
    if (!work || outcomes[index] !== 'stored') continue;
    const name = workName(work);
    asked.set(name, together(asked.get(name), work));
  }
  if (asked.size > 0) await askForWork(access, inOneOrder(asked));
  return outcomes;
}

const nameOf = ({ connection, dedupeKey }: NewDelivery): string => deliveryName(connection, dedupeKey);
const workName = ({ subject, kind }: WorkRequest): string => `${subject}\n${kind}`;

/** Two processes that lock the same rows in the same order do not wait for each other in a circle. */
function inOneOrder<T>(named: ReadonlyMap<string, T>): T[] {
  return [...named].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, it]) => it);
}

/** Two requests for the same work as the table itself would join them: the earlier time, the newer payload. */
function together(earlier: WorkRequest | undefined, request: WorkRequest): WorkRequest {
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
