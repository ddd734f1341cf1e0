import { createHmac, timingSafeEqual } from 'node:crypto';

/** What the browser may take to come back from Shopify; the vendor's own limit. */
const freshMs = 90_000;

/**
 * Whether Shopify signed the address it sent the browser to, and lately: hex HMAC of the sorted query without `hmac`,
 * by any secret of the app while one is rotated (Shopify’s page on the authorization code grant).
 */
export function isSignedQuery(query: URLSearchParams, secrets: readonly string[], now: Date): boolean {
  const given = Buffer.from(query.get('hmac') ?? '');
  const at = Number(query.get('timestamp') ?? Number.NaN) * 1000;
  if (!(Math.abs(now.getTime() - at) < freshMs)) return false;
  const text = signedText(query);
  return secrets.some((secret) => {
    const expected = Buffer.from(createHmac('sha256', secret).update(text).digest('hex'));
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
}

function signedText(query: URLSearchParams): string {
  const signed = [...query].filter(([name]) => name !== 'hmac' && name !== 'signature');
  signed.sort(([a], [b]) => (a < b ? -1 : 1));
  // Spaces as %20: URLSearchParams would write them as a plus.
  return signed.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
}
