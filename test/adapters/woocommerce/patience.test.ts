import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { heldFactura, openAdapter, openBoth, shopError } from './shop.ts';

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
