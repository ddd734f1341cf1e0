import type { App, Connection } from './settings.ts';

/** A shop's permanent name; whatever else arrives under `shop` is refused before it becomes an address. */
export const shopDomain = /^[a-z0-9][a-z0-9-]*\.myshopify\.com$/;

/** Who is called as which app, and where; `adminUrl` is set by stand-ins only. */
export interface Place {
  shop: string;
  app: App;
  adminUrl: string | undefined;
  timeoutMs: number;
}

export function placeOf(app: App, { shop, adminUrl, timeoutMs }: Connection): Place {
  return { shop, app, adminUrl: adminUrl ?? standInOf(app, shop), timeoutMs };
}

/** The same for a shop nobody has configured yet. */
export function placeOfShop(app: App, shop: string): Place {
  return { shop, app, adminUrl: standInOf(app, shop), timeoutMs: 20_000 };
}

/** Where a page or call of the shop's admin is: `https://tienda.myshopify.com/admin/oauth/authorize`. */
export function adminAddress({ shop, adminUrl }: Pick<Place, 'shop' | 'adminUrl'>, path: string): string {
  return `${adminUrl ?? `https://${shop}`}/admin/${path}`;
}

function standInOf({ adminUrl }: App, shop: string): string | undefined {
  return adminUrl?.replace('{shop}', shop);
}
