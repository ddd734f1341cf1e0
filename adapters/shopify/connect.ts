import { randomBytes } from 'node:crypto';
import { ShopError } from '../../src/domain/errors.ts';
import { merchantPage } from '../../src/domain/merchant-page.ts';
import type { PageContext } from '../../src/domain/platform.ts';
import { loadLibrary } from './client.ts';
import { askToken, grants, type Install, readAnyInstall, readInstall, toInstall } from './credentials.ts';
import {
  type App,
  adminAddress,
  type Connection,
  missingScopes,
  type Place,
  placeOf,
  placeOfShop,
  requestedScopes,
  requiredScopes,
  shopDomain,
} from './settings.ts';

export const authPath = '/shopify/auth';
export const callbackPath = '/shopify/auth/callback';

const cookiePath = (publicUrl: string): string =>
  `${new URL(publicUrl).pathname.replace(/\/$/, '')}${authPath}`;

/** Also the App URL, which Shopify opens with a signature. */
export async function begin(request: Request, context: PageContext): Promise<Response> {
  const query = new URL(request.url).searchParams;
  const shop = (query.get('shop') ?? '').trim().toLowerCase();
  if (!shopDomain.test(shop))
    return merchantPage(
      400,
      'Falta la tienda',
      'Escriba la dirección con ?shop= y el dominio de la tienda en Shopify, por ejemplo ?shop=mi-tienda.myshopify.com.',
    );
  const signed = await signerOf(query, context.apps);
  // Shopify also opens the App URL of the merchant's own app, which needs no install page.
  if (signed?.[1].access === 'client-credentials')
    return merchantPage(
      200,
      'Facturación conectada',
      `La app está instalada en ${shop}. No hay nada más que hacer aquí.`,
    );
  const apps = oauthApps(context.apps);
  const named = apps.find(([id]) => id === query.get('app')) ?? (apps.length === 1 ? apps[0] : undefined);
  const [id, app] = signed ?? named ?? [];
  if (id === undefined || app === undefined)
    return merchantPage(
      404,
      'No se sabe qué app instalar',
      apps.length === 0
        ? 'Esta instalación no tiene ninguna app de Shopify con access: oauth.'
        : 'Abra la app desde el administrador de Shopify, o la dirección con &app= que le dio quien administra esta instalación.',
    );
  const scopes = requestedScopes(app);
  if (signed && (await isComplete(context, shop, app.clientId, scopes)))
    return merchantPage(
      200,
      'Facturación conectada',
      `La tienda ${shop} está conectada. No hay nada más que hacer aquí.`,
    );

  const { state, cookie } = beginState({ shop, app: id }, cookiePath(context.publicUrl), context);
  const parameters = new URLSearchParams({
    client_id: app.clientId,
    scope: scopes.join(','),
    redirect_uri: `${context.publicUrl}${callbackPath}`,
    state,
  });
  const location = `${adminAddress(placeOfShop(app, shop), 'oauth/authorize')}?${parameters}`;
  const headers = new Headers({ location, 'cache-control': 'no-store' });
  headers.append('set-cookie', cookie);
  return new Response(null, { status: 302, headers });
}

async function signerOf(
  query: URLSearchParams,
  apps: ReadonlyMap<string, unknown>,
): Promise<[string, App] | undefined> {
  for (const [id, app] of apps as ReadonlyMap<string, App>)
    if (await isSignedQuery(query, app)) return [id, app];
  return undefined;
}

async function isComplete(
  { credentials }: PageContext,
  shop: string,
  clientId: string,
  scopes: readonly string[],
): Promise<boolean> {
  const install = (await readInstall(credentials, shop, clientId))?.install;
  return install?.lostAt === null && missingScopes(scopes, install.scopes).length === 0;
}

function oauthApps(apps: ReadonlyMap<string, unknown>): [string, App][] {
  return ([...apps] as [string, App][]).filter(([, app]) => app.access === 'oauth');
}

const lifeMs = 600_000;

/** `state` names the app of the config; the cookie proves that this browser began here, for this shop and app. */
function beginState(
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

const endStateCookie = (path: string): string => stateCookie('', 0, path);

function readState(
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

/** The signed cookie proves that this browser began here. Tokens are stored before the page is shown. */
export async function callback(request: Request, context: PageContext): Promise<Response> {
  const query = new URL(request.url).searchParams;
  const { log } = context;
  const apps = new Map(oauthApps(context.apps));
  const page = (status: number, title: string, sentence: string): Response => {
    const response = merchantPage(status, title, sentence);
    response.headers.append('set-cookie', endStateCookie(cookiePath(context.publicUrl)));
    return response;
  };
  const refuse = (why: string) => {
    log.warn({ why }, 'Refused an installation of the Shopify app');
    return page(401, 'No se pudo conectar la tienda', again);
  };

  const shop = (query.get('shop') ?? '').toLowerCase();
  const state = query.get('state') ?? '';
  const appId = readState({ state, shop }, request.headers.get('cookie'), context.tickets) ?? '';
  const app = apps.get(appId);
  if (!app) return refuse('The browser did not begin here with this shop, or more than ten minutes ago.');
  if (!(await isSignedQuery(query, app))) return refuse('The address is not signed by Shopify.');
  const other = context.stores().find((store) => store.shop === shop && store.app !== appId);
  if (other) return refuse(`The shop is configured with the app ${other.app}.`);
  const connection = context.stores().find((store) => store.shop === shop)?.connection as
    | Connection
    | undefined;
  const place = connection ? placeOf(app, connection) : placeOfShop(app, shop);
  let install: Install | null;
  try {
    install = await exchange(place, query.get('code') ?? '', state, context);
  } catch (error) {
    if (!(error instanceof ShopError)) throw error;
    log.warn({ shop, err: error }, 'The installation of the Shopify app failed');
    return page(502, 'No se pudo conectar la tienda', `${error.merchant} ${again}`);
  }
  if (install === null) return refuse('The address was used before.');
  const missing = missingScopes(requiredScopes({ productDetails: app.productDetails }), install.scopes);
  if (missing.length > 0)
    log.warn({ shop, missing }, 'The Shopify app was installed without scopes it needs');
  const storeId = await context.connected(shop, appId);
  return page(200, 'Tienda conectada', sentence(shop, storeId, missing));
}

const again =
  'Abra otra vez la app desde Shopify, o la dirección /shopify/auth de esta instalación, y acepte los permisos.';

async function exchange(
  place: Place,
  code: string,
  state: string,
  { credentials, clock, userAgent }: PageContext,
): Promise<Install | null> {
  const { shop, app } = place;
  return credentials.alone(shop, async () => {
    const former = await credentials.get(shop);
    if (readAnyInstall(former)?.install.state === state) return null;
    const granted = await askToken(place, grants.code(code), userAgent);
    const install = { ...toInstall(granted, app.clientId, clock.now()), state };
    if (await credentials.put(shop, install, former?.version ?? null)) return install;
    throw new ShopError('busy-elsewhere', { why: 'access', shop }, { retryable: true });
  });
}

function sentence(shop: string, storeId: string | null, missing: readonly string[]): string {
  const lacks =
    missing.length > 0 ? ` Faltan permisos (${missing.join(', ')}): acéptelos al abrir la app otra vez.` : '';
  if (storeId === null)
    return `La tienda ${shop} quedó conectada. Falta registrar quién emite sus facturas: avise a quien administra esta instalación.${lacks}`;
  return `La tienda ${shop} quedó conectada y sus pedidos pagados se facturan desde ahora.${lacks}`;
}
