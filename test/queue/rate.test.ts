import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../sandbox/emulator/index.ts';
import { done } from '../../src/domain/work.ts';
import { budgetFor, prepaid } from '../../src/queue/key-budget.ts';
import { eventually } from '../support/eventually.ts';
import { hasPostgres, hasRedis } from '../support/servers.ts';
import { openSmallStreet, openWideStreet, request, type Street } from './house.ts';
import { patientClock } from './patient-clock.ts';

/** Three times as fast as real time: 3 s of lateness, which the rate leaves room for, are 1 s here. */
const rate = 3;
const backlog = 700;
/** The clock waits for a busy machine; so does the test. */
const patience = 150_000;

/** Lets houses work off one key's backlog against the sandbox's sliding window; answers what came in a minute of the clock. */
async function workOff(street: Street, count: number) {
  const clock = patientClock(rate);
  const first = await street.open({ rate, clock });
  const houses = [first];
  while (houses.length < count) houses.push(await street.open({ rate, clock }));
  const sandbox = await createSandbox({
    accounts: [{ apiKey: 'clave' }],
    now: { now: () => clock.now(), rate },
  });
  const came = { emission: 0, question: 0, throttled: 0 };
  const dueAt = clock.now();
  const account = { id: 'cuenta', ambiente: 1 } as const;
  await first.ledger.transaction(async ({ work }) => {
    for (let i = 0; i < backlog; i += 1) {
      const emission = { kind: 'submit-document', budget: 'clave', priority: 0, account, dueAt } as const;
      await work.ask(request(clock, `e${i}`, emission));
    }
    for (let i = 0; i < 60; i += 1)
      await work.ask(request(clock, `q${i}`, { kind: 'follow-up', budget: 'clave', account, dueAt }));
  });
  for (const house of houses) {
    const own = budgetFor(house.budgets, 'clave', house.clock, rate);
    await house.work(async ({ kind, slotAt }) => {
      const budget = slotAt == null ? own : prepaid(own, slotAt, house.clock);
      const what = kind === 'submit-document' ? 'emission' : 'question';
      await budget.take(what);
      const answer = await fetch(`${sandbox.url}/api/creditos/saldo`, { headers: { 'x-api-key': 'clave' } });
      await answer.arrayBuffer();
      if (answer.status === 429) came.throttled += 1;
      else came[what] += 1;
      return done;
    });
  }
  // The first burst belongs to no minute.
  for (const house of houses) house.dispatch();
  clock.follow(houses);
  await eventually(() => came.emission > 10, 'the first emissions', patience);
  const begun = clock.now().getTime();
  const before = { ...came };
  await eventually(() => clock.now().getTime() - begun >= 60_000, 'a minute', patience);
  const minutes = (clock.now().getTime() - begun) / 60_000;
  const of = (kind: keyof typeof came) => (came[kind] - before[kind]) / minutes;
  await sandbox.close();
  return { throttled: came.throttled, emissions: of('emission'), questions: of('question') };
}

function keepsTheRate({ throttled, emissions, questions }: Awaited<ReturnType<typeof workOff>>): void {
  expect(throttled).toBe(0);
  expect(emissions + questions).toBeGreaterThanOrEqual(0.9 * 300);
  expect(questions).toBeGreaterThanOrEqual(9);
  expect(questions).toBeLessThanOrEqual(12);
}

test('a backlog of one key uses 90 % of its 300 a minute, questions keep 10 of them, and no 429 comes', async () => {
  keepsTheRate(await workOff(await openSmallStreet(), 1));
}, 200_000);

describe.skipIf(!(hasPostgres && hasRedis))('on PostgreSQL and Redis', () => {
  test('three processes together keep the same rate', async () => {
    keepsTheRate(await workOff(await openWideStreet(), 3));
  }, 200_000);
});
