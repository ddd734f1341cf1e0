import { onTestFinished } from 'vitest';
import { memoryCredentials } from '../../../adapters/contract/index.ts';
import { askToken, grants, toInstall } from '../../../adapters/shopify/credentials.ts';
import { App, Connection, placeOf } from '../../../adapters/shopify/settings.ts';
import { openShopifyShop, type ShopifyShopOptions } from '../../../sandbox/shops/shopify-shop.ts';
import { openOutbound } from '../../../src/app/outbound.ts';
import type { ShopContext } from '../../../src/domain/platform.ts';
import type { Log } from '../../../src/domain/ports.ts';

export const clientSecret = 'client-secret-never-shown';
/** An app that many merchants install. */
export const oauthApp = App.parse({ clientId: 'client', clientSecrets: [clientSecret], access: 'oauth' });

const back = 'https://conector.example/shopify/auth/callback';

/** A clock that stands still until it is told. */
export function stoppedClock(at = '2026-11-20T15:00:00Z') {
  let now = Date.parse(at);
  return {
    now: () => new Date(now),
    pass: (ms: number) => {
      now += ms;
    },
  };
}

export function openContext(clock: ShopContext['clock']): ShopContext & { logged: string[] } {
  const logged: string[] = [];
  const note = (fields: Record<string, unknown>, message: string) =>
    void logged.push(`${message} ${JSON.stringify(fields)}`);
  const log: Log = { info: () => {}, warn: note, error: note };
  return {
    clock,
    log,
    logged,
    userAgent: 'facturapuente/test',
    outbound: openOutbound(),
    credentials: memoryCredentials(),
  };
}

/** A shop of an app that merchants install, not yet installed. */
export async function openOauthShop(
  domain: string,
  clock: ShopContext['clock'],
  options: Partial<ShopifyShopOptions> = {},
) {
  const shop = await openShopifyShop({
    shop: domain,
    orders: [],
    clientId: 'client',
    clientSecret,
    redirectUrls: [back],
    clock,
    ...options,
  });
  onTestFinished(() => shop.close());
  const connection = Connection.parse({ app: 'app', shop: domain, adminUrl: shop.url });
  return { shop, connection, place: placeOf(oauthApp, connection) };
}

/** Installs as the pages do: the merchant says yes, and the code becomes a kept pair of tokens. */
export async function install(
  { shop, place }: Awaited<ReturnType<typeof openOauthShop>>,
  context: ShopContext,
): Promise<void> {
  const query = new URLSearchParams({ client_id: 'client', scope: 'read_orders', redirect_uri: back });
  const answer = await fetch(`${shop.url}/admin/oauth/authorize?${query}`, { redirect: 'manual' });
  const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const granted = await askToken(place, grants.code(code), 'test');
  await context.credentials.put(place.shop, toInstall(granted, 'client', context.clock.now()), null);
}

export function calls(shop: { requests: readonly { operation: string }[] }, operation: string): number {
  return shop.requests.filter((request) => request.operation === operation).length;
}
