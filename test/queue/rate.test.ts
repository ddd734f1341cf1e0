import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../sandbox/emulator/index.ts';
import { done } from '../../src/domain/job.ts';
import { prepaid, rateLimitFor } from '../../src/queue/rate-limit.ts';
import { eventually } from '../support/eventually.ts';
import { hasServers } from '../support/servers.ts';
import { type Deployment, openEmbedded, openScaled, request } from './installation.ts';
import { patientClock } from './patient-clock.ts';

/** Three times as fast as real time: 3 s of lateness, which the rate leaves room for, are 1 s here. */
const rate = 3;
const backlog = 700;
/** The clock waits for a busy machine; so does the test. */
const patience = 150_000;

/** Lets processes run one key's backlog against the sandbox's sliding window; answers what came in a minute of the clock. */
async function jobOff(deployment: Deployment, count: number) {
  const clock = patientClock(rate);
  const first = await deployment.open({ rate, clock });
  const installations = [first];
  while (installations.length < count) installations.push(await deployment.open({ rate, clock }));
  const sandbox = await createSandbox({
    accounts: [{ apiKey: 'clave' }],
    now: { now: () => clock.now(), rate },
  });
  const came = { emission: 0, question: 0, throttled: 0 };
  const dueAt = clock.now();
  const account = { id: 'cuenta', ambiente: 1 } as const;
  await first.ledger.transaction(async ({ jobs }) => {
    for (let i = 0; i < backlog; i += 1) {
      const emission = { kind: 'submit-document', rateLimit: 'clave', priority: 0, account, dueAt } as const;
      await jobs.enqueue(request(clock, `e${i}`, emission));
    }
    for (let i = 0; i < 60; i += 1)
      await jobs.enqueue(request(clock, `q${i}`, { kind: 'follow-up', rateLimit: 'clave', account, dueAt }));
  });
  for (const installation of installations) {
    const own = rateLimitFor(installation.rateLimits, 'clave', installation.clock, rate);
    await installation.jobs(async ({ kind, slotAt }) => {
      const rateLimit = slotAt == null ? own : prepaid(own, slotAt, installation.clock);
      const what = kind === 'submit-document' ? 'emission' : 'question';
      await rateLimit.take(what);
      const answer = await fetch(`${sandbox.url}/api/creditos/saldo`, { headers: { 'x-api-key': 'clave' } });
      await answer.arrayBuffer();
      if (answer.status === 429) came.throttled += 1;
      else came[what] += 1;
      return done;
    });
  }
  // The first burst belongs to no minute.
  for (const installation of installations) installation.dispatch();
  clock.follow(installations);
  await eventually(() => came.emission > 10, 'the first emissions', patience);
  const begun = clock.now().getTime();
  const before = { ...came };
  await eventually(() => clock.now().getTime() - begun >= 60_000, 'a minute', patience);
  const minutes = (clock.now().getTime() - begun) / 60_000;
  const of = (kind: keyof typeof came) => (came[kind] - before[kind]) / minutes;
  await sandbox.close();
  return { throttled: came.throttled, emissions: of('emission'), questions: of('question') };
}

function keepsTheRate({ throttled, emissions, questions }: Awaited<ReturnType<typeof jobOff>>): void {
  expect(throttled).toBe(0);
  expect(emissions + questions).toBeGreaterThanOrEqual(0.9 * 300);
  expect(questions).toBeGreaterThanOrEqual(9);
  expect(questions).toBeLessThanOrEqual(12);
}

test('a backlog of one key uses 90 % of its 300 a minute, questions keep 10 of them, and no 429 comes', async () => {
  keepsTheRate(await jobOff(await openEmbedded(), 1));
}, 200_000);

describe.skipIf(!hasServers)('on PostgreSQL and Redis', () => {
  test('three processes together keep the same rate', async () => {
    keepsTheRate(await jobOff(await openScaled(), 3));
  }, 200_000);
});
