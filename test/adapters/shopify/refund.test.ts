import { describe, expect, test } from 'vitest';
import { shopify } from '../../../adapters/shopify/index.ts';
import { PayloadError } from '../../../src/core/errors.ts';
import { hasShared } from '../../support/shared.ts';
import { readPayload } from './payloads.ts';

/** Of the refunds' order only the way its prices were made matters. */
const order = { id: 1001, currency: 'USD', taxes_included: false };

const money = (amount: string, currency_code = 'USD') => ({ shop_money: { amount, currency_code } });
const refund = (id: number, transaction: object) => ({
  id,
  order_id: 1001,
  refund_line_items: [{ subtotal_set: money('10.00') }],
  transactions: [{ kind: 'refund', status: 'success', amount: '11.50', currency: 'USD', ...transaction }],
});

describe('refunds', () => {
  test('come alone, as a list, or wrapped', () => {
    const one = refund(7, {});
    const expected = [{ id: '7', amount: '11.50' }];
    for (const body of [one, [one], { refund: one }, { refunds: [one] }])
      expect(shopify.readRefunds(body, order)).toMatchObject(expected);
  });

  test('that moved no money are none', () => {
    expect(
      shopify.readRefunds([refund(1, { status: 'pending' }), { ...refund(2, {}), transactions: [] }], order),
    ).toEqual([]);
  });

  test("in another currency than the shop's are known, their amount is not", () => {
    expect(shopify.readRefunds(refund(1, { currency: 'CAD' }), order)).toMatchObject([
      { id: '1', amount: null },
    ]);
  });

  test('are not orders or anything else', () => {
    expect(() => shopify.readRefunds({ id: 1, line_items: [] }, order)).toThrow(PayloadError);
    expect(() => shopify.readRefunds('x', order)).toThrow(PayloadError);
  });
});

describe.skipIf(!hasShared)('shared refunds', () => {
  const read = (path: string) => shopify.readRefunds(readPayload(path).payload, order);

  test('say what went back', () => {
    expect(read('synthetic-ec/r01_partial-1-of-3_taxes-included.json')).toMatchObject([{ amount: '17.99' }]);
    expect(read('synthetic-ec/r03_shipping-only.json')).toHaveLength(1);
    expect(read('synthetic-ec/r05_restock-without-money.json')).toEqual([]);
    expect(read('synthetic-ec/r07_pending-transaction.json')).toEqual([]);
  });

  test('of real shops are read one and all', () => {
    const path = 'real/refunds_create_2026-07_shipping_storecredit_gateway_damage.json';
    const bodies = Object.values(readPayload(path).payload as object);
    expect(bodies).toHaveLength(4);
    for (const body of bodies) expect(shopify.readRefunds(body, order)).toHaveLength(1);
  });
});
