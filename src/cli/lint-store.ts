import { ConfigError } from '../domain/errors.ts';
import { type CatalogReport, lintCatalog } from '../reports/rehearsal/lint-catalog.ts';
import { openProgress } from './progress.ts';
import { type ShopFlags, withShop } from './shop-access.ts';

/** Looks through what a store sells, also beside `start`. Throws ConfigError, LedgerError and ShopError. */
export function lintStore(flags: ShopFlags): Promise<CatalogReport> {
  return withShop(flags, async ({ store, shop, clock }) => {
    const catalog = shop.catalog?.bind(shop);
    if (!catalog)
      throw new ConfigError(
        'no-catalog',
        `Las tiendas de ${store.platform.title} no dan a conocer sus productos; revise los pedidos con «facturapuente rehearse».`,
        `Platform ${store.platform.name} brings no catalogue.`,
      );
    const progress = openProgress(`Catálogo de la tienda «${store.id}»`, 'productos');
    const at = { now: clock.now(), progress: (done: number) => progress.at(done, null) };
    return lintCatalog(store, catalog, at).finally(progress.end);
  });
}
