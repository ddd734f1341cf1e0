import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openTimekeeping, setClock } from '../../src/app/timekeeping.ts';
import { steadyClock } from '../../src/domain/clock.ts';
import { silentLog } from '../../src/domain/ports.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { alertTexts } from '../../src/messages/alerts.ts';
import { job } from '../ledger/samples.ts';
import { recordingLog } from '../queue/recording-log.ts';
import { hasPostgres, openDatabase } from '../support/servers.ts';

const hour = 3_600_000;

/** A process whose clock is so far ahead of who knows the time. */
async function open(engine: string, aheadMs: number) {
  const real = steadyClock(
    () => Date.now() + aheadMs,
    () => performance.now(),
  );
  const clock = { now: real.now, real, rate: 1 };
  const place = await placeOf(engine);
  const ledger = await openLedger({ ...place, encryptionKey: randomBytes(32) }, clock, silentLog);
  onTestFinished(() => ledger.close());
  const reported: string[] = [];
  const { log, lines } = recordingLog();
  const look = openTimekeeping({
    ...{ ledger, clock, log },
    alerts: {
      raise: async ({ code, params }) => void reported.push(`${code}: ${alertTexts(code, params).what}`),
      over: async ({ code }) => void reported.push(`${code} over`),
    },
  });
  return { ledger, clock, look, reported, lines };
}

async function placeOf(engine: string) {
  if (engine === 'sqlite') {
    const directory = await mkdtemp(join(tmpdir(), 'fp-time-'));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    return { directory };
  }
  const { url, drop } = await openDatabase();
  onTestFinished(drop);
  return { url };
}

const off = (clock: { now(): Date }) => Math.abs(clock.now().getTime() - Date.now());

describe.each(hasPostgres ? ['sqlite', 'postgresql'] : ['sqlite'])(
  'the time of a process on %s',
  (engine) => {
    test('is that of the server or of the machine, from the start on', async () => {
      const { ledger, clock } = await open(engine, 26 * hour);
      expect(await setClock(ledger, clock)).toBeLessThan(-25 * hour);
      expect(off(clock)).toBeLessThan(2_000);
    });

    test('jumps back once: jobs are due, leases last, and an alert is raised', async () => {
      const { ledger, clock, look, reported } = await open(engine, 26 * hour);
      await ledger.jobs.enqueue(job('runs', { dueAt: clock.now() }));
      const [due] = await ledger.jobs.due(clock.now(), 1, 1);
      await ledger.jobs.release([due?.id ?? ''], clock.now());
      const running = await ledger.jobs.claim(due?.id ?? '', 60_000, clock.now());
      await ledger.jobs.enqueue(job('waits', { dueAt: new Date(clock.now().getTime() + 900_000) }));
      await look();
      expect(off(clock)).toBeLessThan(2_000);
      expect(reported).toEqual([
        'clock-differs: El reloj retrocedió 26 horas de golpe. Lo que esperaba se volvió a programar, y nada se emite dos veces.',
      ]);
      const later = new Date(clock.now().getTime() + 1_000);
      expect(await ledger.jobs.recover(later, 60_000)).toBe(0);
      expect((await ledger.jobs.due(later, 9, 9)).length).toBe(1);
      expect(await ledger.jobs.holds(running?.id ?? '', running?.token ?? '')).toBe(true);
      await look();
      expect(reported).toHaveLength(1);
    });

    test('jumps ahead: what runs is not taken for lost', async () => {
      const { ledger, clock, look, reported } = await open(engine, -26 * hour);
      await ledger.jobs.enqueue(job('runs', { dueAt: clock.now() }));
      const [due] = await ledger.jobs.due(clock.now(), 1, 1);
      await ledger.jobs.release([due?.id ?? ''], clock.now());
      const claimed = await ledger.jobs.claim(due?.id ?? '', 60_000, clock.now());
      await look();
      expect(reported).toEqual([expect.stringMatching(/^clock-differs: El reloj se adelantó 26 horas/)]);
      // On PostgreSQL no process of ours has another time than the server, whose own clock is not ours to move.
      if (engine === 'sqlite') expect(await ledger.jobs.recover(clock.now(), 60_000)).toBe(0);
      expect(claimed).toBeDefined();
    });

    test('a few seconds are taken without a word', async () => {
      const { clock, look, reported, lines } = await open(engine, 20_000);
      await look();
      expect(off(clock)).toBeLessThan(2_000);
      expect([reported, lines]).toEqual([[], []]);
    });

    test('the alert ends after a day', async () => {
      const { ledger, clock, look, reported } = await open(engine, 0);
      const alert = {
        code: 'clock-differs',
        subject: 'reloj',
        params: { why: 'ledger', closes: '' },
      } as const;
      await ledger.alerts.raise(alert, new Date(clock.now().getTime() - 25 * hour));
      await look();
      expect(reported).toEqual(['clock-differs over']);
    });
  },
);
