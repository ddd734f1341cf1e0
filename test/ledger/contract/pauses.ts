import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../contract.ts';
import { at, job, noon } from '../samples.ts';

export function pausesContract(open: OpenLedger): void {
  describe('pauses of accounts', () => {
    const production = { account: 'cuenta', ambiente: 2, cause: 'credits' } as const;
    const all = { account: 'cuenta', ambiente: null, cause: 'api-key' } as const;

    test('of many that begin the same pause one is first; another cause takes its place', async () => {
      const { pauses } = await open();
      const begun = await Promise.all(
        Array.from({ length: 10 }, () => pauses.begin({ ...production, now: noon })),
      );
      expect(begun.filter(Boolean)).toHaveLength(1);
      await pauses.probed('cuenta', 2);
      expect(await pauses.list()).toEqual([{ ...production, since: noon.toISOString(), probes: 1 }]);
      expect(await pauses.begin({ ...production, cause: 'provider-data', now: at(5) })).toBe(true);
      expect(await pauses.get('cuenta', 2)).toMatchObject({ cause: 'provider-data', probes: 0 });
      expect(await pauses.end(production)).toBe(false);
      expect(await pauses.end({ ...production, cause: 'provider-data' })).toBe(true);
      expect(await pauses.list()).toEqual([]);
    });

    test('without credits only emissions of production wait; everything else goes on', async () => {
      const ledger = await open();
      const of = (id: string, ambiente: 1 | 2) => ({ account: { id, ambiente } });
      await ledger.jobs.enqueue(job('mine', of('cuenta', 2)));
      await ledger.jobs.enqueue(job('test', of('cuenta', 1)));
      await ledger.jobs.enqueue(job('mine', { ...of('cuenta', 2), kind: 'follow-up' }));
      await ledger.jobs.enqueue(job('mine', { ...of('cuenta', 2), kind: 'write-back', rateLimit: null }));
      await ledger.jobs.enqueue(job('other', of('cuenta-2', 2)));
      await ledger.pauses.begin({ ...production, now: noon });
      const due = await ledger.jobs.due(noon, 9, 99);
      expect(due.map((it) => it.partition).sort()).toEqual([
        'emission/cuenta-2/2/tienda/key-a',
        'emission/cuenta/1/tienda/key-a',
        'question/cuenta/2/tienda/key-a',
        'shop:tienda/write-back',
      ]);
      expect(await ledger.pauses.shuts('cuenta', 2)).toBe(true);
      expect(await ledger.pauses.shuts('cuenta', 1)).toBe(false);
      expect(await ledger.pauses.shuts('cuenta-2', 2)).toBe(false);
    });

    test('due jobs are found as fast with many paused accounts', async () => {
      const ledger = await open();
      const count = 600;
      const names = Array.from({ length: count }, (_, n) => `n${n}`);
      await ledger.transaction(async (tables) => {
        for (const name of names) {
          const of = { storeId: name, account: { id: name, ambiente: 2 } } as const;
          await tables.jobs.enqueue(job(name, of));
          await tables.jobs.enqueue(job(name, { ...of, kind: 'sync-order', rateLimit: null }));
        }
      });
      const look = async () => {
        const times: number[] = [];
        let found = 0;
        for (let n = 0; n < 5; n += 1) {
          const began = performance.now();
          found = (await ledger.jobs.due(noon, 4, 9_999)).length;
          times.push(performance.now() - began);
        }
        return { found, ms: Math.min(...times) };
      };
      const before = await look();
      await ledger.transaction(async ({ pauses }) => {
        for (const account of names)
          await pauses.begin({ account, ambiente: null, cause: 'service', now: noon });
      });
      const after = await look();
      expect([before.found, after.found]).toEqual([2 * count, count]);
      expect(after.ms).toBeLessThan(2 * before.ms);
    });

    test('with a wrong key emissions and questions of both ambientes wait, in order', async () => {
      const ledger = await open();
      const account = { id: 'cuenta', ambiente: 1 } as const;
      for (const [n, subject] of ['c', 'a', 'b'].entries())
        await ledger.jobs.enqueue(job(subject, { account, dueAt: at(n), storeId: subject }));
      await ledger.jobs.enqueue(job('q', { account, kind: 'follow-up' }));
      await ledger.pauses.begin({ ...all, now: noon });
      expect(await ledger.jobs.due(at(9), 9, 99)).toEqual([]);
      expect(await ledger.pauses.firstWaiting('cuenta', null, at(9), 2)).toEqual(['c', 'a']);
      expect(await ledger.pauses.firstWaiting('cuenta', null, at(0), 9)).toEqual(['c']);
      expect(await ledger.pauses.firstWaiting('cuenta', 2, at(9), 9)).toEqual([]);
      await ledger.pauses.end(all);
      expect(await ledger.jobs.due(at(9), 9, 99)).toHaveLength(4);
    });
  });
}
