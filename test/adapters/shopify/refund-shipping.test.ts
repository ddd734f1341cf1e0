import { describe, expect, test } from 'vitest';
import {
  adjustment,
  order,
  readOne,
  shippingLine,
  shirt,
  taxesIncluded,
  transaction,
  unexplained,
} from './refund-bodies.ts';

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

  test('told by adjustments alone is their signed sum, of the order’s only shipping line', () => {
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

  test('told by adjustments of a tax-inclusive shop excludes the tax, unless the money says otherwise', () => {
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
