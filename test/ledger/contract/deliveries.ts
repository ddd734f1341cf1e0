import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../contract.ts';
import { at, delivery, order } from '../samples.ts';

export function deliveriesContract(open: OpenLedger): void {
  describe('deliveries', () => {
    test('a delivery is stored once and enqueues its job once', async () => {
      const ledger = await open();
      expect(await ledger.accept(delivery('a'))).toBe('stored');
      expect(await ledger.accept(delivery('a'))).toBe('duplicate');
      expect(await ledger.jobs.counts()).toEqual({ waiting: 1, released: 0, leased: 0, held: 0 });
      expect(await ledger.deliveries.ofOrder(order, 10)).toHaveLength(1);
    });

    test('a duplicate enqueues nothing, even after its job is done', async () => {
      const ledger = await open();
      await ledger.accept(delivery('a'));
      const [due] = await ledger.jobs.due(at(0), 5, 5);
      await ledger.jobs.release([due?.id ?? ''], at(0));
      const claimed = await ledger.jobs.claim(due?.id ?? '', 1000, at(0));
      await ledger.jobs.finish(claimed?.id ?? '', claimed?.token ?? '');
      expect(await ledger.accept(delivery('a'))).toBe('duplicate');
      expect(await ledger.jobs.nextDueAt()).toBeNull();
    });

    test('of equal deliveries in one batch the first is stored, the others are duplicates', async () => {
      const ledger = await open();
      const outcomes = await Promise.all(
        ['b', 'a', 'b', 'b', 'a'].map((key) => ledger.accept(delivery(key))),
      );
      expect(outcomes).toEqual(['stored', 'stored', 'duplicate', 'duplicate', 'duplicate']);
    });

    test('the same key at another endpoint is another delivery', async () => {
      const ledger = await open();
      await ledger.accept(delivery('a'));
      expect(await ledger.accept(delivery('a', { connection: 'other' }))).toBe('stored');
    });

    test('deliveries of one batch with the same job enqueue it once, at the earliest time', async () => {
      const ledger = await open();
      const { job } = delivery('a');
      if (!job) throw new Error('The sample has a job.');
      await Promise.all([
        ledger.accept(delivery('z', { job: { ...job, dueAt: at(10) } })),
        ledger.accept(delivery('y', { job: { ...job, dueAt: at(5), payload: { n: 1 } } })),
        ledger.accept(delivery('x', { job: { ...job, dueAt: at(20), payload: { n: 2 } } })),
      ]);
      expect(await ledger.jobs.nextDueAt()).toEqual(at(5));
      const [due] = await ledger.jobs.due(at(5), 5, 5);
      await ledger.jobs.release([due?.id ?? ''], at(5));
      expect((await ledger.jobs.claim(due?.id ?? '', 1000, at(5)))?.payload).toEqual({ n: 2 });
    });

    test('a delivery without order and without job is stored as well', async () => {
      const ledger = await open();
      const bare = delivery('a', { platform: null, shop: null, orderId: null, job: null });
      expect(await ledger.accept(bare)).toBe('stored');
      expect(await ledger.jobs.nextDueAt()).toBeNull();
    });

    test('one that cannot be stored fails alone', async () => {
      const ledger = await open();
      const broken = delivery('broken', { topic: null as unknown as string });
      const outcomes = await Promise.allSettled(
        [delivery('a'), broken, delivery('b')].map((it) => ledger.accept(it)),
      );
      expect(outcomes.map((it) => it.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(await ledger.deliveries.ofOrder(order, 10)).toHaveLength(2);
    });

    test('three hundred at once are all stored, each with its own bytes', async () => {
      const ledger = await open();
      const keys = Array.from({ length: 300 }, (_, n) => `k${n}`);
      const outcomes = await Promise.all(
        keys.map((key, n) =>
          ledger.accept(delivery(key, { receivedAt: at(n), body: Buffer.from([n % 256, 0, 255]) })),
        ),
      );
      expect(new Set(outcomes)).toEqual(new Set(['stored']));
      const stored = await ledger.deliveries.ofOrder(order, 1000);
      expect(stored).toHaveLength(300);
      expect([...(stored[0]?.body ?? [])]).toEqual([299 % 256, 0, 255]);
      expect(stored[0]?.receivedAt).toBe(at(299).toISOString());
    });

    test('those of an order come newest first, up to the limit', async () => {
      const ledger = await open();
      for (const n of [1, 3, 2])
        await ledger.accept(delivery(`k${n}`, { receivedAt: at(n), topic: `t${n}` }));
      await ledger.accept(delivery('other', { orderId: '6000' }));
      expect((await ledger.deliveries.ofOrder(order, 2)).map((it) => it.topic)).toEqual(['t3', 't2']);
    });

    test('pruning deletes only what is older', async () => {
      const ledger = await open();
      for (const n of [1, 2, 3])
        await ledger.accept(delivery(`k${n}`, { receivedAt: at(n), topic: `t${n}` }));
      expect(await ledger.deliveries.prune(at(3))).toBe(2);
      expect((await ledger.deliveries.ofOrder(order, 9)).map((it) => it.topic)).toEqual(['t3']);
    });

    test('more than one bite of old deliveries is pruned whole', async () => {
      const ledger = await open();
      await Promise.all(Array.from({ length: 1100 }, (_, n) => ledger.accept(delivery(`k${n}`))));
      expect(await ledger.deliveries.prune(at(1))).toBe(1100);
    });
  });
}
