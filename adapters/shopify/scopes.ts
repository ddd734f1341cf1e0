import { z } from 'zod';
import { word } from '../../src/domain/text.ts';
import type { Client } from './client.ts';
import { appScopesQuery } from './queries.ts';
import type { App } from './settings.ts';

const Answer = z.object({
  currentAppInstallation: z.object({ accessScopes: z.array(z.object({ handle: word })) }),
});

/** The scopes the shop has granted the app. Throws ShopError, `disconnected` where the shop has no such app. */
export async function readAppScopes(client: Client): Promise<string[]> {
  const answer = await client.query(appScopesQuery, {}, Answer, 'reading the granted scopes');
  return answer.currentAppInstallation.accessScopes.map(({ handle }) => handle);
}

/** The scopes an app was not granted; writing includes reading. */
export function missingScopes(required: readonly string[], granted: readonly string[]): string[] {
  return required.filter(
    (scope) => !granted.includes(scope) && !granted.includes(scope.replace(/^read_/, 'write_')),
  );
}

/** Adds the orders that are older than `shownDays`, which Shopify hides from an app without it (shopify.dev, access scopes). */
export const allOrdersScope = 'read_all_orders';
export const shownDays = 60;

/** The access scopes an app needs for our queries, sorted; `read_products` with `productDetails` only. */
export function requiredScopes({ productDetails = false }: { productDetails?: boolean } = {}): string[] {
  return ['read_customers', 'read_orders', ...(productDetails ? ['read_products'] : []), 'write_orders'];
}

/**
 * The scopes an app requests: the required ones, and `read_all_orders` unless `allOrders` says otherwise. A public app may
 * request that only after Shopify granted it.
 */
export function requestedScopes({ access, productDetails, allOrders }: RequestingApp): string[] {
  const all = allOrders ?? access === 'client-credentials';
  return [...requiredScopes({ productDetails }), ...(all ? [allOrdersScope] : [])].toSorted();
}

type RequestingApp = Pick<App, 'access' | 'productDetails' | 'allOrders'>;
