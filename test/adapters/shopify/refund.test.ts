import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shopify } from '../../../adapters/shopify/index.ts';
import {
  adjustment,
  body,
  order,
  readOne,
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
