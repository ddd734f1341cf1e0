import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openWooCommerceShop } from '../../../sandbox/shops/woocommerce-shop.ts';
import type { Shop } from '../../../src/domain/platform.ts';
import { keys, openAdapter, openBoth, paidOrder, shopError } from './shop.ts';

const at = (second: number): string =>
  new Date(Date.UTC(2026, 10, 20, 10, 0, second)).toISOString().slice(0, 19);
const since = (second: number): Date => new Date(`${at(second)}Z`);
const order = (id: number, second: number, more: object = {}) =>
  paidOrder({ id, date_modified_gmt: at(second), ...more });

async function listAll(shop: Shop, from: Date, between: (page: number) => void = () => {}) {
  const pages: string[][] = [];
  let cursor: string | null = null;
  do {
    const page = await shop.changedOrders({ since: from, cursor });
    pages.push(page.rows.map(({ id }) => id));
    cursor = page.next;
    between(pages.length);
  } while (cursor !== null && pages.length < 60);
  return pages;
}

describe('the orders that changed', () => {
  test('are listed also where one names a refund that was deleted', async () => {
    const refunds = [{ id: 0, reason: '', total: '-0.00' }];
    const { shop } = await openBoth({}, { orders: [order(1, 9, { refunds }), order(2, 10)] });
    const { rows } = await shop.changedOrders({ since: since(1), cursor: null });
    expect(rows.map(({ id, refunds }) => [id, refunds])).toEqual([
      ['1', []],
      ['2', []],
    ]);
  });

  test('are named with their refunds, from the asked second on, in the one exact form of dates', async () => {
    const { stand, shop } = await openBoth({}, { orders: [order(1, 9), order(2, 10), order(3, 11)] });
    stand.refund(3, { amount: '1.00' });
    const page = await shop.changedOrders({ since: since(10), cursor: null });
    expect(page.rows).toMatchObject([
      { id: '2', updatedAt: '2026-11-20T10:00:10Z', refunds: [] },
      { id: '3', refunds: [String(stand.refunds(3)[0]?.id)] },
    ]);
    expect([page.next, page.asOf?.toISOString()]).toEqual([null, '2026-11-20T15:00:00.000Z']);
    const query = stand.requests.at(-1)?.query;
    expect([query?.get('modified_after'), query?.get('dates_are_gmt')]).toEqual([
      '2026-11-20T10:00:09',
      'true',
    ]);
    expect(stand.requests).toHaveLength(1);
  });

  test.each(['hpos', 'posts'] as const)('are the same from a shop that keeps them as %s', async (storage) => {
    const orders = [order(1, 9), order(2, 10), order(3, 11)];
    const stand = await openWooCommerceShop({ orders, ...keys, system: { storage } });
    onTestFinished(() => stand.close());
    expect(await listAll(openAdapter({ url: stand.url }), since(10))).toEqual([['2', '3']]);
  });

  test('in the trash and in the checkout are left out', async () => {
    const orders = [
      order(1, 1, { status: 'trash' }),
      order(2, 1, { status: 'checkout-draft' }),
      order(3, 1, { status: 'cancelled' }),
    ];
    const { shop } = await openBoth({}, { orders });
    expect(await listAll(shop, since(0))).toEqual([['3']]);
  });

  test('are all found, however they change while the pages are read', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 90, maxLength: 330 }),
        fc.array(fc.array(fc.nat(), { maxLength: 40 }), { maxLength: 4 }),
        async (seconds, changes) => {
          const orders = seconds.map((second, n) => order(n + 1, second));
          const stand = await openWooCommerceShop({ orders, ...keys });
          const shop = openAdapter({ url: stand.url });
          let clock = 10;
          const pages = await listAll(shop, since(0), (page) => {
            clock += 1;
            for (const n of changes[page - 1] ?? []) stand.put(order((n % seconds.length) + 1, clock));
          });
          await stand.close();
          expect(new Set(pages.flat()).size).toBe(seconds.length);
        },
      ),
      { numRuns: 12 },
    );
  });

  test('by the hundreds in one second are found page by page, also when some change meanwhile', async () => {
    const orders = Array.from({ length: 830 }, (_, n) => order(n + 1, n < 820 ? 5 : 7));
    const { stand, shop } = await openBoth({}, { orders });
    const pages = await listAll(shop, since(0), (page) => {
      for (let id = page * 20; id < page * 20 + 15; id += 1) stand.put(order(id, 60 + page));
    });
    expect(new Set(pages.flat()).size).toBe(830);
    expect(Math.max(...stand.requests.map(({ query }) => query.toString().length))).toBeLessThan(6_000);
  });

  test('of a shop whose list never goes on are an error, not a search without end', async () => {
    const { stand, shop } = await openBoth();
    const rows = Array.from({ length: 100 }, (_, n) => ({
      id: n + 1,
      status: 'processing',
      date_modified_gmt: at(1),
      refunds: [],
    }));
    const stuck = { status: 200, headers: { 'x-wp-totalpages': '9' }, body: rows };
    stand.trouble(stuck);
    const { next } = await shop.changedOrders({ since: since(0), cursor: null });
    stand.trouble(stuck);
    const error = await shopError(shop.changedOrders({ since: since(0), cursor: next }));
    expect(error).toMatchObject({ code: 'shop-answer', retryable: false });
  });
});

describe('the refunds of the whole shop', () => {
  const refunded = async (count: number) => {
    const both = await openBoth({}, { orders: Array.from({ length: count }, (_, n) => order(n + 1, 1)) });
    for (let id = 1; id <= count; id += 1) both.stand.refund(id, { amount: '1.00' });
    return both;
  };

  test('are named with their orders, page by page back to the asked instant', async () => {
    const { shop } = await refunded(130);
    const first = await shop.newRefunds({ since: since(0), cursor: null });
    const second = await shop.newRefunds({ since: since(0), cursor: first.next });
    expect([first.rows.length, second.rows.length, second.next]).toEqual([100, 30, null]);
    expect(new Set([...first.rows, ...second.rows].map(({ orderId }) => orderId)).size).toBe(130);
    const later = new Date('2026-11-20T15:00:01Z');
    expect(await shop.newRefunds({ since: later, cursor: null })).toEqual({ rows: [], next: null });
  });

  test('are none where WooCommerce is too old to list them', async () => {
    const { stand, shop } = await openBoth();
    stand.trouble({
      status: 404,
      body: { code: 'rest_no_route', message: 'No route', data: { status: 404 } },
    });
    expect(await shop.newRefunds({ since: since(0), cursor: null })).toEqual({ rows: [], next: null });
  });
});

test('of known orders the list has those that are neither deleted nor in the trash', async () => {
  const { stand, shop } = await openBoth(
    {},
    { orders: [order(1, 1), order(2, 2, { status: 'trash' }), order(4, 4)] },
  );
  const rows = await shop.listOrders(['1', '2', '3', '4']);
  expect(rows.map(({ id }) => id).sort()).toEqual(['1', '4']);
  expect(await shop.listOrders([])).toEqual([]);
  expect(stand.requests).toHaveLength(1);
});
