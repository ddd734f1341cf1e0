import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../../sandbox/shops/loopback.ts';
import { heldFactura, keys, openAdapter, openBoth, paidOrder, shopError } from './shop.ts';

test('an order is read from the API, signed, uncached and under our own name', async () => {
  const { stand, shop } = await openBoth();
  expect(await shop.fetchOrder('29')).toMatchObject({
    id: '29',
    shop: stand.url,
    settlement: 'paid',
    total: '11.50',
    buyer: { name: 'Carlos Andrade Muñoz' },
  });
  expect(stand.requests).toMatchObject([
    {
      method: 'GET',
      path: 'orders/29',
      authorized: true,
      headers: { 'user-agent': 'facturapuente/0.1.0', 'cache-control': 'no-cache' },
    },
  ]);
});

test('a shop in a folder is asked there', async () => {
  const { stand } = await openBoth();
  const order = await openAdapter({ url: `${stand.url}/tienda/` }).fetchOrder('29');
  expect(order).toMatchObject({ id: '29', shop: `${stand.url}/tienda` });
  expect(stand.requests.map(({ path }) => path)).toEqual(['/tienda/wp-json/wc/v3/orders/29']);
});

test('an order the shop no longer has is null', async () => {
  const { shop } = await openBoth();
  expect(await shop.fetchOrder('74')).toBeNull();
  expect(await shop.fetchOrder('../products/1')).toBeNull();
});

test('a wrong secret and an unknown key say what to check', async () => {
  const { stand } = await openBoth();
  for (const wrong of [{ consumerSecret: 'cs_wrong' }, { consumerKey: 'ck_wrong' }]) {
    const error = await shopError(openAdapter({ url: stand.url, ...wrong }).fetchOrder('29'));
    expect(error).toMatchObject({ code: 'shop-unauthorized', retryable: false });
    expect(error.merchant).toMatch(/clave y el secreto/);
    expect(error.params.reason).toBe('woocommerce_rest_authentication_error');
  }
});

test.each([301, 302, 307])('a %i is not followed and names the final address', async (status) => {
  const { stand, shop } = await openBoth();
  const location = `https://www.mitienda.ec/wp-json/wc/v3/orders/29?oauth_consumer_key=${keys.consumerKey}`;
  // Only one within the shop means its permalinks.
  stand.trouble({ status, headers: { location, 'x-redirect-by': 'WordPress' }, body: '' });
  const error = await shopError(shop.fetchOrder('29'));
  expect(error).toMatchObject({ code: 'shop-redirects', retryable: false });
  expect(error.merchant).toContain('https://www.mitienda.ec.');
  expect(stand.requests).toHaveLength(1);
});

test('a redirect of WordPress within the shop means plain permalinks, and no other address', async () => {
  const { stand, shop } = await openBoth();
  const headers = { location: `${stand.url}/wp-json/wc/v3/orders/29/`, 'x-redirect-by': 'WordPress' };
  stand.trouble({ status: 301, headers, body: '' });
  const error = await shopError(shop.fetchOrder('29'));
  expect(error).toMatchObject({ code: 'shop-permalinks', retryable: false });
  expect(error.merchant).toBe(
    'La API de WordPress no responde en esta dirección. En Ajustes → Enlaces permanentes elija cualquier opción menos «Simple»; si ya es así, revise que «url» lleve la carpeta de la tienda.',
  );
});

test('a broken connection and a closed port are retryable', async () => {
  const { stand, shop } = await openBoth();
  stand.trouble('lost');
  expect(await shopError(shop.fetchOrder('29'))).toMatchObject({ code: 'shop-unreachable', retryable: true });
  const free = await freePort();
  expect(await shopError(openAdapter({ url: `http://127.0.0.1:${free}` }).fetchOrder('29'))).toMatchObject({
    code: 'shop-unreachable',
    retryable: true,
    params: { reason: 'ECONNREFUSED' },
  });
});

test('an order that cannot be read, or another order, is an error without buyer data', async () => {
  const { stand, shop } = await openBoth();
  stand.put(paidOrder({ total: 'Carlos' }));
  const unreadable = await shopError(shop.fetchOrder('29'));
  expect(unreadable).toMatchObject({ code: 'shop-answer', retryable: false });
  expect(unreadable.params).toMatchObject({ call: 'GET orders/29' });
  expect(unreadable.merchant).toContain('«total» es un texto y debe ser un monto');
  expect(`${unreadable.message} ${unreadable.merchant}`).not.toContain('Carlos');
  stand.trouble({ status: 200, body: paidOrder({ id: 30 }) });
  expect(await shopError(shop.fetchOrder('29'))).toMatchObject({
    code: 'shop-mixed-up',
    params: { isChanging: false },
  });
});

test('a store that asks for them gets the tags and categories of what was sold', async () => {
  const [line] = paidOrder().line_items as Record<string, unknown>[];
  const lines = [
    { ...line, id: 1, product_id: 22, variation_id: 23 },
    { ...line, id: 2, product_id: 0 },
  ];
  const named = (name: string, slug: string) => [{ id: 1, name, slug }];
  const products = [
    { id: 22, tags: named('Canasta b&aacute;sica', 'canasta'), categories: named('Libros', 'libros') },
  ];
  const { stand, shop } = await openBoth(
    { productDetails: true },
    { orders: [paidOrder({ line_items: lines })], products },
  );
  const order = await shop.fetchOrder('29');
  expect(order?.lines.map(({ productId, tags, collections }) => [productId, tags, collections])).toEqual([
    ['23', ['canasta', 'Canasta básica'], ['libros', 'Libros']],
    [null, [], []],
  ]);
  expect(stand.requests.map(({ path, authorized }) => [path, authorized])).toEqual([
    ['orders/29', true],
    ['products', true],
  ]);
});

test('429 and 503 wait as long as the shop asks', async () => {
  const { stand, shop } = await openBoth();
  stand.trouble({ status: 429, headers: { 'retry-after': '7' }, body: 'slow down' });
  expect(await shopError(shop.fetchOrder('29'))).toMatchObject({
    code: 'shop-busy',
    retryable: true,
    retryAfterMs: 7000,
  });
  stand.trouble({ status: 503, headers: { 'retry-after': 'Fri, 20 Nov 2026 15:01:00 GMT' }, body: '' });
  expect(await shopError(shop.fetchOrder('29'))).toMatchObject({ retryable: true, retryAfterMs: 60_000 });
  const limit = { code: 'woocommerce_rest_too_many_requests', message: 'Slow down', data: { status: 429 } };
  stand.trouble({ status: 429, body: limit });
  expect(await shopError(shop.fetchOrder('29'))).toMatchObject({ code: 'shop-busy', retryable: true });
  stand.trouble({ status: 503, headers: { 'retry-after': '99999999' }, body: '' });
  expect(await shopError(shop.fetchOrder('29'))).toMatchObject({ retryAfterMs: 3_600_000 });
  stand.trouble({ status: 503, headers: { 'retry-after': 'soon' }, body: '' });
  expect(await shopError(shop.fetchOrder('29'))).toMatchObject({ retryable: true, retryAfterMs: null });
});

test('no call is made twice by the client, whatever came of it', async () => {
  const { stand, shop } = await openBoth({ timeoutMs: 1000 });
  for (const trouble of ['lost', { status: 500, body: '' }, { status: 429, body: '' }] as const) {
    stand.trouble(trouble);
    await shopError(shop.fetchOrder('29'));
  }
  expect(stand.requests).toHaveLength(3);
});

test('a write that got no answer in time is looked at again only when the shop must be done with it', async () => {
  const { stand, shop } = await openBoth({ timeoutMs: 1000 });
  stand.trouble('hang', 'PUT');
  const error = await shopError(shop.writeBack('29', [heldFactura]));
  expect(error).toMatchObject({ code: 'shop-timeout', retryable: true, retryAfterMs: 60_000 });
  // The same where not we lost patience but a server before PHP, which goes on all the same.
  for (const status of [502, 504, 524]) {
    stand.trouble({ status, body: '<h1>Gateway Time-out</h1>' }, 'PUT');
    const late = await shopError(shop.writeBack('29', [heldFactura]));
    expect(late).toMatchObject({ retryable: true, retryAfterMs: 60_000 });
  }
  stand.trouble({ status: 504, body: '<h1>Gateway Time-out</h1>' }, 'GET');
  expect(await shopError(shop.fetchOrder('29'))).toMatchObject({ retryable: true, retryAfterMs: null });
});

test('a shop is asked a few things at a time, however much there is to do', async () => {
  let [now, most, all] = [0, 0, 0];
  const server = createServer((_request, response) => {
    [now, all] = [now + 1, all + 1];
    most = Math.max(most, now);
    setTimeout(() => {
      now -= 1;
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ code: 'woocommerce_rest_shop_order_invalid_id' }));
    }, 10);
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const shop = openAdapter({ url: `http://127.0.0.1:${port}` });
  await Promise.all(Array.from({ length: 40 }, (_, n) => shop.fetchOrder(String(n + 1))));
  expect(all).toBe(40);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(4);
});

test('a silent shop ends in a retryable timeout', async () => {
  const { stand, shop } = await openBoth({ timeoutMs: 1000 });
  stand.trouble('hang');
  expect(await shopError(shop.fetchOrder('29'))).toMatchObject({ code: 'shop-timeout', retryable: true });
});

test('a crash of WordPress is retryable, a 500 that WooCommerce means is not', async () => {
  const { stand, shop } = await openBoth();
  const crash = (code: string) => ({ status: 500, body: { code, message: 'Error', data: { status: 500 } } });
  stand.trouble(crash('internal_server_error'));
  expect(await shopError(shop.fetchOrder('29'))).toMatchObject({ code: 'shop-failing', retryable: true });
  stand.trouble(crash('woocommerce_rest_cannot_create_order_refund'));
  expect(await shopError(shop.fetchOrder('29'))).toMatchObject({ code: 'shop-refused', retryable: false });
});
