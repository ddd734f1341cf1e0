import type { Shopify } from '@shopify/shopify-api';
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
  const [vendor, runtime, undici] = await Promise.all([
    import('@shopify/shopify-api'),
    import('@shopify/shopify-api/runtime'),
    import('undici'),
  ]);
  const standIns = new Map<string, string>();
  const dispatcher = new undici.Agent({ connect: { timeout: 5_000 } });
  runtime.setAbstractFetchFunc(async (target, init) => {
    const url = redirect(String(target), standIns);
    // undici's own fetch and the global one differ in types only.
    return (await undici.fetch(url, { ...(init as object), dispatcher })) as unknown as Response;
  });
  return {
    errors: vendor,
    open(app, connection, userAgent) {
      if (connection.adminUrl === undefined) standIns.delete(connection.shop);
      else standIns.set(connection.shop, connection.adminUrl);
      return vendor.shopifyApi({
        apiKey: app.clientId,
        apiSecretKey: app.clientSecrets[0] ?? '',
        apiVersion: app.apiVersion as typeof vendor.ApiVersion.October26,
        // Demanded by the library, used only in OAuth redirects, which we have none of.
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
