import { expect, test } from 'vitest';
import { done, type RateLimits } from '../../src/domain/job.ts';
import { lookAheadMs } from '../../src/queue/rate-limit.ts';
import { eventually } from '../support/eventually.ts';
import { counting, isIdle, openEmbedded, request } from './installation.ts';
import { openPatientInstallation } from './patient-clock.ts';

const emission = (rateLimit: string) =>
  ({ kind: 'submit-document', rateLimit, priority: 0, storeId: rateLimit }) as const;

test('600 jobs of one key do not delay five of another, and never exceed the rate of their key', async () => {
  // A minute is a second: 600 jobs at 280 a minute take 2.1 s after the first burst.
  const installation = await openPatientInstallation(60);
  const arrivals: { key: string | null; at: number }[] = [];
  await installation.jobs(async ({ rateLimit }) => {
    arrivals.push({ key: rateLimit, at: installation.clock.now().getTime() });
    return done;
  });
  const now = installation.clock.now();
  for (let i = 0; i < 600; i += 1)
    await installation.ledger.jobs.enqueue(
      request(installation.clock, `a${i}`, { ...emission('a'), dueAt: now }),
    );
  const slots: number[] = [];
  const rateLimits: RateLimits = {
    ...installation.rateLimits,
    async reserve(key, slotRequest) {
      const asked = installation.clock.now().getTime();
      const slot = await installation.rateLimits.reserve(key, slotRequest);
      if (slot.booked && key === 'a') slots.push(asked + slot.waitMs);
      return slot;
    },
  };
  installation.dispatch({ rateLimits });
  const of = (key: string) => arrivals.filter((arrival) => arrival.key === key);
  await eventually(() => of('a').length >= 30, 'the long backlog under way');
  const asked = installation.clock.now().getTime();
  for (let i = 0; i < 5; i += 1)
    await installation.ledger.jobs.enqueue(request(installation.clock, `b${i}`, emission('b')));
  await eventually(() => of('b').length === 5, 'the five of the other key');
  const last = arrivals.findLastIndex((arrival) => arrival.key === 'b');
  const before = arrivals.slice(0, last).filter((arrival) => arrival.key === 'a').length;
  // The clock waits for a busy machine; so does the test.
  await eventually(() => isIdle(installation.ledger), 'the backlog drained', 60_000);

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

test('many jobs that need no slot do not delay a small store', async () => {
  const installation = await (await openEmbedded()).open({ concurrency: 5 });
  const order: string[] = [];
  await installation.jobs(async ({ storeId }) => {
    order.push(storeId);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return done;
  });
  const dueAt = installation.clock.now();
  await installation.ledger.transaction(async ({ jobs }) => {
    for (let i = 0; i < 600; i += 1)
      await jobs.enqueue(request(installation.clock, `a${i}`, { storeId: `grande${i % 20}`, dueAt }));
  });
  installation.dispatch();
  await eventually(() => order.length > 20, 'the flood under way');
  const before = order.length;
  await installation.ledger.jobs.enqueue(request(installation.clock, 'b', { storeId: 'chica' }));
  await eventually(() => order.includes('chica'), 'the small store');
  // Before it lie what was handed over already (100), one look at all stores (80) and what ran meanwhile.
  expect(order.indexOf('chica') - before).toBeLessThan(300);
});

test('a key held back after a 429 waits, the others do not', async () => {
  const installation = await openPatientInstallation(60);
  const arrivals: { key: string | null; at: number }[] = [];
  await installation.jobs(async ({ rateLimit }) => {
    arrivals.push({ key: rateLimit, at: installation.clock.now().getTime() });
    return done;
  });
  const dispatcher = installation.dispatch();
  const held = installation.clock.now().getTime();
  await installation.rateLimits.slow('a', 20_000);
  await installation.ledger.jobs.enqueue(request(installation.clock, 'a', emission('a')));
  await installation.ledger.jobs.enqueue(request(installation.clock, 'b', emission('b')));
  dispatcher.kick();
  await eventually(() => arrivals.length === 2, 'both jobs');
  expect(arrivals.map((arrival) => arrival.key)).toEqual(['b', 'a']);
  // What is handed over before its slot waits in real time, which this clock may lag behind.
  const handedOver = lookAheadMs * 60;
  expect((arrivals[1]?.at ?? 0) - held).toBeGreaterThanOrEqual(20_000 - handedOver);
  expect((arrivals[1]?.at ?? 0) - held).toBeLessThan(45_000);
});

test('a dispatcher with nothing to do, or with no slot to give, asks the ledger a few times a second', async () => {
  const installation = await (await openEmbedded()).open();
  let looks = 0;
  const jobs = {
    ...installation.ledger.jobs,
    due: (...args: Parameters<typeof installation.ledger.jobs.due>) => {
      looks += 1;
      return installation.ledger.jobs.due(...args);
    },
  };
  const { handler } = counting();
  await installation.jobs(handler);
  const timers = steppedTimers();
  installation.dispatch({ ledger: { jobs, onJob: installation.ledger.onJob }, pollMs: 250, timers });
  const inAnHour = new Date(installation.clock.now().getTime() + 3_600_000);
  await installation.ledger.jobs.enqueue(request(installation.clock, 'later', { dueAt: inAnHour }));
  await timers.step(600);
  expect(looks).toBeGreaterThan(1);
  expect(looks).toBeLessThanOrEqual(6);

  await installation.rateLimits.slow('a', 60_000);
  await installation.ledger.jobs.enqueue(request(installation.clock, 'a', emission('a')));
  const before = looks;
  await timers.step(600);
  expect(looks - before).toBeGreaterThan(1);
  expect(looks - before).toBeLessThanOrEqual(6);
});

/** Time of the test: what waits goes on when it is stepped there, a millisecond after the other. */
function steppedTimers() {
  let now = 0;
  const waiting = new Map<() => void, number>();
  return {
    passed: () => now,
    after(ms: number, then: () => void) {
      waiting.set(then, now + ms);
      return () => void waiting.delete(then);
    },
    async step(ms: number) {
      for (const end = now + ms; now < end; now += 1) {
        for (const [then, at] of [...waiting]) if (at <= now && waiting.delete(then)) then();
        // What goes on asks the ledger, which answers within some turns.
        for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
      }
    },
  };
}
