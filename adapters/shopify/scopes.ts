import type { App } from './settings.ts';

export function missingScopes(required: readonly string[], granted: readonly string[]): string[] {
  return required.filter(
    (scope) => !granted.includes(scope) && !granted.includes(scope.replace(/^read_/, 'write_')),
  );
}

/** Shopify hides orders older than `shownDays` from an app without it (shopify.dev, access scopes). */
export const allOrdersScope = 'read_all_orders';
export const shownDays = 60;

export function requiredScopes({ productDetails = false }: { productDetails?: boolean } = {}): string[] {
  return ['read_customers', 'read_orders', ...(productDetails ? ['read_products'] : []), 'write_orders'];
}

/** A public app may request `read_all_orders` only after Shopify granted it. */
export function requestedScopes({ access, productDetails, allOrders }: RequestingApp): string[] {
  const all = allOrders ?? access === 'client-credentials';
  return [...requiredScopes({ productDetails }), ...(all ? [allOrdersScope] : [])].toSorted();
}

type RequestingApp = Pick<App, 'access' | 'productDetails' | 'allOrders'>;
