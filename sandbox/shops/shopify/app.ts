import { createHash } from 'node:crypto';
import type { Bag } from './graphql-types.ts';
import type { Tokens } from './tokens.ts';

/** The shop itself and what its app was granted. */
export function appRoot(
  { shop, shopId = idOf(shop) }: { shop: string; shopId?: string },
  tokens: Tokens,
  subscriptions: readonly { topic: string; uri: string }[] = [],
): Bag {
  return {
    shop: { id: `gid://shopify/Shop/${shopId}`, myshopifyDomain: shop },
    webhookSubscriptions: () => ({ nodes: [...subscriptions] }),
    currentAppInstallation: { accessScopes: () => tokens.scopes().map((handle) => ({ handle })) },
  };
}

/** Another shop has another. */
const idOf = (shop: string): string =>
  String(Number.parseInt(createHash('sha256').update(shop).digest('hex').slice(0, 10), 16) + 1);
