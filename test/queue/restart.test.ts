import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CallKind } from '../../src/domain/budget.ts';
import { silentLog } from '../../src/domain/log.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { intervalMs, serviceRate } from '../../src/queue/gcra.ts';
import { openBudgets } from '../../src/queue/open.ts';

/** One process after the other on a SQLite ledger, and a clock that stands until it is moved. */
async function openHouse() {
  const directory = await mkdtemp(join(tmpdir(), 'fp-restart-'));
  let now = Date.parse('2026-11-20T15:00:00Z');
  const clock = { now: () => new Date(now) };
  const options = { directory, sealKey: randomBytes(32) };
  let ledger = await openLedger(options, clock, silentLog);
  onTestFinished(async () => {
    await ledger.close();
    await rm(directory, { recursive: true, force: true });
  });
  let written = 0;
  const counted = () => ({
    ...ledger,
    budgets: {
      ...ledger.budgets,
      swap: (...args: Parameters<typeof ledger.budgets.swap>) => {
        written += 1;
        return ledger.budgets.swap(...args);
      },
    },
  });
  let budgets = openBudgets({ ledger: counted(), clock, log: silentLog });
  return {
    now: () => now,
    pass: (ms: number) => {
      now += ms;
    },
    /** Nothing of the former process but its ledger remains. */
    async restart() {
      await ledger.close();
      ledger = await openLedger(options, clock, silentLog);
      budgets = openBudgets({ ledger: counted(), clock, log: silentLog });
    },
    reserve: (kind: CallKind, lookAheadMs = 100) => budgets.reserve('k', { kind, lookAheadMs }),
    slow: (forMs: number) => budgets.slow('k', forMs),
    written: () => written,
  };
}

function mostInAnyMinute(slots: readonly number[]): number {
  let [most, first] = [0, 0];
  slots.forEach((slot, last) => {
    while ((slots[first] ?? slot) <= slot - 60_000) first += 1;
    most = Math.max(most, last - first + 1);
  });
  return most;
}

test.each([1_000, 7_000, 10_000, 20_000])(
  'a process that is started anew every %i ms makes no more calls in any 60 s than one that runs on',
  async (everyMs) => {
    const house = await openHouse();
    const left: number[] = [];
    let booked: number[] = [];
    for (let starts = 0; starts < 140_000 / everyMs; starts += 1) {
      const end = house.now() + everyMs;
      while (house.now() < end) {
        for (const kind of ['emission', 'question', 'download'] as const) {
          const slot = await house.reserve(kind);
          if (slot.booked) booked.push(house.now() + slot.waitMs);
        }
        house.pass(50);
      }
      // A slot booked for later goes with its process.
      left.push(...booked.filter((at) => at < house.now()));
      booked = [];
      await house.restart();
    }
    left.sort((a, b) => a - b);
    const most = serviceRate.burst + Math.floor(60_000 / intervalMs(serviceRate));
    expect(mostInAnyMinute(left)).toBeLessThanOrEqual(most);
    // What a restart costs is the burst it does not have, and the wait of one slot.
    expect(left.length).toBeGreaterThan(140_000 / intervalMs(serviceRate) - (140_000 / everyMs) * 2);
    expect(house.written()).toBe(0);
  },
);

test('a restart does not lift the hold that a 429 laid on a key, nor the slow minutes after it', async () => {
  const house = await openHouse();
  await house.slow(60_000);
  house.pass(1_000);
  await house.restart();
  expect(await house.reserve('emission')).toEqual({ booked: false, retryInMs: 58_900 });
  house.pass(59_000);
  await house.restart();
  let booked = 0;
  for (const end = house.now() + 60_000; house.now() < end; house.pass(50))
    if ((await house.reserve('emission')).booked) booked += 1;
  expect(booked).toBeGreaterThan(100);
  expect(booked).toBeLessThanOrEqual(140);
});

test('the longest of several holds is the one that survives', async () => {
  const house = await openHouse();
  await Promise.all([house.slow(30_000), house.slow(90_000), house.slow(10_000)]);
  await house.restart();
  expect(await house.reserve('emission', 0)).toEqual({ booked: false, retryInMs: 90_000 });
});
