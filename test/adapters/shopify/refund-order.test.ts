import { describe, expect, test } from 'vitest';
import { shopify } from '../../../adapters/shopify/index.ts';
import { PayloadError } from '../../../src/domain/errors.ts';
import { body, order } from './refund-bodies.ts';

describe('refunds beside their order', () => {
  test('are not orders or anything else', () => {
    for (const payload of [{ id: 1, line_items: [] }, 'x', null, { id: 1, order_id: 1001 }])
      expect(() => shopify.readRefunds(payload, order)).toThrow(PayloadError);
  });

  test('of another order are refused with a sentence, and so are refunds without an order', () => {
    expect(() => shopify.readRefunds(body({ order_id: 1002 }), order)).toThrow(
      expect.objectContaining({
        code: 'refund-of-another-order',
        merchant: expect.stringMatching(/es del pedido 1002 y se entregó con el pedido 1001/),
      }),
    );
    for (const beside of [null, {}, { currency: 'USD' }])
      expect(() => shopify.readRefunds(body(), beside)).toThrow(
        expect.objectContaining({
          code: 'not-an-order',
          merchant: expect.stringContaining('falta su pedido'),
        }),
      );
    // An order trimmed to what a refund needs names no id to compare.
    const { id: _id, ...nameless } = order;
    expect(shopify.readRefunds(body(), nameless)).toHaveLength(1);
  });

  test('belong to their order also where one of the two ids was rounded', () => {
    const long = {
      ...order,
      id: 820982911946154500,
      admin_graphql_api_id: 'gid://shopify/Order/820982911946154508',
    };
    for (const order_id of [820982911946154500, '820982911946154508'])
      expect(shopify.readRefunds(body({ order_id }), long)).toHaveLength(1);
  });
});
