import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isSignedQuery } from '../../../adapters/shopify/connect.ts';
import { App } from '../../../adapters/shopify/settings.ts';
import { signQuery } from '../../../sandbox/shops/shopify/install-page.ts';

const app = App.parse({ clientId: 'id', clientSecrets: ['nuevo', 'viejo'], access: 'oauth' });
const now = new Date('2026-11-20T15:00:00Z');

beforeEach(() => void vi.useFakeTimers({ now, toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

function signed(fields: Record<string, string>, secret: string): URLSearchParams {
  const query = new URLSearchParams({ ...fields, timestamp: String(now.getTime() / 1000) });
  query.set('hmac', signQuery(query, secret));
  return query;
}

test.each([
  { code: 'abc', host: 'YWRtaW4uc2hvcGlmeS5jb20vc3RvcmUvZGVtbw==', shop: 'demo.myshopify.com', state: '1' },
  { shop: 'demo.myshopify.com', locale: 'es-EC', session: 'a b+c/ñ&d=e%' },
])('an address is believed as Shopify signed it, with either secret of the app', async (fields) => {
  expect(await isSignedQuery(signed(fields, 'nuevo'), app)).toBe(true);
  const query = signed(fields, 'viejo');
  expect(await isSignedQuery(query, app)).toBe(true);
  expect(await isSignedQuery(signed(fields, 'otro'), app)).toBe(false);
  query.set('shop', 'otra.myshopify.com');
  expect(await isSignedQuery(query, app)).toBe(false);
  query.delete('hmac');
  expect(await isSignedQuery(query, app)).toBe(false);
});

test('an address with a second value before the signed one is not believed', async () => {
  const query = signed({ shop: 'demo.myshopify.com' }, 'nuevo');
  expect(await isSignedQuery(new URLSearchParams(`shop=otra.myshopify.com&${query}`), app)).toBe(false);
});

test('an address older than the way back takes is not believed', async () => {
  const query = signed({ shop: 'demo.myshopify.com' }, 'nuevo');
  const after = (ms: number) => {
    vi.setSystemTime(now.getTime() + ms);
    return isSignedQuery(query, app);
  };
  expect([await after(60_000), await after(120_000), await after(-120_000)]).toEqual([true, false, false]);
  vi.setSystemTime(now);
  query.delete('timestamp');
  query.set('hmac', signQuery(query, 'nuevo'));
  expect(await isSignedQuery(query, app)).toBe(false);
});
