import type { Shopify } from '@shopify/shopify-api';
import { shopifyFetch } from './http.ts';
import { placeOf } from './places.ts';
import type { App, Connection } from './settings.ts';

/**
 * The vendor's library, loaded when the API is first needed: it takes a third of a second to import, and
 * `start` must be ready before that. All of its HTTP goes through undici, and to a stand-in on this machine
 * where a shop's connection says so.
 */
export interface Library {
  open(app: App, connection: Connection, userAgent: string): Shopify;
  errors: Pick<
    typeof import('@shopify/shopify-api'),
    'GraphqlQueryError' | 'HttpResponseError' | 'HttpThrottlingError' | 'HttpRequestError'
  >;
}

let loaded: Promise<Library> | undefined;

export function loadLibrary(): Promise<Library> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<Library> {
  // The runtime adapter must be in place before the library makes its first instance.
  await import('@shopify/shopify-api/adapters/node');
  const [vendor, runtime] = await Promise.all([
    import('@shopify/shopify-api'),
    import('@shopify/shopify-api/runtime'),
  ]);
  const standIns = new Map<string, string>();
  runtime.setAbstractFetchFunc((target, init) =>
    shopifyFetch(redirect(String(target), standIns), init ?? {}),
  );
  return {
    errors: vendor,
    open(app, connection, userAgent) {
      const { shop, adminUrl } = placeOf(app, connection);
      if (adminUrl === undefined) standIns.delete(shop);
      else standIns.set(shop, adminUrl);
      return vendor.shopifyApi({
        apiKey: app.clientId,
        apiSecretKey: app.clientSecrets[0] ?? '',
        apiVersion: app.apiVersion as typeof vendor.ApiVersion.October26,
        // Demanded by the library, used only in its own OAuth redirects.
        hostName: 'localhost',
        isEmbeddedApp: false,
        userAgentPrefix: userAgent,
        // Silent: the library would print a line per instance, and bodies at its debug level.
        logger: { log: () => {} },
      });
    },
  };
}

function redirect(target: string, standIns: ReadonlyMap<string, string>): string {
  const url = new URL(target);
  const standIn = standIns.get(url.hostname);
  return standIn === undefined ? target : `${standIn}${url.pathname}${url.search}`;
}
