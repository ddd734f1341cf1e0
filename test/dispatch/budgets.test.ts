import { describe, expect, test } from 'vitest';
import type { Budgets } from '../../src/core/budget.ts';
import { silentLog } from '../../src/core/log.ts';
import { budgetFor, budgetsOver, memoryBudgetTable, prepaid } from '../../src/dispatch/budgets.ts';
import { clockPassed } from '../../src/dispatch/waiting.ts';
import type { BudgetTable } from '../../src/ledger/work-tables.ts';
import { hasPostgres, hasRedis } from '../support/servers.ts';
import { clockAt, openWideStreet } from './house.ts';
import { recordingLog } from './recording-log.ts';

function contract(name: string, open: () => Promise<BudgetTable>): void {
  describe(`budgets ${name}`, () => {
    test('a fresh key has its burst at once, then one slot every 240 ms', async () => {
      let now = 1_000_000;
      const budgets = budgetsOver(await open(), { clock: { now: () => new Date(now) }, log: silentLog });
      for (let i = 0; i < 20; i += 1)
        expect(await budgets.reserve('k', 0)).toEqual({ booked: true, waitMs: 0 });
      expect(await budgets.reserve('k', 100)).toEqual({ booked: false, retryInMs: 140 });
      now += 140;
      expect(await budgets.reserve('k', 100)).toEqual({ booked: true, waitMs: 100 });
    });

    test('slow holds its own key back and no other', async () => {
      const now = new Date(1_000_000);
      const { log, lines } = recordingLog();
      const budgets = budgetsOver(await open(), { clock: { now: () => now }, log });
      await budgets.reserve('held', 0);
      await budgets.slow('held', 60_000);
      expect(await budgets.reserve('held', 100)).toEqual({ booked: false, retryInMs: 59_900 });
      expect(await budgets.reserve('free', 0)).toEqual({ booked: true, waitMs: 0 });
      expect(lines).toHaveLength(1);
    });

    test('fifty callers at once get the burst and not one slot more', async () => {
      const now = new Date(1_000_000);
      const budgets = budgetsOver(await open(), { clock: { now: () => now }, log: silentLog });
      const slots = await Promise.all(Array.from({ length: 50 }, () => budgets.reserve('k', 0)));
      expect(slots.filter((slot) => slot.booked).length).toBeLessThanOrEqual(20);
      let more = 0;
      while ((await budgets.reserve('k', 0)).booked) more += 1;
      expect(slots.filter((slot) => slot.booked).length + more).toBe(20);
    });
  });
}

contract('in memory', async () => memoryBudgetTable());
describe.skipIf(!(hasPostgres && hasRedis))('with servers', () => {
  contract('in PostgreSQL', async () => (await (await openWideStreet()).open()).ledger.budgets);
});

test('a call waits for its slot on the clock of the product', async () => {
  const clock = clockAt(50);
  const budgets = budgetsOver(memoryBudgetTable(), { clock, log: silentLog });
  const budget = budgetFor(budgets, 'k', clock);
  await budget.slow(10_000);
  const begun = clock.now().getTime();
  await budget.take('question');
  expect(clock.now().getTime() - begun).toBeGreaterThanOrEqual(10_000);
  expect(clock.now().getTime() - begun).toBeLessThan(25_000);
});

test('waiting calls leave by urgency: emissions, questions, downloads', async () => {
  const clock = clockAt(50);
  const budgets = budgetsOver(memoryBudgetTable(), { clock, log: silentLog });
  const budget = budgetFor(budgets, 'k', clock);
  await budget.slow(5_000);
  const left: string[] = [];
  const kinds = ['download', 'download', 'question', 'emission'] as const;
  await Promise.all(kinds.map((kind) => budget.take(kind).then(() => left.push(kind))));
  // The first download was already waiting for the next slot when the others came.
  expect(left).toEqual(['download', 'emission', 'question', 'download']);
});

test('a step has its first emission or question free, because its slot was booked at release', async () => {
  let takes = 0;
  const budgets: Budgets = {
    async reserve() {
      takes += 1;
      return { booked: true, waitMs: 0 };
    },
    async slow() {},
  };
  const budget = prepaid(budgetFor(budgets, 'k', clockAt(1)));
  await budget.take('download');
  expect(takes).toBe(1);
  await budget.take('emission');
  expect(takes).toBe(1);
  await budget.take('emission');
  await budget.take('question');
  expect(takes).toBe(3);
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
