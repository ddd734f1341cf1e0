import { describe, expect, it, onTestFinished } from 'vitest';
import { wooOrders } from '../../sandbox/shops/woocommerce-orders.ts';
import { eventually } from '../support/eventually.ts';
import { engines, openProductProcesses, type ProductOptions, written } from '../support/product.ts';
import { openWallClock } from '../support/wall-clock.ts';

const hour = 3_600_000;
/** A paused account rests half a minute before its first probe. */
const patience = 60_000;
/** Orders paid a moment after the first start. */
const paidSoon = () => wooOrders(new Date(Date.now() + 2 * 60_000));

describe.each(engines)('the clock of the machine on %s', { timeout: 180_000 }, (engine) => {
  const open = async (aheadMs: number, options: Partial<ProductOptions> = {}) => {
    const clock = openWallClock(aheadMs);
    const product = await openProductProcesses({ engine, env: clock.env, ...options });
    onTestFinished(() => product.close());
    await product.start();
    return { clock, product };
  };
  const factura = (product: Awaited<ReturnType<typeof openProductProcesses>>, id: string) =>
    eventually(() => written(product, id).clave_acceso, `the factura of ${id}`, patience);

  it('ahead by a day at the first start, then corrected: what is sold from then on is invoiced', async () => {
    const orders = paidSoon();
    const { clock, product } = await open(26 * hour, { orders, invoiceFrom: null });
    // The shop refuses signatures of another day.
    await product.deliver('1201');
    await eventually(() => /A job failed/.test(product.log()), 'the order to fail', patience);
    clock.ahead(0);
    // Nothing tells the process: it notices.
    await product.deliver('1202');
    await factura(product, '1202').catch((e) => {
      console.log(product.log());
      throw e;
    });
    // By the time of PostgreSQL that order is tried again in an hour, as it should.
    if (engine === 'sqlite') await factura(product, '1201');
  });

  it('ahead by a day at the first start, stopped and corrected: the next start says so', async () => {
    const orders = paidSoon();
    const { clock, product } = await open(26 * hour, { orders, invoiceFrom: null });
    await product.kill();
    clock.ahead(0);
    await product.start();
    await product.deliver('1202');
    await factura(product, '1202');
  });

  it.each(['while it runs', 'between two starts'])(
    'ahead by a day with work that failed meanwhile, corrected %s: nothing waits for that day',
    async (when) => {
      const { clock, product } = await open(26 * hour);
      for (let n = 0; n < 3; n += 1) product.shop.trouble({ status: 500, body: {} }, 'GET');
      await product.deliver('1201');
      await eventually(() => product.log().includes('A job failed'), 'the order to fail', patience);
      if (when === 'between two starts') await product.kill();
      clock.ahead(0);
      if (when === 'between two starts') await product.start();
      await factura(product, '1201');
      // Beside PostgreSQL the clock of the machine counts for nothing.
      expect(product.log().includes('clock-differs')).toBe(engine === 'sqlite');
      expect(product.sandbox.audit().duplicates).toEqual([]);
    },
  );
});
