import { describe, expect, test } from 'vitest';
import { ShopError } from '../../src/domain/errors.ts';
import { type ClaimedJob, done } from '../../src/domain/job.ts';
import type { Claims } from '../../src/ledger/jobs.ts';
import { clockPassed } from '../../src/queue/worker.ts';
import { eventually } from '../support/eventually.ts';
import { counting, type Deployment, isIdle, request } from './installation.ts';
import { patientClock } from './patient-clock.ts';
import { recordingLog } from './recording-log.ts';

/** What dispatcher and worker keep on every ledger and transport; `open` gives a fresh deployment. */
export function dispatchContract(name: string, open: () => Promise<Deployment>): void {
  describe(`jobs on ${name}`, () => {
    test('a job enqueued twice before it runs, runs once', async () => {
      const installation = await (await open()).open();
      const { handler, runs } = counting();
      await installation.ledger.jobs.enqueue(request(installation.clock, 'pedido'));
      await installation.ledger.jobs.enqueue(request(installation.clock, 'pedido'));
      await installation.jobs(handler);
      installation.dispatch();
      await eventually(() => isIdle(installation.ledger), 'all jobs done');
      expect(Object.fromEntries(runs)).toEqual({ pedido: 1 });
    });

    test('a job enqueued while it runs, runs once more', async () => {
      const installation = await (await open()).open();
      let runs = 0;
      await installation.jobs(async () => {
        runs += 1;
        if (runs === 1) {
          await installation.ledger.jobs.enqueue(request(installation.clock, 'pedido'));
          await installation.ledger.jobs.enqueue(request(installation.clock, 'pedido'));
        }
        return done;
      });
      installation.dispatch();
      await installation.ledger.jobs.enqueue(request(installation.clock, 'pedido'));
      await eventually(async () => runs > 0 && (await isIdle(installation.ledger)), 'all jobs done');
      expect(runs).toBe(2);
    });

    test('each release sends one job', async () => {
      const installation = await (await open()).open();
      const sent: string[] = [];
      const transport = {
        ...installation.transport,
        send: async (jobs: readonly { id: string }[]) => {
          sent.push(...jobs.map((job) => job.id));
          await installation.transport.send(jobs);
        },
      };
      await installation.jobs(counting().handler);
      for (let i = 0; i < 30; i += 1)
        await installation.ledger.jobs.enqueue(request(installation.clock, `p${i}`));
      installation.dispatch({ transport });
      await eventually(() => isIdle(installation.ledger), 'all jobs done');
      expect(sent.length).toBe(30);
      expect(new Set(sent).size).toBe(30);
    });

    test('what is due leaves as soon as the transport answers, at a start and after an outage', async () => {
      const installation = await (await open()).open();
      const { handler, runs } = counting();
      let answers = false;
      let refused = 0;
      const refusing = async () => {
        if (answers) return;
        refused += 1;
        throw new Error('The transport is away.');
      };
      const transport = {
        ...installation.transport,
        check: refusing,
        send: async (jobs: readonly { id: string }[]) => {
          await refusing();
          await installation.transport.send(jobs);
        },
      };
      await installation.jobs(handler);
      await installation.ledger.jobs.enqueue(request(installation.clock, 'first'));
      installation.dispatch({ transport });
      answers = true;
      await eventually(() => runs.has('first'), 'the job of the start', 5_000);
      answers = false;
      await installation.ledger.jobs.enqueue(request(installation.clock, 'second'));
      const before = refused;
      await eventually(() => refused > before, 'the dispatcher to meet the outage', 5_000);
      await eventually(
        async () => (await installation.ledger.jobs.counts()).released === 0,
        'the job to wait in the ledger',
        5_000,
      );
      answers = true;
      await eventually(() => runs.has('second'), 'the job after the outage', 5_000);
    });

    test('a job enqueued in this process runs without waiting for a poll', async () => {
      const installation = await (await open()).open();
      const { handler, runs } = counting();
      await installation.jobs(handler);
      let looks = 0;
      const jobs = {
        ...installation.ledger.jobs,
        nextDueAt: (now: Date) => {
          looks += 1;
          return installation.ledger.jobs.nextDueAt(now);
        },
      };
      installation.dispatch({ ledger: { jobs, onJob: installation.ledger.onJob }, pollMs: 60_000 });
      await eventually(() => looks > 0, 'the first look, which finds nothing');
      await installation.ledger.jobs.enqueue(request(installation.clock, 'pedido'));
      await eventually(() => runs.size === 1, 'the job');
    });

    test('the job of a crashed worker runs again after its lease', async () => {
      const installation = await (await open()).open();
      const { handler, runs } = counting();
      await installation.ledger.jobs.enqueue(request(installation.clock, 'pedido'));
      const [due] = await installation.ledger.jobs.due(installation.clock.now(), 1, 1);
      await installation.ledger.jobs.release([due?.id ?? ''], installation.clock.now());
      const begun = performance.now();
      const crashed = await installation.ledger.jobs.claim(due?.id ?? '', 400, installation.clock.now());
      await installation.jobs(handler);
      installation.dispatch({ staleAfterMs: 200 });
      await eventually(() => isIdle(installation.ledger), 'the job done by another worker');
      expect(performance.now() - begun).toBeGreaterThan(350);
      expect(runs.get('pedido')).toBe(1);
      expect(await installation.ledger.jobs.finish(crashed?.id ?? '', crashed?.token ?? '')).toBe(false);
    });

    test('a job may run longer than its lease', async () => {
      const clock = patientClock(1);
      const installation = await (await open()).open({ clock });
      clock.follow([installation]);
      let runs = 0;
      await installation.ledger.jobs.enqueue(request(clock, 'pedido'));
      await installation.jobs(
        async () => {
          runs += 1;
          await clockPassed(clock, 2_200);
          return done;
        },
        { leaseMs: 1_000 },
      );
      installation.dispatch({ staleAfterMs: 1_000 });
      await eventually(() => isIdle(installation.ledger), 'the long job');
      expect(runs).toBe(1);
    });

    test('a job that throws is retried later, with its reason stored and its failures counted', async () => {
      const installation = await (await open()).open();
      const seen: ClaimedJob[] = [];
      const reasons: unknown[] = [];
      const claims: Claims = {
        ...installation.ledger.jobs,
        async postpone(id, token, later) {
          reasons.push(
            later.failedAt !== null,
            later.reason,
            later.dueAt.getTime() - installation.clock.now().getTime() > 900,
          );
          return installation.ledger.jobs.postpone(id, token, {
            ...later,
            dueAt: installation.clock.now(),
          });
        },
      };
      await installation.jobs(
        async (claimed) => {
          seen.push(claimed);
          if (claimed.attempts === 0) throw new TypeError('boom');
          if (claimed.attempts === 1)
            throw new ShopError('shop-away', { message: 'La tienda no responde.' }, { retryable: true });
          return done;
        },
        { ledger: { jobs: claims } },
      );
      installation.dispatch();
      await installation.ledger.jobs.enqueue(request(installation.clock, 'pedido'));
      await eventually(() => seen.length === 3, 'three tries');
      await eventually(() => isIdle(installation.ledger), 'the job done');
      expect(seen.map((claimed) => claimed.attempts)).toEqual([0, 1, 2]);
      expect(reasons).toEqual([
        true,
        'TypeError: boom',
        true,
        true,
        'shop-away: La tienda no responde.',
        true,
      ]);
    });

    test('a job that is not ready yet runs again at its due time, without a failure', async () => {
      const installation = await (await open()).open();
      const seen: { attempts: number; at: number }[] = [];
      await installation.jobs(async (claimed) => {
        seen.push({ attempts: claimed.attempts, at: installation.clock.now().getTime() });
        if (seen.length === 2) return done;
        return {
          kind: 'again',
          dueAt: new Date(installation.clock.now().getTime() + 300),
          reason: 'todavía no',
        };
      });
      // No poll comes before the wait is over.
      installation.dispatch({ pollMs: 60_000 });
      await installation.ledger.jobs.enqueue(request(installation.clock, 'pedido'));
      await eventually(() => seen.length === 2, 'the second run');
      const [first, second] = seen;
      expect(second?.attempts).toBe(0);
      expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(300);
    });

    test('an error that waiting cannot resolve is retried in an hour and logged once at error level', async () => {
      const { log, lines } = recordingLog();
      // An hour is 300 ms.
      const installation = await (await open()).open({ rate: 12_000, log });
      const at: number[] = [];
      await installation.jobs(async () => {
        at.push(installation.clock.now().getTime());
        if (at.length === 3) return done;
        throw new ShopError('denied', { message: 'Sin permiso.' }, { retryable: false });
      });
      installation.dispatch({ pollMs: 20 });
      await installation.ledger.jobs.enqueue(request(installation.clock, 'pedido'));
      await eventually(() => at.length === 3, 'three runs');
      const [first = 0, second = 0] = at;
      expect(second - first).toBeGreaterThanOrEqual(3_600_000);
      const reported = lines.filter((line) => line.includes('waiting does not resolve'));
      expect(reported).toEqual([expect.stringMatching(/^error/)]);
    });

    test('an error that names its retry time is followed', async () => {
      const installation = await (await open()).open();
      const at: number[] = [];
      const waits: number[] = [];
      const claims: Claims = {
        ...installation.ledger.jobs,
        async postpone(id, token, later) {
          waits.push(later.dueAt.getTime() - installation.clock.now().getTime());
          return installation.ledger.jobs.postpone(id, token, later);
        },
      };
      await installation.jobs(
        async () => {
          at.push(installation.clock.now().getTime());
          if (at.length === 2) return done;
          throw new ShopError('busy', { message: 'Ocupado.' }, { retryable: true, retryAfterMs: 250 });
        },
        { ledger: { jobs: claims } },
      );
      installation.dispatch({ pollMs: 2_000 });
      await installation.ledger.jobs.enqueue(request(installation.clock, 'pedido'));
      await eventually(() => at.length === 2, 'the second run');
      const [first = 0, second = 0] = at;
      expect(second - first).toBeGreaterThanOrEqual(250);
      expect(waits).toHaveLength(1);
      // Not what we would wait by ourselves, a second or more.
      expect(waits[0]).toBeLessThanOrEqual(250);
    });

    test('jobs of a shop that hang leave a slot for another store, and use no more than their share', async () => {
      const installation = await (await open()).open({ concurrency: 8 });
      const gate = Promise.withResolvers<void>();
      const ran: string[] = [];
      await installation.jobs(async ({ storeId }) => {
        ran.push(storeId);
        if (storeId === 'colgada') await gate.promise;
        return done;
      });
      for (let n = 0; n < 40; n += 1)
        await installation.ledger.jobs.enqueue(request(installation.clock, `c${n}`, { storeId: 'colgada' }));
      installation.dispatch();
      await eventually(() => ran.length > 0, 'the first that hangs');
      await installation.ledger.jobs.enqueue(request(installation.clock, 'otra', { storeId: 'otra' }));
      await eventually(() => ran.includes('otra'), 'the job of the other store');
      expect(ran.filter((store) => store === 'colgada')).toHaveLength(3);
      gate.resolve();
      await eventually(() => isIdle(installation.ledger), 'all jobs done');
      expect(ran).toHaveLength(41);
    });

    test('stopping finishes what runs and starts nothing more', async () => {
      const installation = await (await open()).open({ concurrency: 2 });
      let started = 0;
      let ended = 0;
      const gate = Promise.withResolvers<void>();
      const worker = await installation.jobs(async () => {
        started += 1;
        await gate.promise;
        ended += 1;
        return done;
      });
      for (let i = 0; i < 10; i += 1)
        await installation.ledger.jobs.enqueue(request(installation.clock, `p${i}`));
      const dispatcher = installation.dispatch();
      await eventually(() => started > 0, 'a job that runs');
      await dispatcher.stop();
      const stopped = worker.stop(5_000);
      gate.resolve();
      await stopped;
      expect(ended).toBe(started);
      const left = await installation.ledger.jobs.counts();
      expect(left.leased).toBe(0);
      expect(left.waiting + left.released).toBe(10 - ended);
    });

    test('a job whose worker lost the lease and lives is not held, even if it was taken for dead twice', async () => {
      const { ledger, clock, jobs, dispatch } = await (await open()).open();
      const gate = Promise.withResolvers<void>();
      let started = false;
      await jobs(async () => {
        started = true;
        await gate.promise;
        return done;
      });
      const dispatcher = dispatch();
      await ledger.jobs.enqueue(request(clock, 'pedido'));
      await eventually(() => started, 'the job');
      await dispatcher.stop();
      const afterLease = new Date(clock.now().getTime() + 3_600_000);
      await ledger.jobs.recover(afterLease, 60_000);
      const [{ id = '' } = {}] = await ledger.jobs.due(clock.now(), 1, 1);
      await ledger.jobs.release([id], clock.now());
      await ledger.jobs.claim(id, 1, clock.now());
      await ledger.jobs.recover(afterLease, 60_000);
      expect(await ledger.jobs.counts()).toMatchObject({ held: 1 });
      gate.resolve();
      await eventually(async () => (await ledger.jobs.counts()).held === 0, 'the job to be free');
      expect(await ledger.jobs.counts()).toMatchObject({ waiting: 1 });
    });

    test('a job that runs beyond the deadline is logged and claimed by the next worker, and counts as no death', async () => {
      const { log, lines } = recordingLog();
      const deployment = await open();
      const installation = await deployment.open({ log });
      const gate = Promise.withResolvers<void>();
      let started = false;
      const worker = await installation.jobs(
        async () => {
          started = true;
          await gate.promise;
          return done;
        },
        { leaseMs: 300 },
      );
      const dispatcher = installation.dispatch();
      await installation.ledger.jobs.enqueue(request(installation.clock, 'pedido'));
      await eventually(() => started, 'the job');
      await dispatcher.stop();
      await worker.stop(50);
      expect(lines.filter((line) => line.includes('Stopped while jobs still ran'))).toHaveLength(1);
      const { ledger, clock } = installation;
      const lost = () =>
        eventually(async () => {
          await ledger.jobs.recover(clock.now(), 60_000);
          const { leased } = await ledger.jobs.counts();
          return leased === 0;
        }, 'the end of its lease');
      await lost();
      const [back] = await ledger.jobs.due(clock.now(), 1, 1);
      expect(back?.kind).toBe('sync-order');
      await ledger.jobs.release([back?.id ?? ''], clock.now());
      await ledger.jobs.claim(back?.id ?? '', 1, clock.now());
      await lost();
      expect(await ledger.jobs.counts()).toMatchObject({ waiting: 1, held: 0 });
      gate.resolve();
    });
  });
}
