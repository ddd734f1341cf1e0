import { expect, test } from 'vitest';
import type { RateLimits } from '../../src/domain/job.ts';
import type { DueJob } from '../../src/ledger/jobs.ts';
import { openFairScheduler, openSlots } from '../../src/queue/fair-scheduler.ts';

const jobs = (rateLimit: string | null, count: number, more: Partial<DueJob> = {}): DueJob[] =>
  Array.from({ length: count }, (_, i) => ({
    kind: 'submit-document',
    storeId: 'tienda',
    rateLimit,
    partition: `${more.kind ?? ''}${rateLimit ?? 'store:tienda'}`,
    priority: 0,
    dueAt: '2026-01-01T00:00:00.000Z',
    ...more,
    id: `${more.id ?? rateLimit}${i}`,
  }));
const questions = (rateLimit: string, count: number) =>
  jobs(rateLimit, count, { kind: 'follow-up', id: 'q' });

/** Each key has `slots` slots, and another one in 240 ms; and `reserve` more for questions behind emissions. */
function open(slots: number, reserve = 0) {
  let now = 1_000_000;
  let aside = reserve;
  const booked = new Map<string, number>();
  const rateLimits: RateLimits = {
    async reserve(key, { reserveOnly }) {
      if (reserveOnly) {
        aside -= 1;
        return aside >= 0 ? { booked: true, waitMs: 0 } : { booked: false, retryInMs: 6_000 };
      }
      const before = booked.get(key) ?? 0;
      booked.set(key, before + 1);
      return before < slots ? { booked: true, waitMs: 0 } : { booked: false, retryInMs: 240 };
    },
    async slow() {},
    look: async () => ({ free: 0, used: 0, waitMs: 0 }),
  };
  const scheduler = openFairScheduler({
    ...{ rateLimits, clock: { now: () => new Date(now) }, lookAheadMs: 100, perPartition: 4 },
    slots: openSlots(64),
  });
  const pick = async (due: readonly DueJob[], room: number) =>
    (await scheduler.pick(due, room)).map(({ job }) => job.id);
  return {
    scheduler,
    booked,
    pick,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

test('every partition gets its first before any gets its second', async () => {
  const { pick } = open(9);
  const due = [...jobs('a', 3), ...jobs('b', 1), ...jobs(null, 2)];
  const picked = await pick(due, 10);
  expect(picked.toSorted()).toEqual(['a0', 'a1', 'a2', 'b0', 'null0', 'null1']);
  expect(await open(9).pick(due, 3)).toEqual(['a0', 'b0', 'null0']);
  for (const partition of ['a', 'null'])
    expect(picked.indexOf(`${partition}0`)).toBeLessThan(picked.indexOf(`${partition}1`));
});

test('when there is room for one, the partitions take turns', async () => {
  const { pick } = open(9);
  const due = [...jobs('a', 4), ...jobs('b', 4), ...jobs('c', 4)];
  const turns = [];
  for (let i = 0; i < 6; i += 1) turns.push((await pick(due, 1))[0]?.[0]);
  expect(turns).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
});

test('a rate limit without a slot is not tried again before its time, and others go on', async () => {
  const { scheduler, pick, booked, pass } = open(1);
  expect(await pick([...jobs('a', 3), ...jobs(null, 1)], 10)).toEqual(['a0', 'null0']);
  expect(scheduler.nextSlotMs()).toBe(240);
  pass(200);
  expect(await pick(jobs('a', 3), 10)).toEqual([]);
  expect(booked.get('a')).toBe(2);
  expect(scheduler.nextSlotMs()).toBe(40);
});

test('a rate limit without a slot does not wait for a time from before the clock was set back', async () => {
  const { pick, pass } = open(1);
  pass(26 * 3_600_000);
  expect(await pick(jobs('a', 3), 10)).toEqual(['a0']);
  pass(-26 * 3_600_000);
  await pick(jobs('b', 1), 10);
  pass(241);
  expect(await pick(jobs('a', 1), 10)).toEqual([]);
});

test('the slot of a job that another dispatcher took serves the next job of its key, for a while', async () => {
  const { scheduler, pick, booked, pass } = open(2);
  scheduler.giveBack(await scheduler.pick(jobs('a', 2), 10));
  expect(booked.get('a')).toBe(2);
  expect(await pick(jobs('a', 1), 10)).toEqual(['a0']);
  expect(booked.get('a')).toBe(2);
  pass(1_501);
  expect(await pick(jobs('a', 1), 10)).toEqual([]);
  expect(booked.get('a')).toBe(3);
});

test('stores that share a key take turns at its slots', async () => {
  const { scheduler, pass } = open(0);
  const due = ['x', 'y', 'z'].flatMap((store) => jobs('a', 4, { id: store, partition: `emission/${store}` }));
  const turns: string[] = [];
  const one = open(9);
  for (let i = 0; i < 6; i += 1) turns.push(...(await one.pick(due, 1)).map((id) => id[0] ?? ''));
  expect(turns).toEqual(['x', 'y', 'z', 'x', 'y', 'z']);
  expect(await scheduler.pick(due, 9)).toEqual([]);
  pass(1);
});

test('the questions of a key come after its emissions, and with slots left they do come', async () => {
  expect(await open(9).pick([...questions('a', 2), ...jobs('a', 2)], 9)).toEqual(['a0', 'a1', 'q0', 'q1']);
  expect(await open(3).pick([...questions('a', 2), ...jobs('a', 2)], 9)).toEqual(['a0', 'a1', 'q0']);
});

test('behind a backlog of emissions questions have the reserve, and nothing else', async () => {
  expect(await open(9).pick([...questions('a', 1), ...jobs('a', 4)], 9)).toEqual(['a0', 'a1', 'a2', 'a3']);
  expect(await open(9, 9).pick([...questions('a', 1), ...jobs('a', 4)], 9)).toContain('q0');
  expect(await open(1, 9).pick([...questions('a', 1), ...jobs('a', 3)], 9)).toEqual(['a0', 'q0']);
});

test('the reserve behind a backlog goes to lost answers first, however many stores ask something else', async () => {
  const partitions = Array.from({ length: 30 }, (_, n) =>
    jobs('a', 1, { kind: 'follow-up', partition: `question/${n}`, id: `q${n}-`, priority: 5 }),
  );
  const lost = [28, 12, 29].map((n) =>
    jobs('a', 2, { kind: 'follow-up', partition: `question/lost${n}`, id: `lost${n}-`, priority: 4 }),
  );
  const backlog = jobs('a', 4);
  const { pick } = open(0, 4);
  const due = [...partitions.slice(0, 20), ...lost, ...partitions.slice(20)].flat();
  expect(await pick([...due, ...backlog], 100)).toEqual(['lost28-0', 'lost12-0', 'lost29-0', 'lost28-1']);
});

test('where no emissions wait, the stores of a key take turns with their questions, lost answers or not', async () => {
  const lost = jobs('a', 3, { kind: 'follow-up', partition: 'question/x', id: 'lost', priority: 4 });
  const usual = jobs('a', 3, { kind: 'follow-up', partition: 'question/y', id: 'q', priority: 5 });
  expect(await open(4).pick([...lost, ...usual], 9)).toEqual(['lost0', 'q0', 'lost1', 'q1']);
});

test('downloads go when nothing else of their key is left to go, and never out of the reserve', async () => {
  const reads = jobs('a', 1, { kind: 'verify-document', id: 'v', priority: 9 });
  expect(await open(9).pick([...reads, ...questions('a', 1), ...jobs('a', 2)], 9)).toEqual([
    ...['a0', 'a1', 'q0', 'v0'],
  ]);
  expect(await open(9, 9).pick([...reads, ...jobs('a', 4)], 9)).not.toContain('v0');
  expect(await open(2, 9).pick([...reads, ...questions('a', 3)], 9)).toEqual(['q0', 'q1']);
  expect(await open(2, 9).pick([...reads, ...jobs('b', 4)], 9)).toContain('v0');
});

test('settling needs no slot: it goes beside a backlog of ten thousand emissions whose key has none left', async () => {
  const settle = jobs(null, 3, { kind: 'settle-document', id: 's', priority: 5 });
  const shown = [...jobs('a', 4), ...settle];
  expect(await open(0).pick(shown, 9)).toEqual(['s0', 's1', 's2']);
});

test('no more jobs of a key are released while many wait for workers; other keys go on', async () => {
  const { scheduler } = open(9);
  const due = [...jobs('a', 4), ...jobs('b', 1)];
  const picked = await scheduler.pick(due, 9, new Map([['a', 4]]));
  expect(picked.map(({ job }) => job.id)).toEqual(['a0', 'b0']);
});

test('what a turn looks at does not grow with the third power of the keys that wait', async () => {
  /** How often a field of a job is read. */
  const turn = async (keys: number) => {
    let reads = 0;
    const counted = (job: DueJob) =>
      new Proxy(job, {
        get(of, field) {
          reads += 1;
          return Reflect.get(of, field);
        },
      });
    const due = Array.from({ length: keys }, (_, n) => [
      ...jobs(`emits${n}`, 1),
      ...jobs(`reads${n}`, 1, { kind: 'verify-document', id: `v${n}-`, priority: 9 }),
    ]).flat();
    expect(await open(0).pick(due.map(counted), 100)).toEqual([]);
    return reads;
  };
  // Four times as many: 64 times as much by the third power, 16 by the second.
  expect(await turn(1_600)).toBeLessThan(20 * (await turn(400)));
});
