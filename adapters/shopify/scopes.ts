import { z } from 'zod';
import { word } from '../../src/domain/text.ts';
import type { Client } from './client.ts';
import { appScopesQuery } from './queries.ts';

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

/**
 * The access scopes an app needs for our queries, sorted; `read_products` with `productDetails` only. Not
 * `read_all_orders`: it adds orders older than 60 days, and Shopify grants it on request.
 */
export function requiredScopes({ productDetails = false }: { productDetails?: boolean } = {}): string[] {
  return ['read_customers', 'read_orders', ...(productDetails ? ['read_products'] : []), 'write_orders'];
}
