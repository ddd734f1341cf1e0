import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../contract.ts';
import { at, noon } from '../samples.ts';

export function reconciliationsContract(open: OpenLedger): void {
  describe('reconciliations', () => {
    const shop = { platform: 'woocommerce', shop: 'https://tienda.ec' };
    const row = {
      version: 1,
      reconciledTo: noon.toISOString(),
      behindSince: null,
      behind: {},
      progress: null,
    };

    test('a shop is begun once, and saved only over what was read', async () => {
      const { reconciliations } = await open();
      expect(await reconciliations.get(shop)).toBeUndefined();
      await reconciliations.begin(shop, noon);
      await reconciliations.begin(shop, at(5));
      expect(await reconciliations.get(shop)).toEqual(row);
      const next = {
        ...row,
        reconciledTo: at(9).toISOString(),
        behindSince: at(7).toISOString(),
        behind: { refunds: { since: at(7).toISOString(), failed: true } },
        progress: { n: 1 },
      };
      const won = await Promise.all(Array.from({ length: 8 }, () => reconciliations.save(shop, next)));
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await reconciliations.get(shop)).toEqual({ ...next, version: 2 });
    });

    test('freshness has the current name of the store, for reconciled stores only', async () => {
      const { stores, reconciliations } = await open();
      await stores.register({ ...shop, id: 'antes', now: noon });
      await stores.register({ ...shop, shop: 'https://otra.ec', id: 'sin-api', now: noon });
      await reconciliations.begin(shop, noon);
      await stores.register({ ...shop, id: 'tienda', now: at(1) });
      expect(await reconciliations.freshness()).toEqual([
        { ...shop, storeId: 'tienda', version: 1, reconciledTo: noon.toISOString(), behind: {} },
      ]);
    });

    test('orders are compared by their last reading, and walked through by their last change', async () => {
      const { orders } = await open();
      const save = (orderId: string, second: number, refunds: string[] = []) =>
        orders.save({
          ...shop,
          orderId,
          storeId: 'tienda',
          name: `#${orderId}`,
          snapshot: { settlement: 'paid', refunds: refunds.map((id) => ({ id })) },
          sourceUpdatedAt: at(second * 1_000).toISOString(),
          readAt: at(60_000),
        });
      await save('2', 1, ['r1', 'r2']);
      for (const id of ['9', '10', '1']) await save(id, 2);
      await save('3', 3);
      await orders.save({ ...(await stored('3')), shop: 'https://otra.ec', readAt: noon });
      async function stored(orderId: string) {
        const found = await orders.get({ ...shop, orderId });
        if (!found) throw new Error('The order was not stored.');
        return found;
      }
      expect(await orders.readings(shop, [])).toEqual([]);
      expect(await orders.readings(shop, ['2', '404'])).toEqual([
        {
          orderId: '2',
          sourceUpdatedAt: at(1_000).toISOString(),
          syncedAt: at(60_000).toISOString(),
          settlement: 'paid',
          refunds: ['r1', 'r2'],
        },
      ]);
      const walked: string[] = [];
      let after = { sourceUpdatedAt: at(1_000).toISOString(), orderId: '2' };
      for (let page = await orders.changedAfter(shop, after, 2); page.length > 0; ) {
        walked.push(...page.map(({ orderId }) => orderId));
        after = page.at(-1) ?? after;
        page = await orders.changedAfter(shop, after, 2);
      }
      expect(walked).toEqual(['1', '10', '9', '3']);
    });
  });
}
