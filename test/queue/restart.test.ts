import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CallKind } from '../../src/domain/job.ts';
import { silentLog } from '../../src/domain/ports.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { intervalMs, rateLimitsOver, serviceRate } from '../../src/queue/rate-limit.ts';

/** One process after the other on a SQLite ledger, and a clock that stands until it is moved. */
async function openInstallation() {
  const directory = await mkdtemp(join(tmpdir(), 'fp-restart-'));
  let now = Date.parse('2026-11-20T15:00:00Z');
  const clock = { now: () => new Date(now) };
  const options = { directory, encryptionKey: randomBytes(32) };
  let ledger = await openLedger(options, clock, silentLog);
  onTestFinished(async () => {
    await ledger.close();
    await rm(directory, { recursive: true, force: true });
  });
  let rateLimits = rateLimitsOver(ledger.rateLimits, { clock, log: silentLog });
  return {
    now: () => now,
    pass: (ms: number) => {
      now += ms;
    },
    /** Nothing of the former process but its ledger remains. */
    async restart() {
      await ledger.close();
      ledger = await openLedger(options, clock, silentLog);
      rateLimits = rateLimitsOver(ledger.rateLimits, { clock, log: silentLog });
    },
    reserve: (kind: CallKind, lookAheadMs = 100) => rateLimits.reserve('k', { kind, lookAheadMs }),
    slow: (forMs: number) => rateLimits.slow('k', forMs),
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
    const installation = await openInstallation();
    const left: number[] = [];
    let booked: number[] = [];
    for (let starts = 0; starts < 140_000 / everyMs; starts += 1) {
      const end = installation.now() + everyMs;
      while (installation.now() < end) {
        for (const kind of ['emission', 'question', 'download'] as const) {
          const slot = await installation.reserve(kind);
          if (slot.booked) booked.push(installation.now() + slot.waitMs);
        }
        installation.pass(50);
      }
      // A slot booked for later goes with its process.
      left.push(...booked.filter((at) => at < installation.now()));
      booked = [];
      await installation.restart();
    }
    left.sort((a, b) => a - b);
    const most = serviceRate.burst + Math.floor(60_000 / intervalMs(serviceRate));
    expect(mostInAnyMinute(left)).toBeLessThanOrEqual(most);
    // What a restart costs is the wait of the slots that were booked ahead.
    expect(left.length).toBeGreaterThan(140_000 / intervalMs(serviceRate) - (140_000 / everyMs) * 2);
  },
);

test('a restart does not lift the hold that a 429 laid on a key, nor the slow minutes after it', async () => {
  const installation = await openInstallation();
  await installation.slow(60_000);
  installation.pass(1_000);
  await installation.restart();
  expect(await installation.reserve('emission')).toEqual({ booked: false, retryInMs: 58_900 });
  installation.pass(59_000);
  await installation.restart();
  let booked = 0;
  for (const end = installation.now() + 60_000; installation.now() < end; installation.pass(50))
    if ((await installation.reserve('emission')).booked) booked += 1;
  expect(booked).toBeGreaterThan(100);
  expect(booked).toBeLessThanOrEqual(140);
});

test('the longest of several holds is the one that survives', async () => {
  const installation = await openInstallation();
  await Promise.all([installation.slow(30_000), installation.slow(90_000), installation.slow(10_000)]);
  await installation.restart();
  expect(await installation.reserve('emission', 0)).toEqual({ booked: false, retryInMs: 90_000 });
});
