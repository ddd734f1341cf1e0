import { shopifyOrders } from '../../sandbox/shops/shopify-orders.ts';
import { openShopifyShop } from '../../sandbox/shops/shopify-shop.ts';
import { demoIssuer } from '../../src/cli/given.ts';
import { type Engine, openProduct } from './product.ts';
import { run } from './run.ts';

export const clientSecret = 'secreto-de-la-app-0123456789abcdef';
export const shopDomain = 'tienda-prueba.myshopify.com';

/** The product with an app that merchants install themselves, and a shop that has not done so yet. */
export async function openShopifyApp(
  options: {
    engine?: Engine;
    access?: 'oauth' | 'client-credentials';
    stores?: Record<string, unknown>;
  } = {},
) {
  const orders = shopifyOrders(new Date());
  const redirectUrls: string[] = [];
  const env: Record<string, string> = {};
  const shopify = await openShopifyShop({
    shop: shopDomain,
    // The others are placed when their turn comes: a reconciliation would find them.
    orders: orders.slice(0, 1),
    clientId: 'app-publica',
    clientSecret,
    uninstalled: true,
    redirectUrls,
  });
  const app = {
    platform: 'shopify',
    clientId: 'app-publica',
    access: options.access ?? 'oauth',
    adminUrl: shopify.url,
  };
  const tienda = {
    platform: 'shopify',
    issuer: 'ejemplo',
    invoiceFrom: '2026-01-01',
    series: { establecimiento: '001', puntoEmision: '001' },
    connection: { app: 'publica', shop: shopDomain },
  };
  const product = await openProduct({
    engine: options.engine ?? 'sqlite',
    config: {
      apps: { publica: { ...app, clientSecrets: [clientSecret] } },
      stores: options.stores ?? { tienda },
      issuers: { ejemplo: { account: 'cuenta', ...demoIssuer.issuer } },
    },
  });
  redirectUrls.push(`${product.url}/shopify/auth/callback`);
  const endpoint = `${product.url}/webhooks/publica`;
  return {
    product,
    shopify,
    tienda,
    orders,
    /** Of the command line, beside the test's own. */
    env,
    notify: (topic: string, body?: Record<string, unknown>) =>
      shopify.notify(endpoint, { clientSecret, topic, ...(body ? { body } : {}) }),
    deliver: (topic: string, orderId: string) => shopify.deliver(endpoint, { clientSecret, topic, orderId }),
    /** What the merchant's browser does; answers the last page. */
    async install(): Promise<{ status: number; text: string }> {
      const begun = await fetch(`${product.url}/shopify/auth?shop=${shopDomain}`, { redirect: 'manual' });
      const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      const asked = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' });
      const answer = await fetch(asked.headers.get('location') ?? '', { headers: { cookie } });
      return { status: answer.status, text: await answer.text() };
    },
    /** Runs the command line on the product's config; answers what it says. */
    async cli(...args: string[]): Promise<string> {
      const { code, stdout, stderr } = await run(
        [...args, '--config', product.file],
        env,
        '',
        product.folder,
      );
      return code === 0 ? stdout : stdout + stderr;
    },
    async close() {
      await product.close();
      await shopify.close();
    },
  };
}
export type ShopifyApp = Awaited<ReturnType<typeof openShopifyApp>>;
