import { describe, expect, test } from 'vitest';
import { openTokens } from '../../../adapters/shopify/credentials.ts';
import { openShop } from '../../../adapters/shopify/index.ts';
import { App, Connection } from '../../../adapters/shopify/settings.ts';
import { ShopError } from '../../../src/domain/errors.ts';
import {
  calls,
  clientSecret,
  install,
  oauthApp,
  openContext,
  openOauthShop,
  stoppedClock,
} from './oauth-shop.ts';
import { plainOrder } from './plain-order.ts';
import { app, context, domain, openPair } from './shop.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

async function openInstalled(options: Parameters<typeof openOauthShop>[2] = {}) {
  const clock = stoppedClock();
  const context = openContext(clock);
  const opened = await openOauthShop('quito.myshopify.com', clock, { orders: [plainOrder()], ...options });
  await install(opened, context);
  const open = () => openShop(opened.connection, oauthApp, context);
  return { ...opened, clock, context, open, client: open() };
}

async function failureOf(job: Promise<unknown>): Promise<ShopError> {
  const error = await job.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ShopError);
  return error as ShopError;
}

describe('a token the merchant granted', () => {
  test('serves until five minutes before its hour ends, then its pair takes its place', async () => {
    const { client, shop, clock } = await openInstalled();
    await client.fetchOrder('1001');
    clock.pass(54 * minute);
    await client.fetchOrder('1001');
    expect(calls(shop, 'access_token')).toBe(1);
    clock.pass(2 * minute);
    expect((await client.fetchOrder('1001'))?.id).toBe('1001');
    expect(calls(shop, 'access_token')).toBe(2);
    expect(shop.requests.every(({ authorized }) => authorized)).toBe(true);
  });

  test('is renewed once, however many need it and however many hold the shop open', async () => {
    const { open, shop, clock } = await openInstalled();
    const clients = Array.from({ length: 5 }, open);
    clock.pass(2 * hour);
    await Promise.all(clients.flatMap((client) => [client.fetchOrder('1001'), client.fetchOrder('1001')]));
    expect(calls(shop, 'access_token')).toBe(2);
  });

  test('lives on when the answer that renewed it was lost: the same refresh token is shown again', async () => {
    const { client, shop, clock, context } = await openInstalled();
    clock.pass(2 * hour);
    const put = context.credentials.put;
    context.credentials.put = () => Promise.reject(new Error('the process died here'));
    await expect(client.fetchOrder('1001')).rejects.toThrow('the process died here');
    context.credentials.put = put;
    expect((await client.fetchOrder('1001'))?.id).toBe('1001');
    expect(calls(shop, 'access_token')).toBe(3);
  });

  test('that dies before its time is renewed by its refresh token, and the call repeated', async () => {
    const { client, shop } = await openInstalled();
    await client.fetchOrder('1001');
    shop.revokeTokens();
    expect((await client.fetchOrder('1001'))?.id).toBe('1001');
  });

  test('refused for good is told once, asked for no more, and asks the merchant to install again', async () => {
    const { client, shop, clock, context } = await openInstalled();
    shop.uninstall();
    const error = await failureOf(client.fetchOrder('1001'));
    expect(error).toMatchObject({
      code: 'shop-not-connected',
      params: { lost: true },
      retryable: false,
      disconnected: true,
    });
    expect(error.merchant).toContain('/shopify/auth?shop=quito.myshopify.com');
    clock.pass(hour);
    await failureOf(client.fetchOrder('1001'));
    expect(calls(shop, 'access_token')).toBe(2);
    expect(context.logged.filter((line) => line.includes('refused for good'))).toHaveLength(1);
    expect(context.logged.join()).not.toMatch(/shp[ar]t_|never-shown/);
  });

  test('is not given up when it is our own app that Shopify does not know', async () => {
    const { connection, context, clock, open } = await openInstalled();
    clock.pass(2 * hour);
    const wrong = { ...oauthApp, clientSecrets: ['mistyped'] };
    const error = await failureOf(openShop(connection, wrong, context).fetchOrder('1001'));
    expect(error).toMatchObject({ code: 'shop-unauthorized', params: { why: 'app' }, disconnected: false });
    expect(error.message).not.toContain('mistyped');
    expect((await open().fetchOrder('1001'))?.id).toBe('1001');
  });

  test('of before 2026 in the config becomes a pair, once, and is never shown again', async () => {
    const clock = stoppedClock();
    const context = openContext(clock);
    const oldToken = 'shpat_old_and_endless';
    const { shop, connection } = await openOauthShop('quito.myshopify.com', clock, {
      orders: [plainOrder()],
      oldToken,
    });
    const open = () => openShop({ ...connection, accessToken: oldToken }, oauthApp, context);
    await Promise.all([open().fetchOrder('1001'), open().fetchOrder('1001')]);
    clock.pass(2 * hour);
    await open().fetchOrder('1001');
    expect(
      shop.requests.map(({ operation }) => operation).filter((one) => one === 'access_token'),
    ).toHaveLength(2);
    const shown = shop.requests.map(({ headers }) => headers['x-shopify-access-token']);
    expect(shown).not.toContain(oldToken);
  });
});

describe('one process with many shops', () => {
  test('never shows the token of one shop to another, nor of one app to another', async () => {
    const clock = stoppedClock();
    const context = openContext(clock);
    const names = Array.from({ length: 6 }, (_, n) => `tienda-${n}.myshopify.com`);
    const shops = await Promise.all(
      names.map((name) => openOauthShop(name, clock, { orders: [plainOrder()] })),
    );
    for (const one of shops) await install(one, context);
    const clients = shops.map(({ connection }) => openShop(connection, oauthApp, context));
    for (let turn = 0; turn < 3; turn += 1) {
      clock.pass(40 * minute);
      await Promise.all([...clients, ...clients].map((client) => client.fetchOrder('1001')));
    }
    const seen = shops.map(
      ({ shop }) =>
        new Set(shop.requests.map(({ headers }) => headers['x-shopify-access-token']).filter(Boolean)),
    );
    const all = seen.flatMap((tokens) => [...tokens]);
    expect(all.length).toBeGreaterThan(names.length);
    expect(new Set(all).size).toBe(all.length);
    expect(shops.every(({ shop }) => shop.requests.every(({ authorized }) => authorized))).toBe(true);

    const otherApp = App.parse({ clientId: 'other', clientSecrets: [clientSecret], access: 'oauth' });
    const before = shops[0]?.shop.requests.length;
    const error = await failureOf(
      openShop(shops[0]?.connection as Connection, otherApp, context).fetchOrder('1001'),
    );
    expect(error).toMatchObject({ code: 'shop-not-connected', params: { lost: false }, disconnected: true });
    expect(shops[0]?.shop.requests).toHaveLength(before ?? -1);
  });
});

test('a refresh token that lapsed with nobody renewing it leaves only a new install', async () => {
  const { client, clock } = await openInstalled();
  clock.pass(91 * day);
  expect(await failureOf(client.fetchOrder('1001'))).toMatchObject({
    code: 'shop-not-connected',
    params: { lost: true },
  });
});

test('a token is asked for once, also by those who come in the very moment it arrives', async () => {
  const { shop } = await openPair({ clientId: 'client', clientSecret: 'client-secret-never-shown' }, {});
  const connection = Connection.parse({ app: 'demo', shop: domain, adminUrl: shop.url });
  const tokens: Promise<string>[] = [];
  let waiting = true;
  const clock = {
    /** Looked at first when the token has come: from here on somebody asks at every step the program takes. */
    now() {
      if (waiting) void askAtEveryStep();
      waiting = false;
      return new Date();
    },
  };
  const source = openTokens(app, connection, { ...context(), clock });
  async function askAtEveryStep(): Promise<void> {
    for (let step = 0; step < 20; step += 1) {
      await null;
      tokens.push(source.get());
    }
  }
  const first = await source.get();
  expect(new Set(await Promise.all(tokens))).toEqual(new Set([first]));
  expect(tokens.length).toBeGreaterThan(3);
  expect(shop.requests.map(({ operation }) => operation)).toEqual(['access_token']);
});
