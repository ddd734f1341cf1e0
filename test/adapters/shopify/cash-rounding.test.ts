import { describe, expect, test } from 'vitest';
import { readOrder } from '../../../adapters/shopify/order.ts';
import { connection } from './payloads.ts';
import { plainOrder } from './plain-order.ts';
import { body, readOne, shirt, order as sold, transaction, usd } from './refund-bodies.ts';

const rounded = (amount: string) => ({ total_cash_rounding_payment_adjustment_set: usd(amount) });
const paid = (gateway: string, amount: string) => ({
  kind: 'sale',
  status: 'success',
  gateway,
  amount,
  currency: 'USD',
});
const total = String(plainOrder().total_price);
const less = (amount: string) => (Number(total) - Number(amount)).toFixed(2);

describe('cash that a till rounded', () => {
  test('is no part of the sale: payments come to its total', () => {
    const order = readOrder(
      plainOrder({ ...rounded('-0.02'), transactions: [paid('cash', less('0.02'))] }),
      connection,
    );
    expect(order).toMatchObject({
      total,
      cashRounding: '-0.02',
      payments: [{ gateway: 'cash', amount: total }],
    });
  });

  test('beside a card lies on the cash', () => {
    const transactions = [paid('cash', less('10.02')), paid('shopify_payments', '10.00')];
    const order = readOrder(plainOrder({ ...rounded('-0.02'), transactions }), connection);
    expect(order.payments.map(({ amount }) => amount)).toEqual([less('10.00'), '10.00']);
  });

  test('explains nothing but its own amount', () => {
    const order = readOrder(
      plainOrder({ ...rounded('-0.02'), transactions: [paid('cash', less('1.00'))] }),
      connection,
    );
    expect(order.payments.map(({ amount }) => amount)).toEqual([less('1.00')]);
    expect(readOrder(plainOrder(rounded('0.00')), connection)).not.toHaveProperty('cashRounding');
  });

  test.each(['0.05', '-0.05'])(
    'given back is what the lines say, whichever way Shopify signs it: %s',
    (signed) => {
      const one = body({ refund_line_items: [shirt], transactions: [transaction('11.55')] });
      const beside = { ...sold, total_cash_rounding_refund_adjustment_set: usd(signed) };
      expect(readOne(one, beside)).toMatchObject({
        amount: '11.50',
        cashRounding: '0.05',
        discrepancy: '0.00',
      });
      const other = body({ refund_line_items: [shirt], transactions: [transaction('11.60')] });
      expect(readOne(other, beside)).toMatchObject({ amount: '11.60' });
      expect(readOne(other, beside)).not.toHaveProperty('cashRounding');
    },
  );
});

test('a refund says what of it went to gift cards and store credit', () => {
  const transactions = [
    transaction('1.50', { gateway: 'gift_card' }),
    transaction('4.00', { gateway: 'shopify_store_credit' }),
    transaction('6.00', { gateway: 'shopify_payments' }),
    transaction('9.00', { gateway: 'gift_card', status: 'failure' }),
  ];
  expect(readOne({ refund_line_items: [shirt], transactions })).toMatchObject({
    amount: '11.50',
    toBalances: [
      { gateway: 'gift_card', amount: '1.50' },
      { gateway: 'shopify_store_credit', amount: '4.00' },
    ],
  });
  expect(readOne({ refund_line_items: [shirt], transactions: [transaction('11.50')] })).not.toHaveProperty(
    'toBalances',
  );
});
