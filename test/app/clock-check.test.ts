import { randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openClockCheck, setClock } from '../../src/app/clock-check.ts';
import { steadyClock } from '../../src/domain/clock.ts';
import { done, type JobHandler } from '../../src/domain/job.ts';
import { silentLog } from '../../src/domain/ports.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { alertTexts } from '../../src/messages/alerts.ts';
import { startDispatcher } from '../../src/queue/dispatcher.ts';
import { rateLimitsOver } from '../../src/queue/rate-limit.ts';
import { openMemoryTransport } from '../../src/queue/transport.ts';
import { startWorker } from '../../src/queue/worker.ts';
import { job } from '../ledger/samples.ts';
import { temporaryDirectory } from '../ledger/support/processes.ts';
import { eventually } from '../support/eventually.ts';
import { hasPostgres, openDatabase } from '../support/servers.ts';

const minute = 60_000;
const hour = 60 * minute;

/** A process whose clock is so far ahead of its source, and a service that is so far ahead of the source, or away. */
async function open(engine: string, aheadMs: number) {
  const real = steadyClock(
    () => Date.now() + aheadMs,
    () => performance.now(),
  );
  const clock = { now: real.now, real, rate: 1 };
  const ledger = await openLedger(
    { ...(await placeOf(engine)), encryptionKey: randomBytes(32) },
    clock,
    silentLog,
  );
  onTestFinished(() => ledger.close());
  const reported: string[] = [];
  const service: { aheadMs: number | null; others: number[] } = { aheadMs: 0, others: [] };
  const services = () =>
    [service.aheadMs, ...service.others].map((ahead) => ({
      ping: async () =>
        ({ kind: 'alive', date: ahead === null ? null : new Date(Date.now() + ahead - 500) }) as const,
    }));
  const check = openClockCheck({
    ...{ ledger, clock, log: silentLog, restMs: 1_000 },
    services,
    alerts: {
      raise: async ({ code, params }) => void reported.push(`${code}: ${alertTexts(code, params).what}`),
      over: async ({ code }) => void reported.push(`${code} over`),
    },
  });
  return { ledger, clock, check, service, reported };
}

async function placeOf(engine: string) {
  if (engine === 'sqlite') return { directory: temporaryDirectory() };
  const { url, drop } = await openDatabase();
  onTestFinished(drop);
  return { url };
}

const offMinutes = (at: Date) => Math.round((at.getTime() - Date.now()) / minute) || 0;

describe.each(hasPostgres ? ['sqlite', 'postgresql'] : ['sqlite'])(
  'the clock of a process on %s',
  (engine) => {
    test('is that of the server or of the machine, from the start on', async () => {
      const { ledger, clock } = await open(engine, 26 * hour);
      await setClock(ledger, clock);
      expect(offMinutes(clock.now())).toBe(0);
    });

    test('is refused at a start while it differs from the service by five minutes, and named', async () => {
      const { check, service, reported } = await open(engine, 0);
      service.aheadMs = -2 * hour;
      await check.start();
      expect(check.isRight()).toBe(false);
      expect(reported).toEqual([
        'clock-differs: El reloj con el que se trabaja adelanta 120 minutos frente al del servicio de facturación: hasta que coincidan no se emite, no se consulta y no se revisan las tiendas.',
      ]);
    });

    test.each([
      [26 * hour, -26 * 60],
      [3 * minute, -3],
      [-2 * hour, 0],
    ])(
      'ahead of the service by %i ms dates a first start by the earlier of both',
      async (aheadMs, minutes) => {
        const { check, service } = await open(engine, 0);
        service.aheadMs = -aheadMs;
        await check.start();
        expect(offMinutes(check.earlierNow())).toBe(minutes);
      },
    );

    test('is right where one of the services agrees: that of another account has another time', async () => {
      const { check, service, reported } = await open(engine, 0);
      service.others = [2 * hour, -26 * hour];
      await check.start();
      expect(check.isRight()).toBe(true);
      expect(reported).toEqual(['clock-differs over']);
      service.aheadMs = -2 * hour;
      await check.start();
      expect(check.isRight()).toBe(false);
    });

    test('counts as right at a start where no service can be asked', async () => {
      const { check, service, reported } = await open(engine, 0);
      service.aheadMs = null;
      await check.start();
      expect(check.isRight()).toBe(true);
      expect(offMinutes(check.earlierNow())).toBe(0);
      expect(reported).toEqual([]);
    });

    test('does not follow a jump with which the service disagrees, until that is corrected', async () => {
      const { clock, check, service, reported } = await open(engine, 0);
      await check.start();
      // Seen from the process its source jumps a day ahead, and the service stays.
      clock.real.move(-26 * hour);
      service.aheadMs = -26 * hour;
      await check.look();
      expect(check.isRight()).toBe(false);
      expect(offMinutes(clock.now())).toBe(-26 * 60);
      expect(reported.at(-1)).toMatch(/adelanta 1560 minutos/);
      clock.real.move(26 * hour);
      service.aheadMs = 0;
      await check.look();
      expect([check.isRight(), reported.at(-1)]).toEqual([true, 'clock-differs over']);
    });

    test('is refused after a jump until the service was asked', async () => {
      const { clock, check, service, reported } = await open(engine, 26 * hour);
      service.aheadMs = null;
      await check.look();
      expect(check.isRight()).toBe(false);
      expect(offMinutes(clock.now())).toBe(26 * 60);
      expect(reported).toEqual([
        expect.stringMatching(
          /^clock-differs: El reloj cambió de golpe más de un minuto, y el servicio de facturación no/,
        ),
      ]);
    });

    test('jumps back where the service agrees: all that waits is due', async () => {
      const { ledger, clock, check } = await open(engine, 26 * hour);
      await ledger.jobs.enqueue(job('waits', { dueAt: new Date(clock.now().getTime() + 15 * minute) }));
      await check.look();
      expect(offMinutes(clock.now())).toBe(0);
      expect(offMinutes((await ledger.jobs.nextDueAt()) ?? new Date(0))).toBe(0);
      await eventually(check.isRight, 'the leases to be renewed');
    });

    test('a few seconds are taken without a word', async () => {
      const { clock, check, reported } = await open(engine, 20_000);
      await check.start();
      await check.look();
      expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(2_000);
      expect([check.isRight(), reported]).toEqual([true, ['clock-differs over']]);
    });

    test.each([26 * hour, -26 * hour])(
      '%i ms off and then set never runs a job twice at once',
      async (aheadMs) => {
        const { ledger, clock, check } = await open(engine, aheadMs);
        const runs: string[] = [];
        const { promise: ended, resolve: end } = Promise.withResolvers<void>();
        const runJob: JobHandler = async ({ subject }) => {
          runs.push(subject);
          if (subject === 'runs') await ended;
          return done;
        };
        const transport = openMemoryTransport({ concurrency: 4, log: silentLog });
        const parts = { ledger, clock, transport, log: silentLog };
        const worker = await startWorker({ ...parts, runJob, leaseMs: 600 });
        const rateLimits = rateLimitsOver(ledger.rateLimits, parts);
        const dispatcher = startDispatcher({ ...parts, rateLimits, pollMs: 20, mayRelease: check.isRight });
        onTestFinished(() => worker.stop(1_000));
        onTestFinished(() => dispatcher.stop());
        const enqueue = (subject: string) =>
          ledger.jobs.enqueue(job(subject, { kind: 'sync-order', rateLimit: null, dueAt: clock.now() }));
        await enqueue('runs');
        await eventually(() => runs.length === 1, 'the job to run');
        await check.look();
        expect(offMinutes(clock.now())).toBe(0);
        await enqueue('next');
        await eventually(() => runs.length > 1, 'jobs to be released again');
        await eventually(
          async () => (await ledger.jobs.recover(clock.now(), minute)) === 0,
          'no lease to run out',
        );
        expect(runs).toEqual(['runs', 'next']);
        end();
      },
    );
  },
);
