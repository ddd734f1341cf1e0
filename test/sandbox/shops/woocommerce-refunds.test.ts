import { describe, expect, test } from 'vitest';
import type { WooCommerceShop } from '../../../sandbox/shops/woocommerce-shop.ts';
import { type RecordedCall, recordedCalls } from '../../adapters/woocommerce/recordings.ts';
import { paidOrder } from '../../adapters/woocommerce/shop.ts';
import { hasShared } from '../../support/shared.ts';
import { call, comparable, comparableHeaders, openShop, timeOf } from './support.ts';

describe.skipIf(!hasShared)('beside the recordings', () => {
  const scenarios = ['r01', 'r02', 'r03', 'r04', 'r07', 'r09', 'r11'];

  test.each(scenarios)(
    '%s: asked what WooCommerce was asked, the shop answers what it answered',
    async (name) => {
      const { shop, set } = await openShop();
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

describe('a refund made by hand', () => {
  const order = paidOrder({ id: 48 });
  const line = { id: 1, quantity: 1, refund_total: 10, refund_tax: [{ id: 1, refund_total: 1.5 }] };

  test('stands in the order, moves its time and leaves its status until all is given back', async () => {
    const { shop, set } = await openShop([order]);
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
    const { shop } = await openShop([order]);
    expect(shop.refund(48, { line_items: [line] })).toMatchObject({ amount: '11.50' });
  });

  test('cannot give back more than is left, and then leaves no trace', async () => {
    const { shop } = await openShop([order]);
    shop.refund(48, { amount: '11.00' });
    expect(() => shop.refund(48, { amount: '0.51' })).toThrow('Invalid refund amount.');
    expect(shop.refunds(48)).toHaveLength(1);
  });

  test('can be deleted, and the order neither wakes up nor changes its status', async () => {
    const { shop, set } = await openShop([order]);
    const { id } = shop.refund(48, { amount: '11.50', line_items: [line] });
    const before = shop.order(48);
    set('2026-11-22T10:00:00');
    shop.deleteRefund(48, id);
    expect(shop.refunds(48)).toEqual([]);
    expect(shop.order(48)).toEqual({ ...before, refunds: [] });
  });
});

describe('over the API', () => {
  test('a refund through the gateway is refused, for none of ours can', async () => {
    const { shop } = await openShop([paidOrder({ id: 48 })]);
    expect(await call(shop, 'POST', 'orders/48/refunds', { amount: '1.00' })).toMatchObject({
      status: 500,
      json: { code: 'woocommerce_rest_cannot_create_order_refund', data: 500 },
    });
    expect(shop.refunds(48)).toEqual([]);
  });
});

test('restored from a backup the shop is as it was, and gives its ids again', async () => {
  const { shop } = await openShop([paidOrder()]);
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
