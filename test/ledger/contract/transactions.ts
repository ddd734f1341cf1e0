import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../contract.ts';
import { at, delivery, document, job, noon } from '../samples.ts';

export function transactionsContract(open: OpenLedger): void {
  describe('transactions', () => {
    test('all of it stands or none of it', async () => {
      const ledger = await open();
      const failed = ledger.transaction(async (tables) => {
        await tables.documents.create(document());
        await tables.jobs.enqueue(job());
        throw new Error('on purpose');
      });
      await expect(failed).rejects.toThrow('on purpose');
      expect(await ledger.documents.list({ limit: 9 })).toEqual([]);
      expect(await ledger.jobs.nextDueAt()).toBeNull();
    });

    test('its tables read what it wrote, and its answer is handed on', async () => {
      const ledger = await open();
      const answer = await ledger.transaction(async (tables) => {
        const made = await tables.documents.create(document());
        return tables.documents.get(made?.id ?? '');
      });
      expect(answer).toMatchObject({ secuencial: '000000001' });
    });

    test('they follow one another, deliveries among them', async () => {
      const ledger = await open();
      const each = Array.from({ length: 20 }, (_, n) =>
        n % 2 === 0
          ? ledger.accept(delivery(`k${n}`))
          : ledger.transaction((tables) => tables.documents.create(document({ ordinal: n }))),
      );
      await Promise.all(each);
      expect(await ledger.documents.list({ limit: 99 })).toHaveLength(10);
    });

    test('using the ledger itself inside one is an error instead of a standstill', async () => {
      const ledger = await open();
      const nested = ledger.transaction(async () => ledger.jobs.counts());
      await expect(nested).rejects.toMatchObject({
        code: 'internal',
        params: expect.objectContaining({ why: 'transaction' }),
      });
      const twice = ledger.transaction(async () => ledger.transaction(async () => 1));
      await expect(twice).rejects.toMatchObject({
        code: 'internal',
        params: expect.objectContaining({ why: 'transaction' }),
      });
      const endpoint = ledger.transaction(async () => ledger.accept(delivery('a')));
      await expect(endpoint).rejects.toMatchObject({
        code: 'internal',
        params: expect.objectContaining({ why: 'transaction' }),
      });
      expect(await ledger.jobs.counts()).toEqual({ waiting: 0, released: 0, leased: 0, held: 0 });
    });

    test('listeners are notified after the commit that made a job due, not after a rollback', async () => {
      const ledger = await open();
      const notified: string[] = [];
      let what = '';
      const stop = ledger.onJob(() => notified.push(what));
      what = 'asked';
      await ledger.jobs.enqueue(job());
      what = 'rolled back';
      await ledger
        .transaction(async (tables) => {
          await tables.jobs.enqueue(job('other'));
          throw new Error('on purpose');
        })
        .catch(() => {});
      what = 'inside';
      await ledger.transaction(async (tables) => {
        await tables.jobs.enqueue(job('third'));
        expect(notified).toEqual(['asked']);
      });
      what = 'accepted';
      await Promise.all([ledger.accept(delivery('a')), ledger.accept(delivery('b'))]);
      what = 'duplicate';
      await ledger.accept(delivery('a'));
      stop();
      await ledger.jobs.enqueue(job('fourth', { dueAt: at(1) }));
      expect(notified).toEqual(['asked', 'inside', 'accepted']);
    });

    test('a listener finds the job it is notified of', async () => {
      const ledger = await open();
      const found = new Promise<number>((resolve, reject) => {
        ledger.onJob(() => {
          ledger.jobs.due(noon, 5, 5).then((due) => resolve(due.length), reject);
        });
      });
      await ledger.transaction((tables) => tables.jobs.enqueue(job()));
      expect(await found).toBe(1);
    });

    test('the check answers while the database does', async () => {
      const ledger = await open();
      await expect(ledger.check()).resolves.toBeUndefined();
    });
  });
}
