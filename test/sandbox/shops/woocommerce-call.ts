import { createHmac } from 'node:crypto';
import OAuth from 'oauth-1.0a';
import type { WooCommerceShop } from '../../../sandbox/shops/woocommerce-shop.ts';
import { keys } from '../../adapters/woocommerce/shop.ts';

const oauth = new OAuth({
  consumer: { key: keys.consumerKey, secret: keys.consumerSecret },
  signature_method: 'HMAC-SHA256',
  hash_function: (base, key) => createHmac('sha256', key).update(base).digest('base64'),
});

/** The address of one call below `/wp-json/wc/v3/`, signed for this method and good for one use. */
export function signedUrl(shop: WooCommerceShop, method: string, path: string): URL {
  const url = new URL(`${shop.url}/wp-json/wc/v3/${path}`);
  const parameters = oauth.authorize({ url: url.href, method });
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value));
  return url;
}

/** One signed call, for what no client of ours does. */
export async function call(shop: WooCommerceShop, method: string, path: string, body?: unknown) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(signedUrl(shop, method, path), {
    method,
    ...(body !== undefined && body !== null && { headers, body: JSON.stringify(body) }),
  });
  return { status: answer.status, headers: answer.headers, json: (await answer.json()) as unknown };
}
