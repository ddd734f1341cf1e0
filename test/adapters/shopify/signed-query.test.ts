import { shopifyApi } from '@shopify/shopify-api';
import '@shopify/shopify-api/adapters/node';
import { expect, test } from 'vitest';
import { isSignedQuery } from '../../../adapters/shopify/connect/state.ts';
import { signQuery } from '../../../sandbox/shops/shopify/install-page.ts';

const vendor = shopifyApi({
  apiKey: 'id',
  apiSecretKey: 'secreto',
  apiVersion: '2026-10' as never,
  hostName: 'localhost',
  isEmbeddedApp: false,
  logger: { log: () => {} },
});

const now = new Date();
const timestamp = String(Math.floor(now.getTime() / 1000));

test.each([
  { code: 'abc', host: 'YWRtaW4uc2hvcGlmeS5jb20vc3RvcmUvZGVtbw==', shop: 'demo.myshopify.com', state: '1' },
  { shop: 'demo.myshopify.com', locale: 'es-EC', session: 'a b+c/ñ&d=e%' },
])('an address is signed for us exactly when it is for the vendor’s library', async (fields) => {
  const query = new URLSearchParams({ ...fields, timestamp });
  query.set('hmac', signQuery(query, 'secreto'));
  const says = async () => [
    await vendor.utils.validateHmac(Object.fromEntries(query)),
    isSignedQuery(query, ['otro', 'secreto'], now),
  ];
  expect(await says()).toEqual([true, true]);
  query.set('shop', 'otra.myshopify.com');
  expect(await says()).toEqual([false, false]);
});

test('an address older than the way back takes is not believed', () => {
  const query = new URLSearchParams({ shop: 'demo.myshopify.com', timestamp });
  query.set('hmac', signQuery(query, 'secreto'));
  const at = (ms: number) => isSignedQuery(query, ['secreto'], new Date(now.getTime() + ms));
  expect([at(60_000), at(120_000), at(-120_000)]).toEqual([true, false, false]);
  query.delete('timestamp');
  query.set('hmac', signQuery(query, 'secreto'));
  expect(at(0)).toBe(false);
});
