import { merchantPage } from '../../../src/domain/merchant-page.ts';
import type { PageContext } from '../../../src/domain/platform.ts';
import { readInstall } from '../credentials.ts';
import { missingScopes, requestedScopes } from '../scopes.ts';
import { type App, adminAddress, placeOfShop, shopDomain } from '../settings.ts';
import { beginState, isSignedQuery } from './state.ts';

export const authPath = '/shopify/auth';
export const callbackPath = '/shopify/auth/callback';

export const cookiePath = (publicUrl: string): string =>
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

export function oauthApps(apps: ReadonlyMap<string, unknown>): [string, App][] {
  return ([...apps] as [string, App][]).filter(([, app]) => app.access === 'oauth');
}
