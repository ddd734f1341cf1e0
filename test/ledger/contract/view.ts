import { describe, expect, test } from 'vitest';
import { owner, type Scope, type Store, scopeOf } from '../../../src/domain/settings.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { PagePlace } from '../../../src/ledger/search.ts';
import type { OpenLedger } from '../contract.ts';
import { at, attempt, document, noon, order, series } from '../samples.ts';

const store = (id: string, shop: string, puntoEmision: string, account = 'suya'): Store =>
  ({
    id,
    platform: { name: order.platform },
    shop,
    account: { id: account },
    issuer: { ruc: series.ruc, ambiente: 1 },
    series: { establecimiento: '001', puntoEmision, first: 1, firstCreditNote: 1 },
  }) as Store;

const stores = new Map(
  [
    store('norte', 'norte.myshopify.com', '001'),
    store('sur', 'sur.myshopify.com', '002'),
    store('ajena', 'ajena.myshopify.com', '003', 'otra'),
  ].map((one) => [one.id, one]),
);
const scope: Scope = scopeOf(['norte', 'sur'], stores, 'ana (panel)');

/** What is shown to somebody limited to some stores: norte and sur, not ajena. */
export function viewContract(open: OpenLedger): void {
  let count = 0;
  const make = async (ledger: Ledger, of: string, over: Parameters<typeof document>[0] = {}) => {
    const { shop, series: numbers } = stores.get(of) as Store;
    count += 1;
    const id = String(count);
    const made = await ledger.documents.create(
      document({
        key: `${of}-${id}`,
        ...{ shop, storeId: of, sourceId: id, orderId: id, orderName: `#${id}` },
        puntoEmision: numbers.puntoEmision,
        account: of === 'ajena' ? 'otra' : 'suya',
        ...over,
      }),
    );
    if (!made) throw new Error('There was such a document.');
    return made;
  };
  const remember = async (ledger: Ledger, of: string, orderId: string) => {
    const { shop } = stores.get(of) as Store;
    await ledger.stores.register({ id: of, platform: order.platform, shop, now: noon });
    const key = { platform: order.platform, shop, orderId };
    const read = { name: '#1001', snapshot: {} as never, sourceUpdatedAt: noon.toISOString(), readAt: noon };
    await ledger.orders.save({ ...key, storeId: of, ...read });
    return key;
  };

  describe('the view of some stores', () => {
    test('finds documents by their shop, also where another shop had the store’s id before', async () => {
      const ledger = await open();
      const own = await make(ledger, 'norte');
      const other = await make(ledger, 'ajena');
      const former = await make(ledger, 'ajena', { storeId: 'norte' });
      for (const { id } of [own, other, former])
        await ledger.attempts.add(attempt(id, { secuencial: '000000001', buyerId: '1710034065' }));
      const view = ledger.view(scope);
      const get = async (id: string) => (await view.documents.get(id))?.id;
      expect(await Promise.all([own, other, former].map(({ id }) => get(id)))).toEqual([
        own.id,
        undefined,
        undefined,
      ]);
      expect(await view.documents.ofOrder(other)).toEqual([]);
      expect(await view.documents.history(other)).toEqual([]);
      expect(await view.attempts.ofDocument(other)).toEqual([]);
      expect(await view.documents.byNumber(other, other.secuencial ?? '')).toBeUndefined();
      const found = [
        await view.finding.byCharged('115.00', 20),
        await view.finding.byNumber({ secuencial: '000000001' }, 20),
        await view.finding.byBuyer('1710034065', 20),
        (await view.documentPages.page({}, null, 20)).documents,
        (await view.documentPages.page({ storeId: 'norte' }, null, 20)).documents,
      ];
      for (const documents of found) expect(documents.map(({ id }) => id)).toEqual([own.id]);
      expect((await view.documentPages.page({ storeId: 'ajena' }, null, 20)).documents).toEqual([]);
      expect(await ledger.view(null).finding.byCharged('115.00', 20)).toHaveLength(3);
    });

    test('finds orders and their timelines by their shop', async () => {
      const ledger = await open();
      const own = await remember(ledger, 'norte', '501');
      const other = await remember(ledger, 'ajena', '501');
      const view = ledger.view(scope);
      for (const asked of [
        { id: '501', names: [] },
        { id: '', names: ['#1001'] },
      ])
        expect(
          (await view.finding.orders({ names: asked.names, id: asked.id }, 20)).map(({ shop }) => shop),
        ).toEqual([own.shop]);
      expect((await view.timelines.find('#1001')).map(({ order: { shop } }) => shop)).toEqual([own.shop]);
      expect(await view.timelines.of(other)).toBeUndefined();
      expect(await view.orders.get(other)).toBeUndefined();
      expect(await view.orders.get(own)).toMatchObject({ orderId: '501' });
    });

    test('turns the pages of several stores as one list, each document once', async () => {
      const ledger = await open();
      const made = [];
      // Two of each instant.
      for (const [n, of] of ['norte', 'sur', 'ajena', 'sur', 'norte', 'sur', 'norte', 'ajena'].entries())
        made.push(await make(ledger, of, { now: at(Math.floor(n / 2) * 1_000) }));
      const expected = made
        .filter(({ storeId }) => storeId !== 'ajena')
        .toSorted((a, b) => (`${a.createdAt}${a.id}` < `${b.createdAt}${b.id}` ? 1 : -1));
      const { documentPages } = ledger.view(scope);
      const seen: string[] = [];
      let after: PagePlace | null = null;
      do {
        const page = await documentPages.page({}, after, 2);
        seen.push(...page.documents.map(({ id }) => id));
        after = page.next;
      } while (after !== null);
      expect(seen).toEqual(expected.map(({ id }) => id));
    });

    test('counts and sums only theirs', async () => {
      const ledger = await open();
      for (const of of ['norte', 'ajena', 'ajena'])
        await make(ledger, of, { state: 'held', code: 'x', reason: 'Falta.' });
      await make(ledger, 'sur');
      await make(ledger, 'ajena');
      await ledger.pauses.begin({ account: 'suya', ambiente: 1, cause: 'credits', now: noon });
      await ledger.pauses.begin({ account: 'otra', ambiente: 1, cause: 'credits', now: noon });
      const stop = { reason: 'Parada.', secuencial: null };
      for (const puntoEmision of ['001', '003'])
        await ledger.sequences.stop({ ...series, puntoEmision }, stop, noon);
      const view = ledger.view(scope);
      expect(await view.tasks.count()).toBe(1);
      expect((await view.tasks.documents(20)).map(({ document: { storeId } }) => storeId)).toEqual(['norte']);
      expect(await view.tasks.ready()).toEqual([{ account: 'suya', ambiente: 1, count: 1 }]);
      const points = (rows: readonly { puntoEmision: string }[]) =>
        rows.map(({ puntoEmision }) => puntoEmision);
      expect(points(await view.tasks.stoppedSeries())).toEqual(['001']);
      expect(points(await view.storeFigures.series())).toEqual(['001', '002']);
      expect((await view.counts.openDocuments()).reduce((sum, one) => sum + one.count, 0)).toBe(2);
      const ids = (rows: readonly { storeId: string }[]) => rows.map(({ storeId }) => storeId).sort();
      expect(ids(await view.storeFigures.openDocuments())).toEqual(['norte', 'sur']);
      expect(ids(await view.dayTallies.since('2026-11-20', at(1)))).toEqual(['norte', 'sur']);
      expect((await view.pauses.list()).map(({ account }) => account)).toEqual(['suya']);
      expect(await view.pauses.get('otra', 1)).toBeUndefined();
      expect(await ledger.view(null).tasks.count()).toBe(3);
    });

    test('shows alerts that are theirs, and of the audit log what is theirs or what they did', async () => {
      const ledger = await open();
      const [norte, ajena] = ['norte.myshopify.com', 'ajena.myshopify.com'].map((shop) =>
        owner.shop({ platform: order.platform, shop }),
      );
      const raised = { shop: norte, account: owner.account('suya'), other: ajena, all: undefined };
      for (const [subject, about] of Object.entries(raised))
        await ledger.alerts.raise({ code: 'account-credits', subject, about, params: {} }, noon);
      const view = ledger.view(scope);
      expect((await view.alerts.open()).map(({ subject }) => subject)).toEqual(['account', 'shop']);
      const done = { what: 'retry', outcome: 'done', now: noon } as const;
      await ledger.auditLog.add({ ...done, who: 'berta (panel)', subject: 'theirs', about: norte });
      await ledger.auditLog.add({ ...done, who: 'berta (panel)', subject: 'other', about: ajena });
      await ledger.auditLog.add({ ...done, who: 'berta (panel)', subject: 'all' });
      await ledger.auditLog.add({ ...done, who: 'ana (panel)', subject: 'hers' });
      const [first, second, ...more] = await view.auditLog.list({ limit: 10 });
      expect([first?.subject, second?.subject, more]).toEqual(['hers', 'theirs', []]);
      expect(await view.auditLog.list({ limit: 10, before: second?.id ?? '' })).toEqual([]);
      const whole = await ledger.view(null).auditLog.list({ limit: 4 });
      expect(whole.map(({ subject }) => subject)).toEqual(['hers', 'all', 'other', 'theirs']);
    });

    test('shows closes of exactly its stores and of each, none of all', async () => {
      const ledger = await open();
      const before = (await ledger.closes.last())?.n ?? 0;
      for (const [n, name] of ['*', 'norte', 'ajena', 'norte,sur'].entries())
        await ledger.closes.add({
          ...{ hash: `vista-${n}`, n: before + n + 1, day: '2026-10-01', scope: name, result: 'green' },
          ...{ content: '{}', signature: 's', publicKey: 'k', closedAt: noon.toISOString() },
        });
      const { closes } = ledger.view(scope);
      expect((await closes.ofDay('2026-10-01'))?.scope).toBe('norte,sur');
      expect((await closes.recent(10)).map((one) => one.scope)).toEqual(['norte,sur', 'norte']);
      expect((await ledger.view(null).closes.ofDay('2026-10-01'))?.scope).toBe('*');
    });
  });
}
