import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { wooOrders } from '../../sandbox/shops/woocommerce-orders.ts';
import { openWooCommerceShop, type WooCommerceShop } from '../../sandbox/shops/woocommerce-shop.ts';
import { eventually } from '../support/eventually.ts';
import { engines, openProduct, type Product, written } from '../support/product.ts';

const hints = 400;
const otherSecret = 'secreto-de-la-otra-tienda-987654';
const keys = { consumerKey: 'ck_colgada', consumerSecret: 'cs_colgada' };

/** A shop of one merchant takes calls and does not answer them, and says again and again that its orders changed. */
describe.each(engines)(`${hints} signed hints of a hanging shop on %s`, (engine) => {
  let product: Product;
  let hanging: WooCommerceShop;
  beforeEach(async () => {
    const [one] = wooOrders(new Date()) as Record<string, unknown>[];
    // Not paid: what is read of them asks for nothing.
    const orders = Array.from({ length: hints }, (_, n) => ({ ...one, id: 5_000 + n, status: 'pending' }));
    hanging = await openWooCommerceShop({ orders, ...keys });
    product = await openProduct({
      engine,
      moreStores: {
        colgada: { url: hanging.url, webhookSecrets: [otherSecret], timeoutMs: 5_000, ...keys },
      },
    });
    await product.start();
  });
  afterEach(async () => {
    await product?.close();
    await hanging?.close();
  });

  /** Milliseconds from the webhook of an order to the factura that stands on it. */
  async function invoiced(orderId: string): Promise<number> {
    const began = performance.now();
    expect(await product.deliver(orderId)).toEqual([200]);
    await eventually(() => written(product, orderId).pdf, `the factura of ${orderId}`, 90_000);
    return performance.now() - began;
  }

  async function flood(): Promise<void> {
    const target = `${product.url}/webhooks/colgada`;
    const reported = Array.from({ length: hints }, (_, n) =>
      hanging.deliver(target, otherSecret, { topic: 'order.updated', orderId: String(5_000 + n) }),
    );
    for (const answers of await Promise.all(reported)) expect(answers).toMatchObject([{ status: 200 }]);
    await eventually(() => hanging.requests.length > 0, 'the hanging shop to be asked');
  }

  it('leave another merchant’s order invoiced as soon as without them', async () => {
    await invoiced('1201');
    const without = await invoiced('1202');
    hanging.hang(true);
    await flood();
    const beside = await invoiced('1203');
    expect(beside).toBeLessThan(10_000);
    expect(beside).toBeLessThan(without + 3_000);

    // A share of 64 slots, on servers and embedded, and never its hundreds of hints.
    expect(hanging.requests.length).toBeLessThan(40);
  }, 120_000);
});
