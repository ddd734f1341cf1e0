import { ShopError } from '../../../src/domain/errors.ts';
import { merchantPage } from '../../../src/domain/merchant-page.ts';
import type { PageContext } from '../../../src/domain/platform.ts';
import { type Install, readAnyInstall, toInstall } from '../credentials.ts';
import { missingScopes, requiredScopes } from '../scopes.ts';
import { type Connection, type Place, placeOf, placeOfShop } from '../settings.ts';
import { askToken, grants } from '../tokens.ts';
import { cookiePath, oauthApps } from './start.ts';
import { endStateCookie, isSignedQuery, readState } from './state.ts';

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
