import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Credentials } from '../../../src/domain/credentials.ts';

/** What a browser that began to install must bring back: it began here, for this shop and app, a short while ago. */
export interface Began {
  nonce: string;
  shop: string;
  /** The app's id in the config. */
  app: string;
}

export const stateCookie = 'facturapuente_shopify';
const lifeSeconds = 600;

/** The cookie for a browser that leaves for the shop's install page. */
export function beginState(
  { shop, app }: Omit<Began, 'nonce'>,
  { secret, path, now }: { secret: string; path: string; now: Date },
): { nonce: string; cookie: string } {
  const nonce = randomBytes(16).toString('hex');
  const end = Math.floor(now.getTime() / 1000) + lifeSeconds;
  const text = [nonce, shop, app, end].join('|');
  const value = `${Buffer.from(text).toString('base64url')}.${sign(text, secret)}`;
  // Lax, since the way back begins at Shopify.
  const cookie = `${stateCookie}=${value}; Max-Age=${lifeSeconds}; Path=${path}; Secure; HttpOnly; SameSite=Lax`;
  return { nonce, cookie };
}

export function endStateCookie(path: string): string {
  return `${stateCookie}=; Max-Age=0; Path=${path}; Secure; HttpOnly; SameSite=Lax`;
}

/** What the browser's cookie says of the app it names; null when nobody of ours wrote it, or too long ago. */
export function readState(
  cookies: string | null,
  secretsOf: (app: string) => readonly string[],
  now: Date,
): Began | null {
  const [, encoded = '', signature = ''] =
    new RegExp(`(?:^|;\\s*)${stateCookie}=([\\w-]+)\\.([\\w-]+)`).exec(cookies ?? '') ?? [];
  const text = Buffer.from(encoded, 'base64url').toString();
  const [nonce = '', shop = '', app = '', end = ''] = text.split('|');
  if (!secretsOf(app).some((secret) => same(sign(text, secret), signature))) return null;
  return Number(end) * 1000 > now.getTime() ? { nonce, shop, app } : null;
}

/**
 * Uses up a nonce, in all processes: false when it served before. Called only for addresses Shopify signed, so that
 * nobody else can fill the ledger; what is older than its life goes.
 */
export async function useOnce(credentials: Credentials, nonce: string, now: Date): Promise<boolean> {
  const mine = await credentials.put(usedKey(nonce), { at: now.toISOString() }, null);
  for (const key of (await credentials.shops()).filter((one) => one.startsWith(usedPrefix))) {
    const at = (await credentials.get(key))?.value as { at?: string } | undefined;
    const age = now.getTime() - Date.parse(at?.at ?? '');
    if (!(age < 2 * lifeSeconds * 1000)) await credentials.remove(key);
  }
  return mine;
}

const usedPrefix = 'used state ';
const usedKey = (nonce: string) => `${usedPrefix}${nonce}`;

/** Under a key of its own, so that no signature made here passes for one of Shopify's. */
function sign(text: string, secret: string): string {
  const key = createHmac('sha256', secret).update('facturapuente/shopify/state').digest();
  return createHmac('sha256', key).update(text).digest('base64url');
}

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
