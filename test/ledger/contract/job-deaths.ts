import { describe, expect, test } from 'vitest';
import type { JobKind } from '../../../src/domain/job.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { OpenLedger } from '../contract.ts';
import { at, job } from '../samples.ts';
import { claimNext } from './jobs.ts';

const leaseMs = 1000;

/** A process takes the due job and dies: its lease runs out. Answers the time after. */
async function die(ledger: Ledger, now: number): Promise<number> {
  await claimNext(ledger, at(now), leaseMs);
  await ledger.jobs.recover(at(now + leaseMs), 60_000);
  return now + leaseMs;
}

const heldJob = { kind: 'submit-document', subject: 'd1', storeId: 'tienda' } as const;
const heldOf = async (ledger: Ledger) => (await ledger.jobs.counts()).held;
const dueCount = async (ledger: Ledger, now: number) => (await ledger.jobs.due(at(now), 9, 9)).length;

export function jobDeathsContract(open: OpenLedger): void {
  describe('jobs whose process dies', () => {
    test('the second death in a row holds the job, and nothing but a person brings it back', async () => {
      const ledger = await open();
      await ledger.jobs.enqueue(job('d1'));
      const once = await die(ledger, 0);
      expect(await heldOf(ledger)).toBe(0);
      const twice = await die(ledger, once);
      expect(await ledger.jobs.held()).toEqual([heldJob]);
      await ledger.jobs.enqueue(job('d1', { dueAt: at(0), payload: { n: 2 } }));
      await ledger.jobs.ensure([job('d1')]);
      await ledger.stores.wake('tienda', at(twice));
      await ledger.jobs.recover(at(twice + 3_600_000), 0);
      expect(await dueCount(ledger, twice + 3_600_000)).toBe(0);
      expect(await ledger.jobs.nextDueAt()).toBeNull();
      expect(await ledger.jobs.overdue(at(twice + 1))).toEqual([]);
      expect(await ledger.jobs.existing('submit-document', ['d1'])).toEqual(new Set(['d1']));
      expect(await ledger.failing.list({ failures: 1, since: at(twice) })).toEqual([]);
      const freed = await ledger.jobs.free({ subjects: ['d1', 'd2'] }, at(twice));
      expect(freed).toEqual([{ kind: 'submit-document', subject: 'd1' }]);
      expect(await claimNext(ledger, at(twice))).toMatchObject({ attempts: 0, payload: { n: 2 } });
    });

    test.each(['deliver-alerts', 'probe-account'] as const)(
      '%s is never held: it waits longer and longer',
      async (kind) => {
        const ledger = await open();
        await ledger.jobs.enqueue(job('d1', { kind, rateLimit: null }));
        let now = 0;
        for (const minutes of [0, 1, 5, 15, 15]) {
          now = await die(ledger, now);
          expect(await ledger.jobs.held()).toEqual([]);
          if (minutes > 0) expect(await dueCount(ledger, now + minutes * 60_000 - 1)).toBe(0);
          now += minutes * 60_000;
          expect(await dueCount(ledger, now)).toBe(1);
        }
      },
    );

    test('freed, it may die once more before it is held again', async () => {
      const ledger = await open();
      await ledger.jobs.enqueue(job('d1'));
      const now = await die(ledger, await die(ledger, 0));
      const other: JobKind = 'follow-up';
      expect(await ledger.jobs.free({ kind: other, subjects: ['d1'] }, at(now))).toEqual([]);
      await ledger.jobs.free({ kind: 'submit-document', subjects: ['d1'] }, at(now));
      const again = await die(ledger, now);
      expect(await heldOf(ledger)).toBe(0);
      await die(ledger, again);
      expect(await heldOf(ledger)).toBe(1);
    });

    test('a run that ends, well or in an error, begins a new count', async () => {
      for (const failedAt of [null, at(0)]) {
        const ledger = await open();
        await ledger.jobs.enqueue(job('d1'));
        const now = await die(ledger, 0);
        const { id, token } = await claimNext(ledger, at(now));
        await ledger.jobs.postpone(id, token, { dueAt: at(now), failedAt, reason: 'x' });
        const then = await die(ledger, now);
        const run = await claimNext(ledger, at(then));
        await ledger.jobs.enqueue(job('d1', { dueAt: at(then) }));
        await ledger.jobs.finish(run.id, run.token);
        await die(ledger, then);
        expect(await heldOf(ledger)).toBe(0);
      }
    });

    test('a process that stops while it still runs has not died', async () => {
      const ledger = await open();
      await ledger.jobs.enqueue(job('d1'));
      let now = 0;
      for (let stops = 0; stops < 3; stops += 1) {
        const { id, token } = await claimNext(ledger, at(now), leaseMs);
        await ledger.jobs.leaveRunning(id, token);
        now += leaseMs;
        await ledger.jobs.recover(at(now), 60_000);
      }
      await die(ledger, now);
      expect(await heldOf(ledger)).toBe(0);
    });

    test('a process that stops after a death begins a new count', async () => {
      const ledger = await open();
      await ledger.jobs.enqueue(job('d1'));
      const now = await die(ledger, 0);
      const { id, token } = await claimNext(ledger, at(now), leaseMs);
      await ledger.jobs.leaveRunning(id, token);
      await ledger.jobs.recover(at(now + leaseMs), 60_000);
      const then = await die(ledger, now + leaseMs);
      expect(await heldOf(ledger)).toBe(0);
      await die(ledger, then);
      expect(await heldOf(ledger)).toBe(1);
    });

    test('a worker that lost its lease and lives takes the death back, and the hold with it', async () => {
      const ledger = await open();
      await ledger.jobs.enqueue(job('d1'));
      const { id } = await claimNext(ledger, at(0), leaseMs);
      await ledger.jobs.recover(at(leaseMs), 60_000);
      await ledger.jobs.survived(id);
      const now = await die(ledger, leaseMs);
      expect(await heldOf(ledger)).toBe(0);
      const later = await die(ledger, now);
      expect(await heldOf(ledger)).toBe(1);
      await ledger.jobs.survived(id);
      expect(await dueCount(ledger, later)).toBe(1);
    });

    test('of the jobs that ran beside the one that killed the process, one at a time runs again', async () => {
      const ledger = await open();
      for (const subject of ['d1', 'd2', 'd3'])
        await ledger.jobs.enqueue(job(subject, { storeId: `tienda-${subject}` }));
      for (let n = 0; n < 3; n += 1) await claimNext(ledger, at(0), leaseMs);
      await ledger.jobs.recover(at(leaseMs), 60_000);
      await ledger.jobs.enqueue(job('d4', { dueAt: at(0) }));
      expect(await dueCount(ledger, leaseMs)).toBe(2);
      const suspect = await claimNext(ledger, at(leaseMs));
      expect(await dueCount(ledger, leaseMs)).toBe(1);
      const innocent = await claimNext(ledger, at(leaseMs));
      expect([suspect.attempts, innocent.attempts].sort()).toEqual([0, 1]);
      for (const { id, token } of [suspect, innocent]) await ledger.jobs.finish(id, token);
      expect(await dueCount(ledger, leaseMs)).toBe(1);
    });

    test('a job that ran when a process died keeps other such jobs back for its first five seconds', async () => {
      const ledger = await open();
      for (const subject of ['d1', 'd2', 'd3'])
        await ledger.jobs.enqueue(job(subject, { storeId: `tienda-${subject}` }));
      for (let n = 0; n < 3; n += 1) await claimNext(ledger, at(0), leaseMs);
      await ledger.jobs.recover(at(leaseMs), 60_000);
      const minute = 60_000;
      for (let n = 0; n < 3; n += 1) {
        const begun = leaseMs + n * 5_000;
        const [{ id = '' } = {}] = await ledger.jobs.due(at(begun), 9, 9);
        await ledger.jobs.release([id], at(begun - 1_000));
        await ledger.jobs.claim(id, minute, at(begun));
        expect(await dueCount(ledger, begun + 4_999)).toBe(0);
      }
      expect((await ledger.jobs.counts()).leased).toBe(3);
    });

    test('a held job that is no longer needed is forgotten', async () => {
      const ledger = await open();
      await ledger.jobs.enqueue(job('d1'));
      await die(ledger, await die(ledger, 0));
      await ledger.jobs.forget('submit-document', 'd1');
      expect(await ledger.jobs.held()).toEqual([]);
    });
  });
}
