import { describe, expect, onTestFinished, test } from 'vitest';
import { openShopifyShop } from '../../../sandbox/shops/shopify-shop.ts';
import { soldOrder } from '../../adapters/shopify/sold-order.ts';
import { openReceiver } from './support.ts';

async function open(order: object = soldOrder(false)) {
  const now = new Date('2026-11-21T15:00:00Z');
  const shop = await openShopifyShop({
    shop: 'demo-ec.myshopify.com',
    orders: [order],
    accessToken: 'token',
    clock: { now: () => now },
  });
  onTestFinished(() => shop.close());
  return shop;
}

describe('a refund made in the stand-in', () => {
  test('of units gives their share back, moves the order, and leaves what was sold', async () => {
    const shop = await open();
    const refund = shop.refund(1001, {
      note: 'Talla',
      refund_line_items: [{ line_item_id: 1, quantity: 1 }],
    });
    expect(refund).toMatchObject({
      order_id: 1001,
      note: 'Talla',
      refund_line_items: [{ line_item_id: 1, quantity: 1, subtotal: 9.5, total_tax: 1.43 }],
      transactions: [{ kind: 'refund', status: 'success', amount: '10.93', gateway: 'payphone' }],
      order_adjustments: [],
    });
    expect(shop.order(1001)).toMatchObject({
      financial_status: 'partially_refunded',
      total_price: '42.66',
      current_total_price: '31.73',
      current_total_price_set: { shop_money: { amount: '31.73' }, presentment_money: { amount: '31.73' } },
      current_subtotal_price: '23.71',
      current_total_tax: '3.53',
      total_outstanding: '0.00',
      updated_at: '2026-11-21T15:00:00.000Z',
      line_items: [{ quantity: 3, current_quantity: 2 }, { current_quantity: 1 }],
      refunds: [{ id: refund.id }],
    });
  });

  test.each([false, true])(
    'of everything, bit by bit, comes to the whole (prices with tax: %s)',
    async (included) => {
      const shop = await open(soldOrder(included));
      for (let unit = 0; unit < 3; unit += 1)
        shop.refund(1001, { refund_line_items: [{ line_item_id: 1, quantity: 1 }] });
      shop.refund(1001, { refund_line_items: [{ line_item_id: 2 }] });
      expect(shop.order(1001)).toMatchObject({ financial_status: 'partially_refunded' });
      shop.refund(1001, { refund_shipping_lines: [{}] });
      expect(shop.order(1001)).toMatchObject({
        financial_status: 'refunded',
        current_total_price: '0.00',
        current_total_tax: '0.00',
        total_outstanding: '0.00',
      });
    },
  );

  test('of shipping says it twice, the second time with its tax and signed the other way', async () => {
    const shop = await open(soldOrder(true));
    expect(shop.refund(1001, { refund_shipping_lines: [{}] })).toMatchObject({
      refund_shipping_lines: [
        { shipping_line_id: 12, subtotal_amount_set: { shop_money: { amount: '5.17' } } },
      ],
      order_adjustments: [{ kind: 'shipping_refund', amount: '-4.49', tax_amount: '-0.68' }],
      transactions: [{ amount: '5.17' }],
    });
  });

  test('of another sum than its parts books the difference, of pending money all of it', async () => {
    const shop = await open();
    expect(shop.refund(1001, { transactions: [{ amount: '5.00' }] }).order_adjustments).toMatchObject([
      { kind: 'refund_discrepancy', amount: '-5.00', reason: 'Refund discrepancy' },
    ]);
    const pending = {
      refund_line_items: [{ line_item_id: 2 }],
      transactions: [{ amount: '4.70', status: 'pending' }],
    };
    expect(shop.refund(1001, pending).order_adjustments).toMatchObject([{ amount: '4.70' }]);
    expect(shop.order(1001)).toMatchObject({
      financial_status: 'partially_refunded',
      current_total_price: '37.66',
    });
  });

  test('of a restock moves no money: the buyer is owed it', async () => {
    const shop = await open();
    expect(shop.refund(1001, { refund_line_items: [{ line_item_id: 2 }], transactions: [] })).toMatchObject({
      transactions: [],
      order_adjustments: [],
    });
    expect(shop.order(1001)).toMatchObject({
      financial_status: 'paid',
      current_total_price: '37.96',
      total_outstanding: '-4.70',
    });
  });

  test('is what refunds/create brings, whole', async () => {
    const shop = await open();
    const refund = shop.refund(1001, { refund_line_items: [{ line_item_id: 2 }] });
    const endpoint = await openReceiver(() => 202);
    await shop.deliver(endpoint.url, { clientSecret: 's', topic: 'refunds/create', orderId: 1001 });
    expect(JSON.parse(Buffer.from(endpoint.received[0]?.body ?? []).toString())).toEqual(refund);
  });
});
