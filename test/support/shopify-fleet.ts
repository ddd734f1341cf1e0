import { cedulaOf, rucOf } from '../../chaos/identifications.ts';
import { shopifyOrders } from '../../sandbox/shops/shopify-orders.ts';
import { openShopifyShop, type ShopifyShop } from '../../sandbox/shops/shopify-shop.ts';
import { demoIssuer } from '../../src/cli/given.ts';
import { openProduct, type Product } from './product.ts';

/** One order of one shop, and what its factura must say. */
export interface FleetSale {
  id: string;
  cedula: string;
  total: string;
}

export interface FleetShop {
  domain: string;
  shop: ShopifyShop;
  /** Legacy custom-app token; null where the app fetches one. */
  token: string | null;
  app: string;
  apiKey: string;
  ruc: string;
  sales: FleetSale[];
}

export interface Fleet {
  product: Product;
  shops: FleetShop[];
  /** Starts the product; every merchant of the app with install pages installs it. */
  start(): Promise<void>;
  secretOf(app: string): string;
  close(): Promise<void>;
}

const serviceSecret = 'secreto-del-servicio-0123456789abcdef0123';
const secretOf = (app: string) => `secreto-de-${app}-0123456789abcdef`;
/** Legacy tokens, client credentials, and expiring tokens got through install pages. */
const apps = ['app-fijos', 'app-propia', 'app-publica'];
const installed = 'app-publica';

/**
 * Many shops in one process: every one with its own token, app, API key, RUC and buyers, but all with the same order
 * numbers and ids, so that anything taken from another shop shows.
 */
export async function openFleet(size: number, salesEach: number): Promise<Fleet> {
  const shops: FleetShop[] = [];
  const redirectUrls: string[] = [];
  for (let n = 0; n < size; n += 1) shops.push(await openOne(n, salesEach, redirectUrls));
  const product = await openProduct({
    engine: 'sqlite',
    sandbox: (url) => ({
      accounts: shops.map(({ apiKey }, n) => ({
        apiKey,
        webhook: { url: `${url}/service/webhook/cuenta-${n}`, secret: serviceSecret },
      })),
    }),
    config: (sandboxUrl) => ({
      log: { level: 'warn' },
      apps: Object.fromEntries(
        apps.map((app) => [
          app,
          {
            platform: 'shopify',
            clientId: app,
            clientSecrets: [secretOf(app)],
            access: app === installed ? 'oauth' : 'client-credentials',
          },
        ]),
      ),
      accounts: eachShop(shops, ({ apiKey }, n) => [
        `cuenta-${n}`,
        { baseUrl: sandboxUrl, apiKey, webhookSecrets: [serviceSecret] },
      ]),
      issuers: eachShop(shops, ({ ruc }, n) => [
        `emisor-${n}`,
        { account: `cuenta-${n}`, ...demoIssuer.issuer, ruc, razon_social: `Tienda ${n}` },
      ]),
      stores: eachShop(shops, ({ app, domain, token, shop }, n) => [
        `tienda-${n}`,
        {
          platform: 'shopify',
          issuer: `emisor-${n}`,
          series: { establecimiento: '001', puntoEmision: '001' },
          invoiceFrom: '2026-01-01',
          connection: {
            app,
            shop: domain,
            adminUrl: shop.url,
            ...(token === null ? {} : { accessToken: token }),
          },
        },
      ]),
    }),
  });
  redirectUrls.push(`${product.url}/shopify/auth/callback`);
  return {
    product,
    shops,
    secretOf,
    async start() {
      await product.start();
      for (const shop of shops) if (shop.app === installed) await install(product.url, shop);
    },
    async close() {
      await product.close();
      await Promise.all(shops.map(({ shop }) => shop.close()));
    },
  };
}

/** What the merchant's browser does. */
async function install(url: string, { domain, shop }: FleetShop): Promise<void> {
  const begun = await fetch(`${url}/shopify/auth?shop=${domain}`, { redirect: 'manual' });
  const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const { pathname, search } = new URL(begun.headers.get('location') ?? '');
  const asked = await fetch(`${shop.url}${pathname}${search}`, { redirect: 'manual' });
  const answer = await fetch(asked.headers.get('location') ?? '', { headers: { cookie } });
  if (!answer.ok) throw new Error(`${domain} could not install the app: ${await answer.text()}`);
}

function eachShop(shops: readonly FleetShop[], entry: (shop: FleetShop, n: number) => [string, unknown]) {
  return Object.fromEntries(shops.map(entry));
}

async function openOne(n: number, salesEach: number, redirectUrls: string[]): Promise<FleetShop> {
  const domain = `tienda-${n}.myshopify.com`;
  const app = apps[n % apps.length] ?? '';
  const token = app === 'app-fijos' ? `ficha-de-la-tienda-${n}` : null;
  const sales: FleetSale[] = [];
  const orders: unknown[] = [];
  // The ids repeat from shop to shop, the moments do not: the same moment would make it the same sale.
  const [like] = shopifyOrders(new Date(Date.now() - n * 1_000));
  for (let at = 0; at < salesEach; at += 1) {
    const id = 7_100_000_000_001 + at;
    const price = (10 + n * 0.2 + at * 0.05).toFixed(2);
    const tax = (Math.round(Number(price) * 15) / 100).toFixed(2);
    const total = (Number(price) + Number(tax)).toFixed(2);
    const cedula = cedulaOf(n * 100 + at + 1);
    orders.push(orderOf(like ?? {}, { id, price, tax, total, cedula }));
    sales.push({ id: String(id), cedula, total });
  }
  const own = { clientId: app, clientSecret: secretOf(app) };
  const grant =
    app === installed
      ? { ...own, uninstalled: true, redirectUrls }
      : token === null
        ? own
        : { accessToken: token };
  const shop = await openShopifyShop({ shop: domain, orders, ...grant });
  return { domain, shop, token, app, apiKey: `clave-${n}`, ruc: rucOf(500_000 + n), sales };
}

/** A sale of one thing to one buyer. */
function orderOf(
  like: Record<string, unknown>,
  { id, price, tax, total, cedula }: Record<'price' | 'tax' | 'total' | 'cedula', string> & { id: number },
): Record<string, unknown> {
  const [line] = like.line_items as Record<string, unknown>[];
  const taxes = [{ title: 'IVA 15%', rate: 0.15, price: tax }];
  const plain = { discount_allocations: [], tax_lines: taxes, price_set: null, price };
  return {
    ...like,
    ...{ id, admin_graphql_api_id: `gid://shopify/Order/${id}`, name: `#${id % 1_000}` },
    ...{
      total_price: total,
      total_price_set: null,
      current_total_price: total,
      current_total_price_set: null,
    },
    ...{ total_tax: tax, total_tax_set: null, current_total_tax: tax, current_total_tax_set: null },
    email: `${cedula}@example.ec`,
    note_attributes: [{ name: 'Cédula', value: cedula }],
    line_items: [{ ...line, ...plain, quantity: 1, current_quantity: 1 }],
    shipping_lines: [],
    transactions: [
      {
        kind: 'sale',
        status: 'success',
        gateway: 'payphone',
        amount: total,
        processed_at: like.processed_at,
      },
    ],
  };
}
