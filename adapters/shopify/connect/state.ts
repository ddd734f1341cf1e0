import { randomBytes } from 'node:crypto';
import type { PageContext } from '../../../src/domain/platform.ts';
import type { Credentials } from '../../../src/domain/shop-identity.ts';
import { loadLibrary } from '../library.ts';
import type { App } from '../settings.ts';

/** The content of the state cookie: this browser began an installation here, for this shop and app. */
interface Began {
  nonce: string;
  shop: string;
  /** The app's id in the config. */
  app: string;
}

const stateCookie = 'facturapuente_shopify';
const lifeMs = 600_000;

type Signing = Pick<PageContext, 'tickets' | 'clock'>;

export function beginState(
  { shop, app }: Omit<Began, 'nonce'>,
  path: string,
  { tickets, clock }: Signing,
): { nonce: string; cookie: string } {
  const nonce = randomBytes(16).toString('hex');
  const text = [nonce, shop, app].join('|');
  const ticket = tickets.issue(stateUse(text), new Date(clock.now().getTime() + lifeMs));
  const value = `${Buffer.from(text).toString('base64url')}.${ticket}`;
  // Lax, because the redirect back comes from Shopify.
  const cookie = `${stateCookie}=${value}; Max-Age=${lifeMs / 1000}; Path=${path}; Secure; HttpOnly; SameSite=Lax`;
  return { nonce, cookie };
}

const stateUse = (text: string): string => `shopify state ${text}`;

export function endStateCookie(path: string): string {
  return `${stateCookie}=; Max-Age=0; Path=${path}; Secure; HttpOnly; SameSite=Lax`;
}

/** The content of a valid cookie; null for a forged or expired one. */
export function readState(cookies: string | null, tickets: PageContext['tickets']): Began | null {
  const [, encoded = '', ticket = ''] =
    new RegExp(`(?:^|;\\s*)${stateCookie}=([\\w-]+)\\.([\\w.-]+)`).exec(cookies ?? '') ?? [];
  const text = Buffer.from(encoded, 'base64url').toString();
  const [nonce = '', shop = '', app = ''] = text.split('|');
  return tickets.admits(stateUse(text), ticket) ? { nonce, shop, app } : null;
}

/**
 * Marks a nonce as used, in all processes: false when it was used before. Only for addresses Shopify signed, so that
 * nobody else can fill the ledger; expired nonces are removed.
 */
export async function useOnce(credentials: Credentials, nonce: string, now: Date): Promise<boolean> {
  const isFirst = await credentials.put(usedKey(nonce), { at: now.toISOString() }, null);
  for (const key of (await credentials.shops()).filter((one) => one.startsWith(usedPrefix))) {
    const at = (await credentials.get(key))?.value as { at?: string } | undefined;
    const age = now.getTime() - Date.parse(at?.at ?? '');
    if (!(age < 2 * lifeMs)) await credentials.remove(key);
  }
  return isFirst;
}

const usedPrefix = 'used state ';
const usedKey = (nonce: string) => `${usedPrefix}${nonce}`;

/** Whether Shopify signed this address in the last 90 seconds, by any secret of the app. */
export async function isSignedQuery(query: URLSearchParams, app: App): Promise<boolean> {
  // Before the library is loaded, which takes a third of a second.
  if (!query.has('hmac')) return false;
  const { openAs } = await loadLibrary();
  const checks = app.clientSecrets.map((secret) => openAs(app, secret).utils.validateHmac(query));
  // It rejects a signature that is too old or has no time.
  return (await Promise.allSettled(checks)).some((check) => check.status === 'fulfilled' && check.value);
}
