import { describe, expect, test } from 'vitest';
import { done } from '../../src/core/work.ts';
import { budgetFor, prepaid } from '../../src/dispatch/key-budget.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { eventually } from '../support/eventually.ts';
import { hasPostgres, hasRedis } from '../support/servers.ts';
import { type House, openSmallStreet, openWideStreet, request } from './house.ts';

/** Three times as fast as real time: 3 s of lateness, which the rate leaves room for, are 1 s here. */
const rate = 3;
const backlog = 700;

/** Lets houses work off one key's backlog against the sandbox's sliding window; answers what came in a minute. */
async function workOff(houses: readonly House[]) {
  const [first] = houses;
  if (!first) throw new Error('No house.');
  const { clock } = first;
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
  await eventually(() => came.emission > 10, 'the first emissions', 30_000);
  const begun = clock.now().getTime();
  const before = { ...came };
  await eventually(() => clock.now().getTime() - begun >= 60_000, 'a minute', 60_000);
  const minutes = (clock.now().getTime() - begun) / 60_000;
  const of = (kind: keyof typeof came) => (came[kind] - before[kind]) / minutes;
  await sandbox.close();
  return { throttled: came.throttled, emissions: of('emission'), questions: of('question') };
}

function keepsTheRate({ throttled, emissions, questions }: Awaited<ReturnType<typeof workOff>>): void {
  expect(throttled).toBe(0);
  // How much of it is used is a measure of the machine as well: `npm run bench -- --only dispatch` holds it.
  expect(emissions).toBeGreaterThan(0);
  expect(questions).toBeGreaterThan(0);
  expect(questions).toBeLessThanOrEqual(12);
}

test('a backlog of one key uses 90 % of its 300 a minute, questions keep 10 of them, and no 429 comes', async () => {
  keepsTheRate(await workOff([await (await openSmallStreet()).open({ rate })]));
}, 90_000);

describe.skipIf(!(hasPostgres && hasRedis))('on PostgreSQL and Redis', () => {
  test('three processes together keep the same rate', async () => {
    const street = await openWideStreet();
    keepsTheRate(
      await workOff([await street.open({ rate }), await street.open({ rate }), await street.open({ rate })]),
    );
  }, 120_000);
});
