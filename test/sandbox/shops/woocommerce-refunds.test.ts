import { describe, expect, onTestFinished, test } from 'vitest';
import { openWooCommerceShop, type WooCommerceShop } from '../../../sandbox/shops/woocommerce-shop.ts';
import { type RecordedCall, recordedCalls } from '../../adapters/woocommerce/recordings.ts';
import { keys, paidOrder } from '../../adapters/woocommerce/shop.ts';
import { hasShared } from '../../support/shared.ts';
import { comparable, comparableHeaders, timeOf } from './comparable.ts';
import { call } from './woocommerce-call.ts';

/** A shop whose clock the test sets, in UTC without Z as WooCommerce writes it. */
async function open(orders: unknown[] = []): Promise<{ shop: WooCommerceShop; set: (time: string) => void }> {
  let now = new Date('2026-11-20T15:00:00Z');
  const shop = await openWooCommerceShop({ orders, ...keys, clock: { now: () => now } });
  onTestFinished(() => shop.close());
  return { shop, set: (time) => (now = new Date(`${time}Z`)) };
}

describe.skipIf(!hasShared)('beside the recordings', () => {
  const scenarios = ['r01', 'r02', 'r03', 'r04', 'r07', 'r09', 'r11'];

  test.each(scenarios)(
    '%s: asked what WooCommerce was asked, the shop answers what it answered',
    async (name) => {
      const { shop, set } = await open();
      const calls = recordedCalls().filter(({ file }) => file.includes(`-${name}-`));
      const [created, ...rest] = calls.filter(({ file }) => !file.includes('notes-'));
      shop.put(created?.json);
      const pathHere = pathsOf(shop, rest);
      expect(rest.length).toBeGreaterThan(2);
      for (const { file, request, status, headers, json } of rest) {
        set(timeOf(json) ?? '2026-11-20T10:09:00');
        const answer = await call(shop, request.method.toUpperCase(), pathHere(request.path), request.body);
        const seen = { file, status: answer.status, body: comparable(answer.json, created?.json) };
        expect(seen).toEqual({ file, status, body: comparable(json, created?.json) });
        expect([file, comparableHeaders(answer.headers)]).toEqual([file, comparableHeaders(headers)]);
      }
    },
  );

  test('a made refund has the very keys of a recorded one, in their order', async () => {
    const { shop } = await open();
    const order = recordedCalls().find(({ file }) => file.includes('-r02-full-lines-create'));
    const made = recordedCalls().find(({ file }) => file.includes('-r02-refund-all-lines'));
    shop.put(order?.json);
    const { json } = await call(shop, 'POST', 'orders/51/refunds', made?.request.body);
    expect(keysOf(json)).toEqual(keysOf(made?.json));
  });
});

/** The shop's ids are its own: a recorded path that names a refund is asked with the id given here. */
function pathsOf(shop: WooCommerceShop, calls: readonly RecordedCall[]) {
  const recorded = calls
    .filter(({ request, status }) => request.method === 'post' && status === 201)
    .map(({ json }) => (json as { id: number }).id);
  return (path: string): string =>
    path.replace(/^(orders\/(\d+)\/refunds)\/(\d+)$/, (_whole, list, order, refund) => {
      const oldestFirst = shop.refunds(order).toReversed();
      return `${list}/${oldestFirst[recorded.indexOf(Number(refund))]?.id}`;
    });
}

function keysOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [`${path} ${typeof value}`];
  return Object.entries(value).flatMap(([key, below]) => keysOf(below, `${path}/${key}`));
}

describe('a refund made by hand', () => {
  const order = paidOrder({ id: 48 });
  const line = { id: 1, quantity: 1, refund_total: 10, refund_tax: [{ id: 1, refund_total: 1.5 }] };

  test('stands in the order, moves its time and leaves its status until all is given back', async () => {
    const { shop, set } = await open([order]);
    set('2026-11-21T10:00:00');
    const first = shop.refund(48, { amount: '1.50', reason: 'Taza rota' });
    expect(shop.order(48)).toMatchObject({
      status: 'processing',
      date_modified: '2026-11-21T05:00:00',
      date_modified_gmt: '2026-11-21T10:00:00',
      refunds: [{ id: first.id, reason: 'Taza rota', total: '-1.50', total_tax: '0.00' }],
    });
    set('2026-11-21T10:00:01');
    const second = shop.refund(48, { amount: 10 });
    expect(shop.order(48)).toMatchObject({
      status: 'refunded',
      refunds: [{ id: second.id }, { id: first.id }],
    });
    expect(shop.refunds(48).map(({ id }) => id)).toEqual([second.id, first.id]);
  });

  test('without an amount gives back what its rows say', async () => {
    const { shop } = await open([order]);
    expect(shop.refund(48, { line_items: [line] })).toMatchObject({ amount: '11.50' });
  });

  test('cannot give back more than is left, and then leaves no trace', async () => {
    const { shop } = await open([order]);
    shop.refund(48, { amount: '11.00' });
    expect(() => shop.refund(48, { amount: '0.51' })).toThrow('Invalid refund amount.');
    expect(shop.refunds(48)).toHaveLength(1);
  });

  test('can be deleted, and the order neither wakes up nor changes its status', async () => {
    const { shop, set } = await open([order]);
    const { id } = shop.refund(48, { amount: '11.50', line_items: [line] });
    const before = shop.order(48);
    set('2026-11-22T10:00:00');
    shop.deleteRefund(48, id);
    expect(shop.refunds(48)).toEqual([]);
    expect(shop.order(48)).toEqual({ ...before, refunds: [] });
  });

  test('is listed in pages of ten, or as many as asked', async () => {
    const { shop } = await open([order]);
    const made = Array.from({ length: 11 }, () => shop.refund(48, { amount: '1.00' }).id).toReversed();
    const ids = ({ json }: { json: unknown }) => (json as { id: number }[]).map(({ id }) => id);
    const second = await call(shop, 'GET', 'orders/48/refunds?page=2');
    expect([second.headers.get('x-wp-total'), second.headers.get('x-wp-totalpages')]).toEqual(['11', '2']);
    expect(ids(second)).toEqual(made.slice(10));
    expect(ids(await call(shop, 'GET', 'orders/48/refunds?per_page=100'))).toEqual(made);
    expect((await call(shop, 'GET', 'orders/48/refunds?per_page=101')).status).toBe(400);
  });
});

describe('over the API', () => {
  test('a refund through the gateway is refused, for none of ours can', async () => {
    const { shop } = await open([paidOrder({ id: 48 })]);
    expect(await call(shop, 'POST', 'orders/48/refunds', { amount: '1.00' })).toMatchObject({
      status: 500,
      json: { code: 'woocommerce_rest_cannot_create_order_refund', data: 500 },
    });
    expect(shop.refunds(48)).toEqual([]);
  });

  test('a refund that is not there, or of another order, is not found', async () => {
    const { shop } = await open([paidOrder({ id: 48 }), paidOrder({ id: 49 })]);
    const { id } = shop.refund(48, { amount: '1.00' });
    for (const path of [`orders/49/refunds/${id}`, 'orders/48/refunds/7', `orders/7/refunds/${id}`])
      expect(await call(shop, 'DELETE', `${path}?force=true`)).toMatchObject({ status: 404 });
    expect(await call(shop, 'GET', `orders/48/refunds/${id}`)).toMatchObject({ status: 200, json: { id } });
  });
});

test('restored from a backup the shop is as it was, and gives its ids again', async () => {
  const { shop } = await open([paidOrder()]);
  const id = String((paidOrder() as { id: number }).id);
  const restore = shop.backup();
  const lost = shop.refund(id, { amount: '1.00' });
  shop.change(id, { meta_data: [{ key: '_note', value: 'since' }] });
  shop.put({ ...paidOrder(), id: 999 });
  restore();
  expect([shop.order(999), shop.refunds(id)]).toEqual([undefined, []]);
  expect(shop.order(id)?.meta_data.map(({ key }) => key)).not.toContain('_note');
  expect(shop.refund(id, { amount: '2.00' }).id).toBe(lost.id);
});
