import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../contract.ts';
import { at, noon, order } from '../samples.ts';

export function ordersContract(open: OpenLedger): void {
  describe('orders, stores and rate limits', () => {
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
      expect(await ledger.orders.save(saved('2026-11-20T12:00:00-05:00'))).toBe('saved');
      expect(await ledger.orders.get(order)).toEqual({
        ...order,
        storeId: 'tienda',
        name: '#1001',
        snapshot: { total: '115.00', buyer: 'Ñ' },
        sourceUpdatedAt: '2026-11-20T17:00:00.000Z',
        decision: null,
        syncedAt: noon.toISOString(),
        ...{ fingerprint: null, paid: null, readings: 1, olderSince: null },
      });
      await ledger.orders.decide(order, [{ action: 'wait' }], at(1));
      expect((await ledger.orders.get(order))?.decision).toEqual([{ action: 'wait' }]);
    });

    test('an older reading changes nothing, whatever offset its time is written in', async () => {
      const ledger = await open();
      await ledger.orders.save(saved('2026-11-20T12:00:00-05:00', 'new'));
      expect(await ledger.orders.save(saved('2026-11-20T16:59:59Z', 'old'))).toBe('older');
      expect((await ledger.orders.get(order))?.name).toBe('new');
      expect(await ledger.orders.save(saved('2026-11-20T17:00:00Z', 'same instant'))).toBe('overlapped');
      expect((await ledger.orders.get(order))?.name).toBe('same instant');
    });

    test('an equally new reading takes the place only where it is not denied; a newer and an older one are not asked about', async () => {
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
      expect(await save(second, 'first', false)).toBe('saved');
      expect(await save(second, 'overtaken', false)).toBe('older');
      expect(await name()).toBe('first');
      expect(await save(second, 'later', true)).toBe('overlapped');
      expect(await name()).toBe('later');
      expect(await save('2026-11-20T17:00:01Z', 'newer', false)).toBe('saved');
      expect(await save(second, 'older', true)).toBe('older');
      expect(await name()).toBe('newer');
      expect(asked).toEqual(['overtaken', 'later']);
    });

    test('a reading that began after the stored one was saved is kept, whatever time it tells; else the time decides', async () => {
      const { orders } = await open();
      const read = (since: number, at: string, name: string) => orders.save({ ...saved(at, name), since });
      expect(await read(0, '2026-11-21T17:00:00Z', 'ahead')).toBe('saved');
      expect(await read(1, '2026-11-20T17:00:00Z', 'put right')).toBe('saved');
      expect(await orders.get(order)).toMatchObject({ name: 'put right', readings: 2 });
      expect(await read(1, '2026-11-20T16:59:59Z', 'overlaps, older')).toBe('older');
      expect(await read(1, '2026-11-20T17:00:01Z', 'overlaps, newer')).toBe('overlapped');
      expect(await orders.get(order)).toMatchObject({ name: 'overlaps, newer', readings: 3 });
      expect(await read(2, '2026-11-20T17:00:01Z', 'overlaps, equal')).toBe('overlapped');
      expect(await orders.get(order)).toMatchObject({ readings: 4 });
      // Runs that read the same have nothing to decide between them, however often they do.
      expect(await read(2, '2026-11-20T17:00:01Z', 'overlaps, equal')).toBe('saved');
      expect(await orders.get(order)).toMatchObject({ readings: 4 });
    });

    test('what an id means and what was paid stay with an order that is read without them, until somebody says otherwise', async () => {
      const { orders } = await open();
      const fingerprint = { key: 'a', placedAt: noon.toISOString(), name: '#1001' };
      const paid = { total: '115.00', currency: 'USD', at: null };
      await orders.save({ ...saved('2026-11-20T17:00:00Z'), fingerprint, paid });
      await orders.save(saved('2026-11-20T17:00:01Z'));
      expect(await orders.get(order)).toMatchObject({ fingerprint, paid });
      const document = { ...order, fingerprint: { ...fingerprint, refundAt: null } };
      expect(await orders.ofDocument(document)).toMatchObject({ paid });
      await orders.bind(order, { fingerprint: { ...fingerprint, key: 'b' }, paid: null });
      expect(await orders.get(order)).toMatchObject({ fingerprint: { key: 'b' }, paid: null, readings: 3 });
      expect(await orders.ofDocument(document)).toBeUndefined();
      expect(await orders.ofDocument({ ...order, fingerprint: null })).toBeDefined();
    });

    test('since when the shop tells an older time stays until the order is saved', async () => {
      const { orders } = await open();
      await orders.save(saved('2026-11-20T17:00:00Z'));
      await orders.older(order, at(5));
      await orders.older(order, at(9));
      expect((await orders.get(order))?.olderSince).toBe(at(5).toISOString());
      await orders.save(saved('2026-11-20T17:00:01Z'));
      expect((await orders.get(order))?.olderSince).toBeNull();
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

    test('a rate limit is swapped only from the state that was read', async () => {
      const { rateLimits } = await open();
      const [first, second] = [state(1_790_000_000_240.5), state(1_790_000_000_480, 1_790_000_300_000)];
      expect(await rateLimits.read('key-a')).toBeNull();
      expect(await rateLimits.swap('key-a', null, first)).toBe(true);
      expect(await rateLimits.swap('key-a', null, state(1))).toBe(false);
      expect(await rateLimits.swap('key-a', state(1), state(2))).toBe(false);
      expect(await rateLimits.swap('key-a', { ...first, slowUntil: 1 }, state(2))).toBe(false);
      expect(await rateLimits.swap('key-a', first, second)).toBe(true);
      expect(await rateLimits.read('key-a')).toEqual(second);
    });

    test('of many that swap from the same state one wins', async () => {
      const { rateLimits } = await open();
      for (const expected of [null, state(0)]) {
        const swaps = Array.from({ length: 20 }, () => rateLimits.swap('key-a', expected, state(0)));
        const won = (await Promise.all(swaps)).filter(Boolean);
        expect(won.length).toBe(expected === null ? 1 : 20);
      }
      const swaps = Array.from({ length: 20 }, (_, n) => rateLimits.swap('key-a', state(0), state(n + 1)));
      expect((await Promise.all(swaps)).filter(Boolean)).toHaveLength(1);
    });
  });
}

const state = (tat: number, slowUntil = 0) => ({ tat, reserveTat: 0, slowUntil });
