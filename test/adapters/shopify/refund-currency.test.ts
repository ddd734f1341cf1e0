import { describe, expect, test } from 'vitest';
import { order, readOne, transaction } from './refund-bodies.ts';

/** The shop books INR, the buyer saw and gets CAD. */
const foreign = { ...order, currency: 'INR', presentment_currency: 'CAD' };
const both = (inr: string, cad: string) => ({
  shop_money: { amount: inr, currency_code: 'INR' },
  presentment_money: { amount: cad, currency_code: 'CAD' },
});
const line = {
  line_item_id: 1,
  quantity: 1,
  subtotal_set: both('60.93', '0.90'),
  total_tax_set: both('6.09', '0.09'),
};
const cad = (amount: string, changes: object = {}) => transaction(amount, { currency: 'CAD', ...changes });
const discrepancy = (inr: string, cadAmount: string) => ({
  kind: 'refund_discrepancy',
  amount_set: both(inr, cadAmount),
  tax_amount_set: both('0.00', '0.00'),
});

describe('money that moved in the buyer’s currency', () => {
  test('is the shop’s money its parts say, if in the buyer’s they come to it exactly', () => {
    expect(readOne({ refund_line_items: [line], transactions: [cad('0.99')] }, foreign)).toMatchObject({
      amount: '67.02',
      discrepancy: '0.00',
    });
    expect(
      readOne(
        {
          refund_line_items: [line],
          order_adjustments: [discrepancy('-33.84', '-0.50')],
          transactions: [cad('1.49')],
        },
        foreign,
      ),
    ).toMatchObject({ amount: '100.86', discrepancy: '33.84' });
  });

  test('is unknown where they do not, in several currencies, or in one that is nobody’s', () => {
    const read = (...transactions: object[]) => readOne({ refund_line_items: [line], transactions }, foreign);
    expect(read(cad('0.90')).amount).toBeNull();
    expect(read(cad('0.50'), transaction('33.50', { currency: 'INR' })).amount).toBeNull();
    expect(read(cad('0.99', { currency: 'EUR' })).amount).toBeNull();
    expect(
      readOne(
        { refund_line_items: [{ line_item_id: 1, quantity: 1 }], transactions: [cad('0.99')] },
        foreign,
      ),
    ).toMatchObject({
      amount: null,
      parts: null,
    });
  });

  test('is believed to be the parts where the buyer’s figures are not told, unless some of it failed', () => {
    const bare = { line_item_id: 1, quantity: 1, subtotal: 60.93, total_tax: 6.09 };
    const read = (...transactions: object[]) => readOne({ refund_line_items: [bare], transactions }, foreign);
    expect(read(cad('0.99')).amount).toBe('67.02');
    expect(read(cad('0.50'), cad('0.49', { status: 'failure' })).amount).toBeNull();
  });

  test('and is still pending is known as pending; partly arrived it cannot be told apart', () => {
    const read = (...transactions: object[]) => readOne({ refund_line_items: [line], transactions }, foreign);
    expect(read(cad('0.99', { status: 'pending' }))).toMatchObject({ amount: '0.00', pending: '67.02' });
    expect(read(cad('0.50'), cad('0.49', { status: 'pending' })).amount).toBeNull();
    const booked = { order_adjustments: [discrepancy('67.02', '0.99')] };
    const pending = [cad('0.99', { status: 'pending' })];
    expect(readOne({ refund_line_items: [line], ...booked, transactions: pending }, foreign)).toMatchObject({
      amount: '0.00',
      pending: '67.02',
      discrepancy: '0.00',
    });
  });

  test('finds the tax of refunded shipping in the buyer’s money and converts it', () => {
    const shipping_lines = [
      {
        ...order.shipping_lines[0],
        price: '60.93',
        tax_lines: [{ title: 'IVA', price: '9.14', rate: 0.15 }],
      },
    ];
    const shipping = { shipping_line_id: 12, subtotal_amount_set: both('60.93', '0.90') };
    const refund = readOne(
      { refund_shipping_lines: [shipping], transactions: [cad('1.03')] },
      { ...foreign, shipping_lines },
    );
    expect(refund).toMatchObject({ amount: '69.73', parts: [{ net: '60.93', tax: '8.80' }] });
  });
});
