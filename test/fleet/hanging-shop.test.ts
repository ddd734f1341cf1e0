import { expect, test } from 'vitest';
import { openChance } from '../../bench/fleet/chance.ts';
import { networkMs, openStation } from '../../bench/fleet/costs.ts';
import { startFleet } from '../../bench/fleet/fleet.ts';
import { openJobModel } from '../../bench/fleet/queue-model.ts';
import { openRecord } from '../../bench/fleet/record.ts';
import { openTimeline } from '../../bench/fleet/timeline.ts';
import { ShopError } from '../../src/domain/errors.ts';
import { done, type JobHandler, type JobKind, jobKinds } from '../../src/domain/job.ts';

const second = 1_000;
const minute = 60_000;
const timeoutMs = 30 * second;

/** One worker with 64 slots; the shops named "colgada…" take calls and answer none until `answersAt`. */
async function openWorker({ answersAt }: { answersAt: number }) {
  const timeline = openTimeline(0);
  const model = openJobModel();
  const calls = new Map<string, number>();
  const ended = new Map<string, number>();
  let most = 0;
  const handler: JobHandler = async ({ storeId, subject }) => {
    const hangs = storeId.startsWith('colgada') && timeline.now() < answersAt;
    calls.set(storeId, (calls.get(storeId) ?? 0) + 1);
    most = Math.max(most, calls.get('colgada-0') ?? 0);
    await timeline.wait(hangs ? timeoutMs : 200);
    calls.set(storeId, (calls.get(storeId) ?? 0) - 1);
    if (hangs) throw new ShopError('shop-timeout', { message: 'La tienda tardó.' }, { retryable: true });
    ended.set(subject, timeline.now());
    return done;
  };
  const handlers = Object.fromEntries(jobKinds.map((kind) => [kind, handler])) as Record<JobKind, JobHandler>;
  const { processes } = await startFleet({
    ...{ timeline, model, chance: openChance(1), record: openRecord(0, 120), workers: 1 },
    database: openStation(timeline, 2, networkMs),
    handlers: () => handlers,
  });
  return {
    timeline,
    doneAt: (subject: string) => ended.get(subject) ?? Number.POSITIVE_INFINITY,
    mostCalls: () => most,
    enqueue: (storeId: string, subject: string, kind: JobKind = 'sync-order') =>
      processes[0]?.enqueue({
        ...{ kind, storeId, subject, rateLimit: null, priority: 5, trace: null },
        dueAt: timeline.clock.now(),
      }),
  };
}

test.each([
  { shops: 1, orders: 400 },
  { shops: 10, orders: 100 },
])(
  '$shops shops that hang, with $orders orders each, delay no order of another shop',
  async ({ shops, orders }) => {
    const answersAt = 20 * minute;
    const { timeline, enqueue, doneAt, mostCalls } = await openWorker({ answersAt });
    const hanging = Array.from({ length: shops }, (_, shop) =>
      Array.from({ length: orders }, (_, n) => ({ store: `colgada-${shop}`, order: `c${shop}-${n}` })),
    ).flat();
    for (const { store, order } of hanging) enqueue(store, order);
    const waits: number[] = [];
    for (let n = 0; n < 120; n += 1) {
      const soldAt = timeline.now();
      enqueue('otra', `o${n}`);
      await timeline.play(soldAt + 10 * second);
      waits.push(doneAt(`o${n}`) - soldAt);
    }
    expect(Math.max(...waits)).toBeLessThan(second);
    // A third of the 64 slots.
    expect(mostCalls()).toBeLessThanOrEqual(22);
    // The longest wait after a failure, and the call that hung at that moment.
    await timeline.play(answersAt + 15 * minute + timeoutMs + 10 * second);
    expect(Math.max(...hanging.map(({ order }) => doneAt(order)))).toBeLessThan(Number.POSITIVE_INFINITY);
  },
);
