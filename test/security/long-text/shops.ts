import { memoryCredentials } from '../../../adapters/contract/memory-credentials.ts';
import { shopify } from '../../../adapters/shopify/index.ts';
import { App, Connection } from '../../../adapters/shopify/settings.ts';
import { woocommerce } from '../../../adapters/woocommerce/index.ts';
import { connectionSchema } from '../../../adapters/woocommerce/settings.ts';
import { shopifyOrders } from '../../../sandbox/shops/shopify-orders.ts';
import { openShopifyShop } from '../../../sandbox/shops/shopify-shop.ts';
import { wooOrders } from '../../../sandbox/shops/woocommerce-orders.ts';
import { openWooCommerceShop } from '../../../sandbox/shops/woocommerce-shop.ts';
import { openOutbound } from '../../../src/app/outbound.ts';
import { FacturapuenteError } from '../../../src/domain/errors.ts';
import type { Platform, Shop, ShopContext, WrittenDocument } from '../../../src/domain/platform.ts';
import { silentLog } from '../../../src/domain/ports.ts';
import { openTickets } from '../../../src/http/links.ts';
import type { Reader } from './cost.ts';
import { openReplay } from './replay.ts';

const now = new Date('2026-11-20T15:00:00Z');
const clock = { now: () => now };
const publicUrl = 'https://conector.example';

const context = (): ShopContext => ({
  clock,
  log: silentLog,
  userAgent: 'facturapuente/test',
  outbound: openOutbound(),
  credentials: memoryCredentials(),
});

const written = (sourceId: string): WrittenDocument => ({
  kind: 'factura',
  sourceId,
  state: 'authorized',
  number: '001-001-000000001',
  accessKey: '2011202601179001234500110010010000000011234567818',
  authorizedAt: '2026-11-20T15:00:00.000Z',
  pageUrl: `${publicUrl}/d/a`,
  pdfUrl: `${publicUrl}/d/a.pdf`,
  xmlUrl: `${publicUrl}/d/a.xml`,
  reason: null,
});

/** Every call of a shop's API by what it is for; a failure is what the shop says. */
function callsOf<Settings, AppSettings>(
  platform: Platform<Settings, AppSettings>,
  { connection, app, orderId }: { connection: Settings; app: AppSettings | null; orderId: string },
): Record<string, () => Promise<unknown>> {
  const withShop = (call: (shop: Shop) => Promise<unknown> | undefined) => async () => {
    const shop = platform.openShop({ connection, app }, context());
    if (shop === null) throw new Error('The store has no API access.');
    try {
      return await call(shop);
    } finally {
      await shop.close();
    }
  };
  const store = { id: 'tienda', shop: platform.shopOf(connection), app: null, connection };
  const request = { store, app, publicUrl, tickets: openTickets(Buffer.alloc(32, 3), clock) };
  const since = new Date(0);
  const event = (topic: string) => () =>
    platform.onEvent?.(
      {
        topic,
        shop: store.shop,
        body: Buffer.from(JSON.stringify({ myshopify_domain: store.shop, shop_domain: store.shop })),
      },
      { connection, app },
      context(),
    ) ?? Promise.resolve();
  return {
    'an order': withShop((shop) => shop.fetchOrder(orderId)),
    'changed orders': withShop((shop) => shop.changedOrders({ since, cursor: null })),
    'new refunds': withShop((shop) => shop.newRefunds({ since, cursor: null })),
    'a list of orders': withShop((shop) => shop.listOrders([orderId])),
    'the catalogue': withShop((shop) => shop.catalog?.(null)),
    'its installation': async () => platform.install?.({ ...request, apply: false }, context()),
    'an installation that writes': async () => platform.install?.({ ...request, apply: true }, context()),
    'its upkeep': async () => platform.maintain?.({ ...request, apply: true }, context()),
    'changed permissions': event('app/scopes_update'),
    'its farewell': event('app/uninstalled'),
    'what is written back': withShop((shop) => shop.writeBack(orderId, [written(orderId)])),
    'what is written again': withShop((shop) =>
      shop.writeBack(orderId, [{ ...written(orderId), state: 'held' }]),
    ),
    'an uninstallation': async () => platform.uninstall?.({ ...request, apply: true }, context()),
  };
}

/** The failure as what came of the call: its sentences are of the shop's making too. */
const settled = (call: () => Promise<unknown>) => () =>
  call().catch((error: unknown) => {
    if (error instanceof FacturapuenteError) return error;
    throw error;
  });

async function openShopify() {
  const [order] = shopifyOrders(now);
  const id = String(order?.id);
  const shop = 'tienda.myshopify.com';
  const app = App.parse({ clientId: 'app-id', clientSecrets: ['secreto-de-la-app'], productDetails: true });
  const product = {
    id: 7,
    title: 'Camiseta',
    tags: ['algodón'],
    collections: [{ handle: 'ropa', title: 'Ropa' }],
  };
  const emulator = await openShopifyShop({
    shop,
    clock,
    orders: shopifyOrders(now),
    clientId: 'app-id',
    clientSecret: 'secreto-de-la-app',
    variants: [{ id: 1, title: 'M', sku: 'CAM', price: '10.00', taxable: true, product }],
    subscriptions: [{ topic: 'ORDERS_PAID', uri: `${publicUrl}/webhooks/app` }],
  });
  emulator.refund(id, { note: 'Talla equivocada', transactions: [{ kind: 'refund', amount: '1.00' }] });
  const replay = await openReplay((request, body) =>
    fetch(`${emulator.url}${request.url}`, {
      method: request.method ?? 'GET',
      headers: own(request.headers),
      body,
    }),
  );
  const connection = Connection.parse({ app: 'app', shop, adminUrl: replay.url, productDetails: true });
  const calls = callsOf(shopify, { connection, app, orderId: id });
  const readers: Reader[] = [];
  for (const [what, call] of Object.entries(calls))
    readers.push(await replay.reader(`Shopify: ${what}`, settled(call)));
  const fetchOrder = settled(calls['an order'] ?? (async () => null));
  const failure = (code: string) => ({
    errors: [{ message: 'No', path: ['order', 'customer'], locations: [], extensions: { code } }],
    data: { order: null },
  });
  const refusals = {
    'an error': { status: 200, body: failure('INVALID') },
    'an error of access': { status: 200, body: failure('ACCESS_DENIED') },
    'a refusal': { status: 403, body: { errors: 'No' } },
    'a page': { status: 404, body: 'No' },
  };
  for (const [what, answer] of Object.entries(refusals)) {
    emulator.trouble(answer);
    readers.push(await replay.reader(`Shopify: ${what}`, fetchOrder, /graphql/));
  }
  emulator.trouble('withhold-customer');
  readers.push(await replay.reader('Shopify: what it withholds', fetchOrder, /: errors/));
  return { readers, close: async () => void (await Promise.all([replay.close(), emulator.close()])) };
}

async function openWooCommerce() {
  const [order] = wooOrders(now);
  const id = String(order?.id);
  const keys = { consumerKey: `ck_${'a1'.repeat(20)}`, consumerSecret: `cs_${'b2'.repeat(20)}` };
  const product = {
    ...{ id: 7, type: 'variable', name: 'Camiseta', status: 'publish', sku: 'CAM', price: '10.00' },
    ...{ tax_status: 'taxable', tax_class: '', tags: [{ name: 'a' }], categories: [{ name: 'b' }] },
  };
  const attributes = [{ id: 0, name: 'Talla', slug: 'talla', option: 'M' }];
  const variation = { ...product, id: 8, parent_id: 7, attributes };
  const emulator = await openWooCommerceShop({
    ...keys,
    clock,
    orders: wooOrders(now),
    products: [product],
    variations: [variation],
    taxes: [{ id: 1, country: 'EC', rate: '15.0000', name: 'IVA', priority: 1, class: 'standard' }],
    // Takes the keys themselves: a signature is made over the address, which is another one here.
    host: { knowsTls: true },
  });
  emulator.refund(id, { amount: '1.00', reason: 'Talla equivocada' });
  const password = Buffer.from(`${keys.consumerKey}:${keys.consumerSecret}`).toString('base64');
  const replay = await openReplay((request, body) => {
    const url = new URL(request.url ?? '/', emulator.url);
    for (const name of [...url.searchParams.keys()])
      if (name.startsWith('oauth_')) url.searchParams.delete(name);
    const method = request.method ?? 'GET';
    const headers = { ...own(request.headers), authorization: `Basic ${password}` };
    return fetch(url, { method, headers, ...(body !== '' && { body }) });
  });
  const connection = connectionSchema.parse({
    ...keys,
    url: replay.url,
    webhookSecrets: ['secreto-de-la-tienda'],
    productDetails: true,
  });
  const calls = callsOf(woocommerce, { connection, app: null, orderId: id });
  const readers: Reader[] = [];
  // Its own words are looked for among those of the order.
  for (const [what, call] of Object.entries(calls))
    readers.push(
      await replay.reader(
        `WooCommerce: ${what}`,
        settled(call),
        what === 'what is written again' ? /^GET/ : undefined,
      ),
    );
  const fetchOrder = settled(calls['an order'] ?? (async () => null));
  for (const status of [200, 301, 401, 403, 404, 406, 429, 500, 503])
    for (const [what, body] of [
      ['a page', 'No'],
      ['a refusal', { code: 'no', message: 'No', data: { status } }],
    ] as const) {
      emulator.trouble({ status, body });
      readers.push(await replay.reader(`WooCommerce: ${what} with ${status}`, fetchOrder, /./));
    }
  return { readers, close: async () => void (await Promise.all([replay.close(), emulator.close()])) };
}

const own = (headers: NodeJS.Dict<string | string[]>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      /^(host|connection|content-length|transfer-encoding|expect|keep-alive)$/.test(name)
        ? []
        : [[name, String(value)]],
    ),
  );

/** What shops answer to each of our calls, over HTTP. */
export async function openShopReaders(): Promise<{ readers: readonly Reader[]; close(): Promise<void> }> {
  const opened = await Promise.all([openShopify(), openWooCommerce()]);
  return {
    readers: opened.flatMap(({ readers }) => readers).filter(({ places }) => places.length > 0),
    close: async () => void (await Promise.all(opened.map((one) => one.close()))),
  };
}
