import { describe, expect, test } from 'vitest';
import type { Order } from '../../../src/domain/order.ts';
import type { OrderRow } from '../../../src/ledger/schema.ts';
import type { OpenLedger } from '../contract.ts';
import { at, delivery, job, noon, order } from '../samples.ts';

/** Looking for what came and was read, by topic, endpoint and shop, and putting less in its place. */
export function forgettingContract(open: OpenLedger): void {
  describe('forgetting', () => {
    test('a delivery is found by its endpoint and key, and requests by their topics, newest first', async () => {
      const ledger = await open();
      await ledger.accept(delivery('a', { topic: 'customers/redact', receivedAt: at(1), orderId: null }));
      await ledger.accept(
        delivery('b', { topic: 'customers/data_request', receivedAt: at(2), orderId: null }),
      );
      await ledger.accept(delivery('c'));
      expect((await ledger.deliveries.find({ connection: 'app', dedupeKey: 'a' }))?.topic).toBe(
        'customers/redact',
      );
      expect(await ledger.deliveries.find({ connection: 'other', dedupeKey: 'a' })).toBeUndefined();
      const found = await ledger.deliveries.ofTopics(['customers/redact', 'customers/data_request'], 10);
      expect(found).toMatchObject([
        { topic: 'customers/data_request', platform: order.platform, shop: order.shop },
        { topic: 'customers/redact' },
      ]);
      expect(
        await ledger.deliveries.ofTopics(['customers/redact', 'customers/data_request'], 1),
      ).toHaveLength(1);
    });

    test('bodies of one order are emptied, others stay, and a repeat is still known as one', async () => {
      const ledger = await open();
      await ledger.accept(delivery('a'));
      await ledger.accept(delivery('b'));
      await ledger.accept(delivery('c', { orderId: '6000' }));
      expect(await ledger.deliveries.forgetOrder(order)).toBe(2);
      expect((await ledger.deliveries.ofOrder(order, 9)).map(({ body }) => body.length)).toEqual([0, 0]);
      expect(
        (await ledger.deliveries.ofOrder({ ...order, orderId: '6000' }, 9))[0]?.body.length,
      ).toBeGreaterThan(0);
      expect(await ledger.accept(delivery('a'))).toBe('duplicate');
    });

    test('all bodies of a shop are emptied, whatever they were about, and those of no other', async () => {
      const ledger = await open();
      await ledger.accept(delivery('a'));
      await ledger.accept(delivery('b', { orderId: null, topic: 'shop/redact' }));
      await ledger.accept(delivery('c', { shop: 'otra.myshopify.com' }));
      expect(await ledger.deliveries.forgetShop(order)).toBe(2);
      const left = (dedupeKey: string) => ledger.deliveries.find({ connection: 'app', dedupeKey });
      expect((await left('b'))?.body.length).toBe(0);
      expect((await left('c'))?.body.length).toBeGreaterThan(0);
    });

    test('a body is replaced by its id', async () => {
      const ledger = await open();
      await ledger.accept(delivery('a'));
      const found = await ledger.deliveries.find({ connection: 'app', dedupeKey: 'a' });
      await ledger.deliveries.replaceBody(found?.id ?? '', Buffer.from('done'));
      const after = await ledger.deliveries.find({ connection: 'app', dedupeKey: 'a' });
      expect(Buffer.from(after?.body ?? []).toString()).toBe('done');
    });

    test('the orders of a shop are walked through page by page and rewritten with their plan dropped', async () => {
      const { orders } = await open();
      for (const orderId of ['3', '1', '2'])
        await orders.save({
          ...order,
          orderId,
          storeId: 'tienda',
          name: orderId,
          snapshot: { id: orderId } as Order,
          sourceUpdatedAt: noon.toISOString(),
          readAt: noon,
        });
      const shop = { platform: order.platform, shop: order.shop };
      expect((await orders.ofShop(shop, '', 2)).map(({ id }) => id)).toEqual(['1', '2']);
      expect((await orders.ofShop(shop, '2', 2)).map(({ id }) => id)).toEqual(['3']);
      expect(await orders.ofShop({ ...shop, shop: 'otra' }, '', 2)).toEqual([]);
      await orders.decide({ ...order, orderId: '1' }, [{ reason: 'Ana' }], noon);
      const row = (await orders.get({ ...order, orderId: '1' })) as OrderRow;
      expect(await orders.rewrite({ ...row, syncedAt: at(-1).toISOString() }, { id: '1' })).toBe(false);
      expect(await orders.rewrite(row, { id: '1', empty: true })).toBe(true);
      expect(await orders.get({ ...order, orderId: '1' })).toMatchObject({
        snapshot: { id: '1', empty: true },
        decision: null,
      });
    });
  });

  describe('waking a store', () => {
    test('makes what waits for its shop due, and nothing else', async () => {
      const ledger = await open();
      const later = at(3_600_000);
      const ask = (kind: 'sync-order' | 'follow-up' | 'reconciliation', storeId: string) =>
        ledger.jobs.enqueue(job(`${kind} ${storeId}`, { kind, storeId, rateLimit: null, dueAt: later }));
      await ask('sync-order', 'tienda');
      await ask('reconciliation', 'tienda');
      await ask('follow-up', 'tienda');
      await ask('sync-order', 'otra');
      await ledger.stores.wake('tienda', noon);
      expect((await ledger.jobs.due(noon, 9, 9)).map(({ kind }) => kind).sort()).toEqual([
        'reconciliation',
        'sync-order',
      ]);
      expect(await ledger.jobs.nextDueAt(noon)).toEqual(later);
    });
  });
}
