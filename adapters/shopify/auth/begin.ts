import type { PageContext } from '../../../src/domain/platform-page.ts';
import { missingScopes } from '../app-scopes.ts';
import { adminAddress, placeOfShop, shopDomain } from '../places.ts';
import { requiredScopes } from '../scopes.ts';
import type { App } from '../settings.ts';
import { readInstall } from '../tokens/record.ts';
import { oauthApps } from './apps.ts';
import { page } from './page.ts';
import { isSignedQuery } from './signed-query.ts';
import { beginState } from './state.ts';

export const authPath = '/shopify/auth';
export const callbackPath = '/shopify/auth/callback';

/** Where the browser keeps the state cookie; below the public address, which may have a path of its own. */
export function cookiePath(publicUrl: string): string {
  return `${new URL(publicUrl).pathname.replace(/\/$/, '')}${authPath}`;
}

/**
 * `GET /shopify/auth?shop=&app=`: sends the merchant's browser to the shop's own install page. It is the App URL too:
 * then Shopify signs the address and, where the app is installed already, there is nothing to do. `app` is needed only
 * where several apps are configured and Shopify did not sign.
 */
export async function begin(request: Request, context: PageContext): Promise<Response> {
  const query = new URL(request.url).searchParams;
  const shop = (query.get('shop') ?? '').trim().toLowerCase();
  if (!shopDomain.test(shop))
    return page(
      400,
      'Falta la tienda',
      'Escriba la dirección con ?shop= y el dominio de la tienda en Shopify, por ejemplo ?shop=mi-tienda.myshopify.com.',
    );
  const now = context.clock.now();
  if (openedOwnApp(query, context))
    return page(
      200,
      'Facturación conectada',
      `La app está instalada en ${shop}. No hay nada más que hacer aquí.`,
    );
  const apps = oauthApps(context.apps);
  const signed = apps.find(([, app]) => query.has('hmac') && isSignedQuery(query, app.clientSecrets, now));
  const named = apps.find(([id]) => id === query.get('app')) ?? (apps.length === 1 ? apps[0] : undefined);
  const [id, app] = signed ?? named ?? [];
  if (id === undefined || app === undefined)
    return page(
      404,
      'No se sabe qué app instalar',
      apps.length === 0
        ? 'Esta instalación no tiene ninguna app de Shopify con access: oauth.'
        : 'Abra la app desde el administrador de Shopify, o la dirección con &app= que le dio quien administra esta instalación.',
    );
  const scopes = requiredScopes({ productDetails: app.productDetails });
  if (signed && (await isComplete(context, shop, app.clientId, scopes)))
    return page(
      200,
      'Facturación conectada',
      `La tienda ${shop} está conectada. No hay nada más que hacer aquí.`,
    );

  const secret = app.clientSecrets[0] ?? '';
  const { nonce, cookie } = beginState(
    { shop, app: id },
    { secret, path: cookiePath(context.publicUrl), now },
  );
  const asked = new URLSearchParams({
    client_id: app.clientId,
    scope: scopes.join(','),
    redirect_uri: `${context.publicUrl}${callbackPath}`,
    state: nonce,
  });
  const location = `${adminAddress(placeOfShop(app, shop), 'oauth/authorize')}?${asked}`;
  const headers = new Headers({ location, 'cache-control': 'no-store' });
  headers.append('set-cookie', cookie);
  return new Response(null, { status: 302, headers });
}

/** Shopify opens the App URL of the merchant's own app too, after installing it; that one asks for nothing here. */
function openedOwnApp(query: URLSearchParams, { apps, clock }: PageContext): boolean {
  return ([...apps.values()] as App[]).some(
    ({ access, clientSecrets }) =>
      access === 'client-credentials' && isSignedQuery(query, clientSecrets, clock.now()),
  );
}

async function isComplete(
  { credentials }: PageContext,
  shop: string,
  clientId: string,
  scopes: readonly string[],
): Promise<boolean> {
  const kept = await readInstall(credentials, shop, clientId);
  return (
    kept !== null && kept.install.lostAt === null && missingScopes(scopes, kept.install.scopes).length === 0
  );
}
