import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listenOnLoopback, readText } from '../../../sandbox/shops/loopback.ts';
import { openWooCommerceShop } from '../../../sandbox/shops/woocommerce-shop.ts';
import { recordedRest } from '../../adapters/woocommerce/recordings.ts';
import { keys } from '../../adapters/woocommerce/shop.ts';
import { trustedCertificate } from '../../support/certificate.ts';
import { hasShared, sharedPath } from '../../support/shared.ts';
import { call } from './support.ts';

interface Brought {
  rawHeaders: string[];
  text: string;
}

/** A shop and whoever it brings keys to, answering with `status`. */
async function open(status: number) {
  const brought: Brought[] = [];
  const receiver = await listenOnLoopback(
    async (request, response) => {
      brought.push({ rawHeaders: request.rawHeaders, text: await readText(request) });
      response.writeHead(status).end();
    },
    0,
    trustedCertificate(),
  );
  const shop = await openWooCommerceShop({ orders: [], ...keys });
  onTestFinished(async () => {
    await shop.close();
    await receiver.close();
  });
  const query = (changes: Record<string, string> = {}) =>
    new URLSearchParams({
      app_name: 'prueba',
      scope: 'read_write',
      user_id: 'nonce-7f3a',
      return_url: 'https://prueba.ec/volver?tienda=1',
      callback_url: `${receiver.url}/wc-auth/callback?shop=tienda`,
      ...changes,
    });
  const go = (verb: string, changes?: Record<string, string>) =>
    fetch(`${shop.url}/wc-auth/v1/${verb}?${query(changes)}`, { redirect: 'manual' });
  return { shop, go, brought };
}

test('keys are brought before the merchant returns, and work', async () => {
  const { shop, go, brought } = await open(200);
  const answer = await go('access_granted/');
  expect(answer.status).toBe(302);
  expect(answer.headers.get('location')).toBe(
    'https://prueba.ec/volver?tienda=1&success=1&user_id=nonce-7f3a',
  );
  expect(brought).toHaveLength(1);
  expect(shop.requests).toHaveLength(1);
});

test.each([204, 201, 302, 401, 500])('answered %i, the shop takes the keys back', async (status) => {
  const { go } = await open(status);
  const answer = await go('access_granted/');
  expect(answer.status).toBe(401);
});

test('a callback without TLS, or without one of its parameters, is a page with 401', async () => {
  const { go, brought } = await open(200);
  for (const changes of [{ callback_url: 'http://127.0.0.1:9/x' }, { user_id: '' }, { scope: 'all' }])
    expect((await go('authorize', changes)).status).toBe(401);
  expect((await go('authorize')).status).toBe(200);
  expect(brought).toEqual([]);
});

test.skipIf(!hasShared)('the keys are brought as a real shop brings them', async () => {
  const { go, brought, shop } = await open(200);
  await go('access_granted/');
  const folder = sharedPath('data/woocommerce/recordings/wc-auth');
  const recorded = JSON.parse(readFileSync(join(folder, readdirSync(folder).sort()[0] ?? ''), 'utf8'));
  const withoutPlaces = (headers: string[]) =>
    headers
      .map((text) => text.replace(/127\.0\.0\.1:\d+/, 'host').replace(/^\d+$/, 'length'))
      .flatMap((name, at, all) => (at % 2 === 0 ? [`${name}: ${all[at + 1]}`] : []))
      .sort();
  expect(withoutPlaces(brought[0]?.rawHeaders ?? [])).toEqual(withoutPlaces(recorded.rawHeaders));
  const shape = (text: string) => text.replace(/[0-9a-f]{40}/g, 'hex').replace(/"key_id":\d+/, '"key_id":n');
  expect(shape(brought[0]?.text ?? '')).toBe(shape(recorded.rawBodyText));
  expect(shop.requests.every(({ body }) => body === null)).toBe(true);
});

test.skipIf(!hasShared)('what a shop says of itself is what the recorded one said', async () => {
  const { shop } = await open(200);
  const { json } = recordedRest('0257') as { json: Record<string, Record<string, unknown>> };
  const { json: said } = await call(shop, 'GET', 'system_status?_fields=environment,settings');
  const differing = Object.entries(said as typeof json).flatMap(([part, values]) =>
    Object.entries(values)
      .filter(([name, value]) => json[part]?.[name] !== value)
      .map(([name]) => name),
  );
  // The recorded shop has an address of its own, and a cron of the server.
  expect(differing).toEqual(['home_url', 'site_url', 'store_id', 'wp_cron']);
  const index = await fetch(`${shop.url}/wp-json/wc/v3`);
  expect([index.status, await index.json()]).toMatchObject([200, { namespace: 'wc/v3' }]);
});
