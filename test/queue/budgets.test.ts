import { describe, expect, test } from 'vitest';
import type { Budget, CallKind } from '../../src/domain/budget.ts';
import { silentLog } from '../../src/domain/log.ts';
import type { BudgetTable } from '../../src/ledger/work/tables.ts';
import { budgetsOver, memoryBudgetTable } from '../../src/queue/budgets.ts';
import { slotKeepsMs } from '../../src/queue/gcra.ts';
import { budgetFor, prepaid } from '../../src/queue/key-budget.ts';
import { clockPassed } from '../../src/queue/waiting.ts';
import { hasPostgres, hasRedis } from '../support/servers.ts';
import { clockAt, openWideStreet } from './house.ts';
import { patientClock } from './patient-clock.ts';
import { recordingLog } from './recording-log.ts';

function startOver(table: BudgetTable) {
  let now = 1_000_000;
  const { log, lines } = recordingLog();
  const budgets = budgetsOver(table, { clock: { now: () => new Date(now) }, log });
  const at = (ms: number) => {
    now = 1_000_000 + ms;
  };
  return { budgets, at, lines };
}

function contract(name: string, open: () => Promise<BudgetTable>): void {
  describe(`budgets ${name}`, () => {
    const start = async () => startOver(await open());

    test('a fresh key has its burst at once, then one slot every 215 ms', async () => {
      const { budgets, at } = await start();
      for (let i = 0; i < 6; i += 1)
        expect(await budgets.reserve('k', emission(0))).toEqual({ booked: true, waitMs: 0 });
      expect(await budgets.reserve('k', emission(100))).toEqual({ booked: false, retryInMs: 115 });
      at(115);
      expect(await budgets.reserve('k', emission(100))).toEqual({ booked: true, waitMs: 100 });
    });

    test('slow holds its own key back and no other', async () => {
      const { budgets, lines } = await start();
      await budgets.reserve('held', emission(0));
      await budgets.slow('held', 60_000);
      expect(await budgets.reserve('held', emission(100))).toEqual({ booked: false, retryInMs: 59_900 });
      expect(await budgets.reserve('free', emission(0))).toEqual({ booked: true, waitMs: 0 });
      expect(lines).toHaveLength(1);
    });

    test('what a clock wrote that was a day ahead holds no key back', async () => {
      const { budgets, at } = await start();
      at(26 * 3_600_000);
      for (let i = 0; i < 6; i += 1) await budgets.reserve('k', emission(0));
      await budgets.slow('k', 60_000);
      at(0);
      expect(await budgets.look('k')).toMatchObject({ waitMs: 0 });
      expect(await budgets.reserve('k', emission(0))).toEqual({ booked: true, waitMs: 0 });
      // As if the burst had just been spent.
      expect((await budgets.reserve('k', emission(0))).booked).toBe(false);
    });

    test('fifty callers at once get the burst and not one slot more', async () => {
      const { budgets } = await start();
      const slots = await Promise.all(Array.from({ length: 50 }, () => budgets.reserve('k', emission(0))));
      let booked = slots.filter((slot) => slot.booked).length;
      expect(booked).toBeLessThanOrEqual(6);
      while ((await budgets.reserve('k', emission(0))).booked) booked += 1;
      expect(booked).toBe(6);
    });

    test('a crowded question has only what is set aside, although slots are free', async () => {
      const { budgets } = await start();
      const ask = () => budgets.reserve('k', { kind: 'question', lookAheadMs: 100, crowded: true });
      expect([(await ask()).booked, (await ask()).booked]).toEqual([true, true]);
      expect(await ask()).toEqual({ booked: false, retryInMs: 6_000 });
    });
  });
}

test('questions keep 10 slots a minute and downloads 5, however greedy the emissions are', async () => {
  const { budgets, at } = startOver(memoryBudgetTable());
  const slots: number[] = [];
  const booked = { emission: 0, question: 0, download: 0 };
  for (let ms = 0; ms < 180_000; ms += 20) {
    at(ms);
    for (const kind of ['emission', 'question', 'download'] as const) {
      const slot = await budgets.reserve('k', { kind, lookAheadMs: 100 });
      if (!slot.booked) continue;
      booked[kind] += 1;
      slots.push(ms + slot.waitMs);
    }
  }
  expect(booked.question).toBeGreaterThanOrEqual(30);
  expect(booked.question).toBeLessThanOrEqual(34);
  expect(booked.download).toBeGreaterThanOrEqual(15);
  expect(booked.emission).toBeGreaterThanOrEqual(3 * 260);
  const inMinute = slots.map((from) => slots.filter((slot) => slot >= from && slot < from + 60_000).length);
  expect(Math.max(...inMinute)).toBeLessThanOrEqual(285);
});

test('after a 429 a key has half of its rate for five minutes: somebody else uses it', async () => {
  const { budgets, at } = startOver(memoryBudgetTable());
  await budgets.slow('held', 60_000);
  const calls = async (from: number) => {
    let booked = 0;
    for (let ms = from; ms < from + 60_000; ms += 20) {
      at(ms);
      if ((await budgets.reserve('held', emission(0))).booked) booked += 1;
    }
    return booked;
  };
  expect(await calls(60_000)).toBeGreaterThan(130);
  expect(await calls(200_000)).toBeLessThanOrEqual(140);
  expect(await calls(361_000)).toBeGreaterThan(265);
});

contract('in memory', async () => memoryBudgetTable());
describe.skipIf(!(hasPostgres && hasRedis))('with servers', () => {
  contract('in PostgreSQL', async () => (await (await openWideStreet()).open()).ledger.budgets);
});

test('a call waits for its slot on the clock of the product', async () => {
  const clock = patientClock(50);
  clock.follow([]);
  const budget = budgetFor(budgetsOver(memoryBudgetTable(), { clock, log: silentLog }), 'k', clock, 50);
  await budget.slow(20_000);
  const begun = clock.now().getTime();
  await budget.take('question');
  expect(clock.now().getTime() - begun).toBeGreaterThanOrEqual(20_000);
  expect(clock.now().getTime() - begun).toBeLessThan(45_000);
});

test('waiting calls leave by urgency: the emission first, though downloads came before', async () => {
  // Slow enough that a machine's hiccup is no minute of it, in which more downloads would have their turn.
  const clock = clockAt(3);
  const budget = budgetFor(budgetsOver(memoryBudgetTable(), { clock, log: silentLog }), 'k', clock, 3);
  const left: string[] = [];
  // The burst is gone after six; what is set aside lets two downloads go before their time.
  const kinds = [...Array(24).fill('download'), ...Array(12).fill('emission')] as const;
  await Promise.all(kinds.map((kind) => budget.take(kind).then(() => left.push(kind))));
  expect(left.lastIndexOf('emission')).toBeLessThan(24);
});

describe('the slot booked for a piece of work', () => {
  function open(slotAt: number, now: number) {
    const taken: CallKind[] = [];
    const budget: Budget = {
      async take(kind) {
        taken.push(kind);
      },
      async slow() {},
    };
    return { taken, budget: prepaid(budget, slotAt, { now: () => new Date(now) }) };
  }

  test.each(['emission', 'question', 'download'] as const)(
    'pays for its first call, %s, and no other',
    async (first) => {
      const { taken, budget } = open(1_000, 1_200);
      for (const kind of [first, 'emission', 'question', 'download'] as const) await budget.take(kind);
      expect(taken).toEqual(['emission', 'question', 'download']);
    },
  );

  test('is lost when it waited too long for a worker: a late call would crowd those of its moment', async () => {
    const { taken, budget } = open(1_000, 1_000 + slotKeepsMs + 1);
    await budget.take('emission');
    expect(taken).toEqual(['emission']);
  });
});

test('waiting on a clock is never early, whatever its pace', async () => {
  for (const [rate, ms] of [
    [0.5, 20],
    [1, 30],
    [1_000, 60_000],
  ] as const) {
    const clock = clockAt(rate);
    const begun = clock.now().getTime();
    await clockPassed(clock, ms);
    expect(clock.now().getTime() - begun).toBeGreaterThanOrEqual(ms);
  }
});

const emission = (lookAheadMs: number) => ({ kind: 'emission', lookAheadMs }) as const;
