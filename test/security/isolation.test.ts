import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  appSecrets,
  type Installation,
  now,
  openInstallation,
  serviceSecrets,
  wooSecret,
} from '../http/installation.ts';

const shopifyBody = '{"id":42,"admin_graphql_api_id":"gid://shopify/Order/42"}';
const wooBody = '{"id":42}';
const hmac = (secret: string, body: string) => createHmac('sha256', secret).update(body).digest('base64');

const toWoo = (installation: Installation, secret: string) =>
  installation.post('/webhooks/cuenca', wooBody, {
    'x-wc-webhook-signature': hmac(secret, wooBody),
    'x-wc-webhook-topic': 'order.updated',
    'x-wc-webhook-source': 'https://cuenca.example.ec/',
  });
const toShopify = (installation: Installation, secret: string, shop: string) =>
  installation.post('/webhooks/mi-app', shopifyBody, {
    'x-shopify-hmac-sha256': hmac(secret, shopifyBody),
    'x-shopify-topic': 'orders/paid',
    'x-shopify-shop-domain': shop,
    'x-shopify-webhook-id': 'w1',
  });

describe('one store', () => {
  test('cannot speak at the endpoint of another: each endpoint believes its own secrets alone', async () => {
    const installation = await openInstallation();
    for (const secret of [...appSecrets, ...serviceSecrets])
      expect((await toWoo(installation, secret)).status).toBe(401);
    for (const secret of [wooSecret, ...serviceSecrets])
      expect((await toShopify(installation, secret, 'quito.myshopify.com')).status).toBe(401);
    expect(await installation.jobs()).toEqual([]);
    expect((await toWoo(installation, wooSecret)).status).toBe(200);
    expect((await toShopify(installation, appSecrets[0], 'quito.myshopify.com')).status).toBe(200);
    // Each asks for its own shop's order of that number.
    expect((await installation.jobs()).map(({ subject }) => subject).sort()).toEqual([
      'shopify/quito.myshopify.com/42',
      'woocommerce/https%3A%2F%2Fcuenca.example.ec/42',
    ]);
  });

  test('of an app can have nothing done but a look at what the shop itself says, whatever shop its header names', async () => {
    const installation = await openInstallation();
    expect((await toShopify(installation, appSecrets[0], 'otra.myshopify.com')).status).toBe(404);
    await toShopify(installation, appSecrets[0], 'quito.myshopify.com');
    const [job] = await installation.jobs();
    expect([job?.kind, job?.payload]).toEqual(['sync-order', undefined]);
  });

  test('of the service cannot settle what another account issued', async () => {
    const installation = await openInstallation();
    const body = JSON.stringify({ evento: 'webhook.prueba' });
    const seconds = Math.floor(now.getTime() / 1000);
    const signed = (secret: string) => ({
      'x-service-signature-v2': `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`,
    });
    expect((await installation.post('/service/webhook/otra', body, signed(serviceSecrets[0]))).status).toBe(
      404,
    );
    expect((await installation.post('/service/webhook/principal', body, signed('otro-secreto'))).status).toBe(
      401,
    );
    expect(
      (await installation.post('/service/webhook/principal', body, signed(serviceSecrets[0]))).status,
    ).toBe(200);
  });
});

test('the public server knows no endpoint of the command line', async () => {
  const installation = await openInstallation();
  const ticket = (use: string) => installation.tickets.issue(use, new Date(now.getTime() + 60_000));
  for (const path of [
    '/commands/retry',
    '/desk',
    '/stores/cuenca?do=list',
    '/install/cuenca?do=check',
    '/',
  ]) {
    const { status } = await installation.post(path, '{"do":"health"}', {
      authorization: `Bearer ${ticket('desk')}`,
    });
    expect([path, status]).toEqual([path, 404]);
  }
});
