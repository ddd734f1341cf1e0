import { openWooCommerceShop } from '../woocommerce-shop.ts';
import { openShopPages } from './pages.ts';

/** Nobody but this machine reaches the shop, so its keys need not be secret. */
export const shopKeys = { consumerKey: 'ck_tienda_de_prueba', consumerSecret: 'cs_tienda_de_prueba' };

/** A WooCommerce shop with a page on which one buys; it delivers the webhooks that are created in it, and keeps nothing. */
export async function openShopWithPages(port: number): Promise<{ url: string; close(): Promise<void> }> {
  return openWooCommerceShop({
    ...shopKeys,
    port,
    orders: [],
    pages(woo) {
      const { app } = openShopPages({
        woo,
        origin: () => woo.url,
        panel: () => panelOf(woo.webhooks()[0]?.delivery_url),
        firstId: 1001,
        happened: async (topic, id) => woo.happened(topic, id),
      });
      return (request, response) => {
        // WordPress delivers its webhooks when somebody visits the shop.
        void woo.visit();
        app(request, response);
      };
    },
  });
}

/** The panel of the facturapuente that receives this webhook. */
const panelOf = (deliveryUrl: string | undefined): string | null =>
  deliveryUrl === undefined ? null : deliveryUrl.replace(/\/webhooks\/.*$/, '/panel');
