import { describe, expect, test } from 'vitest';
import type { Ledger, LedgerView } from '../../../src/ledger/ledger.ts';
import type { OpenLedger } from '../contract.ts';
import { at, attempt, delivery, document, noon, order, series } from '../samples.ts';

/** What people find orders and documents by. */
export function findingContract(open: OpenLedger): void {
  const make = async (ledger: Ledger, n: number, over: Parameters<typeof document>[0] = {}) => {
    const made = await ledger.documents.create(
      document({ sourceId: String(n), orderId: String(n), now: at(n * 1_000), ...over }),
    );
    if (!made) throw new Error('There was such a document.');
    return made;
  };
  const save = (ledger: Ledger, orderId: string, name: string, shop = order.shop) =>
    ledger.orders.save({
      platform: order.platform,
      shop,
      orderId,
      storeId: 'tienda',
      name,
      snapshot: { id: orderId } as never,
      sourceUpdatedAt: noon.toISOString(),
      readAt: noon,
    });

  describe('finding', () => {
    test('orders are found by name and by id, of any shop, each once', async () => {
      const ledger = await open();
      await ledger.stores.register({ id: 'tienda', platform: order.platform, shop: order.shop, now: noon });
      await save(ledger, '5001', '#1001');
      await save(ledger, '1001', '#7');
      await save(ledger, '5001', '1001', 'otra.myshopify.com');
      const names = (found: readonly { name: string }[]) => found.map(({ name }) => name).sort();
      const found = await ledger.view(null).finding.orders({ id: '1001', names: ['1001', '#1001'] }, 20);
      expect(names(found)).toEqual(['#1001', '#7', '1001']);
      expect(names(await ledger.view(null).finding.orders({ id: '5001', names: ['5001'] }, 20))).toEqual([
        '#1001',
      ]);
      expect(await ledger.view(null).finding.orders({ id: '5001', names: ['#1001'] }, 20)).toHaveLength(1);
      expect(await ledger.view(null).finding.orders({ id: '9', names: ['#9'] }, 20)).toEqual([]);
    });

    test('the timeline of an order is found by name and by key', async () => {
      const ledger = await open();
      await save(ledger, '5001', '#1001');
      const factura = await make(ledger, 5001);
      const [byName] = await ledger.view(null).timelines.find('1001');
      expect(byName?.documents.map(({ document: one }) => one.id)).toEqual([factura.id]);
      expect(await ledger.view(null).timelines.of(order)).toEqual(byName);
      expect(await ledger.view(null).timelines.of({ ...order, orderId: '9' })).toBeUndefined();
    });

    test('documents are found by number, in any series or in one', async () => {
      const ledger = await open();
      const first = await make(ledger, 1);
      const other = await make(ledger, 2, { puntoEmision: '009' });
      await make(ledger, 3);
      const ids = async (asked: Parameters<LedgerView['finding']['byNumber']>[0]) =>
        (await ledger.view(null).finding.byNumber(asked, 20)).map(({ id }) => id);
      expect(await ids({ secuencial: '000000001' })).toEqual([other.id, first.id]);
      const { establecimiento, puntoEmision } = series;
      expect(await ids({ establecimiento, puntoEmision, secuencial: '000000001' })).toEqual([first.id]);
      expect(await ids({ secuencial: '000000099' })).toEqual([]);
    });

    test('documents are found by what was charged, newest first', async () => {
      const ledger = await open();
      await make(ledger, 1, { charged: '33.75' });
      await make(ledger, 2, { charged: '133.75' });
      await make(ledger, 3, { charged: '33.75' });
      const found = await ledger.view(null).finding.byCharged('33.75', 20);
      expect(found.map(({ sourceId }) => sourceId)).toEqual(['3', '1']);
    });

    test('documents are found by the identification they were sent with; consumidor final is nobody', async () => {
      const ledger = await open();
      const one = await make(ledger, 1);
      const final = await make(ledger, 2);
      await ledger.attempts.add(attempt(one.id));
      await ledger.attempts.add(attempt(one.id));
      await ledger.attempts.add(attempt(final.id, { buyerId: '9999999999999' }));
      expect((await ledger.view(null).finding.byBuyer('1710034065', 20)).map(({ id }) => id)).toEqual([
        one.id,
      ]);
      expect(await ledger.view(null).finding.byBuyer('9999999999999', 20)).toEqual([]);
    });
  });

  describe('pages of documents', () => {
    test('show every document once, newest first, those of the same instant too', async () => {
      const ledger = await open();
      for (const n of [1, 2, 3, 4, 5, 6, 7]) await make(ledger, n, { now: at(Math.floor(n / 3) * 1_000) });
      const seen: string[] = [];
      let after: Awaited<ReturnType<LedgerView['documentPages']['page']>>['next'] = null;
      do {
        const { documents, next } = await ledger.view(null).documentPages.page({}, after, 2);
        seen.push(...documents.map(({ sourceId }) => sourceId));
        after = next;
      } while (after);
      expect(seen.toSorted()).toEqual(['1', '2', '3', '4', '5', '6', '7']);
      expect(seen.slice(0, 2).toSorted()).toEqual(['6', '7']);
      expect(seen.slice(-2).toSorted()).toEqual(['1', '2']);
    });

    test('keep to a store, a state, a kind, an environment and days', async () => {
      const ledger = await open();
      await make(ledger, 1, { storeId: 'otra', state: 'held' });
      await make(ledger, 2, { state: 'held' });
      await make(ledger, 3, { kind: 'nota-credito', codDoc: '04' });
      await make(ledger, 4, { ambiente: 2 });
      const ids = async (filter: Parameters<LedgerView['documentPages']['page']>[0]) =>
        (await ledger.view(null).documentPages.page(filter, null, 10)).documents.map(
          ({ sourceId }) => sourceId,
        );
      expect(await ids({ storeId: 'tienda' })).toEqual(['4', '3', '2']);
      expect(await ids({ state: 'held' })).toEqual(['2', '1']);
      expect(await ids({ storeId: 'tienda', state: 'held' })).toEqual(['2']);
      expect(await ids({ kind: 'nota-credito' })).toEqual(['3']);
      expect(await ids({ ambiente: 2, storeId: 'tienda' })).toEqual(['4']);
      expect(await ids({ from: at(2_000), before: at(4_000) })).toEqual(['3', '2']);
      expect(await ids({ storeId: 'tienda', state: 'authorized' })).toEqual([]);
    });
  });

  describe('how stores stand', () => {
    test('open documents, jobs, deliveries and write-backs are counted by store', async () => {
      const ledger = await open();
      const mine = await make(ledger, 1, { state: 'held' });
      await make(ledger, 2, { storeId: 'otra' });
      expect(await ledger.view(null).storeFigures.openDocuments()).toEqual(
        expect.arrayContaining([
          { storeId: 'tienda', kind: 'factura', state: 'held', count: 1, oldest: at(1_000).toISOString() },
          { storeId: 'otra', kind: 'factura', state: 'ready', count: 1, oldest: at(2_000).toISOString() },
        ]),
      );
      await ledger.accept(delivery('uno', { receivedAt: at(1_000) }));
      await ledger.accept(delivery('dos', { receivedAt: at(9_000) }));
      expect(await ledger.view(null).storeFigures.lastDeliveries()).toEqual(
        new Map([['app', at(9_000).toISOString()]]),
      );
      expect(await ledger.view(null).storeFigures.jobs()).toEqual([
        { storeId: 'tienda', kind: 'sync-order', count: 1, failed: 0, firstDue: noon.toISOString() },
      ]);
      expect(await ledger.view(null).storeFigures.lastWrittenBack('tienda')).toBeUndefined();
      await ledger.documents.written(mine.id, 'held', at(10_000));
      expect(await ledger.view(null).storeFigures.lastWrittenBack('tienda')).toEqual({
        id: mine.id,
        orderName: '#1001',
        updatedAt: at(10_000).toISOString(),
      });
    });

    test('series tell their next number and why they stand still', async () => {
      const ledger = await open();
      await make(ledger, 1);
      await ledger.sequences.stop(series, { reason: 'Un documento ajeno.', secuencial: '000000001' }, noon);
      expect(await ledger.view(null).storeFigures.series()).toMatchObject([
        { ...series, next: 2, stoppedReason: 'Un documento ajeno.' },
      ]);
    });
  });
}
