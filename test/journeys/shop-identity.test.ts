import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { wooOrders } from '../../sandbox/shops/woocommerce-orders.ts';
import { openWooCommerceShop } from '../../sandbox/shops/woocommerce-shop.ts';
import { eventually } from '../support/eventually.ts';
import { untilIdle } from '../support/idle.ts';
import { noonClock } from '../support/noon.ts';
import { engines, openProduct, type Product, type ProductOptions, written } from '../support/product.ts';
import { run } from '../support/run.ts';

const keys = { consumerKey: 'ck_prueba', consumerSecret: 'cs_prueba' };

/** The store as the config has it. */
interface Written {
  connection: { url: string };
}

describe.each(engines)('which shop it is, on %s', { timeout: 300_000 }, (engine) => {
  const clock = noonClock();
  const options = {
    engine,
    orders: wooOrders(clock.now()),
    config: { testClock: clock.testClock, reconciliation: { everyMinutes: 1 } },
    sandbox: clock.sandbox,
  };
  const open = async (more: Partial<ProductOptions> = {}) => {
    const product = await openProduct({ ...options, ...more });
    onTestFinished(() => product.close());
    return product;
  };
  const file = (product: Product) => product.file;
  const configure = async (product: Product, change: (stores: Record<string, Written>) => void) => {
    const config = JSON.parse(await readFile(file(product), 'utf8'));
    change(config.stores);
    await writeFile(file(product), JSON.stringify(config));
  };
  const readdress = (product: Product, url: string) =>
    configure(product, ({ tienda }) => {
      if (tienda) tienda.connection = { ...tienda.connection, url };
    });
  const say = (product: Product, ...args: string[]) => run([...args, '--config', file(product)]);
  const alerts = async (product: Product) => (await say(product, 'alerts')).stdout;
  const held = (product: Product, code: string) =>
    eventually(
      async () => (await alerts(product)).includes(code),
      `the alert ${code}\n${product.log()}`,
      30_000,
    );
  const invoiced = (product: Product, order: string, withinMs = 45_000) =>
    eventually(() => written(product, order).pdf, `the factura on ${order}\n${product.log()}`, withinMs);

  it('a copy of the shop is held, and invoices nothing until somebody says it is the shop', async () => {
    const product = await open();
    const copy = await openWooCommerceShop({
      orders: wooOrders(clock.now()),
      ...keys,
      system: { storeId: product.shop.system.storeId },
    });
    onTestFinished(() => copy.close());
    await product.start();
    await product.deliver('1201');
    await invoiced(product, '1201');
    await product.stop();
    await readdress(product, copy.url);
    await product.start();
    await product.deliver('1202');
    await held(product, 'shop-is-a-copy');
    expect(product.sandbox.documents()).toHaveLength(1);
    expect(copy.requests.every(({ path }) => path === 'system_status' || path.endsWith('/wp-json/'))).toBe(
      true,
    );

    expect((await say(product, 'store', 'confirm', 'tienda', '--as', 'same')).code).toBe(1);
    const { code, stdout, stderr } = await say(product, 'store', 'confirm', 'tienda', '--as', 'moved');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('sigue en su nueva dirección');
    await eventually(
      () => copy.order('1202')?.meta_data.some(({ key }) => key === '_facturapuente_pdf'),
      'the factura on the order',
      45_000,
    );
    await untilIdle(product);
    // The order it had of the shop is the order it has here.
    expect(copy.order('1201')?.meta_data.some(({ key }) => key === '_facturapuente_clave')).toBe(false);
    expect(product.sandbox.documents().length).toBeGreaterThan(1);
    expect(await alerts(product)).not.toContain('shop-is-a-copy');
  });

  it('a shop that was installed anew is held before anything is emitted, and begins anew when told so', async () => {
    const product = await open();
    const { shop, sandbox } = product;
    await product.start();
    await product.deliver('1201');
    await invoiced(product, '1201');
    await untilIdle(product);
    await product.stop();
    const before = sandbox.documents().length;
    shop.system.storeId = 'otra-instalacion';
    shop.put({ ...(wooOrders(clock.now())[0] as object), id: 1299 });
    await product.start();
    await product.deliver('1299');
    await held(product, 'shop-identity-changed');
    expect(sandbox.documents()).toHaveLength(before);
    const list = await say(product, 'store', 'list');
    expect(list.stdout).toContain('RETENIDA');
    const { code, stderr } = await say(product, 'store', 'confirm', 'tienda', '--as', 'new');
    expect([code, stderr]).toEqual([0, '']);
    await eventually(
      async () => !(await alerts(product)).includes('shop-identity-changed'),
      'the alert to end',
    );
    shop.put({ ...(wooOrders(clock.now())[0] as object), id: 1300, date_paid: null, date_paid_gmt: null });
    await untilIdle(product);
    expect((await say(product, 'store', 'list')).stdout).not.toContain('RETENIDA');
  });
});
