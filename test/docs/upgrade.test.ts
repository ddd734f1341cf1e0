import { readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { wooOrders } from '../../sandbox/shops/woocommerce-orders.ts';
import { run as execute } from '../package/pack.ts';
import { eventually } from '../support/eventually.ts';
import { openProduct, type Product, written } from '../support/product.ts';
import { run } from '../support/run.ts';
import { hasPostgres, openEmptyDatabase } from '../support/servers.ts';

const guide = await readFile(new URL('../../docs/upgrade.md', import.meta.url), 'utf8');
const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = '']) => text);

/** The commands of the guide that begin so, in the folder of the installation. */
function follow(begin: string, { folder }: Product, env: Record<string, string> = {}) {
  const block = blocks.find((one) => one.startsWith(begin));
  if (block === undefined) throw new Error(`The guide has no commands that begin with ${begin}.`);
  const node = dirname(process.execPath);
  const path = `${node}:${process.env.PATH}`;
  return execute('bash', ['-euc', block], { cwd: folder, env: { ...process.env, PATH: path, ...env } });
}

/** As a plain config has it: the ledger in its usual folder, with a secret of its own. */
const plain = { secret: undefined, ledger: { directory: '.facturapuente' } };

const orders = wooOrders(new Date());

async function openShop(config: Record<string, unknown> = plain): Promise<Product> {
  // A restart reads what the shop has.
  const product = await openProduct({ engine: 'sqlite', config, orders: orders.slice(0, 2) });
  onTestFinished(() => product.close());
  await product.start();
  return product;
}

/** Each step starts programs of its own, on a machine that may be busy. */
const patienceMs = 60_000;

async function sell(product: Product, order: string): Promise<void> {
  await product.deliver(order);
  await eventually(() => written(product, order).pdf, `order ${order}`, patienceMs);
}

async function configure(product: Product, change: (config: Config) => void): Promise<void> {
  const file = product.file;
  const config = JSON.parse(await readFile(file, 'utf8')) as Config;
  change(config);
  await writeFile(file, JSON.stringify(config));
}
interface Config {
  ledger: object;
  stores: { tienda: { series: { first?: number } } };
}

const numbers = (product: Product) =>
  product.sandbox
    .documents()
    .map(({ numero }) => numero)
    .sort();

test.each(['sqlite3', 'node'])(
  'a backup made by %s beside a running start is restored, and no number is given twice',
  {
    timeout: 180_000,
  },
  async (begin) => {
    const product = await openShop();
    await sell(product, '1201');
    await follow(begin, product);
    if (begin === 'node')
      await execute('cp', ['.facturapuente/secret.key', 'respaldo.key'], { cwd: product.folder });
    await sell(product, '1202');
    await product.stop();

    await follow('rm -f', product);
    await configure(product, ({ stores }) => {
      stores.tienda.series.first = 3;
    });
    await product.start();
    await product.deliver('1202');
    await eventually(
      async () => (await documents(product)).filter(({ state }) => state === 'authorized').length === 2,
      'the order that was invoiced after the backup to be bound to its factura',
      patienceMs,
    );
    await product.deliver('1201');
    product.shop.put(orders[2]);
    await sell(product, '1203');
    expect(numbers(product)).toEqual(['001-001-000000001', '001-001-000000002', '001-001-000000003']);
  },
);

test('without any ledger, nothing that carries its key is invoiced again', { timeout: 180_000 }, async () => {
  const product = await openShop();
  await sell(product, '1201');
  await product.stop();
  await execute('rm', ['-r', '.facturapuente'], { cwd: product.folder });
  await configure(product, ({ stores }) => {
    stores.tienda.series.first = 2;
  });
  await product.start();
  await product.deliver('1201');
  await eventually(
    async () => (await documents(product)).some(({ state }) => state === 'authorized'),
    'the order to be bound to its factura',
    patienceMs,
  );
  await sell(product, '1202');
  expect(numbers(product)).toEqual(['001-001-000000001', '001-001-000000002']);
});

test.skipIf(!hasPostgres)(
  'a dump of PostgreSQL is restored into an empty database',
  { timeout: 180_000 },
  async () => {
    const product = await openShop({});
    await sell(product, '1201');
    await product.stop();
    const [first, second] = [await openEmptyDatabase(), await openEmptyDatabase()];
    onTestFinished(async () => {
      await product.close();
      await first.drop();
      await second.drop();
    });
    const file = product.file;
    expect((await run(['move', '--config', file, '--to', first.url])).code).toBe(0);
    await follow('pg_dump', product, { DATABASE_URL: first.url });
    await follow('pg_restore', product, { DATABASE_URL: second.url });
    await configure(product, (config) => {
      config.ledger = { url: second.url };
    });
    await product.start();
    await product.deliver('1201');
    await sell(product, '1202');
    expect(numbers(product)).toEqual(['001-001-000000001', '001-001-000000002']);
    expect((await documents(product)).map(({ state }) => state)).toEqual(['authorized', 'authorized']);
  },
);

async function documents(product: Product): Promise<{ code: string | null; state: string }[]> {
  const config = product.file;
  return JSON.parse((await run(['documents', '--json', '--config', config])).stdout);
}
