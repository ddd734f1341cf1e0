import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readOrder } from '../../../adapters/shopify/order.ts';
import type { Order } from '../../../src/domain/order.ts';
import { strictly } from '../../support/admin-schema.ts';
import { unexplained } from './refund-bodies.ts';
import { openPair } from './shop.ts';
import { refundAnswer, soldOrder } from './sold-order.ts';

type Pair = Awaited<ReturnType<typeof openPair>>;

const open = (order: object = soldOrder(false)) => openPair({ orders: [order], ...strictly() });

/** The refunds as the API tells them; every road must tell the same. */
async function readBoth({ client, shop, connection }: Pair): Promise<Order> {
  const fromApi = await client.fetchOrder('1001');
  const fromBody = readOrder(shop.order(1001), connection);
  expect(fromApi?.refunds).toEqual(fromBody.refunds);
  expect(fromApi?.lines).toEqual(fromBody.lines);
  expect(fromApi?.total).toEqual(fromBody.total);
  return fromBody;
}

describe('refunds read from the API', () => {
  test.each([false, true])('are those of the webhooks (prices with tax: %s)', async (included) => {
    const pair = await open(soldOrder(included));
    const refund = (json: Record<string, unknown>) => pair.shop.refund(1001, json);
    refund({ note: ' Talla ', refund_line_items: [{ line_item_id: 1, quantity: 2 }] });
    refund({ refund_shipping_lines: [{}], refund_line_items: [{ line_item_id: 2 }] });
    refund({ transactions: [{ amount: '1.00', gateway: 'shopify_store_credit', parent_id: null }] });
    refund({
      refund_line_items: [{ line_item_id: 1 }],
      transactions: [{ amount: '10.92', status: 'pending' }],
    });
    refund({
      refund_line_items: [{ line_item_id: 1, quantity: 0, subtotal: 0, total_tax: 0 }],
      transactions: [],
    });
    const { refunds } = await readBoth(pair);
    expect(refunds.map(({ amount, pending, discrepancy }) => [amount, pending, discrepancy])).toEqual([
      ['21.86', '0.00', '0.00'],
      ['9.87', '0.00', '0.00'],
      ['1.00', '0.00', '1.00'],
      ['0.00', '10.92', expect.any(String)],
      ['0.00', '0.00', '0.00'],
    ]);
    expect(refunds[1]?.parts).toMatchObject([
      { of: 'line:2', name: 'Libro', net: '4.70', tax: '0.00' },
      { of: 'shipping:12', name: 'Servientrega', net: '4.49', tax: '0.68' },
    ]);
    expect(refunds.map(unexplained)).toEqual(['0.00', '0.00', '0.00', '0.00', '0.00']);
  });

  test('are those of the webhooks whatever is given back, in whatever order', async () => {
    const cents = fc.integer({ min: 1, max: 2_000 }).map((value) => (value / 100).toFixed(2));
    const line = fc.record({ line_item_id: fc.constantFrom(1, 2), quantity: fc.constant(1) });
    const step = fc.record(
      {
        refund_line_items: fc.array(line, { maxLength: 1 }),
        refund_shipping_lines: fc.subarray([{}]),
        transactions: fc.array(
          fc.record({ amount: cents, status: fc.constantFrom('success', 'pending', 'failure', 'error') }),
          { maxLength: 2 },
        ),
      },
      { requiredKeys: [] },
    );
    const pair = await open();
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(step, { maxLength: 3 }), async (included, steps) => {
        const { line_items, ...whole } = soldOrder(included);
        const three = line_items.map((each) => ({ ...each, quantity: 3, current_quantity: 3 }));
        pair.shop.put({ ...whole, line_items: three });
        for (const each of steps) pair.shop.refund(1001, each);
        const { refunds } = await readBoth(pair);
        expect(refunds).toHaveLength(steps.length);
        for (const [at, refund] of refunds.entries())
          if (steps[at]?.transactions?.length !== 0) expect(unexplained(refund)).toBe('0.00');
      }),
      { numRuns: 30 },
    );
  });

  test('cost no call where there are none, one where all of a refund fits', async () => {
    const { client, shop } = await open();
    await client.fetchOrder('1001');
    shop.refund(1001, {});
    shop.refund(1001, {});
    await client.fetchOrder('1001');
    const calls = shop.requests.map(({ operation }) => operation);
    expect(calls).toEqual([
      'FacturapuenteOrder',
      'FacturapuenteOrder',
      'FacturapuenteRefund',
      'FacturapuenteRefund',
    ]);
  });

  test('have all of their lines, however many pages any of their lists takes', async () => {
    const [line] = soldOrder(false).line_items;
    const line_items = Array.from({ length: 120 }, (_, i) => ({ ...line, id: i + 1 }));
    const pair = await open(soldOrder(false, { line_items }));
    pair.shop.refund(1001, {
      refund_line_items: line_items.map(({ id }) => ({ line_item_id: id, quantity: 1 })),
      transactions: Array.from({ length: 11 }, () => ({ amount: '100.00' })),
    });
    const [refund] = (await readBoth(pair)).refunds;
    expect(refund?.parts?.map(({ of }) => of)).toEqual(line_items.map(({ id }) => `line:${id}`));
    expect(refund?.amount).toBe('1100.00');
    expect(pair.shop.requests.filter(({ operation }) => operation === 'FacturapuenteRefund')).toHaveLength(3);
  });

  test.each([19, 20, 21, 100])('are all there: %i of them', async (count) => {
    const pair = await open();
    for (let i = 0; i < count; i += 1) pair.shop.refund(1001, { transactions: [{ amount: '0.10' }] });
    expect((await readBoth(pair)).refunds).toHaveLength(count);
  });

  test('beyond what Shopify lists stop the order rather than vanish', async () => {
    const { client, shop } = await open();
    for (let i = 0; i < 250; i += 1) shop.refund(1001, { transactions: [{ amount: '0.01' }] });
    await expect(client.fetchOrder('1001')).rejects.toMatchObject({
      code: 'order-too-long',
      retryable: false,
      merchant: expect.stringMatching(/250 o más reembolsos/),
    });
  });

  test('of an order that changed meanwhile, or gone by then, are read again later', async () => {
    const { client, shop } = await open();
    const { id } = shop.refund(1001, {});
    const late = { id: `gid://shopify/Refund/${id}` };
    shop.trouble(refundAnswer(late, '2030-01-01T00:00:00Z'), 'FacturapuenteRefund');
    await expect(client.fetchOrder('1001')).rejects.toMatchObject({
      code: 'shop-mixed-up',
      params: { isChanging: true },
      retryable: true,
    });
    shop.trouble({ status: 200, body: { data: { refund: null } } }, 'FacturapuenteRefund');
    await expect(client.fetchOrder('1001')).rejects.toMatchObject({ params: { isChanging: true } });
    for (let i = 0; i < 20; i += 1) shop.refund(1001, {});
    const changed = {
      order: { id: 'gid://shopify/Order/1001', updatedAt: '2030-01-01T00:00:00Z', refunds: [] },
    };
    shop.trouble({ status: 200, body: { data: changed } }, 'FacturapuenteRefunds');
    await expect(client.fetchOrder('1001')).rejects.toMatchObject({ params: { isChanging: true } });
    expect((await client.fetchOrder('1001'))?.refunds).toHaveLength(21);
  });
});

describe('answers that are another order’s', () => {
  test('are never believed, and asked for again', async () => {
    const two = [soldOrder(false), soldOrder(false, { id: 1002 })];
    const { client, shop } = await openPair({ orders: two });
    const mixedUp = { code: 'shop-mixed-up', params: { isChanging: false }, retryable: true };
    const { id } = shop.refund(1001, {});
    for (const change of [
      {},
      { id: `gid://shopify/Refund/${id}`, order: { id: 'gid://shopify/Order/1002', updatedAt: 'x' } },
    ]) {
      shop.trouble(refundAnswer(change, '2030-01-01T00:00:00Z'), 'FacturapuenteRefund');
      await expect(client.fetchOrder('1001')).rejects.toMatchObject(mixedUp);
    }
    for (let i = 0; i < 20; i += 1) shop.refund(1001, {});
    const list = {
      order: { id: 'gid://shopify/Order/1002', updatedAt: '2030-01-01T00:00:00Z', refunds: [] },
    };
    shop.trouble({ status: 200, body: { data: list } }, 'FacturapuenteRefunds');
    await expect(client.fetchOrder('1001')).rejects.toMatchObject(mixedUp);
    expect((await client.fetchOrder('1001'))?.refunds).toHaveLength(21);
  });
});
