import '@shopify/shopify-api/adapters/node';
import { createHmac } from 'node:crypto';
import { ApiVersion, shopifyApi } from '@shopify/shopify-api';
import { setAbstractFetchFunc } from '@shopify/shopify-api/runtime';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isSignedQuery } from '../../../adapters/shopify/connect.ts';
import { askToken, grants } from '../../../adapters/shopify/credentials.ts';
import { shopify } from '../../../adapters/shopify/index.ts';
import { App, placeOfShop, shopDomain } from '../../../adapters/shopify/settings.ts';
import { listenOnLoopback } from '../../../sandbox/shops/loopback.ts';
import { signQuery } from '../../../sandbox/shops/shopify/install-page.ts';
import { failureOf } from './shop.ts';

/* Where @shopify/shopify-api would do less than we need. When one of these fails, our own code may go (docs/adr/0005). */

const secrets = ['secreto-nuevo', 'secreto-viejo'] as const;
const app = App.parse({ clientId: 'id', clientSecrets: secrets, access: 'oauth' });
const library = shopifyApi({
  apiKey: app.clientId,
  apiSecretKey: secrets[0],
  apiVersion: ApiVersion.October26,
  hostName: 'conector.example',
  isEmbeddedApp: false,
  logger: { log: () => {} },
});

/** What an Express endpoint hands to the library, and the headers it gets back. */
function exchange(url: string, headers: Record<string, string> = {}) {
  const answered: Record<string, unknown> = {};
  const rawResponse = {
    getHeaders: () => ({}),
    setHeader: (name: string, value: unknown) => void Object.assign(answered, { [name]: value }),
    end() {},
  };
  return { answered, adapter: { rawRequest: { method: 'GET', url, headers }, rawResponse } as never };
}

async function began() {
  const { answered, adapter } = exchange('/shopify/auth');
  const where = { shop: 'mia.myshopify.com', callbackPath: '/shopify/auth/callback', isOnline: false };
  await library.auth.begin({ ...where, ...(adapter as object) } as never);
  const cookies = answered['Set-Cookie'] as string[];
  const state = new URL(String(answered.Location)).searchParams.get('state') ?? '';
  return { cookies, cookie: cookies.map((one) => one.split(';')[0]).join('; '), state };
}

/** The address that Shopify sends the browser back to. */
function wayBack(state: string, secret: string = secrets[0]): URLSearchParams {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const query = new URLSearchParams({ code: 'c', shop: 'mia.myshopify.com', state, timestamp });
  query.set('hmac', signQuery(query, secret));
  return query;
}

/** Where the library sends the code of this address, instead of sending it. */
async function codeGoesTo(query: URLSearchParams | string, cookie: string): Promise<string> {
  const asked: string[] = [];
  setAbstractFetchFunc(async (url) => {
    asked.push(String(url));
    return Response.json({ access_token: 'x', scope: '' });
  });
  const { adapter } = exchange(`/shopify/auth/callback?${query}`, { cookie });
  await library.auth.callback(adapter);
  return new URL(asked[0] ?? '').hostname;
}

describe('webhooks', () => {
  test('the library verifies text, in which a byte that is no UTF-8 can be exchanged, so ours verifies the bytes', async () => {
    const sent = Buffer.from('{"id":7,"note":"\uFFFD"}');
    const changed = Buffer.from(sent.toString('latin1').replace('\u00EF\u00BF\u00BD', '\u00FF'), 'latin1');
    const headers = {
      'x-shopify-hmac-sha256': createHmac('sha256', secrets[0]).update(sent).digest('base64'),
      'x-shopify-topic': 'orders/paid',
      'x-shopify-shop-domain': 'mia.myshopify.com',
      'x-shopify-api-version': '2026-10',
      'x-shopify-webhook-id': '1',
    };
    const { adapter } = exchange('/', headers);
    const validated = await library.webhooks.validate({
      rawBody: changed.toString(),
      ...(adapter as object),
    } as never);
    expect(validated.valid).toBe(true);
    const received = await shopify.receive({ headers, body: changed }, { app, connection: null });
    expect(received).toMatchObject({ kind: 'refused', status: 401 });
  });
});

describe('an installation', () => {
  test('the library checks the last shop of an address and uses the first, so ours checks all', async () => {
    const { cookie, state } = await began();
    const query = wayBack(state);
    expect(await codeGoesTo(query, cookie)).toBe('mia.myshopify.com');
    const doubled = `shop=ajena.myshopify.com&${query}`;
    expect(await codeGoesTo(doubled, cookie)).toBe('ajena.myshopify.com');
    expect(await isSignedQuery(new URLSearchParams(doubled), app)).toBe(false);
  });

  test('the library takes the same address twice, so ours remembers its state', async () => {
    const { cookie, state } = await began();
    const query = wayBack(state);
    await codeGoesTo(query, cookie);
    expect(await codeGoesTo(query, cookie)).toBe('mia.myshopify.com');
  });

  test('the library knows one secret, so ours tries each while it is rotated', async () => {
    const { cookie, state } = await began();
    const query = wayBack(state, secrets[1]);
    await expect(codeGoesTo(query, cookie)).rejects.toThrow('Invalid OAuth callback');
    expect(await isSignedQuery(query, app)).toBe(true);
  });

  test('the library gives a merchant one minute and scripts the cookie, so ours sets its own', async () => {
    const [cookie = ''] = (await began()).cookies;
    const [, expires = ''] = /expires=([^;]+)/.exec(cookie) ?? [];
    expect(Date.parse(expires) - Date.now()).toBeLessThanOrEqual(60_000);
    expect(cookie).not.toMatch(/httponly/i);
  });

  test('the library takes other domains for shops, so ours has its own pattern', () => {
    for (const shop of ['mia.shopify.com', 'mia.myshopify.io', 'mia.shop.dev', 'mia.myshopify.com//']) {
      expect(library.utils.sanitizeShop(shop)).toBe(shop);
      expect(shop).not.toMatch(shopDomain);
    }
  });
});

describe('a call that is repeated', () => {
  const session = Object.assign(library.session.customAppSession('mia.myshopify.com'), { accessToken: 'x' });
  /** How many requests the library makes of one write whose answer is always this, and for how long. */
  async function repeated(answer: () => Promise<Response>) {
    let requests = 0;
    setAbstractFetchFunc(() => {
      requests += 1;
      return answer();
    });
    const client = new library.clients.Graphql({ session });
    const start = performance.now();
    await expect(client.request('mutation Pay { pay { id } }', { retries: 1 })).rejects.toThrow();
    return { requests, ms: performance.now() - start };
  }

  test('by the library may be a write whose answer was lost, so ours repeats reads only', async () => {
    expect(await repeated(() => Promise.reject(new TypeError('lost')))).toMatchObject({ requests: 2 });
  });

  test('by the library comes after milliseconds instead of seconds, so ours waits itself', async () => {
    const { requests, ms } = await repeated(
      async () => new Response('', { status: 429, headers: { 'retry-after': '30' } }),
    );
    expect(requests).toBe(2);
    expect(ms).toBeLessThan(10_000);
  });
});

describe('tokens', () => {
  const { auth } = library;
  const shop = 'mia.myshopify.com';
  const functions = Object.entries({
    clientCredentials: () => auth.clientCredentials({ shop }),
    refreshToken: () => auth.refreshToken({ shop, refreshToken: 'r' }),
    migrateToExpiringToken: () => auth.migrateToExpiringToken({ shop, nonExpiringOfflineAccessToken: 't' }),
  });
  const answers = (answer: Response) => setAbstractFetchFunc(async () => answer);
  /** What askToken makes of the same answer. */
  async function ours(status: number, body: string) {
    const server = await listenOnLoopback((_request, response) => response.writeHead(status).end(body));
    onTestFinished(() => server.close());
    const place = { ...placeOfShop(app, shop), adminUrl: server.url };
    return failureOf(askToken(place, grants.clientCredentials, 'test'));
  }

  test.each(functions)(
    '%s of the library loses the status of a page, so ours keeps it',
    async (_name, ask) => {
      answers(new Response('<html>', { status: 404 }));
      await expect(ask()).rejects.toThrow(SyntaxError);
      expect(await ours(404, '<html>')).toMatchObject({
        code: 'shop-refused',
        params: { why: 'address' },
        retryable: false,
      });
    },
  );

  test.each(functions)(
    '%s of the library takes any answer for a token, so ours reads it',
    async (_name, ask) => {
      answers(Response.json({}));
      expect((await ask()).session.accessToken).toBeUndefined();
      expect(await ours(200, '{}')).toMatchObject({ code: 'shop-answer' });
    },
  );

  test.each(functions)(
    '%s of the library waits without end, so ours has a time limit',
    async (_name, ask) => {
      const signals: unknown[] = [];
      setAbstractFetchFunc(async (_url, init) => {
        signals.push(init?.signal);
        return Response.json({});
      });
      await ask();
      expect(signals).toEqual([undefined]);
    },
  );
});
