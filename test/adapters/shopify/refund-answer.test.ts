import { describe, expect, test } from 'vitest';
import { openPair } from './shop.ts';
import { refundAnswer, soldOrder } from './sold-order.ts';

const reported = (reason: string | null, amount: string, tax = '0.0') => ({
  reason,
  amountSet: { shopMoney: { amount } },
  taxAmountSet: { shopMoney: { amount: tax } },
});

const list = (...nodes: object[]) => ({
  nodes,
  pageInfo: { hasNextPage: false, endCursor: String(nodes.length) },
});
const paid = (amount: string, status = 'SUCCESS') => ({
  kind: 'REFUND',
  status,
  amountSet: { shopMoney: { amount } },
});

describe('a refund the API tells', () => {
  /** Reads one detail answer as the order's only refund. */
  async function read(changes: object, order: object = soldOrder(false)) {
    const { client, shop } = await openPair({ orders: [order] });
    shop.refund(1001, { id: 7 });
    const { updated_at } = shop.order(1001) as { updated_at: string };
    shop.trouble(refundAnswer(changes, updated_at.replace('.000Z', 'Z')), 'FacturapuenteRefund');
    const refund = (await client.fetchOrder('1001'))?.refunds[0];
    if (!refund) throw new Error('No refund was read.');
    return refund;
  }
  const total = (amount: string) => ({ totalRefundedSet: { shopMoney: { amount } } });

  test('with a total that is not the sum of its transactions has no amount', async () => {
    const transactions = list(paid('5.0'), paid('2.0', 'PENDING'), paid('9.0', 'FAILURE'));
    expect(await read({ transactions, ...total('5.0') })).toMatchObject({ amount: '5.00', pending: '2.00' });
    expect(await read({ transactions, ...total('7.0') })).toMatchObject({ amount: null });
  });

  test.each([
    'REFUND_DISCREPANCY',
    'DAMAGE',
    'CUSTOMER',
    'RESTOCK',
    'FULL_RETURN_BALANCING_ADJUSTMENT',
    'PENDING_REFUND_DISCREPANCY',
  ])('with an adjustment for %s differs by it from its parts', async (reason) => {
    const refund = await read({
      orderAdjustments: list(reported(reason, '-4.0', '-0.6')),
      transactions: list(paid('4.6')),
      ...total('4.6'),
    });
    expect(refund).toMatchObject({ amount: '4.60', parts: [], discrepancy: '4.60' });
  });

  test('of before 2024-10 tells its shipping by an adjustment without a reason', async () => {
    const orderAdjustments = list(reported(null, '-4.49', '-0.68'));
    const money = { transactions: list(paid('5.17')), ...total('5.17') };
    const expected = { discrepancy: '0.00', parts: [{ of: 'shipping:12', net: '4.49', tax: '0.68' }] };
    expect(await read({ orderAdjustments, ...money })).toMatchObject(expected);
    const refundShippingLines = list({
      subtotalAmountSet: { shopMoney: { amount: '4.49' } },
      taxAmountSet: { shopMoney: { amount: '0.68' } },
      shippingLine: { id: 'gid://shopify/ShippingLine/12', title: 'Servientrega' },
    });
    expect(await read({ orderAdjustments, refundShippingLines, ...money })).toMatchObject(expected);
  });

  test('of a tax-inclusive shop reads its shipping as the money proves, with or without the tax', async () => {
    for (const subtotal of ['5.17', '4.49']) {
      const refundShippingLines = list({
        subtotalAmountSet: { shopMoney: { amount: subtotal } },
        taxAmountSet: { shopMoney: { amount: '0.68' } },
        shippingLine: { id: null, title: 'Servientrega' },
      });
      const money = { transactions: list(paid('5.17')), ...total('5.17') };
      expect(await read({ refundShippingLines, ...money }, soldOrder(true))).toMatchObject({
        parts: [{ of: 'shipping:shipping', net: '4.49', tax: '0.68' }],
      });
    }
  });

  test('names the duty it gives back, and none where Shopify does not', async () => {
    const amountSet = { shopMoney: { amount: '3.0' } };
    const duties = [
      { amountSet, originalDuty: { id: 'gid://shopify/Duty/31' } },
      { amountSet, originalDuty: null },
    ];
    expect((await read({ duties })).parts).toMatchObject([
      { of: 'duty:31', net: '3.00' },
      { of: null, net: '3.00' },
    ]);
    expect((await read({ duties: null })).parts).toEqual([]);
  });
});
