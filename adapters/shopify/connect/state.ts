import { randomBytes } from 'node:crypto';
import type { PageContext } from '../../../src/domain/platform.ts';
import { loadLibrary } from '../library.ts';
import type { App } from '../settings.ts';

const lifeMs = 600_000;

/** `state` names the app of the config; the cookie proves that this browser began here, for this shop and app. */
export function beginState(
  { shop, app }: { shop: string; app: string },
  path: string,
  { tickets, clock }: Pick<PageContext, 'tickets' | 'clock'>,
): { state: string; cookie: string } {
  const state = `${app}.${randomBytes(16).toString('hex')}`;
  const ticket = tickets.issue(useOf(state, shop), new Date(clock.now().getTime() + lifeMs));
  return { state, cookie: stateCookie(ticket, lifeMs / 1000, path) };
}

const useOf = (state: string, shop: string): string => `shopify state ${state} ${shop}`;

// Lax, because the redirect back comes from Shopify.
const stateCookie = (ticket: string, seconds: number, path: string): string =>
  `facturapuente_shopify=${ticket}; Max-Age=${seconds}; Path=${path}; Secure; HttpOnly; SameSite=Lax`;

export const endStateCookie = (path: string): string => stateCookie('', 0, path);

export function readState(
  { state, shop }: { state: string; shop: string },
  cookies: string | null,
  tickets: PageContext['tickets'],
): string | null {
  const [, ticket = ''] = /(?:^|;\s*)facturapuente_shopify=([\w.-]+)/.exec(cookies ?? '') ?? [];
  return tickets.admits(useOf(state, shop), ticket) ? state.slice(0, state.lastIndexOf('.')) : null;
}

export async function isSignedQuery(query: URLSearchParams, app: App): Promise<boolean> {
  // Before the library is loaded, which takes a third of a second.
  if (!query.has('hmac')) return false;
  const { openAs } = await loadLibrary();
  const checks = app.clientSecrets.map((secret) => openAs(app, secret).utils.validateHmac(query));
  // The library rejects a signature that is too old or has no time.
  return (await Promise.allSettled(checks)).some((check) => check.status === 'fulfilled' && check.value);
}
