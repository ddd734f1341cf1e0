import { describe, expect, test } from 'vitest';
import { done } from '../../src/domain/work.ts';
import { eventually } from '../support/eventually.ts';
import { hasPostgres, hasRedis, removeKeys } from '../support/servers.ts';
import { counting, type House, isIdle, openSmallStreet, openWideStreet, request } from './house.ts';
import { recordingLog } from './recording-log.ts';

async function ask(house: House, count: number, keys: number): Promise<void> {
  const dueAt = house.clock.now();
  await house.ledger.transaction(async (tables) => {
    for (let i = 0; i < count; i += 1) {
      const key = `key${i % keys}`;
      await tables.work.ask(request(house.clock, `w${i}`, { storeId: key, budget: key, dueAt }));
    }
  });
}

describe.skipIf(!(hasPostgres && hasRedis))('several processes on PostgreSQL and Redis', () => {
  test('two dispatchers and two workers run 200 works exactly once each', async () => {
    const street = await openWideStreet();
    // A minute is a second; four keys with 50 works each exceed their burst.
    const houses = [await street.open({ rate: 60 }), await street.open({ rate: 60 })];
    const { step, runs } = counting();
    const [first] = houses;
    if (!first) throw new Error('No house.');
    await ask(first, 200, 4);
    for (const house of houses) {
      await house.work(step);
      house.dispatch();
    }
    await eventually(() => isIdle(first.ledger), '200 works done');
    expect(runs.size).toBe(200);
    expect([...runs.values()].filter((count) => count !== 1)).toEqual([]);
  });

  test('two processes together book no more of a key than one may', async () => {
    const street = await openWideStreet();
    const houses = [await street.open(), await street.open()];
    const begun = performance.now();
    const slots = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        houses[i % 2]?.budgets.reserve('key', { kind: 'emission', lookAheadMs: 0 }),
      ),
    );
    const grown = Math.ceil((performance.now() - begun) / 215);
    const booked = slots.filter((slot) => slot?.booked).length;
    expect(booked).toBeGreaterThanOrEqual(4);
    expect(booked).toBeLessThanOrEqual(6 + grown);
  });

  test('Redis emptied again and again while works run loses none and runs none twice', async () => {
    const street = await openWideStreet();
    const { log, lines } = recordingLog();
    const house = await street.open({ rate: 60, log, concurrency: 4 });
    const runs = new Map<string, number>();
    await house.work(async ({ subject }) => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      runs.set(subject, (runs.get(subject) ?? 0) + 1);
      return done;
    });
    await ask(house, 150, 10);
    house.dispatch({ staleAfterMs: 300 });
    for (const part of [10, 50, 90]) {
      await eventually(() => runs.size >= part, `${part} works done`);
      await removeKeys(street.prefix ?? '');
    }
    await eventually(() => isIdle(house.ledger), 'all works done');
    expect(runs.size).toBe(150);
    expect([...runs.values()].filter((count) => count !== 1)).toEqual([]);
    expect(lines.filter((line) => line.includes('due again')).length).toBeGreaterThan(0);
  });
});

describe.skipIf(!hasPostgres)('several processes on PostgreSQL alone', () => {
  test('run 200 works of four keys exactly once each', async () => {
    const street = await openWideStreet('memory');
    const houses = [await street.open({ rate: 60 }), await street.open({ rate: 60 })];
    const runs = houses.map(() => counting());
    const [first] = houses;
    if (!first) throw new Error('No house.');
    for (const [n, house] of houses.entries()) {
      await house.work(runs[n]?.step ?? (async () => done));
      house.dispatch();
    }
    await ask(first, 200, 4);
    await eventually(() => isIdle(first.ledger), '200 works done');
    const subjects = runs.flatMap((one) => [...one.runs.keys()]);
    expect([subjects.length, new Set(subjects).size]).toEqual([200, 200]);
    expect(runs.flatMap((one) => [...one.runs.values()]).filter((count) => count !== 1)).toEqual([]);
  });

  test('hear of work another one asked for, without Redis to tell them', async () => {
    const street = await openWideStreet('memory');
    const web = await street.open();
    const worker = await street.open();
    const { step, runs } = counting();
    await worker.work(step);
    worker.dispatch();
    await ask(web, 1, 1);
    await eventually(() => runs.size === 1, 'the work of the other process');
  });

  test('take back what one of them took and died with', async () => {
    const street = await openWideStreet('memory');
    const dying = await street.open({ rate: 60 });
    const living = await street.open({ rate: 60 });
    const { step, runs } = counting();
    // Its transport is never consumed: what it takes stays in its memory.
    const taking = dying.dispatch();
    await ask(dying, 20, 4);
    await eventually(async () => (await dying.ledger.work.counts()).released > 0, 'works taken');
    await taking.stop();
    await living.work(step);
    living.dispatch({ staleAfterMs: 300 });
    await eventually(() => isIdle(living.ledger), '20 works done');
    expect(runs.size).toBe(20);
  });
});

test('a transport that takes nothing for a while loses nothing and is told of once', async () => {
  const { log, lines } = recordingLog();
  const house = await (await openSmallStreet()).open({ log });
  const { step, runs } = counting();
  let broken = true;
  let refused = 0;
  const refuse = async () => {
    refused += 1;
    throw new Error('Nobody there.');
  };
  const transport = {
    ...house.transport,
    send: (jobs: readonly { id: string }[]) => (broken ? refuse() : house.transport.send(jobs)),
    check: () => (broken ? refuse() : house.transport.check()),
  };
  await house.work(step);
  await ask(house, 30, 3);
  house.dispatch({ transport, staleAfterMs: 300, pollMs: 20 });
  await eventually(() => refused > 8, 'several refusals');
  const told = () => lines.filter((one) => one.includes('The transport'));
  expect(told()).toEqual([
    'error The transport takes no jobs; the ledger keeps the work and releases it again.',
  ]);
  broken = false;
  await eventually(() => isIdle(house.ledger), 'all works done');
  expect(runs.size).toBe(30);
  // Told when a whole batch went out, which the last work of it may overtake.
  await eventually(() => told().length > 1, 'that it is over');
  expect(told()[1]).toBe('info The transport takes jobs again.');
});

test('a ledger that does not answer for a while is told of once and work goes on afterwards', async () => {
  const { log, lines } = recordingLog();
  const house = await (await openSmallStreet()).open({ log });
  const { step, runs } = counting();
  let failures = 0;
  const work = {
    ...house.ledger.work,
    due: async (...args: Parameters<typeof house.ledger.work.due>) => {
      if (failures < 3) {
        failures += 1;
        throw new Error('The database is away.');
      }
      return house.ledger.work.due(...args);
    },
  };
  await house.work(step);
  await ask(house, 5, 1);
  house.dispatch({ ledger: { work, onWork: house.ledger.onWork }, pollMs: 20 });
  await eventually(() => isIdle(house.ledger), 'all works done');
  expect(runs.size).toBe(5);
  expect(lines).toEqual([
    'error The dispatcher cannot use the ledger; it keeps trying and releases nothing until then.',
    'info The dispatcher reaches the ledger again.',
  ]);
});
