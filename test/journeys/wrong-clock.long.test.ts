import { describe, expect, it, onTestFinished } from 'vitest';
import { wooOrders } from '../../sandbox/shops/woocommerce-orders.ts';
import { eventually } from '../support/eventually.ts';
import { engines, openProductProcesses, type ProductOptions, written } from '../support/product.ts';
import { openWallClock } from '../support/wall-clock.ts';

const hour = 3_600_000;
const patience = 60_000;
/** Orders paid a moment after the first start. */
const paidSoon = () => wooOrders(new Date(Date.now() + 2 * 60_000));

describe.each(engines)('the clock of the machine on %s', { timeout: 180_000 }, (engine) => {
  /** Beside PostgreSQL the clock of the machine counts for nothing. */
  const counts = engine === 'sqlite';
  const open = async (aheadMs: number, options: Partial<ProductOptions> = {}) => {
    const clock = openWallClock(aheadMs);
    const product = await openProductProcesses({ engine, env: clock.env, ...options });
    onTestFinished(() => product.close());
    await product.start();
    return { clock, product };
  };
  type Product = Awaited<ReturnType<typeof open>>['product'];
  const factura = (product: Product, id: string) =>
    eventually(() => written(product, id).clave_acceso, `the factura of ${id}`, patience);
  const isRefused = (product: Product) =>
    eventually(() => product.log().includes('"clock-differs"'), 'the alert', patience);

  it.each(['while it runs', 'between two starts'])(
    'ahead by a day at the first start, corrected %s: what was sold meanwhile is invoiced then',
    async (when) => {
      const { clock, product } = await open(26 * hour, { orders: paidSoon(), invoiceFrom: null });
      if (counts) await isRefused(product);
      expect(await product.deliver('1201')).toEqual([200]);
      if (counts) expect(product.sandbox.documents()).toEqual([]);
      if (when === 'between two starts') await product.kill();
      clock.ahead(0);
      if (when === 'between two starts') await product.start();
      await factura(product, '1201');
    },
  );

  it('set ahead by two hours while it runs: nothing is sent until it is corrected', async () => {
    const { clock, product } = await open(0);
    clock.ahead(2 * hour);
    if (counts) await isRefused(product);
    expect(await product.deliver('1201')).toEqual([200]);
    if (counts) expect(product.sandbox.documents()).toEqual([]);
    clock.ahead(0);
    await factura(product, '1201');
    expect(product.sandbox.audit().duplicates).toEqual([]);
  });
});
