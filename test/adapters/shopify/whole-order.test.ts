import { describe, expect, test } from 'vitest';
import { strictly } from '../../support/admin-schema.ts';
import { plainOrder } from './plain-order.ts';
import { failureOf, openPair, token } from './shop.ts';

const many = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n + 1));
const line = (n: number) => ({ ...plainOrder().line_items[0], id: n, name: `Artículo ${n}` });
const shipping = (n: number) => ({ id: 500 + n, title: `Envío ${n}`, price: '1.00', tax_lines: [] });
const sale = (n: number) => ({
  kind: 'sale',
  status: 'success',
  gateway: `medio-${n}`,
  amount: '1.00',
  processed_at: '2026-11-20T09:15:00-05:00',
});
const field = (n: number) => ({
  key: n === 140 ? 'TAX_CREDENTIAL_EC' : `FIELD_${n}`,
  value: '1790012345001',
});

describe('an order with more of everything than one answer holds', () => {
  test('has all of its lines, shipping lines and transactions', async () => {
    const long = plainOrder({
      line_items: many(130, line),
      shipping_lines: many(70, shipping),
      transactions: many(30, sale),
    });
    const { client, shop } = await openPair({ orders: [long], ...strictly() });
    const order = await client.fetchOrder('1001');
    expect(order?.lines.map(({ name }) => name)).toEqual(many(130, (n) => `Artículo ${n}`));
    expect(order?.charges.map(({ name }) => name)).toEqual(many(70, (n) => `Envío ${n}`));
    expect(order?.payments.map(({ gateway }) => gateway)).toEqual(many(30, (n) => `medio-${n}`));
    const asked = Map.groupBy(shop.requests, ({ operation }) => operation);
    expect([...asked].map(([operation, calls]) => [operation, calls.length])).toEqual([
      ['FacturapuenteOrder', 1],
      ['FacturapuenteLines', 5],
      ['FacturapuenteShipping', 2],
      ['FacturapuenteTransactions', 1],
    ]);
  });

  test('has the buyer’s number even when it is the last of many fields', async () => {
    const { client } = await openPair({ orders: [plainOrder({ localized_fields: many(140, field) })] });
    expect((await client.fetchOrder('1001'))?.buyer.ids[0]).toMatchObject({
      source: 'localized field TAX_CREDENTIAL_EC',
    });
  });

  test('names every collection of its products, asked once for each product', async () => {
    const collections = many(260, (n) => ({ handle: `coleccion-${n}`, title: `Colección ${n}` }));
    const product = { id: 77, tags: [], collections };
    const orders = [plainOrder({ line_items: [{ ...line(1), product }, { ...line(2), product }, line(3)] })];
    const { client, shop } = await openPair(
      { orders, ...strictly() },
      { accessToken: token, productDetails: true },
    );
    const order = await client.fetchOrder('1001');
    expect(order?.lines.map((one) => one.collections.length)).toEqual([520, 520, 0]);
    expect(order?.lines[1]?.collections.slice(-2)).toEqual(['coleccion-260', 'Colección 260']);
    expect(shop.requests.filter(({ operation }) => operation === 'FacturapuenteCollections')).toHaveLength(2);
  });

  test('that Shopify itself does not hand out whole is left to a person', async () => {
    const { client } = await openPair({ orders: [plainOrder({ transactions: many(250, sale) })] });
    const error = await failureOf(client.fetchOrder('1001'));
    expect(error).toMatchObject({
      code: 'order-too-long',
      params: { list: 'transacciones' },
      retryable: false,
    });
  });

  test.each([
    ['FacturapuenteLines', 'lineItems'],
    ['FacturapuenteShipping', 'shippingLines'],
    ['FacturapuenteLocalized', 'localizedFields'],
    ['FacturapuenteTransactions', 'transactions'],
  ])('that changed before %s is read again, not pieced together', async (operation, part) => {
    const long = plainOrder({
      line_items: many(30, line),
      shipping_lines: many(6, shipping),
      localized_fields: many(11, field),
      transactions: many(20, sale),
    });
    const { client, shop } = await openPair({ orders: [long] });
    const empty =
      part === 'transactions' ? [] : { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };
    const edited = {
      data: { order: { id: 'gid://shopify/Order/1001', updatedAt: '2026-11-21T00:00:00Z', [part]: empty } },
    };
    shop.trouble({ status: 200, body: edited }, operation);
    expect(await failureOf(client.fetchOrder('1001'))).toMatchObject({
      code: 'shop-mixed-up',
      params: { isChanging: true },
      retryable: true,
    });
    expect((await client.fetchOrder('1001'))?.charges).toHaveLength(6);
  });
});
