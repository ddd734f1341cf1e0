import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wooOrders } from '../../sandbox/shops/woocommerce-orders.ts';
import { openWooCommerceShop, type WooCommerceShop } from '../../sandbox/shops/woocommerce-shop.ts';
import { eventually } from '../support/eventually.ts';
import { untilIdle } from '../support/idle.ts';
import { openProduct, type Product, webhookSecret, written } from '../support/product.ts';

/** Two shops of one issuer, whose orders carry the same ids. */
describe('two WooCommerce shops', () => {
  const secondSecret = 'secreto-de-la-otra-tienda-987654';
  const keys = { consumerKey: 'ck_segunda', consumerSecret: 'cs_segunda' };
  let product: Product;
  let second: WooCommerceShop;
  beforeAll(async () => {
    second = await openWooCommerceShop({ orders: wooOrders(new Date()), ...keys });
    product = await openProduct({
      engine: 'sqlite',
      moreStores: { segunda: { url: second.url, webhookSecrets: [secondSecret], ...keys } },
    });
    await product.start();
  });
  afterAll(async () => {
    await product?.close();
    await second?.close();
  });

  const report = (shop: WooCommerceShop, endpoint: string, secret: string) =>
    shop.deliver(`${product.url}/webhooks/${endpoint}`, secret, { topic: 'order.updated', orderId: '1201' });
  const numberOn = (shop: WooCommerceShop) =>
    shop.order('1201')?.meta_data.find(({ key }) => key === '_facturapuente_numero')?.value;

  it('get a factura each for orders of the same id, from one series, each on its own order', async () => {
    await report(product.shop, 'tienda', webhookSecret);
    await eventually(() => written(product, '1201').pdf, 'the factura of the first shop');
    expect(numberOn(second)).toBeUndefined();
    await report(second, 'segunda', secondSecret);
    await eventually(() => numberOn(second) !== undefined, 'the factura of the second shop');
    await untilIdle(product);
    expect([numberOn(product.shop), numberOn(second)]).toEqual(['001-001-000000001', '001-001-000000002']);
    for (const shop of [product.shop, second])
      expect(shop.notes('1201').filter((note) => note.customer_note)).toHaveLength(1);
  });

  it('do not open each other’s endpoint', async () => {
    for (const [shop, endpoint, secret] of [
      [product.shop, 'segunda', webhookSecret],
      [second, 'tienda', secondSecret],
    ] as const)
      expect(await report(shop, endpoint, secret)).toMatchObject([{ status: 401 }]);
    await untilIdle(product);
    expect(product.sandbox.documents()).toHaveLength(2);
  });
});
