import { createHmac, randomUUID } from 'node:crypto';
import type { DeliveryAnswer } from '../../sandbox/shops/index.ts';
import { shopifyOrders } from '../../sandbox/shops/shopify-orders.ts';
import { openShopifyShop, type ShopifyShop } from '../../sandbox/shops/shopify-shop.ts';
import { demoIssuer } from '../../src/cli/given.ts';
import { strictly } from './admin-schema.ts';
import { openProduct, type Product, type ProductOptions } from './product.ts';

export const clientSecret = 'secreto-de-la-app-0123456789abcdef';
export const shopDomain = 'tienda-prueba.myshopify.com';

export interface ShopifyProduct {
  product: Product;
  shopify: ShopifyShop;
  /** Sends a webhook of the shop to the app's address. */
  notify(topic: string, orderId: string, times?: number): Promise<DeliveryAnswer[]>;
  /** Posts a body as Shopify would, signed; answers the status. */
  post(topic: string, body: unknown): Promise<number>;
  close(): Promise<void>;
}

/** The whole product before one Shopify shop that stands for the real one, as strict as its schema where that is here. */
export async function openShopifyProduct(
  options: {
    orders?: readonly unknown[];
    /** What the shop granted the app; default: all it may request. */
    scopes?: readonly string[];
    /** Beside what a store needs: `invoiceFrom`, `policy`. Without `invoiceFrom` the first start counts. */
    store?: Record<string, unknown>;
    config?: Record<string, unknown>;
    sandbox?: ProductOptions['sandbox'];
  } = {},
): Promise<ShopifyProduct> {
  const shopify = await openShopifyShop({
    shop: shopDomain,
    orders: options.orders ?? shopifyOrders(new Date()),
    accessToken: 'ficha',
    ...(options.scopes && { scopes: options.scopes }),
    ...strictly(),
  });
  const product = await openProduct({
    engine: 'sqlite',
    ...(options.sandbox ? { sandbox: options.sandbox } : {}),
    config: {
      apps: { app: { platform: 'shopify', clientId: 'app-prueba', clientSecrets: [clientSecret] } },
      stores: {
        tienda: {
          platform: 'shopify',
          issuer: 'ejemplo',
          series: { establecimiento: '001', puntoEmision: '001' },
          connection: { app: 'app', shop: shopDomain, accessToken: 'ficha', adminUrl: shopify.url },
          ...(options.store ?? { invoiceFrom: '2026-01-01' }),
        },
      },
      issuers: { ejemplo: { account: 'cuenta', ...demoIssuer.issuer } },
      ...options.config,
    },
  });
  return {
    product,
    shopify,
    notify: (topic, orderId, times = 1) =>
      shopify.deliver(`${product.url}/webhooks/app`, { clientSecret, topic, orderId, times }),
    async post(topic, body) {
      const bytes = JSON.stringify(body);
      const answer = await fetch(`${product.url}/webhooks/app`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-shopify-topic': topic,
          'x-shopify-hmac-sha256': createHmac('sha256', clientSecret).update(bytes).digest('base64'),
          'x-shopify-shop-domain': shopDomain,
          'x-shopify-api-version': '2026-10',
          'x-shopify-webhook-id': randomUUID(),
        },
        body: bytes,
      });
      await answer.arrayBuffer();
      return answer.status;
    },
    async close() {
      await product.close();
      await shopify.close();
    },
  };
}
