import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../contract.ts';
import { at, job, noon } from '../samples.ts';

export function breakersContract(open: OpenLedger): void {
  describe('circuit breakers of shops', () => {
    const breaker = {
      storeId: 'tienda',
      since: noon.toISOString(),
      retryAt: at(30_000).toISOString(),
      probes: 0,
      reason: 'La tienda tardó demasiado.',
    };
    const free = (storeId: string) => ({ storeId, rateLimit: null });

    test('an open one is kept until it is closed; closing it twice closes it once', async () => {
      const { breakers } = await open();
      expect(await breakers.get('tienda')).toBeUndefined();
      await breakers.put(breaker);
      await breakers.put({ ...breaker, probes: 1 });
      expect(await breakers.get('tienda')).toEqual({ ...breaker, probes: 1 });
      expect(await breakers.list()).toEqual([{ ...breaker, probes: 1 }]);
      expect(await breakers.close('tienda')).toBe(true);
      expect(await breakers.close('tienda')).toBe(false);
      expect(await breakers.list()).toEqual([]);
    });

    test('one of a store nobody tries any more is forgotten when another one opens', async () => {
      const { breakers } = await open();
      await breakers.put(breaker);
      const later = at(8 * 24 * 3_600_000);
      await breakers.put({
        ...breaker,
        storeId: 'otra',
        since: later.toISOString(),
        retryAt: later.toISOString(),
      });
      expect((await breakers.list()).map(({ storeId }) => storeId)).toEqual(['otra']);
    });

    test('what calls the shop waits behind it; all else of the store and other stores go on', async () => {
      const ledger = await open();
      const account = { id: 'cuenta', ambiente: 2 } as const;
      await ledger.jobs.enqueue(job('order', { kind: 'sync-order', ...free('tienda') }));
      await ledger.jobs.enqueue(job('written', { kind: 'write-back', ...free('tienda') }));
      await ledger.jobs.enqueue(job('search', { kind: 'reconciliation', ...free('tienda') }));
      await ledger.jobs.enqueue(job('settled', { kind: 'settle-document', ...free('tienda') }));
      await ledger.jobs.enqueue(job('notified', { kind: 'shop-event', ...free('tienda') }));
      await ledger.jobs.enqueue(job('sent', { account }));
      await ledger.jobs.enqueue(job('other', { kind: 'sync-order', ...free('tienda-2') }));
      await ledger.jobs.enqueue(job('other search', { kind: 'reconciliation', ...free('tienda-2') }));
      await ledger.breakers.put(breaker);
      const due = async (ms: number) =>
        (await ledger.jobs.due(at(ms), 9, 99)).map(
          ({ kind, storeId, probe }) => `${kind} ${storeId}${probe ? '?' : ''}`,
        );
      const others = [
        'settle-document tienda',
        'shop-event tienda',
        'submit-document tienda',
        'reconciliation tienda-2',
        'sync-order tienda-2',
      ];
      expect((await due(29_999)).sort()).toEqual(others.sort());
      // Half-open.
      const tried = ['sync-order tienda?', 'reconciliation tienda?', 'write-back tienda?'];
      expect((await due(30_000)).sort()).toEqual([...others, ...tried].sort());
      await ledger.breakers.close('tienda');
      expect((await due(0)).sort()).toEqual([...others, ...tried.map((one) => one.slice(0, -1))].sort());
    });

    test('a search of a silent shop hides none of those behind it', async () => {
      const ledger = await open();
      for (let n = 0; n < 5; n += 1) {
        const storeId = `muda-${n}`;
        await ledger.jobs.enqueue(job(storeId, { kind: 'reconciliation', ...free(storeId) }));
        await ledger.breakers.put({ ...breaker, storeId });
      }
      await ledger.jobs.enqueue(job('loud', { kind: 'reconciliation', ...free('otra'), dueAt: at(1_000) }));
      expect((await ledger.jobs.due(at(2_000), 4, 99)).map(({ storeId }) => storeId)).toEqual(['otra']);
    });

    test('of what was handed over the ledger says what is not over', async () => {
      const ledger = await open();
      for (const subject of ['waits', 'released', 'runs', 'done'])
        await ledger.jobs.enqueue(job(subject, { kind: 'sync-order', ...free(subject) }));
      const ids = new Map((await ledger.jobs.due(noon, 1, 9)).map(({ id, storeId }) => [storeId, id]));
      const idOf = (subject: string) => ids.get(subject) ?? '';
      await ledger.jobs.release(['released', 'runs', 'done'].map(idOf), noon);
      await ledger.jobs.claim(idOf('runs'), 60_000, noon);
      const claimed = await ledger.jobs.claim(idOf('done'), 60_000, noon);
      await ledger.jobs.finish(idOf('done'), claimed?.token ?? '');
      expect(await ledger.jobs.unfinished([...ids.values(), 'nobody'])).toEqual(
        new Set(['released', 'runs'].map(idOf)),
      );
      expect(await ledger.jobs.unfinished([])).toEqual(new Set());
    });
  });
}
