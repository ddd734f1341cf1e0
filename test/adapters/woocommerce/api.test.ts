import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
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

test('an order the shop no longer has is null', async () => {
  const { shop } = await openBoth();
  expect(await shop.fetchOrder('74')).toBeNull();
  expect(await shop.fetchOrder('../products/1')).toBeNull();
});

test('a 404 of anything else is an error, never a deleted order', async () => {
  const { stand, shop } = await openBoth();
  stand.trouble({ status: 404, body: '<html>Not found</html>' });
  expect(await shopError(shop.fetchOrder('29'))).toMatchObject({ code: 'shop-permalinks', retryable: false });
  stand.trouble({ status: 404, body: { code: 'rest_no_route', message: 'No route', data: { status: 404 } } });
  expect((await shopError(shop.fetchOrder('29'))).message).toContain('rest_no_route');
});

test('a wrong secret and an unknown key say what to check', async () => {
  const { stand } = await openBoth();
  for (const wrong of [{ consumerSecret: 'cs_wrong' }, { consumerKey: 'ck_wrong' }]) {
    const error = await shopError(openAdapter({ url: stand.url, ...wrong }).fetchOrder('29'));
    expect(error).toMatchObject({ code: 'shop-unauthorized', retryable: false });
    expect(error.merchant).toMatch(/clave y el secreto/);
    expect(error.message).toContain('woocommerce_rest_authentication_error');
  }
});

test('a shop that sees no authentication at all gives its own advice', async () => {
  const { stand, shop } = await openBoth();
  stand.trouble({ status: 401, body: { code: 'woocommerce_rest_cannot_view', message: 'Sorry', data: {} } });
  expect((await shopError(shop.fetchOrder('29'))).merchant).toMatch(/queryStringAuth/);
});

test.each([301, 302, 307])('a %i is not followed and names the final address', async (status) => {
  const { stand, shop } = await openBoth();
  const location = `https://www.mitienda.ec/wp-json/wc/v3/orders/29?oauth_consumer_key=${keys.consumerKey}`;
  stand.trouble({ status, headers: { location }, body: '' });
  const error = await shopError(shop.fetchOrder('29'));
  expect(error).toMatchObject({ code: 'shop-redirects', retryable: false });
  expect(error.merchant).toContain('https://www.mitienda.ec.');
  expect(stand.requests).toHaveLength(1);
});

test('a silent shop ends in a retryable timeout', async () => {
  const { stand, shop } = await openBoth({ timeoutMs: 1000 });
  stand.trouble('hang');
  expect(await shopError(shop.fetchOrder('29'))).toMatchObject({ code: 'shop-timeout', retryable: true });
});

test('a maintenance page with status 200 is retryable', async () => {
  const { stand, shop } = await openBoth();
  stand.trouble({ status: 200, body: '<html>En mantenimiento</html>' });
  expect(await shopError(shop.fetchOrder('29'))).toMatchObject({ code: 'shop-not-json', retryable: true });
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

test('a crash of WordPress is retryable, a 500 that WooCommerce means is not', async () => {
  const { stand, shop } = await openBoth();
  const crash = (code: string) => ({ status: 500, body: { code, message: 'Error', data: { status: 500 } } });
  stand.trouble(crash('internal_server_error'));
  expect(await shopError(shop.fetchOrder('29'))).toMatchObject({ code: 'shop-failing', retryable: true });
  stand.trouble(crash('woocommerce_rest_cannot_create_order_refund'));
  expect(await shopError(shop.fetchOrder('29'))).toMatchObject({ code: 'shop-failing', retryable: false });
});

test('a broken connection and a closed port are retryable', async () => {
  const { stand, shop } = await openBoth();
  stand.trouble('lost');
  expect(await shopError(shop.fetchOrder('29'))).toMatchObject({ code: 'shop-unreachable', retryable: true });
  const free = await closedPort();
  expect(await shopError(openAdapter({ url: `http://127.0.0.1:${free}` }).fetchOrder('29'))).toMatchObject({
    code: 'shop-unreachable',
    retryable: true,
    message: expect.stringContaining('ECONNREFUSED'),
  });
});

test('over TLS the secret travels as a password and stays out of the error', async () => {
  const free = await closedPort();
  for (const queryStringAuth of [false, true]) {
    const shop = openAdapter({ url: `https://127.0.0.1:${free}`, queryStringAuth });
    expect(await shopError(shop.fetchOrder('29'))).toMatchObject({ code: 'shop-unreachable' });
  }
});

test('an order that cannot be read, or another order, is an error without buyer data', async () => {
  const { stand, shop } = await openBoth();
  stand.put(paidOrder({ total: 'Carlos' }));
  const unreadable = await shopError(shop.fetchOrder('29'));
  expect(unreadable).toMatchObject({ code: 'shop-answer', retryable: false });
  expect(unreadable.message).toContain('unreadable at total');
  expect(unreadable.message).not.toContain('Carlos');
  stand.trouble({ status: 200, body: paidOrder({ id: 30 }) });
  expect((await shopError(shop.fetchOrder('29'))).message).toContain('another order');
});

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('No port.');
  return address.port;
}

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

test('a shop is asked a few things at a time, however much there is to do', async () => {
  let [now, most, all] = [0, 0, 0];
  const server = createHttpServer((_request, response) => {
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
