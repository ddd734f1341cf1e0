import { createHmac } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import {
  install as installStore,
  maintain,
  refreshPending,
  renderToml,
  uninstall,
} from '../../../adapters/shopify/install.ts';
import { receive } from '../../../adapters/shopify/receive.ts';
import { App, Connection, requiredScopes } from '../../../adapters/shopify/settings.ts';
import { openShopifyShop, type ShopifyShopOptions } from '../../../sandbox/shops/shopify-shop.ts';
import { inWords, type ShownItem } from '../../../src/domain/checks.ts';
import type { InstallRequest } from '../../../src/domain/platform.ts';
import {
  calls,
  clientSecret,
  install,
  oauthApp,
  openContext,
  openOauthShop,
  stoppedClock,
} from './oauth-shop.ts';

const day = 24 * 3_600_000;
const publicUrl = 'https://conector.example';
const ownApp = App.parse({ clientId: 'client', clientSecrets: [clientSecret] });
const tickets = { issue: () => '', admits: () => false };

/** The merchant's own app in its shop. */
async function openOwn(options: Partial<ShopifyShopOptions> = {}) {
  const clock = stoppedClock();
  const shop = await openShopifyShop({
    shop: 'quito.myshopify.com',
    orders: [],
    clientId: 'client',
    clientSecret,
    clock,
    ...options,
  });
  onTestFinished(() => shop.close());
  const connection = Connection.parse({ app: 'mi-app', shop: 'quito.myshopify.com', adminUrl: shop.url });
  const context = openContext(clock);
  const ask = async (apply: boolean) =>
    (await installStore(request(connection, ownApp, apply), context)).map(inWords);
  return { shop, ask };
}

function request(connection: Connection, app: App, apply: boolean): InstallRequest {
  const store = { id: 'quito', shop: connection.shop, app: 'mi-app', connection };
  return { store, app, publicUrl, tickets, apply };
}

const states = (items: readonly ShownItem[]) => items.map(({ state }) => state);

test('a first install makes what is missing, a second changes nothing, and looking never does', async () => {
  const { shop, ask } = await openOwn();
  const looked = await ask(false);
  expect(states(looked)).toEqual(['ok', 'ok', 'ok', 'missing', 'ok']);
  expect(shop.definitions.size).toBe(0);
  const first = await ask(true);
  expect(first.filter(({ done }) => done).map(({ what }) => what)).toEqual([
    'Campos de la factura en el pedido',
  ]);
  expect(shop.definitions.size).toBeGreaterThan(5);
  const before = shop.requests.length;
  const second = await ask(true);
  expect(states(second)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
  expect(second.filter(({ done }) => done)).toEqual([]);
  expect(shop.requests.slice(before).filter(({ query }) => query.startsWith('mutation'))).toEqual([]);
});

test('an app that is not installed, or lacks a permission, is told with the next step', async () => {
  const { ask } = await openOwn({ uninstalled: true });
  expect((await ask(true)).at(-1)).toMatchObject({
    state: 'missing',
    resolution: expect.stringContaining('shopify app deploy --config mi-app'),
  });
  const lacking = await openOwn({ scopes: ['read_orders', 'write_orders'] });
  expect((await lacking.ask(false))[2]).toMatchObject({
    state: 'missing',
    resolution: expect.stringContaining('read_customers'),
  });
});

test('wrong credentials are a problem, not an installation that is missing', async () => {
  const { ask } = await openOwn({ clientSecret: 'another' });
  expect((await ask(false)).at(-1)).toMatchObject({
    state: 'problem',
    resolution: expect.stringContaining('Client secret'),
  });
});

test('webhooks somebody made by hand beside those of the app are told', async () => {
  const uri = `${publicUrl}/webhooks/mi-app`;
  const { ask } = await openOwn({ subscriptions: [{ topic: 'ORDERS_PAID', uri }] });
  expect((await ask(false)).at(-1)).toMatchObject({
    state: 'warning',
    resolution: expect.stringContaining('ORDERS_PAID'),
  });
});

const tomlOf = (app: App, productDetails = false) =>
  renderToml({ appId: 'mi-app', app, publicUrl, productDetails });
const listed = (toml: string, name: string) =>
  [...toml.matchAll(new RegExp(`^\\s*${name} = \\[(.*)\\]$`, 'gm'))].flatMap(([, list = '']) =>
    JSON.parse(`[${list}]`),
  );

const scopesOf = (toml: string) => /^scopes = "(.*)"$/m.exec(toml)?.[1]?.split(',');

test('the TOML asks for the scopes our documents need and for orders older than 60 days, in our version, at our addresses', () => {
  for (const productDetails of [false, true])
    expect(scopesOf(tomlOf(ownApp, productDetails))).toEqual(
      ['read_all_orders', ...requiredScopes({ productDetails })].toSorted(),
    );
  expect(tomlOf(ownApp)).toContain('api_version = "2026-10"');
  expect(listed(tomlOf(oauthApp), 'redirect_urls')).toEqual([`${publicUrl}/shopify/auth/callback`]);
  expect([...tomlOf(ownApp).matchAll(/uri = "(.*)"/g)].map(([, uri]) => uri)).toEqual([
    `${publicUrl}/webhooks/mi-app`,
    `${publicUrl}/webhooks/mi-app`,
  ]);
});

test('a public app asks for orders older than 60 days once Shopify has granted that', () => {
  expect(scopesOf(tomlOf(oauthApp))).toEqual(requiredScopes());
  expect(scopesOf(tomlOf({ ...oauthApp, allOrders: true }))).toContain('read_all_orders');
  expect(scopesOf(tomlOf({ ...ownApp, allOrders: false }))).toEqual(requiredScopes());
});

test('an app without orders older than 60 days is a warning that says what is lost', async () => {
  const { ask } = await openOwn({ scopes: requiredScopes() });
  expect((await ask(false))[2]).toMatchObject({
    code: 'shop-forbidden',
    state: 'warning',
    resolution: expect.stringMatching(
      /^Falta read_all_orders: .* más de 60 días, .*sin factura ni nota de crédito/,
    ),
  });
});

test('every webhook the TOML asks for is handled, and none has a filter that could swallow it', async () => {
  const toml = tomlOf(ownApp);
  const topics = [...listed(toml, 'topics'), ...listed(toml, 'compliance_topics')];
  expect(topics.toSorted()).toEqual([
    'app/scopes_update',
    'app/uninstalled',
    'customers/data_request',
    'customers/redact',
    'orders/cancelled',
    'orders/delete',
    'orders/edited',
    'orders/paid',
    'refunds/create',
    'shop/redact',
  ]);
  expect(toml).not.toMatch(/filter|include_fields/);
  const body = Buffer.from(JSON.stringify({ id: 1, order_id: 1, order_edit: { order_id: 1 } }));
  for (const topic of topics) {
    const headers = {
      'x-shopify-hmac-sha256': createHmac('sha256', clientSecret).update(body).digest('base64'),
      'x-shopify-topic': topic,
      'x-shopify-shop-domain': 'quito.myshopify.com',
      'x-shopify-webhook-id': 'delivery',
    };
    expect(['hint', 'event']).toContain((await receive({ headers, body }, ownApp)).kind);
  }
});

test('a shop that sells nothing for a year is kept alive; nobody has to install again', async () => {
  const clock = stoppedClock();
  const context = openContext(clock);
  const opened = await openOauthShop('quito.myshopify.com', clock, { scopes: requiredScopes() });
  await install(opened, context);
  for (let passed = 0; passed < 365; passed += 1) {
    clock.pass(day);
    await maintain(request(opened.connection, oauthApp, true), context);
  }
  const kept = await context.credentials.get('quito.myshopify.com');
  expect(kept?.value).toMatchObject({ lostAt: null });
  expect(calls(opened.shop, 'access_token')).toBeGreaterThan(10);
});

test('uninstalling forgets the shop’s token, and says what only the merchant can do', async () => {
  const clock = stoppedClock();
  const context = openContext(clock);
  const opened = await openOauthShop('quito.myshopify.com', clock);
  await install(opened, context);
  const asked = request(opened.connection, oauthApp, true);
  expect(await uninstall(asked, context)).toMatchObject([{ done: true }, { state: 'warning' }]);
  expect(await context.credentials.get('quito.myshopify.com')).toBeNull();
  expect((await uninstall(asked, context))[0]?.done).toBeUndefined();
});

test('a shop that waits for its store is kept alive too; others are left to their own turn', async () => {
  const clock = stoppedClock();
  const context = openContext(clock);
  const waiting = await openOauthShop('espera.myshopify.com', clock);
  const other = await openOauthShop('otra.myshopify.com', clock);
  await install(waiting, context);
  await install(other, context);
  const app = { ...oauthApp, adminUrl: waiting.shop.url };
  for (let passed = 0; passed < 100; passed += 1) {
    clock.pass(day);
    await refreshPending(new Map([['app', app]]), new Set(['otra.myshopify.com']), context);
  }
  expect((await context.credentials.get('espera.myshopify.com'))?.value).toMatchObject({ lostAt: null });
  expect(calls(waiting.shop, 'access_token')).toBe(4);
  expect(calls(other.shop, 'access_token')).toBe(1);
});
