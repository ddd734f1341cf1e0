import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wooOrders } from '../../sandbox/shops/woocommerce-orders.ts';
import { eventually } from '../support/eventually.ts';
import { openProduct, type Product, written } from '../support/product.ts';

/** A new API key in the config and a restart: nothing is lost, nothing is sent twice, old links keep working. */
describe('a rotated API key, through a restart of the whole product', { timeout: 90_000 }, () => {
  const oldKey = 'clave-1';
  const newKey = 'clave-nueva-0002';
  let product: Product;
  beforeAll(async () => {
    // Slow enough that no webhook overtakes the answer of its POST, which would cost a question.
    product = await openProduct({
      engine: 'sqlite',
      // A restart reads what the shop has.
      orders: wooOrders(new Date()).slice(0, 2),
      sandbox: { authorizeDelayMs: 400 },
    });
    await product.start();
  });
  afterAll(() => product?.close());

  const authorised = (order: string) =>
    eventually(
      () => (written(product, order).pdf ? written(product, order) : undefined),
      `order ${order} written back\n${product.log()}`,
    );
  const file = () => product.file;

  it('costs a document one request, and one for each of its files', async () => {
    await product.deliver('1201');
    await authorised('1201');
    // A ping tells the service's time, whatever is sold.
    const paths = () =>
      product.sandbox
        .requests()
        .map(({ path }) => path.split('/').slice(2, 4).join('/'))
        .filter((path) => path !== 'ping');
    await eventually(() => paths().length >= 3, 'the factura read back');
    expect(paths()).toEqual(['factura/emision', 'comprobante/xml', 'comprobante/pdf']);
  });

  it('leaves the links of old documents working, and sends new ones under the new key', async () => {
    await product.stop();
    const config = JSON.parse(await readFile(file(), 'utf8'));
    const { apiKey: _, ...account } = config.accounts.cuenta;
    config.accounts.cuenta = { ...account, apiKeys: [newKey, oldKey] };
    await writeFile(file(), JSON.stringify(config));
    // The webhook belongs to the account, so both keys share it.
    const webhook = { url: `${product.url}/service/webhook/cuenta`, secret: account.webhookSecrets[0] };
    product.sandbox.addAccount({ apiKey: newKey, webhook });
    await product.start();
    await product.deliver('1202');
    const { numero } = await authorised('1202');
    expect(numero).toBe('001-001-000000002');
    expect(product.sandbox.documents().map(({ apiKey }) => apiKey)).toEqual([oldKey, newKey]);
    for (const order of ['1201', '1202'])
      expect((await fetch(written(product, order).pdf ?? '')).status).toBe(200);
    expect(product.sandbox.audit().duplicates).toEqual([]);
  });
});
