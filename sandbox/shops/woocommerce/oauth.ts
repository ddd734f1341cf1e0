import { createHmac, timingSafeEqual } from 'node:crypto';

export interface ShopKeys {
  consumerKey: string;
  consumerSecret: string;
  /** What the key may do; both when absent. */
  permissions?: 'read' | 'write' | 'read_write';
}

/** An error as WooCommerce words it. */
export interface WooError {
  status: number;
  code: string;
  message: string;
}

/** How a shop answers an unauthenticated call: as if rights were missing. */
export const cannotView: WooError = {
  status: 401,
  code: 'woocommerce_rest_cannot_view',
  message: 'Sorry, you cannot view this resource.',
};

export const refused = (message: string): WooError => ({
  status: 401,
  code: 'woocommerce_rest_authentication_error',
  message,
});

/**
 * OAuth 1.0a "one-legged" as a shop without TLS demands it (measured on WooCommerce 11.0.1): signed over the method,
 * the home URL's path and all parameters; ±15 minutes; each nonce once. Basic over http counts as no
 * authentication at all, and the error then looks like missing rights.
 */
export function openOAuthCheck(keys: ShopKeys): (method: string, url: URL) => WooError | null {
  const nonces = new Set<string>();
  return (method, url) => {
    const { oauth_signature: signature, ...parameters } = Object.fromEntries(url.searchParams);
    if (parameters.oauth_consumer_key === undefined) return cannotView;
    if (parameters.oauth_consumer_key !== keys.consumerKey) return refused('Consumer key is invalid.');
    const expected = sign(method, url, parameters, keys.consumerSecret);
    const given = Buffer.from(signature ?? '', 'base64');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      return refused('Invalid signature - provided signature does not match.');
    }
    // The wall clock, not a test clock: the client's library signs with the machine's time.
    const age = Math.abs(Date.now() / 1000 - Number(parameters.oauth_timestamp));
    if (!(age < 15 * 60)) return refused('Invalid timestamp.');
    const nonce = `${parameters.oauth_timestamp} ${parameters.oauth_nonce}`;
    if (parameters.oauth_nonce === undefined || nonces.has(nonce)) {
      return refused('Invalid nonce - nonce has already been used.');
    }
    nonces.add(nonce);
    return null;
  };
}

function sign(method: string, url: URL, parameters: Record<string, string>, secret: string): Buffer {
  const algorithm = parameters.oauth_signature_method === 'HMAC-SHA1' ? 'sha1' : 'sha256';
  const query = Object.entries(parameters)
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  const base = [method.toUpperCase(), encode(`${url.origin}${url.pathname}`), encode(query)].join('&');
  return createHmac(algorithm, `${secret}&`).update(base).digest();
}

/** RFC 5849 §3.6, stricter than encodeURIComponent. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
