import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../contract.ts';
import { at, job, noon } from '../samples.ts';

const hour = 3_600_000;
const minute = 60_000;

export function waitsContract(open: OpenLedger): void {
  describe('what a clock that was ahead left waiting', () => {
    async function waiting(jumpedBack: boolean) {
      const ledger = await open();
      const due = {
        'sync-order': at(26 * hour),
        'follow-up': at(24 * hour),
        'deliver-alerts': at(7 * 24 * hour),
      };
      for (const kind of ['sync-order', 'follow-up', 'deliver-alerts'] as const)
        await ledger.jobs.enqueue(job(`wait ${kind}`, { kind, dueAt: due[kind] }));
      await ledger.jobs.endLongWaits(noon, jumpedBack);
      const rows = await ledger.counts.jobs();
      return Object.keys(due).map((kind) => {
        const [first] = rows.flatMap((one) => (one.kind === kind && one.firstDue ? [one.firstDue] : []));
        return (Date.parse(first ?? '') - noon.getTime()) / hour;
      });
    }

    test('is due now where it is further ahead than such a job ever waits', async () => {
      expect(await waiting(false)).toEqual([0, 24, 7 * 24]);
    });

    test('is due now after a jump back, whatever it waits for', async () => {
      expect(await waiting(true)).toEqual([0, 0, 0]);
    });

    test('ends, a lease, a lock and what is asked of a running job', async () => {
      const ledger = await open();
      const ahead = at(26 * hour);
      await ledger.jobs.enqueue(job('runs', { dueAt: noon }));
      const [due] = await ledger.jobs.due(noon, 9, 9);
      await ledger.jobs.release([due?.id ?? ''], noon);
      const claimed = await ledger.jobs.claim(due?.id ?? '', minute, ahead);
      await ledger.jobs.enqueue(job('runs', { dueAt: ahead }));
      const lock = { name: 'orden', now: ahead, until: at(26 * hour + minute) };
      await ledger.locks.take({ ...lock, holder: 'dead' });
      await ledger.jobs.endLongWaits(noon);
      expect(await ledger.jobs.recover(at(9 * minute), minute)).toBe(0);
      const next = { name: 'orden', holder: 'next', until: at(26 * hour) };
      expect(await ledger.locks.take({ ...next, now: at(9 * minute) })).toBe(false);
      expect(await ledger.locks.take({ ...next, now: at(10 * minute) })).toBe(true);
      expect(await ledger.jobs.finish(claimed?.id ?? '', claimed?.token ?? '')).toBe(true);
      expect(await ledger.jobs.nextDueAt()).toEqual(noon);
    });
  });

  describe('jobs that keep failing', () => {
    test('are known by their failures or their age, until one runs well', async () => {
      const ledger = await open();
      await ledger.jobs.enqueue(job('pedido', { kind: 'sync-order', rateLimit: null }));
      const fail = async (ms: number, failedAt: Date | null = at(ms)) => {
        const [due] = await ledger.jobs.due(at(ms), 1, 1);
        await ledger.jobs.release([due?.id ?? ''], at(ms));
        const claimed = await ledger.jobs.claim(due?.id ?? '', 60_000, at(ms));
        if (!claimed) throw new Error('Nothing is due.');
        await ledger.jobs.postpone(claimed.id, claimed.token, {
          dueAt: at(ms),
          failedAt,
          reason: 'No abre.',
        });
      };
      const list = () => ledger.failing.list({ failures: 3, since: at(-1) });
      await fail(1);
      await fail(2);
      expect(await list()).toEqual([]);
      expect(await ledger.failing.list({ failures: 3, since: at(1) })).toHaveLength(1);
      await fail(3);
      expect(await list()).toEqual([
        {
          kind: 'sync-order',
          subject: 'pedido',
          storeId: 'tienda',
          failures: 3,
          since: at(1).toISOString(),
          reason: 'No abre.',
          dueAt: at(3).toISOString(),
        },
      ]);
      await fail(4, null);
      expect(await list()).toEqual([]);
      expect(await ledger.failing.list({ failures: 0, since: at(9) })).toEqual([]);
    });
  });
}
