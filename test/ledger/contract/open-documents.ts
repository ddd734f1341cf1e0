import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../contract.ts';
import { at, document, job, noon, order } from '../samples.ts';
import { claimNext } from './jobs.ts';

/** What leads documents on, and what happens to those nothing leads. */
export function openDocumentsContract(open: OpenLedger): void {
  describe('documents on their way', () => {
    test('those without a job are found in pages, whatever the state of other jobs', async () => {
      const ledger = await open();
      const ids: string[] = [];
      for (const sourceId of ['1', '2', '3', '4', '5']) {
        const made = await ledger.documents.create(document({ sourceId, key: sourceId, state: 'ready' }));
        ids.push(made?.id ?? '');
      }
      const [first = '', second = '', third = '', ...rest] = ids.sort();
      await ledger.jobs.enqueue(job(first));
      await claimNext(ledger);
      // That leads it nowhere.
      await ledger.jobs.enqueue(job(second, { kind: 'write-back', rateLimit: null }));
      await ledger.documents.move(third, { from: ['ready'], to: 'cancelled', now: noon });
      const idle = async (after: string, limit: number) =>
        (await ledger.documents.underWayWithoutJob(after, limit)).map(({ id }) => id);
      expect(await idle('', 9)).toEqual([second, ...rest]);
      expect(await idle('', 1)).toEqual([second]);
      expect(await idle(second, 9)).toEqual(rest);
    });

    test('are counted by their shop', async () => {
      const ledger = await open();
      for (const [sourceId, state] of [
        ['1', 'ready'],
        ['2', 'ready'],
        ['3', 'held'],
      ] as const)
        await ledger.documents.create(document({ sourceId, key: sourceId, state }));
      const { platform, shop } = order;
      expect(await ledger.documents.underWayByShop()).toEqual([
        { platform, shop, storeId: 'tienda', count: 2 },
      ]);
    });

    test('`ensure` adds missing jobs without moving existing ones', async () => {
      const ledger = await open();
      await ledger.jobs.enqueue(job('d1', { dueAt: at(100) }));
      await ledger.jobs.ensure([job('d1', { priority: 5 }), job('d2', { dueAt: at(50) })]);
      await ledger.jobs.ensure([]);
      expect(await ledger.jobs.due(at(100), 9, 9)).toMatchObject([
        { priority: 0, dueAt: at(50).toISOString() },
        { priority: 0, dueAt: at(100).toISOString() },
      ]);
    });

    test('`ensure` does not enqueue a leased job once more', async () => {
      const ledger = await open();
      await ledger.jobs.enqueue(job('d1'));
      const { id, token } = await claimNext(ledger);
      await ledger.jobs.ensure([job('d1')]);
      await ledger.jobs.finish(id, token);
      expect(await ledger.jobs.nextDueAt()).toBeNull();
    });
  });
}
