import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../contract.ts';
import { at, document, noon, order, work } from '../samples.ts';
import { claimNext } from './work.ts';

/** What leads documents on, and what happens to those nothing leads. */
export function openDocumentsContract(open: OpenLedger): void {
  describe('documents on their way', () => {
    test('those without work are found in pages, whoever holds the work of the others', async () => {
      const ledger = await open();
      const ids: string[] = [];
      for (const sourceId of ['1', '2', '3', '4', '5']) {
        const made = await ledger.documents.create(document({ sourceId, key: sourceId, state: 'ready' }));
        ids.push(made?.id ?? '');
      }
      const [first = '', second = '', third = '', ...rest] = ids.sort();
      await ledger.work.ask(work(first));
      await claimNext(ledger);
      // That leads it nowhere.
      await ledger.work.ask(work(second, { kind: 'write-back', budget: null }));
      await ledger.documents.move(third, { from: ['ready'], to: 'cancelled', now: noon });
      const idle = async (after: string, limit: number) =>
        (await ledger.openDocuments.withoutWork(after, limit)).map(({ id }) => id);
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
      expect(await ledger.openDocuments.byShop()).toEqual([{ platform, shop, storeId: 'tienda', count: 2 }]);
    });

    test('work is made sure of without moving what is known', async () => {
      const ledger = await open();
      await ledger.work.ask(work('d1', { dueAt: at(100) }));
      await ledger.work.ensure([work('d1', { priority: 5 }), work('d2', { dueAt: at(50) })]);
      await ledger.work.ensure([]);
      expect(await ledger.work.due(at(100), 9, 9)).toMatchObject([
        { priority: 0, dueAt: at(50).toISOString() },
        { priority: 0, dueAt: at(100).toISOString() },
      ]);
    });

    test('work somebody has in hand is not asked for once more by being made sure of', async () => {
      const ledger = await open();
      await ledger.work.ask(work('d1'));
      const { id, token } = await claimNext(ledger);
      await ledger.work.ensure([work('d1')]);
      await ledger.work.finish(id, token, noon);
      expect(await ledger.work.nextDueAt()).toBeNull();
    });
  });
}
