import { describe, expect, test } from 'vitest';
import { ShopError } from '../../src/domain/errors.ts';
import { type ClaimedWork, done } from '../../src/domain/work.ts';
import type { Claims } from '../../src/ledger/work/tables.ts';
import { clockPassed } from '../../src/queue/waiting.ts';
import { eventually } from '../support/eventually.ts';
import { counting, isIdle, request, type Street } from './house.ts';
import { patientClock } from './patient-clock.ts';
import { recordingLog } from './recording-log.ts';

/** What dispatcher and worker keep on every ledger and transport; `open` gives a fresh street. */
export function dispatchContract(name: string, open: () => Promise<Street>): void {
  describe(`work on ${name}`, () => {
    test('work asked for twice before it runs, runs once', async () => {
      const house = await (await open()).open();
      const { step, runs } = counting();
      await house.ledger.work.ask(request(house.clock, 'pedido'));
      await house.ledger.work.ask(request(house.clock, 'pedido'));
      await house.work(step);
      house.dispatch();
      await eventually(() => isIdle(house.ledger), 'all work done');
      expect(Object.fromEntries(runs)).toEqual({ pedido: 1 });
    });

    test('work asked for while it runs, runs once more', async () => {
      const house = await (await open()).open();
      let runs = 0;
      await house.work(async () => {
        runs += 1;
        if (runs === 1) {
          await house.ledger.work.ask(request(house.clock, 'pedido'));
          await house.ledger.work.ask(request(house.clock, 'pedido'));
        }
        return done;
      });
      house.dispatch();
      await house.ledger.work.ask(request(house.clock, 'pedido'));
      await eventually(async () => runs > 0 && (await isIdle(house.ledger)), 'all work done');
      expect(runs).toBe(2);
    });

    test('each release sends one job', async () => {
      const house = await (await open()).open();
      const sent: string[] = [];
      const transport = {
        ...house.transport,
        send: async (jobs: readonly { id: string }[]) => {
          sent.push(...jobs.map((job) => job.id));
          await house.transport.send(jobs);
        },
      };
      await house.work(counting().step);
      for (let i = 0; i < 30; i += 1) await house.ledger.work.ask(request(house.clock, `p${i}`));
      house.dispatch({ transport });
      await eventually(() => isIdle(house.ledger), 'all work done');
      expect(sent.length).toBe(30);
      expect(new Set(sent).size).toBe(30);
    });

    test('work asked for in this process runs without waiting for a poll', async () => {
      const house = await (await open()).open();
      const { step, runs } = counting();
      await house.work(step);
      // The first poll would come after the wait.
      house.dispatch({ pollMs: 60_000 });
      await new Promise((resolve) => setTimeout(resolve, 60));
      await house.ledger.work.ask(request(house.clock, 'pedido'));
      await eventually(() => runs.size === 1, 'the work');
    });

    test('work of a crashed worker returns after its lease', async () => {
      const house = await (await open()).open();
      const { step, runs } = counting();
      await house.ledger.work.ask(request(house.clock, 'pedido'));
      const [due] = await house.ledger.work.due(house.clock.now(), 1, 1);
      await house.ledger.work.release([due?.id ?? ''], house.clock.now());
      const begun = performance.now();
      const crashed = await house.ledger.work.claim(due?.id ?? '', 400, house.clock.now());
      await house.work(step);
      house.dispatch({ staleAfterMs: 200 });
      await eventually(() => isIdle(house.ledger), 'the work done by somebody else');
      expect(performance.now() - begun).toBeGreaterThan(350);
      expect(runs.get('pedido')).toBe(1);
      expect(await house.ledger.work.finish(crashed?.id ?? '', crashed?.token ?? '', house.clock.now())).toBe(
        false,
      );
    });

    test('a step may run longer than its lease', async () => {
      const clock = patientClock(1);
      const house = await (await open()).open({ clock });
      clock.follow([house]);
      let runs = 0;
      await house.ledger.work.ask(request(clock, 'pedido'));
      await house.work(
        async () => {
          runs += 1;
          await clockPassed(clock, 2_200);
          return done;
        },
        { leaseMs: 1_000 },
      );
      house.dispatch({ staleAfterMs: 1_000 });
      await eventually(() => isIdle(house.ledger), 'the long step');
      expect(runs).toBe(1);
    });

    test('a step that throws comes back later, with its reason kept and its failures counted', async () => {
      const house = await (await open()).open();
      const seen: ClaimedWork[] = [];
      const reasons: unknown[] = [];
      const claims: Claims = {
        ...house.ledger.claims,
        async postpone(id, token, later) {
          reasons.push(
            later.failedAt !== null,
            later.reason,
            later.dueAt.getTime() - house.clock.now().getTime() > 900,
          );
          return house.ledger.claims.postpone(id, token, { ...later, dueAt: house.clock.now() });
        },
      };
      await house.work(
        async (claimed) => {
          seen.push(claimed);
          if (claimed.attempts === 0) throw new TypeError('boom');
          if (claimed.attempts === 1)
            throw new ShopError('shop-away', 'La tienda no responde.', 'No answer.', { retryable: true });
          return done;
        },
        { ledger: { claims } },
      );
      house.dispatch();
      await house.ledger.work.ask(request(house.clock, 'pedido'));
      await eventually(() => seen.length === 3, 'three tries');
      await eventually(() => isIdle(house.ledger), 'the work done');
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

    test('a step that is not ready yet comes back when it said, without a failure', async () => {
      const house = await (await open()).open();
      const seen: { attempts: number; at: number }[] = [];
      await house.work(async (claimed) => {
        seen.push({ attempts: claimed.attempts, at: house.clock.now().getTime() });
        if (seen.length === 2) return done;
        return { kind: 'again', dueAt: new Date(house.clock.now().getTime() + 300), reason: 'todavía no' };
      });
      // No poll comes before the wait is over.
      house.dispatch({ pollMs: 60_000 });
      await house.ledger.work.ask(request(house.clock, 'pedido'));
      await eventually(() => seen.length === 2, 'the second run');
      const [first, second] = seen;
      expect(second?.attempts).toBe(0);
      expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(300);
    });

    test('an error that waiting cannot cure comes back in an hour and is told once at error level', async () => {
      const { log, lines } = recordingLog();
      // An hour is 300 ms.
      const house = await (await open()).open({ rate: 12_000, log });
      const at: number[] = [];
      await house.work(async () => {
        at.push(house.clock.now().getTime());
        if (at.length === 3) return done;
        throw new ShopError('denied', 'Sin permiso.', 'The shop refused us.', { retryable: false });
      });
      house.dispatch({ pollMs: 20 });
      await house.ledger.work.ask(request(house.clock, 'pedido'));
      await eventually(() => at.length === 3, 'three runs');
      const [first = 0, second = 0] = at;
      expect(second - first).toBeGreaterThanOrEqual(3_600_000);
      const told = lines.filter((line) => line.includes('waiting does not cure'));
      expect(told).toEqual([expect.stringMatching(/^error/)]);
    });

    test('an error that knows when to come back is believed', async () => {
      const house = await (await open()).open();
      const at: number[] = [];
      const waits: number[] = [];
      const claims: Claims = {
        ...house.ledger.claims,
        async postpone(id, token, later) {
          waits.push(later.dueAt.getTime() - house.clock.now().getTime());
          return house.ledger.claims.postpone(id, token, later);
        },
      };
      await house.work(
        async () => {
          at.push(house.clock.now().getTime());
          if (at.length === 2) return done;
          throw new ShopError('busy', 'Ocupado.', 'Busy.', { retryable: true, retryAfterMs: 250 });
        },
        { ledger: { claims } },
      );
      house.dispatch({ pollMs: 2_000 });
      await house.ledger.work.ask(request(house.clock, 'pedido'));
      await eventually(() => at.length === 2, 'the second run');
      const [first = 0, second = 0] = at;
      expect(second - first).toBeGreaterThanOrEqual(250);
      expect(waits).toHaveLength(1);
      // Not what we would wait by ourselves, a second or more.
      expect(waits[0]).toBeLessThanOrEqual(250);
    });

    test('jobs of a shop that hang leave a slot for another store, and use no more than their share', async () => {
      const house = await (await open()).open({ concurrency: 8 });
      const gate = Promise.withResolvers<void>();
      const ran: string[] = [];
      await house.work(async ({ storeId }) => {
        ran.push(storeId);
        if (storeId === 'colgada') await gate.promise;
        return done;
      });
      for (let n = 0; n < 40; n += 1)
        await house.ledger.work.ask(request(house.clock, `c${n}`, { storeId: 'colgada' }));
      house.dispatch();
      await eventually(() => ran.length > 0, 'the first that hangs');
      await house.ledger.work.ask(request(house.clock, 'otra', { storeId: 'otra' }));
      await eventually(() => ran.includes('otra'), 'the job of the other store');
      expect(ran.filter((store) => store === 'colgada')).toHaveLength(3);
      gate.resolve();
      await eventually(() => isIdle(house.ledger), 'all work done');
      expect(ran).toHaveLength(41);
    });

    test('behind a half-open circuit breaker one job goes at a time, and none while it is open', async () => {
      const house = await (await open()).open();
      const { ledger, clock } = house;
      const at = (ms: number) => new Date(clock.now().getTime() + ms).toISOString();
      const breaker = { storeId: 'tienda', since: at(0), probes: 0, reason: 'No responde.' };
      await ledger.breakers.put({ ...breaker, retryAt: at(600) });
      let running = 0;
      let most = 0;
      const started: number[] = [];
      const opensAt = clock.now().getTime() + 600;
      await house.work(async () => {
        started.push(clock.now().getTime());
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 30));
        running -= 1;
        return done;
      });
      for (let n = 0; n < 4; n += 1) await ledger.work.ask(request(clock, `p${n}`));
      house.dispatch();
      await eventually(() => isIdle(ledger), 'all work done');
      expect(most).toBe(1);
      expect(Math.min(...started)).toBeGreaterThanOrEqual(opensAt - 5);
    });

    test('stopping finishes what runs and starts nothing more', async () => {
      const house = await (await open()).open({ concurrency: 2 });
      let started = 0;
      let ended = 0;
      const worker = await house.work(async () => {
        started += 1;
        await new Promise((resolve) => setTimeout(resolve, 150));
        ended += 1;
        return done;
      });
      for (let i = 0; i < 10; i += 1) await house.ledger.work.ask(request(house.clock, `p${i}`));
      const dispatcher = house.dispatch();
      await eventually(() => started >= 2, 'two running steps');
      await dispatcher.stop();
      await worker.stop(5_000);
      expect(ended).toBe(started);
      const left = await house.ledger.work.counts();
      expect(left.leased).toBe(0);
      expect(left.waiting + left.released).toBe(10 - ended);
    });

    test('a step that outlives the deadline is left, said so, and taken up by the next worker', async () => {
      const { log, lines } = recordingLog();
      const street = await open();
      const house = await street.open({ log });
      const gate = Promise.withResolvers<void>();
      let started = false;
      const worker = await house.work(
        async () => {
          started = true;
          await gate.promise;
          return done;
        },
        { leaseMs: 300 },
      );
      const dispatcher = house.dispatch();
      await house.ledger.work.ask(request(house.clock, 'pedido'));
      await eventually(() => started, 'the step');
      await dispatcher.stop();
      await worker.stop(50);
      expect(lines.filter((line) => line.includes('Stopped while steps still ran'))).toHaveLength(1);
      const [back] = await eventually(async () => {
        await house.ledger.work.recover(house.clock.now(), 60_000);
        const due = await house.ledger.work.due(house.clock.now(), 1, 1);
        return due.length > 0 && due;
      }, 'the work due again');
      expect(back?.kind).toBe('sync-order');
      gate.resolve();
    });
  });
}
