import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shopify } from '../../../adapters/shopify/index.ts';
import { PayloadError } from '../../../src/domain/errors.ts';
import {
  adjustment,
  body,
  order,
  readOne,
  shippingLine,
  shirt,
  taxesIncluded,
  transaction,
  unexplained,
} from './refund-bodies.ts';

const money = [transaction('11.50')];

describe('refunds', () => {
  test('come alone, as a list, or wrapped, beside their order bare or wrapped', () => {
    const one = body({ refund_line_items: [shirt], transactions: money });
    for (const payload of [one, [one], { refund: one }, { refunds: [one] }])
      for (const beside of [order, { order }])
        expect(shopify.readRefunds(payload, beside)).toMatchObject([{ id: '7', amount: '11.50' }]);
  });

  test('say when, why, how much, and what for', () => {
    const given = { note: '  Talla equivocada ', refund_line_items: [shirt], transactions: money };
    expect(readOne(given)).toEqual({
      id: '7',
      at: '2026-11-21T15:00:01.000Z',
      reason: 'Talla equivocada',
      amount: '11.50',
      pending: '0.00',
      parts: [{ of: 'line:1', name: 'Camiseta', quantity: '1', net: '10.00', tax: '1.50' }],
      discrepancy: '0.00',
    });
    expect(readOne({ processed_at: null, note: ' ' })).toMatchObject({
      at: '2026-11-21T15:00:00.000Z',
      reason: null,
    });
  });

  test('of a shop whose prices contain the tax contain it in the subtotal of a line', () => {
    const line = { ...shirt, subtotal: 11.5 };
    const refund = readOne({ refund_line_items: [line], transactions: money }, taxesIncluded);
    expect(refund.parts).toMatchObject([{ net: '10.00', tax: '1.50' }]);
    expect(unexplained(refund)).toBe('0.00');
  });

  test('name the exact line even where the number was rounded', () => {
    const line_item = { admin_graphql_api_id: 'gid://shopify/LineItem/866550311766439020', name: 'Gorra' };
    const line = { ...shirt, line_item_id: 866550311766439000, line_item };
    expect(readOne({ refund_line_items: [line] }).parts).toMatchObject([
      { of: 'line:866550311766439020', name: 'Gorra' },
    ]);
  });

  test('without transactions moved no money, and stay in the list', () => {
    expect(readOne({ refund_line_items: [shirt] })).toMatchObject({ amount: '0.00', pending: '0.00' });
    const voided = [transaction('11.50', { kind: 'void' })];
    expect(readOne({ refund_line_items: [shirt], transactions: voided })).toMatchObject({ amount: '0.00' });
  });

  test('count what arrived, also as store credit; what failed never was', () => {
    const transactions = [
      transaction('5.00'),
      transaction('6.50', { gateway: 'shopify_store_credit', parent_id: null }),
      transaction('3.00', { status: 'failure' }),
      transaction('4.00', { status: 'error' }),
    ];
    const refund = readOne({ refund_line_items: [shirt], transactions });
    expect(refund).toMatchObject({ amount: '11.50', pending: '0.00', discrepancy: '0.00' });
  });

  test.each(['pending', 'awaiting_response'])('whose money is %s have given nothing back yet', (status) => {
    const transactions = [transaction('11.50', { status })];
    const refund = readOne({ refund_line_items: [shirt], transactions });
    expect(refund).toMatchObject({ amount: '0.00', pending: '11.50', discrepancy: '0.00' });
    expect(unexplained(refund)).toBe('0.00');
  });

  test('whose pending money Shopify books as missing differ by nothing, before and after it arrives', () => {
    const missing = adjustment('refund_discrepancy', '11.50');
    const arrived = adjustment('refund_discrepancy', '-11.50', '0.00', 'Pending refund discrepancy');
    const before = readOne({
      refund_line_items: [shirt],
      order_adjustments: [missing],
      transactions: [transaction('11.50', { status: 'pending' })],
    });
    const after = readOne({
      refund_line_items: [shirt],
      order_adjustments: [missing, arrived],
      transactions: money,
    });
    expect(before).toMatchObject({ amount: '0.00', pending: '11.50', discrepancy: '0.00' });
    expect(after).toMatchObject({ amount: '11.50', pending: '0.00', discrepancy: '0.00' });
  });

  test('of more money than the parts are a positive discrepancy, of less a negative one', () => {
    const goodwill = readOne({
      order_adjustments: [adjustment('refund_discrepancy', '-5.00', '-0.75')],
      transactions: [transaction('5.75')],
    });
    expect(goodwill).toMatchObject({ amount: '5.75', parts: [], discrepancy: '5.75' });
    const fee = readOne({
      refund_line_items: [shirt],
      order_adjustments: [adjustment('refund_discrepancy', '2.00', '0.00', 'restock')],
      transactions: [transaction('9.50')],
    });
    expect(fee).toMatchObject({ amount: '9.50', discrepancy: '-2.00' });
    expect([goodwill, fee].map(unexplained)).toEqual(['0.00', '0.00']);
  });

  test('that do not add up are left as Shopify tells them', () => {
    const refund = readOne({ refund_line_items: [shirt], transactions: [transaction('12.00')] });
    expect(refund).toMatchObject({ amount: '12.00', discrepancy: '0.00' });
    expect(unexplained(refund)).toBe('0.50');
  });

  test('name duties by their id, and additional fees as the order does', () => {
    const set = (amount: string) => ({ shop_money: { amount } });
    const refund = readOne({
      duties: [{ duty_id: 31, amount_set: set('3.00') }],
      total_duties_set: set('3.00'),
      total_additional_fees_set: set('1.25'),
      transactions: [transaction('4.25')],
    });
    expect(refund.parts).toMatchObject([
      { of: 'duty:31', net: '3.00', tax: '0.00' },
      { of: 'fee:additional-fees', net: '1.25', tax: '0.00' },
    ]);
    expect(readOne({ total_duties_set: set('3.00') }).parts).toMatchObject([{ of: null, net: '3.00' }]);
  });

  test('whose lines come without their money do not tell what they are for', () => {
    expect(
      readOne({ refund_line_items: [{ line_item_id: 1, quantity: 1 }], transactions: money }),
    ).toMatchObject({
      amount: '11.50',
      parts: null,
    });
  });

  test('add up whatever mixture of lines, goodwill and waiting money they are', () => {
    const cents = fc.integer({ min: 1, max: 100_000 });
    const text = (value: number) => (value / 100).toFixed(2);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cents, cents), { maxLength: 5 }),
        fc.integer({ min: -500, max: 500 }),
        fc.boolean(),
        fc.boolean(),
        (lines, more, included, waits) => {
          const parts = lines.reduce((sum, [net, tax]) => sum + net + tax, 0);
          const gone = Math.max(parts + more, 0);
          const refund = readOne(
            {
              refund_line_items: lines.map(([net, tax]) => ({
                ...shirt,
                subtotal: text(included ? net + tax : net),
                total_tax: text(tax),
              })),
              order_adjustments: [adjustment('refund_discrepancy', text(parts - gone))],
              transactions: [transaction(text(gone), waits ? { status: 'pending' } : {})],
            },
            included ? taxesIncluded : order,
          );
          expect(unexplained(refund)).toBe('0.00');
        },
      ),
    );
  });
});

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

const given = (amount: string, tax: string) => adjustment('shipping_refund', amount, tax, 'Shipping refund');

describe('refunded shipping', () => {
  test('is counted once, though Shopify says it twice', () => {
    const refund = readOne({
      refund_line_items: [shirt],
      refund_shipping_lines: [shippingLine('4.50')],
      order_adjustments: [given('-4.50', '-0.68')],
      transactions: [transaction('16.68')],
    });
    expect(refund.parts).toMatchObject([
      { of: 'line:1' },
      { of: 'shipping:12', name: 'Servientrega', quantity: '0', net: '4.50', tax: '0.68' },
    ]);
    expect(unexplained(refund)).toBe('0.00');
  });

  test('stated by adjustments alone is their signed sum, of the order’s only shipping line', () => {
    const order_adjustments = [given('-4.50', '-0.68'), given('4.50', '0.68'), given('-2.00', '-0.30')];
    const refund = readOne({ order_adjustments, transactions: [transaction('2.30')] });
    expect(refund.parts).toMatchObject([{ of: 'shipping:12', net: '2.00', tax: '0.30' }]);
    expect(readOne({ order_adjustments }, { ...order, shipping_lines: [] }).parts).toMatchObject([
      { of: null },
    ]);
    expect(readOne({ order_adjustments: [given('-4.50', '-0.68'), given('4.50', '0.68')] }).parts).toEqual(
      [],
    );
  });

  test('of half the shipping is taxed with what remains of the money', () => {
    const refund = readOne({
      refund_line_items: [shirt],
      refund_shipping_lines: [shippingLine('2.25')],
      order_adjustments: [adjustment('refund_discrepancy', '-1.00')],
      transactions: [transaction('15.08')],
    });
    expect(refund.parts?.[1]).toMatchObject({ net: '2.25', tax: '0.33' });
    expect(unexplained(refund)).toBe('0.00');
  });

  test('is taxed as it was sold where no money tells, or where it would be taxed more than that', () => {
    const refund_shipping_lines = [shippingLine('2.25')];
    expect(readOne({ refund_shipping_lines }).parts).toMatchObject([{ net: '2.25', tax: '0.34' }]);
    const odd = readOne({ refund_shipping_lines, transactions: [transaction('4.00')] });
    expect(odd.parts).toMatchObject([{ net: '2.25', tax: '0.34' }]);
    expect(unexplained(odd)).toBe('1.41');
  });

  test('that gave back no tax has none', () => {
    const refund = readOne({
      refund_shipping_lines: [shippingLine('4.50')],
      transactions: [transaction('4.50')],
    });
    expect(refund.parts).toMatchObject([{ net: '4.50', tax: '0.00' }]);
  });

  test('of a tax-inclusive shop contains the tax, unless only the other reading explains the money', () => {
    const read = (subtotal: string, adjusted: string) =>
      readOne(
        {
          refund_shipping_lines: [shippingLine(subtotal)],
          order_adjustments: [given(adjusted, '-0.68')],
          transactions: [transaction('5.18')],
        },
        taxesIncluded,
      );
    for (const refund of [read('5.18', '-4.50'), read('4.50', '-4.50')]) {
      expect(refund.parts).toMatchObject([{ net: '4.50', tax: '0.68' }]);
      expect(unexplained(refund)).toBe('0.00');
    }
  });

  test('of a tax-inclusive shop without adjustments is read by the money and the tax it was sold with', () => {
    const read = (subtotal: string, changes: object = {}) =>
      readOne(
        { refund_shipping_lines: [shippingLine(subtotal)], transactions: [transaction('5.18', changes)] },
        taxesIncluded,
      );
    expect(read('5.18').parts).toMatchObject([{ net: '4.50', tax: '0.68' }]);
    expect(read('4.50').parts).toMatchObject([{ net: '4.50', tax: '0.68' }]);
    expect(read('5.18', { status: 'failure' }).parts).toMatchObject([{ net: '4.50', tax: '0.68' }]);
  });

  test('stated by adjustments of a tax-inclusive shop excludes the tax, unless the money says otherwise', () => {
    const read = (amount: string, money: string) =>
      readOne(
        { order_adjustments: [given(amount, '-0.68')], transactions: [transaction(money)] },
        taxesIncluded,
      );
    expect(read('-4.50', '5.18').parts).toMatchObject([{ net: '4.50', tax: '0.68' }]);
    expect(read('-5.18', '5.18').parts).toMatchObject([{ net: '4.50', tax: '0.68' }]);
  });

  test('on several lines shares the tax as the subtotals lie', () => {
    const shipping_lines = [...order.shipping_lines, { ...order.shipping_lines[0], id: 13, title: 'Moto' }];
    const refund = readOne(
      {
        refund_shipping_lines: [shippingLine('4.50'), shippingLine('1.50', 13)],
        order_adjustments: [given('-6.00', '-0.91')],
        transactions: [transaction('6.91')],
      },
      { ...order, shipping_lines },
    );
    expect(refund.parts).toMatchObject([
      { of: 'shipping:12', tax: '0.68' },
      { of: 'shipping:13', name: 'Moto', tax: '0.23' },
    ]);
  });

  test('of a line the order does not show is named by its id, of none by the order’s only line', () => {
    const read = (id: number | null, beside: object = order) =>
      readOne(
        { refund_shipping_lines: [shippingLine('4.50', id)], transactions: [transaction('4.50')] },
        beside,
      ).parts;
    expect(read(99)).toMatchObject([{ of: 'shipping:99', name: 'Envío' }]);
    expect(read(null)).toMatchObject([{ of: 'shipping:12' }]);
    expect(read(null, { ...order, shipping_lines: null })).toMatchObject([{ of: null }]);
  });

  test('booked as missing while its money is pending keeps its tax', () => {
    const refund = readOne({
      refund_shipping_lines: [shippingLine('4.50')],
      order_adjustments: [adjustment('refund_discrepancy', '5.18')],
      transactions: [transaction('5.18', { status: 'pending' })],
    });
    expect(refund).toMatchObject({
      amount: '0.00',
      pending: '5.18',
      discrepancy: '0.00',
      parts: [{ net: '4.50', tax: '0.68' }],
    });
  });
});
