import { z } from 'zod';
import { ShopError } from '../../../src/domain/errors.ts';
import { parseJson } from '../../../src/domain/json.ts';
import { word } from '../../../src/domain/text.ts';
import { toShopError } from '../failures.ts';
import { shopifyFetch } from '../http.ts';
import { adminAddress, type Place } from '../places.ts';

/** What Shopify gave for a grant; both lives in seconds from now, null for what does not end. */
export interface Granted {
  accessToken: string;
  scopes: string[];
  expiresIn: number | null;
  refreshToken: string | null;
  refreshExpiresIn: number | null;
}

const offline = 'urn:shopify:params:oauth:token-type:offline-access-token';

/** The four ways to a token of a shop (Shopify’s pages on client credentials, authorization code, offline tokens). */
export type Grant =
  | { kind: 'client-credentials' }
  | { kind: 'code'; code: string }
  | { kind: 'refresh'; refreshToken: string }
  /** From a token that never ends to a pair that does; Shopify does not take it back. */
  | { kind: 'migrate'; accessToken: string };

const grants: { [K in Grant['kind']]: (grant: Extract<Grant, { kind: K }>) => Record<string, string> } = {
  'client-credentials': () => ({ grant_type: 'client_credentials' }),
  code: ({ code }) => ({ code, expiring: '1' }),
  refresh: ({ refreshToken }) => ({ grant_type: 'refresh_token', refresh_token: refreshToken }),
  migrate: ({ accessToken }) => ({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: accessToken,
    subject_token_type: offline,
    requested_token_type: offline,
    expiring: '1',
  }),
};

const seconds = z.number().int().positive();
const Answer = z.object({
  access_token: word.min(1),
  scope: word.default(''),
  expires_in: seconds.nullish(),
  refresh_token: word.min(1).nullish(),
  refresh_token_expires_in: seconds.nullish(),
});
const Refusal = z.object({ error: z.string().regex(/^[a-z_]{1,40}$/) });

/**
 * Asks the shop's token endpoint. Ours, not the library's: its code grant is tied to its own cookies and requests,
 * and one path gives all grants the same time limit and errors. Throws ShopError; `shopify-unauthorized` when
 * Shopify refuses the grant itself.
 */
export async function askToken(place: Place, grant: Grant, userAgent: string): Promise<Granted> {
  const { app, shop, timeoutMs } = place;
  const doing = `asking for a token (${grant.kind})`;
  const signal = AbortSignal.timeout(timeoutMs);
  let response: Response;
  let text: string;
  try {
    response = await shopifyFetch(adminAddress(place, 'oauth/access_token'), {
      method: 'POST',
      redirect: 'manual',
      signal,
      headers: { 'content-type': 'application/json', accept: 'application/json', 'user-agent': userAgent },
      body: JSON.stringify({
        client_id: app.clientId,
        client_secret: app.clientSecrets[0],
        ...bodyOf(grant),
      }),
    });
    text = await response.text();
  } catch {
    // The cause may quote the request, which holds secrets.
    throw toShopError({ kind: 'network', timedOut: signal.aborted }, shop, doing);
  }
  const body = readJson(text);
  if (response.ok && body !== undefined) return readGranted(body, shop, doing);
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const retryAfterMs = Number.isNaN(retryAfter) ? null : retryAfter * 1000;
  const reason = Refusal.safeParse(body).data?.error ?? null;
  // A page with status 200 is something in front of Shopify.
  const status = response.ok ? 502 : response.status;
  if (reason !== null && ofTheApp.has(reason)) throw appRefused(app.clientId, shop, doing, reason);
  throw toShopError({ kind: 'http', status, retryAfterMs, reason }, shop, doing);
}

/** Refusals of the app itself, which say nothing about the shop. */
const ofTheApp = new Set(['invalid_client', 'application_cannot_be_found', 'unauthorized_client']);

function appRefused(clientId: string, shop: string, doing: string, reason: string): ShopError {
  return new ShopError(
    'shopify-app-refused',
    'Shopify no reconoce la app: revise el Client ID (clientId) y el Client secret (el primero de clientSecrets) con los del Dev Dashboard.',
    `Shopify ${shop}, ${doing}: ${reason}. Check clientId (${clientId}) and clientSecrets[0].`,
    { retryable: false },
  );
}

function bodyOf<K extends Grant['kind']>(grant: Extract<Grant, { kind: K }>): Record<string, string> {
  return grants[grant.kind as K](grant);
}

function readGranted(body: unknown, shop: string, doing: string): Granted {
  const { data } = Answer.safeParse(body);
  if (data === undefined)
    throw new ShopError(
      'shopify-unexpected-answer',
      'Shopify respondió algo que no se puede leer; avise a quien mantiene facturapuente.',
      `Shopify ${shop}, ${doing}: the answer holds no token as documented.`,
      { retryable: false },
    );
  return {
    accessToken: data.access_token,
    scopes: readScopes(data.scope),
    expiresIn: data.expires_in ?? null,
    refreshToken: data.refresh_token ?? null,
    refreshExpiresIn: data.refresh_token_expires_in ?? null,
  };
}

/** A list as Shopify writes it, separated by commas or spaces. */
export function readScopes(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
