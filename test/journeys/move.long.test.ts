import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wooOrders } from '../../sandbox/shops/woocommerce-orders.ts';
import { eventually } from '../support/eventually.ts';
import { openProduct, type Product, written } from '../support/product.ts';
import { run } from '../support/run.ts';
import { hasPostgres, openEmptyDatabase } from '../support/servers.ts';

/** A shop grows: from one process on SQLite to PostgreSQL, by one command, without a number lost or given twice. */
describe.skipIf(!hasPostgres)('a shop that moves to PostgreSQL', () => {
  let product: Product;
  let database: Awaited<ReturnType<typeof openEmptyDatabase>>;
  beforeAll(async () => {
    database = await openEmptyDatabase();
    // A restart reads what the shop has.
    product = await openProduct({ engine: 'sqlite', orders: wooOrders(new Date()).slice(0, 2) });
    await product.start();
  });
  afterAll(async () => {
    await product?.close();
    await database?.drop();
  });
  const sell = async (order: string) => {
    await product.deliver(order);
    await eventually(
      () => written(product, order).pdf ?? undefined,
      `order ${order} written back\n${product.log()}`,
    );
  };
  const move = () => run(['move', '--config', product.file, '--to', database.url]);

  it('is told to stop first', async () => {
    await sell('1201');
    const { code, stderr } = await move();
    expect([code, stderr]).toEqual([1, expect.stringContaining('ya está en uso')]);
  });

  it('goes on there with the next number, and the old directory is closed', async () => {
    await product.stop();
    const { code, stdout, stderr } = await move();
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/documents +1\n/);
    // Nobody starts on the old directory by mistake.
    await expect(product.start()).rejects.toMatchObject({ code: 'ledger-moved' });

    const file = product.file;
    const config = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify({ ...config, ledger: { url: database.url } }));
    await product.start();
    await sell('1202');
    await product.deliver('1201');
    const numbers = product.sandbox.documents().map((document) => document.numero);
    expect(numbers.sort()).toEqual(['001-001-000000001', '001-001-000000002']);
  });
});
