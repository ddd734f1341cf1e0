import { expect, onTestFinished } from 'vitest';
import { memoryCredentials } from '../../../adapters/contract/index.ts';
import { shopify } from '../../../adapters/shopify/index.ts';
import { App, Connection } from '../../../adapters/shopify/settings.ts';
import { openShopifyShop, type ShopifyShopOptions } from '../../../sandbox/shops/shopify-shop.ts';
import { openOutbound } from '../../../src/app/outbound.ts';
import { ShopError } from '../../../src/domain/errors.ts';
import type { Shop, ShopContext } from '../../../src/domain/platform.ts';
import type { Log } from '../../../src/domain/ports.ts';

export const domain = 'demo-ec.myshopify.com';
export const token = 'shpat_fixed_token_never_shown';
export const app = App.parse({ clientId: 'client', clientSecrets: ['client-secret-never-shown'] });

/** What the host hands to an adapter; log lines go to `note`. */
export function context(note: (line: string) => void = () => {}): ShopContext {
  const write = (fields: Record<string, unknown>, message: string) =>
    note(`${message} ${JSON.stringify(fields)}`);
  const log: Log = { info: write, warn: write, error: write };
  return {
    clock: { now: () => new Date() },
    log,
    userAgent: 'facturapuente/test',
    outbound: openOutbound(),
    credentials: memoryCredentials(),
  };
}

/** The stand-in and our adapter opened on it; both closed with the test. */
export async function openPair(
  options: Partial<ShopifyShopOptions> = {},
  settings: Record<string, unknown> = { accessToken: token },
) {
  const shop = await openShopifyShop({ shop: domain, orders: [], accessToken: token, ...options });
  const connection = Connection.parse({ app: 'demo', shop: domain, adminUrl: shop.url, ...settings });
  const logged: string[] = [];
  const host = context((line) => void logged.push(line));
  const client = shopify.openShop({ connection, app }, host) as Shop;
  onTestFinished(async () => {
    await client.close();
    await shop.close();
  });
  return { shop, client, connection, logged };
}

/** The ShopError a call of a shop ends with. */
export async function failureOf(job: Promise<unknown>): Promise<ShopError> {
  const error = await job.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ShopError);
  return error as ShopError;
}
