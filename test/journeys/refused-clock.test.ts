import { expect, onTestFinished, test } from 'vitest';
import { wooOrders } from '../../sandbox/shops/woocommerce-orders.ts';
import { ecuadorDay, toServiceDate } from '../../src/domain/clock.ts';
import { eventually } from '../support/eventually.ts';
import { engines, openProduct, written } from '../support/product.ts';

const hour = 3_600_000;
/** Orders paid a moment before this start, and after it by the service's time, which is two hours behind. */
const justPaid = () => wooOrders(new Date(Date.now() - 60_000));

test.each(engines)(
  'a clock two hours ahead of the service: webhooks are stored and nothing is sent, until both agree (%s)',
  async (engine) => {
    const options = { engine, orders: justPaid(), invoiceFrom: null } as const;
    const product = await openProduct({
      ...options,
      sandbox: { now: () => new Date(Date.now() - 2 * hour) },
    });
    onTestFinished(() => product.close());
    await product.start();
    expect(product.log()).toContain('"clock-differs"');
    expect(await product.deliver('1201')).toEqual([200]);
    await product.stop();
    expect(product.sandbox.documents()).toEqual([]);
    expect(product.shop.requests.filter(({ path }) => path.startsWith('orders'))).toEqual([]);
    product.sandbox.clock.step(2 * hour);
    await product.start();
    await eventually(() => written(product, '1201').clave_acceso, 'the factura');
    const days = product.sandbox.documents().map(({ fechaEmision }) => fechaEmision);
    expect(new Set(days)).toEqual(new Set([toServiceDate(ecuadorDay(new Date()))]));
  },
);
