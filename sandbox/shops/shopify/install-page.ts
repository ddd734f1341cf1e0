import { createHmac } from 'node:crypto';
import type { ShopifyShopOptions } from './shop.ts';
import type { Tokens } from './tokens.ts';

/**
 * The merchant opens the install page and says yes: `GET /admin/oauth/authorize` sends the browser back to the app
 * with a code, signed as Shopify signs (hex HMAC of the sorted query). Unknown apps and addresses are refused.
 */
export function authorize(
  address: string,
  { shop, clientId, clientSecret = '', redirectUrls = [] }: ShopifyShopOptions,
  tokens: Tokens,
  now: Date,
): { status: number; location: string | null } {
  const asked = new URL(address, `https://${shop}`).searchParams;
  const back = asked.get('redirect_uri') ?? '';
  if (asked.get('client_id') !== clientId || !redirectUrls.includes(back))
    return { status: 400, location: null };
  const query = new URLSearchParams({
    code: tokens.approve((asked.get('scope') ?? '').split(',').filter(Boolean)),
    host: Buffer.from(`admin.shopify.com/store/${shop.split('.')[0]}`).toString('base64'),
    shop,
    state: asked.get('state') ?? '',
    timestamp: String(Math.floor(now.getTime() / 1000)),
  });
  query.set('hmac', signQuery(query, clientSecret));
  return { status: 302, location: `${back}?${query}` };
}

/** Shopify's signature of the addresses it sends browsers to. */
export function signQuery(query: URLSearchParams, clientSecret: string): string {
  const signed = new URLSearchParams([...query].filter(([name]) => name !== 'hmac'));
  signed.sort();
  const text = signed.toString().replaceAll('+', '%20');
  return createHmac('sha256', clientSecret).update(text).digest('hex');
}
