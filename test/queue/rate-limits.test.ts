import { describe, expect, test } from 'vitest';
import type { CallKind, RateLimit } from '../../src/domain/job.ts';
import { silentLog } from '../../src/domain/ports.ts';
import type { RateLimitTable } from '../../src/ledger/pauses.ts';
import {
  memoryRateLimitTable,
  prepaid,
  rateLimitFor,
  rateLimitsOver,
  slotKeepsMs,
} from '../../src/queue/rate-limit.ts';
import { clockPassed } from '../../src/queue/worker.ts';
import { hasServers } from '../support/servers.ts';
import { clockAt, openScaled } from './installation.ts';
import { patientClock } from './patient-clock.ts';
import { recordingLog } from './recording-log.ts';

function startOver(table: RateLimitTable) {
  let now = 1_000_000;
  const { log, lines } = recordingLog();
  const rateLimits = rateLimitsOver(table, { clock: { now: () => new Date(now) }, log });
  const at = (ms: number) => {
    now = 1_000_000 + ms;
  };
  return { rateLimits, at, lines };
}

function contract(name: string, open: () => Promise<RateLimitTable>): void {
  describe(`rate limits ${name}`, () => {
    const start = async () => startOver(await open());

    test('a fresh key has its burst at once, then one slot every 215 ms', async () => {
      const { rateLimits, at } = await start();
      for (let i = 0; i < 6; i += 1)
        expect(await rateLimits.reserve('k', emission(0))).toEqual({ booked: true, waitMs: 0 });
      expect(await rateLimits.reserve('k', emission(100))).toEqual({ booked: false, retryInMs: 115 });
      at(115);
      expect(await rateLimits.reserve('k', emission(100))).toEqual({ booked: true, waitMs: 100 });
    });

    test('slow holds its own key back and no other', async () => {
      const { rateLimits, lines } = await start();
      await rateLimits.reserve('held', emission(0));
      await rateLimits.slow('held', 60_000);
      expect(await rateLimits.reserve('held', emission(100))).toEqual({ booked: false, retryInMs: 59_900 });
      expect(await rateLimits.reserve('free', emission(0))).toEqual({ booked: true, waitMs: 0 });
      expect(lines).toHaveLength(1);
    });

    test('what a clock wrote that was a day ahead holds no key back', async () => {
      const { rateLimits, at } = await start();
      at(26 * 3_600_000);
      for (let i = 0; i < 6; i += 1) await rateLimits.reserve('k', emission(0));
      await rateLimits.slow('k', 60_000);
      at(0);
      expect(await rateLimits.look('k')).toMatchObject({ waitMs: 0 });
      expect(await rateLimits.reserve('k', emission(0))).toEqual({ booked: true, waitMs: 0 });
      // As if the burst had just been spent.
      expect((await rateLimits.reserve('k', emission(0))).booked).toBe(false);
    });

    test('fifty callers at once get the burst and not one slot more', async () => {
      const { rateLimits } = await start();
      const slots = await Promise.all(Array.from({ length: 50 }, () => rateLimits.reserve('k', emission(0))));
      let booked = slots.filter((slot) => slot.booked).length;
      expect(booked).toBeLessThanOrEqual(6);
      while ((await rateLimits.reserve('k', emission(0))).booked) booked += 1;
      expect(booked).toBe(6);
    });

    test('a question behind a backlog has only the reserve, although slots are free', async () => {
      const { rateLimits } = await start();
      const ask = () => rateLimits.reserve('k', { kind: 'question', lookAheadMs: 100, reserveOnly: true });
      expect([(await ask()).booked, (await ask()).booked]).toEqual([true, true]);
      expect(await ask()).toEqual({ booked: false, retryInMs: 6_000 });
    });
  });
}

test('questions and downloads keep 10 slots a minute, however greedy the emissions are', async () => {
  const { rateLimits, at } = startOver(memoryRateLimitTable());
  const slots: number[] = [];
  const booked = { emission: 0, question: 0, download: 0 };
  for (let ms = 0; ms < 180_000; ms += 20) {
    at(ms);
    for (const kind of ['emission', 'question', 'download'] as const) {
      const slot = await rateLimits.reserve('k', { kind, lookAheadMs: 100 });
      if (!slot.booked) continue;
      booked[kind] += 1;
      slots.push(ms + slot.waitMs);
    }
  }
  expect(booked.question + booked.download).toBeGreaterThanOrEqual(30);
  expect(booked.question + booked.download).toBeLessThanOrEqual(35);
  expect(booked.emission).toBeGreaterThanOrEqual(3 * 260);
  const inMinute = slots.map((from) => slots.filter((slot) => slot >= from && slot < from + 60_000).length);
  expect(Math.max(...inMinute)).toBeLessThanOrEqual(285);
});

test('after a 429 a key has half of its rate for five minutes: somebody else uses it', async () => {
  const { rateLimits, at } = startOver(memoryRateLimitTable());
  await rateLimits.slow('held', 60_000);
  const calls = async (from: number) => {
    let booked = 0;
    for (let ms = from; ms < from + 60_000; ms += 20) {
      at(ms);
      if ((await rateLimits.reserve('held', emission(0))).booked) booked += 1;
    }
    return booked;
  };
  expect(await calls(60_000)).toBeGreaterThan(130);
  expect(await calls(200_000)).toBeLessThanOrEqual(140);
  expect(await calls(361_000)).toBeGreaterThan(265);
});

contract('in memory', async () => memoryRateLimitTable());
describe.skipIf(!hasServers)('with servers', () => {
  contract('in PostgreSQL', async () => (await (await openScaled()).open()).ledger.rateLimits);
});

test('a call waits for its slot on the clock of the product', async () => {
  const clock = patientClock(50);
  clock.follow([]);
  const rateLimit = rateLimitFor(
    rateLimitsOver(memoryRateLimitTable(), { clock, log: silentLog }),
    'k',
    clock,
    50,
  );
  await rateLimit.slow(20_000);
  const begun = clock.now().getTime();
  await rateLimit.take('question');
  expect(clock.now().getTime() - begun).toBeGreaterThanOrEqual(20_000);
  expect(clock.now().getTime() - begun).toBeLessThan(45_000);
});

test('waiting calls leave by urgency: the emission first, though downloads came before', async () => {
  // Slow enough that a machine's hiccup is no minute of it, in which more downloads would have their turn.
  const clock = clockAt(3);
  const rateLimit = rateLimitFor(
    rateLimitsOver(memoryRateLimitTable(), { clock, log: silentLog }),
    'k',
    clock,
    3,
  );
  const left: string[] = [];
  // The burst is gone after six; the reserve lets two downloads go before their time.
  const kinds = [...Array(24).fill('download'), ...Array(12).fill('emission')] as const;
  await Promise.all(kinds.map((kind) => rateLimit.take(kind).then(() => left.push(kind))));
  expect(left.lastIndexOf('emission')).toBeLessThan(24);
});

describe('the slot booked for a job', () => {
  function open(slotAt: number, now: number) {
    const taken: CallKind[] = [];
    const rateLimit: RateLimit = {
      async take(kind) {
        taken.push(kind);
      },
      async slow() {},
    };
    return { taken, rateLimit: prepaid(rateLimit, slotAt, { now: () => new Date(now) }) };
  }

  test.each(['emission', 'question', 'download'] as const)(
    'pays for its first call, %s, and no other',
    async (first) => {
      const { taken, rateLimit } = open(1_000, 1_200);
      for (const kind of [first, 'emission', 'question', 'download'] as const) await rateLimit.take(kind);
      expect(taken).toEqual(['emission', 'question', 'download']);
    },
  );

  test('is lost when it waited too long for a worker: a late call would exceed the rate', async () => {
    const { taken, rateLimit } = open(1_000, 1_000 + slotKeepsMs + 1);
    await rateLimit.take('emission');
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
