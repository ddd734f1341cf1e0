import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../contract.ts';
import { at, noon, order } from '../samples.ts';

export function ordersContract(open: OpenLedger): void {
  describe('orders, stores and budgets', () => {
    const saved = (sourceUpdatedAt: string, name = '#1001') => ({
      ...order,
      storeId: 'tienda',
      name,
      snapshot: { total: '115.00', buyer: 'Ñ' },
      sourceUpdatedAt,
      readAt: noon,
    });

    test('an order is kept as it was last read, with the last decision on it', async () => {
      const ledger = await open();
      expect(await ledger.orders.get(order)).toBeUndefined();
      expect(await ledger.orders.save(saved('2026-11-20T12:00:00-05:00'))).toBe(true);
      expect(await ledger.orders.get(order)).toEqual({
        ...order,
        storeId: 'tienda',
        name: '#1001',
        snapshot: { total: '115.00', buyer: 'Ñ' },
        sourceUpdatedAt: '2026-11-20T17:00:00.000Z',
        decision: null,
        syncedAt: noon.toISOString(),
      });
      await ledger.orders.decide(order, [{ action: 'wait' }], at(1));
      expect((await ledger.orders.get(order))?.decision).toEqual([{ action: 'wait' }]);
    });

    test('an older reading changes nothing, whatever offset its time is written in', async () => {
      const ledger = await open();
      await ledger.orders.save(saved('2026-11-20T12:00:00-05:00', 'new'));
      expect(await ledger.orders.save(saved('2026-11-20T16:59:59Z', 'old'))).toBe(false);
      expect((await ledger.orders.get(order))?.name).toBe('new');
      expect(await ledger.orders.save(saved('2026-11-20T17:00:00Z', 'same instant'))).toBe(true);
      expect((await ledger.orders.get(order))?.name).toBe('same instant');
    });

    test('an equally new reading takes the place only where it is not denied; a newer one is not asked about', async () => {
      const ledger = await open();
      const asked: string[] = [];
      const save = (at: string, name: string, isLater: boolean) =>
        ledger.transaction(({ orders }) =>
          orders.save(saved(at, name), async () => {
            asked.push(name);
            return isLater;
          }),
        );
      const name = async () => (await ledger.orders.get(order))?.name;
      const second = '2026-11-20T17:00:00Z';
      expect(await save(second, 'first', false)).toBe(true);
      expect(await save(second, 'overtaken', false)).toBe(false);
      expect(await name()).toBe('first');
      expect(await save(second, 'later', true)).toBe(true);
      expect(await name()).toBe('later');
      expect(await save('2026-11-20T17:00:01Z', 'newer', false)).toBe(true);
      expect(await save(second, 'older', true)).toBe(false);
      expect(await name()).toBe('newer');
      expect(asked).toEqual(['overtaken', 'later', 'older']);
    });

    test("a store's first start stays, even when it is renamed", async () => {
      const ledger = await open();
      const store = { platform: 'woocommerce', shop: 'https://tienda.ec' };
      const first = { firstStartedAt: noon.toISOString() };
      expect(await ledger.stores.register({ ...store, id: 'a', now: noon })).toEqual(first);
      expect(await ledger.stores.register({ ...store, id: 'b', now: at(1000) })).toEqual(first);
      const other = await ledger.stores.register({ ...store, shop: 'https://otra.ec', id: 'c', now: at(5) });
      expect(other).toEqual({ firstStartedAt: at(5).toISOString() });
    });

    test('the app a shop last sold through is known, and none of a shop that was never registered', async () => {
      const { stores } = await open();
      const shop = { platform: 'shopify', shop: 'quito.myshopify.com' };
      expect(await stores.lastApp(shop)).toBeNull();
      await stores.register({ ...shop, id: 'a', app: 'mi-app', now: noon });
      await stores.register({ ...shop, shop: 'loja.myshopify.com', id: 'b', app: 'otra-app', now: noon });
      expect(await stores.lastApp(shop)).toBe('mi-app');
      await stores.register({ ...shop, id: 'a', now: noon });
      expect(await stores.lastApp(shop)).toBeNull();
    });

    test('a budget is swapped only from the state that was read', async () => {
      const { budgets } = await open();
      const [first, second] = [state(1_790_000_000_240.5), state(1_790_000_000_480, 1_790_000_300_000)];
      expect(await budgets.read('key-a')).toBeNull();
      expect(await budgets.swap('key-a', null, first)).toBe(true);
      expect(await budgets.swap('key-a', null, state(1))).toBe(false);
      expect(await budgets.swap('key-a', state(1), state(2))).toBe(false);
      expect(await budgets.swap('key-a', { ...first, slowUntil: 1 }, state(2))).toBe(false);
      expect(await budgets.swap('key-a', first, second)).toBe(true);
      expect(await budgets.read('key-a')).toEqual(second);
    });

    test('of many that swap from the same state one wins', async () => {
      const { budgets } = await open();
      for (const expected of [null, state(0)]) {
        const swaps = Array.from({ length: 20 }, () => budgets.swap('key-a', expected, state(0)));
        const won = (await Promise.all(swaps)).filter(Boolean);
        expect(won.length).toBe(expected === null ? 1 : 20);
      }
      const swaps = Array.from({ length: 20 }, (_, n) => budgets.swap('key-a', state(0), state(n + 1)));
      expect((await Promise.all(swaps)).filter(Boolean)).toHaveLength(1);
    });
  });
}

const state = (tat: number, slowUntil = 0) => ({ tat, slowUntil });
