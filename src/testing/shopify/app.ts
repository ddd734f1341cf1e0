import type { Bag } from './graphql-types.ts';
import type { Tokens } from './tokens.ts';

/** The shop itself and what its app was granted. */
export function appRoot(
  shop: string,
  tokens: Tokens,
  subscriptions: readonly { topic: string; uri: string }[] = [],
): Bag {
  return {
    shop: { myshopifyDomain: shop },
    webhookSubscriptions: () => ({ nodes: [...subscriptions] }),
    currentAppInstallation: { accessScopes: () => tokens.scopes().map((handle) => ({ handle })) },
  };
}
