import { expect, onTestFinished, test } from 'vitest';
import { openWooCommerceShop } from '../../../sandbox/shops/woocommerce-shop.ts';
import { selfSignedCertificate, trustedCertificate } from '../../support/certificate.ts';
import { heldFactura, keys, openAdapter, paidOrder, shopError } from './shop.ts';

type Options = Parameters<typeof openWooCommerceShop>[0];

async function open(options: Partial<Options> = {}) {
  const stand = await openWooCommerceShop({ orders: [paidOrder()], ...keys, ...options });
  onTestFinished(() => stand.close());
  return stand;
}

test('over TLS the keys travel as Basic, and nothing of them stands in the address', async () => {
  const stand = await open({ tls: trustedCertificate() });
  const order = await openAdapter({ url: stand.url }).fetchOrder('29');
  expect(order).toMatchObject({ id: '29', shop: stand.url });
  const [request] = stand.requests;
  expect(request?.headers.authorization).toMatch(/^Basic /);
  expect([...(request?.query.keys() ?? [])]).toEqual([]);
});

test('a certificate nobody vouches for is refused, and named', async () => {
  const stand = await open({ tls: selfSignedCertificate() });
  const error = await shopError(openAdapter({ url: stand.url }).fetchOrder('29'));
  expect(error).toMatchObject({ code: 'shop-certificate', retryable: true });
  expect(error.merchant).toMatch(/certificado/);
  expect(stand.requests).toHaveLength(0);
});

test('a host that strips Authorization names queryStringAuth, which then works', async () => {
  const stand = await open({ tls: trustedCertificate(), host: { stripsAuthorization: true } });
  const error = await shopError(openAdapter({ url: stand.url }).fetchOrder('29'));
  expect(error).toMatchObject({ code: 'shop-unauthorized', retryable: false });
  expect(error.merchant).toMatch(/queryStringAuth/);
  const order = await openAdapter({ url: stand.url, queryStringAuth: true }).fetchOrder('29');
  expect(order?.id).toBe('29');
});

test('a proxy that ends TLS and does not say so looks like missing rights, and the sentence says both', async () => {
  const stand = await open({ tls: trustedCertificate(), host: { knowsTls: false } });
  for (const queryStringAuth of [false, true]) {
    const error = await shopError(openAdapter({ url: stand.url, queryStringAuth }).fetchOrder('29'));
    expect(error.params).toMatchObject({ status: 401, reason: 'woocommerce_rest_cannot_view' });
    expect(error.merchant).toMatch(/HTTPS/);
  }
});

test('a key that may only read reads, and says so at the first write', async () => {
  const stand = await open({ permissions: 'read' });
  const shop = openAdapter({ url: stand.url });
  expect((await shop.fetchOrder('29'))?.id).toBe('29');
  const error = await shopError(shop.writeBack('29', [heldFactura]));
  expect(error.merchant).toMatch(/lectura y escritura/);
});
