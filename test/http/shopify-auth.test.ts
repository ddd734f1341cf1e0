import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { readAnyInstall } from '../../adapters/shopify/credentials.ts';
import { Connection } from '../../adapters/shopify/settings.ts';
import { signQuery } from '../../sandbox/shops/shopify/install-page.ts';
import { openShopifyShop } from '../../sandbox/shops/shopify-shop.ts';
import { readShopSubject } from '../../src/domain/job.ts';
import { type Installation, now, openInstallation } from './installation.ts';

const clientSecret = 'secreto-de-la-app-publica';
const callback = 'https://conector.example/shopify/auth/callback';

// The library judges the age of an address by the machine's clock.
beforeEach(() => void vi.useFakeTimers({ now, toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

/** A shop where nothing is installed, and the product with an app for it. */
async function open(domain = 'loja.myshopify.com') {
  const shop = await openShopifyShop({
    shop: domain,
    orders: [],
    clientId: 'publica-id',
    clientSecret,
    uninstalled: true,
    redirectUrls: [callback],
    clock: { now: () => now },
  });
  onTestFinished(() => shop.close());
  const oauthApp = { clientId: 'publica-id', clientSecrets: [clientSecret], adminUrl: shop.url };
  return { shop, installation: await openInstallation({ oauthApp }) };
}

/** What the merchant's browser does up to the address Shopify sends it back to. */
async function throughShopify(installation: Installation, query: string) {
  const begun = await installation.get(`/shopify/auth?${query}`);
  const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const asked = new URL(begun.headers.get('location') ?? 'http://none');
  const back = await fetch(asked, { redirect: 'manual' });
  const address = new URL(back.headers.get('location') ?? 'http://none');
  return { begun, cookie, asked, path: `${address.pathname}${address.search}` };
}

const kept = async (installation: Installation, domain = 'loja.myshopify.com') =>
  readAnyInstall(await installation.context('shopify').credentials.get(domain))?.install ?? null;

test('a merchant installs: sent to the shop with the computed scopes, back with a pair of tokens, kept encrypted', async () => {
  const { shop, installation } = await open();
  const { begun, cookie, asked, path } = await throughShopify(installation, 'shop=Loja.myshopify.com');
  expect(begun.headers.getSetCookie()[0]).toMatch(/; Path=\/shopify\/auth; Secure; HttpOnly; SameSite=Lax$/);
  expect(Object.fromEntries(asked.searchParams)).toMatchObject({
    client_id: 'publica-id',
    scope: 'read_customers,read_orders,write_orders',
    redirect_uri: callback,
  });
  const answer = await installation.get(path, { cookie });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('sus pedidos pagados se facturan desde ahora');
  const install = await kept(installation);
  expect(install).toMatchObject({
    clientId: 'publica-id',
    scopes: ['read_customers', 'read_orders', 'write_orders'],
  });
  expect(install?.refreshToken).toMatch(/^shprt_/);
  expect(install?.expiresAt).toBe('2026-11-20T16:00:00.000Z');
  expect(shop.requests.map(({ operation }) => operation)).toEqual(['authorize', 'access_token']);
  expect(
    (await installation.jobs()).map(({ kind, subject }) => [kind, readShopSubject(subject).shop]),
  ).toEqual([['reconciliation', 'loja.myshopify.com']]);
  expect(JSON.stringify(installation.lines)).not.toMatch(/shp[ar]t_|secreto-de/);
});

test('a shop nobody configured may install too: its token is kept and a person is told', async () => {
  const { installation, shop } = await open('nueva.myshopify.com');
  const { cookie, path } = await throughShopify(installation, 'shop=nueva.myshopify.com');
  const answer = await installation.get(path, { cookie });
  expect(await answer.text()).toContain('Falta registrar quién emite sus facturas');
  expect(await kept(installation, 'nueva.myshopify.com')).not.toBeNull();
  expect(installation.lines.map(({ fields }) => fields.alert)).toContain('shop-without-store');

  const report = async (from: typeof shop) => {
    const sent = { clientSecret, topic: 'orders/paid', body: { id: 77 } };
    const [answered] = await from.notify(`${installation.url}/webhooks/publica`, sent);
    return answered?.status;
  };
  expect(await report(shop)).toBe(200);
  const key = { platform: 'shopify', shop: 'nueva.myshopify.com', orderId: '77' };
  expect(await installation.ledger.deliveries.ofOrder(key, 10)).toHaveLength(1);
  expect(await installation.jobs()).toEqual([]);
  expect(await report((await open('extrana.myshopify.com')).shop)).toBe(404);
});

test('the address Shopify sends the merchant to serves once, in one browser, within its time', async () => {
  const { installation, shop } = await open();
  const { cookie, path } = await throughShopify(installation, 'shop=loja.myshopify.com');
  const other = await throughShopify(installation, 'shop=loja.myshopify.com');
  expect((await installation.get(path)).status).toBe(401);
  expect((await installation.get(path, { cookie: other.cookie })).status).toBe(401);
  expect((await installation.get(path, { cookie: `${cookie}x` })).status).toBe(401);
  const signature = /\..*/;
  const [signedForOther = ''] = signature.exec(other.cookie) ?? [];
  const mixed = cookie.replace(signature, signedForOther);
  expect((await installation.get(path, { cookie: mixed })).status).toBe(401);
  expect(await kept(installation)).toBeNull();
  const atOnce = await Promise.all([1, 2].map(() => installation.get(path, { cookie })));
  expect(atOnce.map(({ status }) => status).sort()).toEqual([200, 401]);
  expect((await installation.get(path, { cookie })).status).toBe(401);
  expect(shop.requests.filter(({ operation }) => operation === 'access_token')).toHaveLength(1);
});

test('an address that Shopify did not sign, long ago, or for another shop, gives nothing', async () => {
  const { installation } = await open();
  const { cookie, path } = await throughShopify(installation, 'shop=loja.myshopify.com');
  const original = new URL(path, 'http://x').searchParams;
  const changed = (change: Record<string, string>, secret = clientSecret) => {
    const query = new URLSearchParams([...original, ...Object.entries(change)]);
    for (const [name, value] of Object.entries(change)) query.set(name, value);
    query.set('hmac', signQuery(query, secret));
    return installation.get(`/shopify/auth/callback?${query}`, { cookie });
  };
  const old = String(now.getTime() / 1000 - 120);
  const answers = await Promise.all([
    changed({}, 'otro secreto'),
    changed({ timestamp: old }),
    changed({ shop: 'otra.myshopify.com' }),
    changed({ state: '0'.repeat(32) }),
    installation.get(path.replace(/hmac=[^&]+/, 'hmac='), { cookie }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
  expect(await kept(installation)).toBeNull();
});

test('only the domain of a Shopify shop is ever an address to send somebody to', async () => {
  const { installation } = await open();
  for (const shop of [
    'evil.example',
    'loja.myshopify.com.evil.example',
    'loja.myshopify.com/x',
    '@evil',
    '',
  ]) {
    const answer = await installation.get(`/shopify/auth?shop=${encodeURIComponent(shop)}`);
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  }
});

test('opened from Shopify where it is installed already, the app has nothing to ask', async () => {
  const { installation } = await open();
  const { cookie, path } = await throughShopify(installation, 'shop=loja.myshopify.com');
  await installation.get(path, { cookie });
  const query = new URLSearchParams({ shop: 'loja.myshopify.com', timestamp: String(now.getTime() / 1000) });
  query.set('hmac', signQuery(query, clientSecret));
  const answer = await installation.get(`/shopify/auth?${query}`);
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('está conectada')]);
});

test('a shop configured with another app is not taken over by this one', async () => {
  const { installation } = await open('quito.myshopify.com');
  const { cookie, path } = await throughShopify(installation, 'shop=quito.myshopify.com');
  expect((await installation.get(path, { cookie })).status).toBe(401);
  expect(await kept(installation, Connection.shape.shop.parse('quito.myshopify.com'))).toBeNull();
});
