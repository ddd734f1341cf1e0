import type { ShopContext } from './platform.ts';
import type { Tickets } from './tickets.ts';

/** A page of a platform's own (installing, connecting), mounted at its path beside the product's doors. */
export interface PlatformPage {
  method: 'GET' | 'POST';
  /** Absolute and fixed, for instance `/shopify/auth/callback`. */
  path: string;
  /** `request.url` is the address as the world sees it; a body has at most 64 KB. What it throws becomes a 500. */
  answer(request: Request, context: PageContext): Promise<Response>;
}

/** What a page works with. */
export interface PageContext extends ShopContext {
  /** Base address the world reaches us at, without trailing slash. */
  publicUrl: string;
  /** Opens pages for whoever was given one by `facturapuente install`. */
  tickets: Tickets;
  /** The platform's apps by their ids in the config; their parsed settings. */
  apps: ReadonlyMap<string, unknown>;
  /**
   * The shop lets us in (again): what waited for it goes on. Answers the id of its store; null when it has none, and a
   * person is told. `app` is the id of the app it installed.
   */
  connected(shop: string, app?: string): Promise<string | null>;
  /** The platform's configured stores. */
  stores(): readonly PageStore[];
}

export interface PageStore {
  id: string;
  /** Where it is, as `shopOf` writes it. */
  shop: string;
  app: string | null;
  connection: unknown;
}
