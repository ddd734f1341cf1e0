import { z } from 'zod';
import { ShopError } from '../../src/domain/errors.ts';
import { tryReadJson } from '../../src/domain/loose.ts';
import { word } from '../../src/domain/text.ts';
import { toShopError } from './errors.ts';
import { shopifyFetch } from './library.ts';
import { adminAddress, type Place } from './settings.ts';

const seconds = z.int().positive().nullish();
/** Lifetimes in seconds from now, none for a token that does not expire. */
const Granted = z.object({
  access_token: word.min(1),
  scope: word.default(''),
  expires_in: seconds,
  refresh_token: word.min(1).nullish(),
  refresh_token_expires_in: seconds,
});
export type Granted = z.output<typeof Granted>;

const Refusal = z.object({ error: z.string().regex(/^[a-z_]{1,40}$/) });

const offline = 'urn:shopify:params:oauth:token-type:offline-access-token';

export type Grant = Readonly<Record<string, string>>;
export const grants = {
  clientCredentials: { grant_type: 'client_credentials' },
  code: (code: string) => ({ code, expiring: '1' }),
  refresh: (refreshToken: string) => ({ grant_type: 'refresh_token', refresh_token: refreshToken }),
  /** Exchanges a token that does not expire for a pair that does; irreversible. */
  migrate: (accessToken: string) => ({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: accessToken,
    subject_token_type: offline,
    requested_token_type: offline,
    expiring: '1',
  }),
};

/** Not through the library (docs/adr/0005). Throws ShopError `shop-unauthorized`. */
export async function askToken(place: Place, grant: Grant, userAgent: string): Promise<Granted> {
  const { app, shop, timeoutMs } = place;
  const doing = `requesting a token (${grant.grant_type ?? 'authorization_code'})`;
  const signal = AbortSignal.timeout(timeoutMs);
  let response: Response;
  let text: string;
  try {
    response = await shopifyFetch(adminAddress(place, 'oauth/access_token'), {
      method: 'POST',
      signal,
      headers: { 'content-type': 'application/json', accept: 'application/json', 'user-agent': userAgent },
      body: JSON.stringify({ client_id: app.clientId, client_secret: app.clientSecrets[0], ...grant }),
    });
    text = await response.text();
  } catch {
    // Without the cause, which may quote the request and its secrets.
    throw toShopError({ kind: 'network', timedOut: signal.aborted }, shop, doing);
  }
  const body = tryReadJson(text);
  if (response.ok && body !== undefined) {
    const granted = Granted.safeParse(body).data;
    if (granted) return granted;
    throw new ShopError(
      'shop-answer',
      { platform: 'Shopify', shop, call: doing, path: '', problem: 'no trae un token' },
      { retryable: false },
    );
  }
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const retryAfterMs = Number.isNaN(retryAfter) ? null : retryAfter * 1000;
  const reason = Refusal.safeParse(body).data?.error;
  // A page with status 200 is of something in front of Shopify.
  const status = response.ok ? 502 : response.status;
  if (reason !== undefined && appRefusals.has(reason))
    throw new ShopError(
      'shop-unauthorized',
      { why: 'app', shop, call: doing, status, reason, clientId: app.clientId },
      { retryable: false },
    );
  throw toShopError({ kind: 'http', status, retryAfterMs, reason }, shop, doing);
}

const appRefusals = new Set(['invalid_client', 'application_cannot_be_found', 'unauthorized_client']);
