import { shopifyOrders } from '../../src/cli/demo/shopify-orders.ts';
import { demoIssuer } from '../../src/cli/demo-issuer.ts';
import type { DeliveryAnswer } from '../../src/testing/index.ts';
import { openShopifyShop, type ShopifyShop } from '../../src/testing/shopify-shop.ts';
import { openProduct, type Product, type ProductOptions } from './product.ts';

export const clientSecret = 'secreto-de-la-app-0123456789abcdef';
export const shopDomain = 'tienda-prueba.myshopify.com';

export interface ShopifyProduct {
  product: Product;
  shopify: ShopifyShop;
  /** Sends a webhook of the shop to the app's address. */
  tell(topic: string, orderId: string, times?: number): Promise<DeliveryAnswer[]>;
  close(): Promise<void>;
}

/** The whole product before one Shopify shop that stands for the real one. */
export async function openShopifyProduct(
  options: {
    orders?: readonly unknown[];
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
    tell: (topic, orderId, times = 1) =>
      shopify.deliver(`${product.url}/webhooks/app`, { clientSecret, topic, orderId, times }),
    async close() {
      await product.close();
      await shopify.close();
    },
  };
}
