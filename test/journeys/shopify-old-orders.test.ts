import { describe, expect, it, onTestFinished } from 'vitest';
import { requiredScopes } from '../../adapters/shopify/settings.ts';
import { shopifyOrderIds, shopifyOrders } from '../../sandbox/shops/shopify-orders.ts';
import { eventually } from '../support/eventually.ts';
import { run } from '../support/run.ts';
import { openShopifyProduct, type ShopifyProduct } from '../support/shopify-product.ts';

/* Shopify hides orders older than 60 days from an app without read_all_orders, and still signs what happens to them. */

const day = 24 * 3_600_000;
const [id = ''] = shopifyOrderIds;

async function openShop(ageDays: number, scopes = requiredScopes()): Promise<ShopifyProduct> {
  const opened = await openShopifyProduct({
    scopes,
    orders: shopifyOrders(new Date(Date.now() - ageDays * day)),
  });
  onTestFinished(() => opened.close());
  await opened.product.start();
  return opened;
}

const alerts = async ({
  product,
}: ShopifyProduct): Promise<{ code: string; what: string; resolution: string }[]> =>
  JSON.parse((await run(['alerts', '--json', '--config', product.file])).stdout);
const alerted = (opened: ShopifyProduct, code: string) =>
  eventually(async () => (await alerts(opened)).find((one) => one.code === code), code);
const key = ({ shopify }: ShopifyProduct) => shopify.metafields(id).clave_acceso;

describe('an order that Shopify hides for its age', () => {
  it('is reported when it is paid, and invoiced once the permission is granted', async () => {
    const opened = await openShop(70);
    const { shopify, post } = opened;
    const order = shopify.order(id);
    shopify.remove(id);
    expect(await post('orders/paid', order)).toBe(200);
    const alert = await alerted(opened, 'order-unread');
    expect(alert.what).toMatch(/#1001 \([\d.]+ USD\).*read_all_orders/);
    expect((await run(['explain', id, '--config', opened.product.file])).stdout).toContain('se lee otra vez');
    shopify.put(order);
    await post('orders/updated', order);
    await eventually(() => key(opened), 'the factura');
    await eventually(async () => (await alerts(opened)).length === 0, 'the end of the alert');
  });

  it('is reported when it is refunded after its factura', async () => {
    const opened = await openShop(70);
    const { shopify, notify, post } = opened;
    await notify('orders/paid', id);
    await eventually(() => key(opened), 'the factura');
    shopify.remove(id);
    await post('refunds/create', { id: 1, order_id: Number(id), note: null, transactions: [] });
    expect((await alerted(opened, 'order-unread')).what).toMatch(/#1001 \([\d.]+ USD\).*read_all_orders/);
  });

  it('is gone when Shopify signs that it was deleted', async () => {
    const opened = await openShop(70);
    const { shopify, post, product } = opened;
    const order = shopify.order(id);
    shopify.remove(id);
    await post('orders/paid', order);
    await alerted(opened, 'order-unread');
    await post('orders/delete', { id: Number(id) });
    await eventually(() => product.log().includes('The shop has no such order'), 'the deletion', 30_000);
    await eventually(async () => (await alerts(opened)).length === 0, 'the end of the alert');
  });
});

describe('an order with something open that Shopify will hide', () => {
  const pending = async (opened: ShopifyProduct) => {
    const order = { ...Object(opened.shopify.order(id)), financial_status: 'pending', transactions: [] };
    opened.shopify.put(order);
    await opened.post('orders/updated', order);
  };

  it('is reported ten days before', async () => {
    const opened = await openShop(52);
    await pending(opened);
    expect((await alerted(opened, 'order-hidden-soon')).what).toMatch(/#1001 .*60 días.*read_all_orders/);
  });

  it('is not reported where the app has the permission', async () => {
    const opened = await openShop(52, [...requiredScopes(), 'read_all_orders']);
    await pending(opened);
    await eventually(() => opened.product.log().includes('Order synced'), 'the order to be read');
    expect(await alerts(opened)).toEqual([]);
  });
});
