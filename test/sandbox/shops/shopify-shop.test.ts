import { describe, expect, onTestFinished, test } from 'vitest';
import { shopify } from '../../../adapters/shopify/index.ts';
import { App } from '../../../adapters/shopify/settings.ts';
import { openShopifyShop, type ShopifyShopOptions } from '../../../sandbox/shops/shopify-shop.ts';
import type { RawDelivery } from '../../../src/domain/platform.ts';
import { openReceiver } from './support.ts';

const order = {
  id: 820982911946154500,
  admin_graphql_api_id: 'gid://shopify/Order/820982911946154508',
  name: '#1 & más',
  order_status_url: 'https://demo-ec.myshopify.com/orders/x?a=1&b=2',
  currency: 'USD',
  total_price: '34.50',
  updated_at: '2026-11-20T09:15:03-05:00',
  line_items: [],
  tags: 'vip, mayorista',
};
const id = '820982911946154508';

async function open(options: Partial<ShopifyShopOptions> = {}) {
  const shop = await openShopifyShop({
    shop: 'demo-ec.myshopify.com',
    orders: [order],
    accessToken: 'token',
    ...options,
  });
  onTestFinished(() => shop.close());
  const ask = async (query: string, token = 'token', variables = {}) => {
    const response = await fetch(`${shop.url}/admin/api/2026-10/graphql.json`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-shopify-access-token': token },
      body: JSON.stringify({ query, variables }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return { shop, ask };
}

describe('the GraphQL API', () => {
  const query = `query Q($id: ID!) { order(id: $id) { name updatedAt totalPriceSet { shopMoney { amount } } tags } }`;

  test('shows the order as Shopify does: exact id, UTC, amounts without trailing zeros', async () => {
    const { ask } = await open();
    const { body } = await ask(query, 'token', { id: `gid://shopify/Order/${id}` });
    expect(body.data).toEqual({
      order: {
        name: '#1 & más',
        updatedAt: '2026-11-20T14:15:03Z',
        totalPriceSet: { shopMoney: { amount: '34.5' } },
        tags: ['vip', 'mayorista'],
      },
    });
    expect(body.extensions).toHaveProperty('cost.throttleStatus.restoreRate');
  });

  test('refuses a token it does not know', async () => {
    const { ask, shop } = await open();
    expect((await ask(query, 'guessed')).status).toBe(401);
    expect(shop.requests.map(({ authorized }) => authorized)).toEqual([false]);
  });

  test('refuses a query that costs more than 1,000', async () => {
    const { ask } = await open();
    const { status, body } = await ask(
      `{ order(id: "x") { lineItems(first: 250) { nodes { taxLines { title } duties { id price { shopMoney { amount } } } } } } }`,
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({ errors: [{ extensions: { code: 'MAX_COST_EXCEEDED' } }] });
  });

  test('with a schema refuses what is not in it or deprecated; without one only what cannot be parsed', async () => {
    const schemaSdl =
      'type Query { order(id: ID!): Order } type Order { name: String old: String @deprecated }';
    const strict = await open({ schemaSdl });
    const errors = async (text: string) => (await strict.ask(text)).body.errors;
    expect(await errors('{ order(id: "1") { name } }')).toBeUndefined();
    expect(await errors('{ order(id: "1") { nmae } }')).toMatchObject([
      { message: expect.stringMatching(/nmae/) },
    ]);
    expect(await errors('{ order(id: "1") { old } }')).toMatchObject([
      { message: expect.stringMatching(/deprecated/) },
    ]);
    const loose = await open();
    expect((await loose.ask('{ order(id: "1") { nmae } }')).body.errors).toBeUndefined();
    expect((await loose.ask('{ order(id: "1") ')).body.errors).toHaveLength(1);
  });
});

describe('a webhook of the stand-in', () => {
  const app = App.parse({ clientId: 'app', clientSecrets: ['secret'] });
  const receive = (delivery: RawDelivery) => shopify.receive(delivery, { app, connection: null });

  test.each(['orders/paid', 'orders/updated', 'orders/cancelled', 'orders/edited', 'refunds/create'])(
    '%s is signed as Shopify signs and names the order exactly',
    async (topic) => {
      const { shop } = await open();
      const endpoint = await openReceiver(() => 202);
      expect(await shop.deliver(endpoint.url, { clientSecret: 'secret', topic, orderId: id })).toMatchObject([
        { status: 202 },
      ]);
      const receipts = await Promise.all(endpoint.received.map(receive));
      expect(receipts).toMatchObject([{ kind: 'hint', topic, shop: 'demo-ec.myshopify.com', orderId: id }]);
    },
  );

  test('escapes as Shopify does, so that only the raw bytes verify', async () => {
    const { shop } = await open();
    const endpoint = await openReceiver(() => 202);
    await shop.deliver(endpoint.url, { clientSecret: 'secret', topic: 'orders/paid', orderId: id });
    const [delivery] = endpoint.received;
    const text = Buffer.from(delivery?.body ?? []).toString();
    expect(text).toContain('https:\\/\\/demo-ec.myshopify.com\\/orders\\/x?a=1\\u0026b=2');
    const again = Buffer.from(JSON.stringify(JSON.parse(text)));
    expect(await receive({ headers: delivery?.headers ?? {}, body: again })).toMatchObject({ status: 401 });
  });

  test('repeated is the same delivery; wrongly signed it is refused', async () => {
    const { shop } = await open();
    const endpoint = await openReceiver(() => 202);
    const delivery = { clientSecret: 'secret', topic: 'orders/paid', orderId: id };
    expect(await shop.deliver(endpoint.url, { ...delivery, times: 3 })).toMatchObject([
      { status: 202 },
      { status: 202 },
      { status: 202 },
    ]);
    expect(new Set(endpoint.received.map(({ headers }) => headers['x-shopify-webhook-id'])).size).toBe(1);
    await shop.deliver(endpoint.url, { ...delivery, badSignature: true });
    expect(await Promise.all(endpoint.received.map(receive))).toMatchObject([
      { kind: 'hint' },
      { kind: 'hint' },
      { kind: 'hint' },
      { kind: 'refused', status: 401 },
    ]);
  });
});
