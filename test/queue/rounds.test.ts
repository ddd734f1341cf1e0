import { expect, test } from 'vitest';
import type { Budgets } from '../../src/domain/budget.ts';
import type { DueWork } from '../../src/ledger/work/tables.ts';
import { openRounds } from '../../src/queue/rounds.ts';
import { openSlots } from '../../src/queue/slots.ts';

const works = (budget: string | null, count: number, more: Partial<DueWork> = {}): DueWork[] =>
  Array.from({ length: count }, (_, i) => ({
    kind: 'submit-document',
    storeId: 'tienda',
    probe: false,
    budget,
    lane: `${more.kind ?? ''}${budget ?? 'store:tienda'}`,
    priority: 0,
    dueAt: '2026-01-01T00:00:00.000Z',
    ...more,
    id: `${more.id ?? budget}${i}`,
  }));
const questions = (budget: string, count: number) => works(budget, count, { kind: 'follow-up', id: 'q' });

/** Each key has `slots` slots, and another one in 240 ms; `setAside` of them for questions behind emissions. */
function open(slots: number, setAside = 0) {
  let now = 1_000_000;
  let aside = setAside;
  const booked = new Map<string, number>();
  const budgets: Budgets = {
    async reserve(key, { crowded }) {
      if (crowded) {
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
  const rounds = openRounds({
    ...{ budgets, clock: { now: () => new Date(now) }, lookAheadMs: 100, perLane: 4 },
    slots: openSlots(64),
  });
  const pick = async (due: readonly DueWork[], room: number) =>
    (await rounds.pick(due, room)).map(({ work }) => work.id);
  return {
    rounds,
    booked,
    pick,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

test('every lane gets its first before any gets its second', async () => {
  const { pick } = open(9);
  const due = [...works('a', 3), ...works('b', 1), ...works(null, 2)];
  expect(await pick(due, 10)).toEqual(['a0', 'b0', 'null0', 'a1', 'null1', 'a2']);
});

test('when there is room for one, the lanes take turns', async () => {
  const { pick } = open(9);
  const due = [...works('a', 4), ...works('b', 4), ...works('c', 4)];
  const turns = [];
  for (let i = 0; i < 6; i += 1) turns.push((await pick(due, 1))[0]?.[0]);
  expect(turns).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
});

test('a budget without a slot is not asked again before it said, and others go on', async () => {
  const { rounds, pick, booked, pass } = open(1);
  expect(await pick([...works('a', 3), ...works(null, 1)], 10)).toEqual(['a0', 'null0']);
  expect(rounds.nextSlotMs()).toBe(240);
  pass(200);
  expect(await pick(works('a', 3), 10)).toEqual([]);
  expect(booked.get('a')).toBe(2);
  expect(rounds.nextSlotMs()).toBe(40);
});

test('a budget without a slot does not wait for a time from which the clock was set back', async () => {
  const { pick, pass } = open(1);
  pass(26 * 3_600_000);
  expect(await pick(works('a', 3), 10)).toEqual(['a0']);
  pass(-26 * 3_600_000);
  await pick(works('b', 1), 10);
  pass(241);
  expect(await pick(works('a', 1), 10)).toEqual([]);
});

test('a slot booked for work that another dispatcher took serves the next work of its key, for a while', async () => {
  const { rounds, pick, booked, pass } = open(2);
  rounds.giveBack(await rounds.pick(works('a', 2), 10));
  expect(booked.get('a')).toBe(2);
  expect(await pick(works('a', 1), 10)).toEqual(['a0']);
  expect(booked.get('a')).toBe(2);
  pass(1_501);
  expect(await pick(works('a', 1), 10)).toEqual([]);
  expect(booked.get('a')).toBe(3);
});

test('stores that share a key take turns at its slots', async () => {
  const { rounds, pass } = open(0);
  const due = ['x', 'y', 'z'].flatMap((store) => works('a', 4, { id: store, lane: `emission/${store}` }));
  const turns: string[] = [];
  const one = open(9);
  for (let i = 0; i < 6; i += 1) turns.push(...(await one.pick(due, 1)).map((id) => id[0] ?? ''));
  expect(turns).toEqual(['x', 'y', 'z', 'x', 'y', 'z']);
  expect(await rounds.pick(due, 9)).toEqual([]);
  pass(1);
});

test('the questions of a key come after its emissions, and with slots left they do come', async () => {
  expect(await open(9).pick([...questions('a', 2), ...works('a', 2)], 9)).toEqual(['a0', 'a1', 'q0', 'q1']);
  expect(await open(3).pick([...questions('a', 2), ...works('a', 2)], 9)).toEqual(['a0', 'a1', 'q0']);
});

test('behind a backlog of emissions questions have what is set aside for them, and nothing else', async () => {
  expect(await open(9).pick([...questions('a', 1), ...works('a', 4)], 9)).toEqual(['a0', 'a1', 'a2', 'a3']);
  expect(await open(9, 9).pick([...questions('a', 1), ...works('a', 4)], 9)).toContain('q0');
  expect(await open(1, 9).pick([...questions('a', 1), ...works('a', 3)], 9)).toEqual(['a0', 'q0']);
});

test('what is set aside behind a backlog goes to lost answers first, however many stores ask something else', async () => {
  const lanes = Array.from({ length: 30 }, (_, n) =>
    works('a', 1, { kind: 'follow-up', lane: `question/${n}`, id: `q${n}-`, priority: 5 }),
  );
  const lost = [28, 12, 29].map((n) =>
    works('a', 2, { kind: 'follow-up', lane: `question/lost${n}`, id: `lost${n}-`, priority: 4 }),
  );
  const backlog = works('a', 4);
  const { pick } = open(0, 4);
  const due = [...lanes.slice(0, 20), ...lost, ...lanes.slice(20)].flat();
  expect(await pick([...due, ...backlog], 100)).toEqual(['lost28-0', 'lost12-0', 'lost29-0', 'lost28-1']);
});

test('where no emissions wait, the stores of a key take turns with their questions, lost answers or not', async () => {
  const lost = works('a', 3, { kind: 'follow-up', lane: 'question/x', id: 'lost', priority: 4 });
  const usual = works('a', 3, { kind: 'follow-up', lane: 'question/y', id: 'q', priority: 5 });
  expect(await open(4).pick([...lost, ...usual], 9)).toEqual(['lost0', 'q0', 'lost1', 'q1']);
});

test('what is only read back goes when nothing else of its key is left to go, and never out of what is set aside', async () => {
  const reads = works('a', 1, { kind: 'verify-document', id: 'v', priority: 9 });
  expect(await open(9).pick([...reads, ...questions('a', 1), ...works('a', 2)], 9)).toEqual([
    ...['a0', 'a1', 'q0', 'v0'],
  ]);
  expect(await open(9, 9).pick([...reads, ...works('a', 4)], 9)).not.toContain('v0');
  expect(await open(2, 9).pick([...reads, ...questions('a', 3)], 9)).toEqual(['q0', 'q1']);
  expect(await open(2, 9).pick([...reads, ...works('b', 4)], 9)).toContain('v0');
});

test('the emissions of a shadow go when nothing of production is left to go under their key', async () => {
  const { pick } = open(3);
  const shadow = works('a', 2, { lane: 'emission/cuenta/1/tienda.sombra/a', id: 's' });
  const real = works('a', 2, { lane: 'emission/cuenta/2/tienda/a', id: 'p' });
  expect(await pick([...shadow, ...real, ...questions('a', 1)], 10)).toEqual(['p0', 'p1', 'q0']);
  expect(await open(3).pick([...shadow, ...real], 10)).toEqual(['p0', 'p1', 's0']);
  expect(await open(1).pick(shadow, 10)).toEqual(['s0']);
});

test('settling needs no slot: it goes beside a backlog of ten thousand emissions whose key has none left', async () => {
  const settle = works(null, 3, { kind: 'settle-document', id: 's', priority: 5 });
  const shown = [...works('a', 4), ...settle];
  expect(await open(0).pick(shown, 9)).toEqual(['s0', 's1', 's2']);
});

test('of a key whose work waits for workers no more is handed over; other keys go on', async () => {
  const { rounds } = open(9);
  const due = [...works('a', 4), ...works('b', 1)];
  const picked = await rounds.pick(due, 9, new Map([['a', 4]]));
  expect(picked.map(({ work }) => work.id)).toEqual(['a0', 'b0']);
});

test('what a turn takes does not grow with the third power of the keys that wait', async () => {
  const turn = async (keys: number) => {
    const due = Array.from({ length: keys }, (_, n) => [
      ...works(`emits${n}`, 1),
      ...works(`reads${n}`, 1, { kind: 'verify-document', id: `v${n}-`, priority: 9 }),
    ]).flat();
    const times: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      const { pick } = open(0);
      const began = process.threadCpuUsage();
      expect(await pick(due, 100)).toEqual([]);
      const { user, system } = process.threadCpuUsage(began);
      times.push(user + system);
    }
    return Math.min(...times);
  };
  await turn(400);
  // Four times as many: 64 times as long by the third power, 16 by the second.
  expect(await turn(1_600)).toBeLessThan(32 * (await turn(400)));
});
