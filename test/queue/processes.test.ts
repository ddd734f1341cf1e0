import { describe, expect, test } from 'vitest';
import { done } from '../../src/domain/job.ts';
import { eventually } from '../support/eventually.ts';
import { hasPostgres, hasServers, removeKeys } from '../support/servers.ts';
import { counting, type Installation, isIdle, openEmbedded, openScaled, request } from './installation.ts';
import { recordingLog } from './recording-log.ts';

async function ask(installation: Installation, count: number, keys: number): Promise<void> {
  const dueAt = installation.clock.now();
  await installation.ledger.transaction(async (tables) => {
    for (let i = 0; i < count; i += 1) {
      const key = `key${i % keys}`;
      await tables.jobs.enqueue(
        request(installation.clock, `w${i}`, { storeId: key, rateLimit: key, dueAt }),
      );
    }
  });
}

describe.skipIf(!hasServers)('several processes on PostgreSQL and Redis', () => {
  test('two dispatchers and two workers run 200 jobs exactly once each', async () => {
    const deployment = await openScaled();
    // A minute is a second; four keys with 50 jobs each exceed their burst.
    const installations = [await deployment.open({ rate: 60 }), await deployment.open({ rate: 60 })];
    const { handler, runs } = counting();
    const [first] = installations;
    if (!first) throw new Error('No house.');
    await ask(first, 200, 4);
    for (const installation of installations) {
      await installation.jobs(handler);
      installation.dispatch();
    }
    await eventually(() => isIdle(first.ledger), '200 jobs done');
    expect(runs.size).toBe(200);
    expect([...runs.values()].filter((count) => count !== 1)).toEqual([]);
  });

  test('two processes together book no more of a key than one may', async () => {
    const deployment = await openScaled();
    const installations = [await deployment.open(), await deployment.open()];
    const begun = performance.now();
    const slots = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        installations[i % 2]?.rateLimits.reserve('key', { kind: 'emission', lookAheadMs: 0 }),
      ),
    );
    const grown = Math.ceil((performance.now() - begun) / 215);
    const booked = slots.filter((slot) => slot?.booked).length;
    expect(booked).toBeGreaterThanOrEqual(4);
    expect(booked).toBeLessThanOrEqual(6 + grown);
  });

  test('Redis emptied again and again while jobs run loses none and runs none twice', async () => {
    const deployment = await openScaled();
    const { log, lines } = recordingLog();
    const installation = await deployment.open({ rate: 60, log, concurrency: 4 });
    const runs = new Map<string, number>();
    await installation.jobs(async ({ subject }) => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      runs.set(subject, (runs.get(subject) ?? 0) + 1);
      return done;
    });
    await ask(installation, 150, 10);
    installation.dispatch({ staleAfterMs: 300 });
    for (const part of [10, 50, 90]) {
      await eventually(() => runs.size >= part, `${part} jobs done`);
      await removeKeys(deployment.prefix ?? '');
    }
    await eventually(() => isIdle(installation.ledger), 'all jobs done');
    expect(runs.size).toBe(150);
    expect([...runs.values()].filter((count) => count !== 1)).toEqual([]);
    expect(lines.filter((line) => line.includes('due again')).length).toBeGreaterThan(0);
  });
});

describe.skipIf(!hasPostgres)('several processes on PostgreSQL alone', () => {
  test('run 200 jobs of four keys exactly once each', async () => {
    const deployment = await openScaled('memory');
    const installations = [await deployment.open({ rate: 60 }), await deployment.open({ rate: 60 })];
    const runs = installations.map(() => counting());
    const [first] = installations;
    if (!first) throw new Error('No house.');
    for (const [n, installation] of installations.entries()) {
      await installation.jobs(runs[n]?.handler ?? (async () => done));
      installation.dispatch();
    }
    await ask(first, 200, 4);
    await eventually(() => isIdle(first.ledger), '200 jobs done');
    const subjects = runs.flatMap((one) => [...one.runs.keys()]);
    expect([subjects.length, new Set(subjects).size]).toEqual([200, 200]);
    expect(runs.flatMap((one) => [...one.runs.values()]).filter((count) => count !== 1)).toEqual([]);
  });

  test('find jobs another one enqueued, without Redis', async () => {
    const deployment = await openScaled('memory');
    const web = await deployment.open();
    const worker = await deployment.open();
    const { handler, runs } = counting();
    await worker.jobs(handler);
    worker.dispatch();
    await ask(web, 1, 1);
    await eventually(() => runs.size === 1, 'the job of the other process');
  });

  test('take back what one of them took and died with', async () => {
    const deployment = await openScaled('memory');
    const dying = await deployment.open({ rate: 60 });
    const living = await deployment.open({ rate: 60 });
    const { handler, runs } = counting();
    // Its transport is never consumed: what it takes stays in its memory.
    const taking = dying.dispatch();
    await ask(dying, 20, 4);
    await eventually(async () => (await dying.ledger.jobs.counts()).released > 0, 'jobs released');
    await taking.stop();
    await living.jobs(handler);
    living.dispatch({ staleAfterMs: 300 });
    await eventually(() => isIdle(living.ledger), '20 jobs done');
    expect(runs.size).toBe(20);
  });
});

test('a transport that takes nothing for a while loses nothing and is logged once', async () => {
  const { log, lines } = recordingLog();
  const installation = await (await openEmbedded()).open({ log });
  const { handler, runs } = counting();
  let broken = true;
  let refused = 0;
  const refuse = async () => {
    refused += 1;
    throw new Error('Nobody there.');
  };
  const transport = {
    ...installation.transport,
    send: (jobs: readonly { id: string }[]) => (broken ? refuse() : installation.transport.send(jobs)),
    check: () => (broken ? refuse() : installation.transport.check()),
  };
  await installation.jobs(handler);
  await ask(installation, 30, 3);
  installation.dispatch({ transport, staleAfterMs: 300, pollMs: 20 });
  await eventually(() => refused > 8, 'several refusals');
  const reported = () => lines.filter((one) => one.includes('The transport'));
  expect(reported()).toEqual([
    'error The transport takes no jobs; the ledger keeps them and releases them again.',
  ]);
  broken = false;
  await eventually(() => isIdle(installation.ledger), 'all jobs done');
  expect(runs.size).toBe(30);
  // Logged after a whole batch was sent, which its last job may overtake.
  await eventually(() => reported().length > 1, 'that it is over');
  expect(reported()[1]).toBe('info The transport takes jobs again.');
});

test('a ledger that does not answer for a while is logged once, and jobs run afterwards', async () => {
  const { log, lines } = recordingLog();
  const installation = await (await openEmbedded()).open({ log });
  const { handler, runs } = counting();
  let failures = 0;
  const jobs = {
    ...installation.ledger.jobs,
    due: async (...args: Parameters<typeof installation.ledger.jobs.due>) => {
      if (failures < 3) {
        failures += 1;
        throw new Error('The database is away.');
      }
      return installation.ledger.jobs.due(...args);
    },
  };
  await installation.jobs(handler);
  await ask(installation, 5, 1);
  installation.dispatch({ ledger: { jobs, onJob: installation.ledger.onJob }, pollMs: 20 });
  await eventually(() => isIdle(installation.ledger), 'all jobs done');
  expect(runs.size).toBe(5);
  expect(lines).toEqual([
    'error The dispatcher cannot use the ledger; it keeps trying and releases nothing until then.',
    'info The dispatcher reaches the ledger again.',
  ]);
});
