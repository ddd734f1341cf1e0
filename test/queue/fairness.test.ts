import { expect, test } from 'vitest';
import type { Budgets } from '../../src/domain/budget.ts';
import { done } from '../../src/domain/work.ts';
import { lookAheadMs } from '../../src/queue/key-budget.ts';
import { eventually } from '../support/eventually.ts';
import { counting, isIdle, openSmallStreet, request } from './house.ts';
import { openPatientHouse } from './patient-clock.ts';

const emission = (budget: string) =>
  ({ kind: 'submit-document', budget, priority: 0, storeId: budget }) as const;

test('600 works of one key do not delay five of another, and never exceed the rate of their key', async () => {
  // A minute is a second: 600 works at 280 a minute take 2.1 s after the first burst.
  const house = await openPatientHouse(60);
  const arrivals: { key: string | null; at: number }[] = [];
  await house.work(async ({ budget }) => {
    arrivals.push({ key: budget, at: house.clock.now().getTime() });
    return done;
  });
  const now = house.clock.now();
  for (let i = 0; i < 600; i += 1)
    await house.ledger.work.ask(request(house.clock, `a${i}`, { ...emission('a'), dueAt: now }));
  const slots: number[] = [];
  const budgets: Budgets = {
    ...house.budgets,
    async reserve(key, slotRequest) {
      const asked = house.clock.now().getTime();
      const slot = await house.budgets.reserve(key, slotRequest);
      if (slot.booked && key === 'a') slots.push(asked + slot.waitMs);
      return slot;
    },
  };
  house.dispatch({ budgets });
  const of = (key: string) => arrivals.filter((arrival) => arrival.key === key);
  await eventually(() => of('a').length >= 30, 'the long backlog under way');
  const asked = house.clock.now().getTime();
  for (let i = 0; i < 5; i += 1) await house.ledger.work.ask(request(house.clock, `b${i}`, emission('b')));
  await eventually(() => of('b').length === 5, 'the five of the other key');
  const last = arrivals.findLastIndex((arrival) => arrival.key === 'b');
  const before = arrivals.slice(0, last).filter((arrival) => arrival.key === 'a').length;
  // The clock waits for a busy machine; so does the test.
  await eventually(() => isIdle(house.ledger), 'the backlog drained', 60_000);

  const a = of('a').map((arrival) => arrival.at);
  const drained = (a.at(-1) ?? 0) - (a[0] ?? 0);
  const waited = (of('b').at(-1)?.at ?? 0) - asked;
  expect(a).toHaveLength(600);
  expect(before).toBeLessThan(150);
  expect(waited).toBeLessThan(drained / 5);
  const inMinute = slots.map((at) => slots.filter((other) => other >= at && other < at + 60_000).length);
  expect(Math.max(...inMinute)).toBeLessThanOrEqual(285);
  // 594 slots at 215 ms; a dispatcher that lets slots pass unused would take much longer.
  expect(drained).toBeGreaterThan(120_000);
  expect(drained).toBeLessThan(600_000);
});

test('ten thousand emissions of a key and store delay not one event that settles a document of theirs', async () => {
  const house = await openPatientHouse(1);
  const ran = new Map<string, number>();
  await house.work(async ({ kind }) => {
    ran.set(kind, (ran.get(kind) ?? 0) + 1);
    return done;
  });
  await house.ledger.transaction(async ({ work }) => {
    for (let i = 0; i < 10_000; i += 1) await work.ask(request(house.clock, `a${i}`, emission('a')));
  });
  house.dispatch();
  await eventually(() => (ran.get('submit-document') ?? 0) > 0, 'the backlog under way');
  const asked = house.clock.now().getTime();
  const settle = { kind: 'settle-document', budget: null, priority: 5, storeId: 'a' } as const;
  for (let i = 0; i < 50; i += 1) await house.ledger.work.ask(request(house.clock, `clave:${i}`, settle));
  await eventually(() => ran.get('settle-document') === 50, 'fifty events settled');
  expect(house.clock.now().getTime() - asked).toBeLessThan(3_000);
  expect(ran.get('submit-document')).toBeLessThan(50);
});

test('a flood of works that need no slot does not keep a small store waiting', async () => {
  const house = await (await openSmallStreet()).open({ concurrency: 5 });
  const order: string[] = [];
  await house.work(async ({ storeId }) => {
    order.push(storeId);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return done;
  });
  const dueAt = house.clock.now();
  await house.ledger.transaction(async ({ work }) => {
    for (let i = 0; i < 600; i += 1)
      await work.ask(request(house.clock, `a${i}`, { storeId: `grande${i % 20}`, dueAt }));
  });
  house.dispatch();
  await eventually(() => order.length > 20, 'the flood under way');
  const before = order.length;
  await house.ledger.work.ask(request(house.clock, 'b', { storeId: 'chica' }));
  await eventually(() => order.includes('chica'), 'the small store');
  // Before it lie what was handed over already (100), one look at all stores (80) and what ran meanwhile.
  expect(order.indexOf('chica') - before).toBeLessThan(300);
});

test('emissions of a key go before its questions, but for the few that are set aside', async () => {
  const house = await openPatientHouse(60, 1);
  const order: string[] = [];
  await house.work(async ({ kind }) => {
    order.push(kind);
    return done;
  });
  const dueAt = house.clock.now();
  for (let i = 0; i < 30; i += 1)
    await house.ledger.work.ask(
      request(house.clock, `q${i}`, { kind: 'follow-up', budget: 'a', priority: 5, dueAt }),
    );
  for (let i = 0; i < 10; i += 1)
    await house.ledger.work.ask(request(house.clock, `e${i}`, { ...emission('a'), dueAt }));
  house.dispatch();
  await eventually(() => order.length === 40, 'everything');
  expect(order.slice(0, 12).filter((kind) => kind === 'submit-document')).toHaveLength(10);
});

test('behind a backlog the lost answers of two stores are asked for before what 40 others ask', async () => {
  const house = await (await openSmallStreet()).open({ rate: 60 });
  const asked: string[] = [];
  await house.work(async ({ kind, storeId }) => {
    if (kind === 'follow-up') asked.push(storeId);
    return done;
  });
  const question = { kind: 'follow-up', budget: 'a', dueAt: house.clock.now() } as const;
  const store = (name: string) => ({ storeId: name, account: { id: 'cuenta', ambiente: 2 } as const });
  await house.ledger.transaction(async ({ work }) => {
    for (let i = 0; i < 400; i += 1) await work.ask(request(house.clock, `e${i}`, emission('a')));
    for (let i = 0; i < 40; i += 1)
      await work.ask(request(house.clock, `q${i}`, { ...question, ...store(`otra${i}`) }));
    for (let i = 0; i < 8; i += 1)
      await work.ask(
        request(house.clock, `u${i}`, { ...question, ...store(`perdida${i % 2}`), priority: 4 }),
      );
  });
  house.dispatch();
  await eventually(() => asked.length >= 8, 'eight questions');
  const lost = asked.slice(0, 8).filter((name) => name.startsWith('perdida'));
  expect(lost).toHaveLength(8);
  expect(new Set(lost).size).toBe(2);
});

test('a key held back after a 429 waits, the others do not', async () => {
  const house = await openPatientHouse(60);
  const arrivals: { key: string | null; at: number }[] = [];
  await house.work(async ({ budget }) => {
    arrivals.push({ key: budget, at: house.clock.now().getTime() });
    return done;
  });
  const dispatcher = house.dispatch();
  const held = house.clock.now().getTime();
  await house.budgets.slow('a', 20_000);
  await house.ledger.work.ask(request(house.clock, 'a', emission('a')));
  await house.ledger.work.ask(request(house.clock, 'b', emission('b')));
  dispatcher.kick();
  await eventually(() => arrivals.length === 2, 'both works');
  expect(arrivals.map((arrival) => arrival.key)).toEqual(['b', 'a']);
  // What is handed over before its slot waits in real time, which this clock may lag behind.
  const handedOver = lookAheadMs * 60;
  expect((arrivals[1]?.at ?? 0) - held).toBeGreaterThanOrEqual(20_000 - handedOver);
  expect((arrivals[1]?.at ?? 0) - held).toBeLessThan(45_000);
});

test('a dispatcher with nothing to do, or with no slot to give, asks the ledger a few times a second', async () => {
  const house = await (await openSmallStreet()).open();
  let looks = 0;
  const work = {
    ...house.ledger.work,
    due: (...args: Parameters<typeof house.ledger.work.due>) => {
      looks += 1;
      return house.ledger.work.due(...args);
    },
  };
  const { step } = counting();
  await house.work(step);
  house.dispatch({ ledger: { work, onWork: house.ledger.onWork }, pollMs: 250 });
  const inAnHour = new Date(house.clock.now().getTime() + 3_600_000);
  await house.ledger.work.ask(request(house.clock, 'later', { dueAt: inAnHour }));
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(looks).toBeLessThanOrEqual(6);

  await house.budgets.slow('a', 60_000);
  await house.ledger.work.ask(request(house.clock, 'a', emission('a')));
  const before = looks;
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(looks - before).toBeLessThanOrEqual(6);
});
