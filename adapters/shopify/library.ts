import type { Shopify } from '@shopify/shopify-api';
import type { Dispatcher } from 'undici';
import { type App, type Connection, placeOf } from './settings.ts';

/** Imported at the first call, because the vendor's library takes a third of a second. */
export interface Library {
  open(app: App, connection: Connection, userAgent: string): Shopify;
  openAs(app: App, clientSecret: string, userAgent?: string): Shopify;
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
  const emulators = new Map<string, string | undefined>();
  runtime.setAbstractFetchFunc((target, init) => {
    const { hostname, origin, pathname, search } = new URL(String(target));
    return shopifyFetch(`${emulators.get(hostname) ?? origin}${pathname}${search}`, init ?? {});
  });
  const openAs: Library['openAs'] = (app, clientSecret, userAgent = '') =>
    vendor.shopifyApi({
      apiKey: app.clientId,
      apiSecretKey: clientSecret,
      apiVersion: app.apiVersion as typeof vendor.ApiVersion.October26,
      hostName: 'localhost',
      isEmbeddedApp: false,
      userAgentPrefix: userAgent,
      // Silent: the library would print a line per instance, and bodies at its debug level.
      logger: { log: () => {} },
    });
  return {
    errors: vendor,
    openAs,
    open(app, connection, userAgent) {
      const { shop, adminUrl } = placeOf(app, connection);
      emulators.set(shop, adminUrl);
      return openAs(app, app.clientSecrets[0] ?? '', userAgent);
    },
  };
}

/** Bytes; a longer answer of a broken server would fill the memory. */
const answerLimit = 16 * 1024 * 1024;

let opened: Promise<{ fetch: typeof import('undici').fetch; dispatcher: Dispatcher }> | undefined;

/** Redirects are not followed: they would take the token along. */
export async function shopifyFetch(url: string, init: object): Promise<Response> {
  opened ??= import('undici').then(({ Agent, fetch }) => ({
    fetch,
    dispatcher: new Agent({ connect: { timeout: 5_000 }, maxResponseSize: answerLimit }),
  }));
  const { fetch, dispatcher } = await opened;
  return (await fetch(url, { ...init, redirect: 'manual', dispatcher })) as unknown as Response;
}
