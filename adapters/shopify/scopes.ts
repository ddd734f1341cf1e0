import type { App } from './settings.ts';

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
