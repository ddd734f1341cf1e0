import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkPlatform } from '../../../adapters/contract/index.ts';
import { shopify } from '../../../adapters/shopify/index.ts';
import { woocommerce } from '../../../adapters/woocommerce/index.ts';
import { shopifyOrders } from '../../../sandbox/shops/shopify-orders.ts';
import { wooOrders } from '../../../sandbox/shops/woocommerce-orders.ts';
import type { Platform } from '../../../src/domain/platform.ts';
import { noon } from '../../support/orders.ts';

const sign = (secret: string, body: string) => createHmac('sha256', secret).update(body).digest('base64');

function wooSamples() {
  const connection = woocommerce.demoConnection();
  const [paidOrder] = wooOrders(noon);
  const body = JSON.stringify(paidOrder);
  const headers = {
    'content-type': 'application/json',
    'x-wc-webhook-topic': 'order.updated',
    'x-wc-webhook-signature': sign(connection.webhookSecrets[0] ?? '', body),
  };
  return { connection, app: null as never, paidOrder, delivery: { headers, body: Buffer.from(body) } };
}

describe('the contract of a platform adapter', () => {
  it('is kept by WooCommerce', async () => {
    expect(await checkPlatform(woocommerce, wooSamples())).toEqual([]);
  });

  it('is kept by Shopify', async () => {
    const connection = shopify.demoConnection();
    const app = shopify.app?.parse({ clientId: 'app', clientSecrets: ['secreto-de-la-app'] }) ?? null;
    const [paidOrder] = shopifyOrders(noon);
    const body = JSON.stringify(paidOrder);
    const headers = {
      'x-shopify-topic': 'orders/paid',
      'x-shopify-shop-domain': connection.shop,
      'x-shopify-api-version': '2026-10',
      'x-shopify-webhook-id': 'b1f6c1c0-0000-4000-8000-000000000001',
      'x-shopify-hmac-sha256': sign('secreto-de-la-app', body),
    };
    expect(
      await checkPlatform(shopify, {
        connection,
        app,
        paidOrder,
        delivery: { headers, body: Buffer.from(body) },
      }),
    ).toEqual([]);
  });

  it('notices an adapter that believes forgeries and reads anything', async () => {
    const careless = {
      ...woocommerce,
      receive: async () => ({ kind: 'ping' as const }),
      readRefunds: () => [],
    } satisfies Platform<never, never> | typeof woocommerce;
    const broken = await checkPlatform(careless, wooSamples());
    expect(broken.join(' ')).toMatch(/hint with the order.*refuse/s);
    expect(broken).toContain('readRefunds must throw PayloadError for what are no refunds.');
  });
});
