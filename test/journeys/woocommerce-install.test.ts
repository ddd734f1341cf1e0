import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hrefOf, visit } from '../adapters/woocommerce/bridge.ts';
import { trustedCertificate } from '../support/certificate.ts';
import { whole } from '../support/chance.ts';
import { eventually } from '../support/eventually.ts';
import { engines, openProduct, openProductProcesses, type Product, written } from '../support/product.ts';
import { run } from '../support/run.ts';
import { openTlsFront } from '../support/tls-front.ts';

interface Item {
  code: string;
  what: string;
  state: string;
  resolution: string | null;
  done?: boolean;
}

/** The product behind TLS, and a shop whose keys nobody has yet. */
async function open<P extends Product>(openOne: (env: Record<string, string>) => Promise<P>) {
  const certificate = trustedCertificate();
  const folder = await mkdtemp(join(tmpdir(), 'fp-install-'));
  const ca = join(folder, 'ca.pem');
  await writeFile(ca, certificate.cert);
  const product = await openOne({ NODE_EXTRA_CA_CERTS: ca });
  const front = await openTlsFront(product.url, certificate);
  const { file } = product;
  const config = JSON.parse(await readFile(file, 'utf8'));
  config.publicUrl = front.url;
  config.stores.tienda.connection = { url: product.shop.url };
  await writeFile(file, JSON.stringify(config));
  onTestFinished(async () => {
    await product.close();
    await front.close();
    await rm(folder, { recursive: true });
  });
  const command = async (name: string, ...more: string[]) => {
    const args = [name, '--config', file, '--store', 'tienda', '--json', ...more];
    const { code, stdout, stderr } = await run(args);
    if (!stdout.startsWith('{')) throw new Error(`${name} said: ${stderr}`);
    const { items, ready } = JSON.parse(stdout) as { items: Item[]; ready: boolean };
    return { code, ready, items, state: Object.fromEntries(items.map((item) => [item.code, item.state])) };
  };
  return { product, front, command };
}

/** Opens the link install shows, chooses the store, and stops where the shop asks for approval. */
async function askApproval(link: string) {
  const form = await visit(link);
  const ticket = /name="ticket" value="([^"]*)"/.exec(form.html)?.[1] ?? '';
  const { location } = await visit(link, { ticket, store: 'tienda' });
  return hrefOf((await visit(location)).html, 'Approve');
}

const topicsOf = ({ shop }: Product) =>
  shop
    .webhooks()
    .map(({ topic, status }) => `${topic} ${status}`)
    .sort();
const allTopics = ['order.created', 'order.deleted', 'order.restored', 'order.updated'].map(
  (one) => `${one} active`,
);

const tried = whole ? engines : (['sqlite'] as const);

test.each(tried)(
  'from nothing to the first authorised factura on %s, killed in the middle',
  async (engine) => {
    const { product, front, command } = await open((env) => openProductProcesses({ engine, env }));
    const orders = ['1201', '1202', '1203', '1204', '1205'].map((id) => product.shop.order(id));
    for (const order of orders) product.shop.remove(order?.id ?? 0);

    const first = await command('install', '--check');
    expect(first).toMatchObject({ code: 1, ready: false });
    expect(first.state).toMatchObject({ 'public-url': 'problem', shop: 'ok', access: 'missing' });
    expect(product.shop.webhooks()).toEqual([]);

    await product.start();
    const planned = await command('install');
    expect(planned.state).toMatchObject({ 'public-url': 'warning', access: 'missing' });
    const link =
      / (https:\S+)/.exec(
        planned.items.find(({ what }) => what === 'Claves de la API')?.resolution ?? '',
      )?.[1] ?? '';
    expect(link).toContain(`${front.url}/woocommerce/connect?`);

    const approve = await askApproval(link);
    const { location } = await visit(approve);
    // The question whether we may write is answered; at the first webhook the process dies.
    product.shop.trouble({ status: 400, body: {} }, 'POST');
    product.shop.trouble('hang', 'POST');
    const dying = visit(location).catch(() => null);
    const posts = () =>
      product.shop.requests.filter(({ method, path }) => method === 'POST' && path === 'webhooks');
    await eventually(() => posts().length === 2, 'the first webhook to be under way');
    await product.kill();
    await dying;

    await product.start();
    expect(await command('install')).toMatchObject({ code: 0, ready: true });
    expect(topicsOf(product)).toEqual(allTopics);
    const webhooks = product.shop.webhooks();
    const again = await command('install');
    expect(again.items.filter(({ done }) => done)).toEqual([]);
    expect(product.shop.webhooks()).toEqual(webhooks);

    product.shop.put(orders[0]);
    product.shop.happened('order.created', 1201);
    expect((await product.shop.visit()).map(({ arg, status }) => [arg, status])).toEqual([[1201, 200]]);
    await eventually(() => written(product, '1201').pdf, `the first factura\n${product.log()}`);
    expect(written(product, '1201')).toMatchObject({ numero: '001-001-000000001', estado: 'AUTORIZADO' });

    expect(product.log()).not.toMatch(/c[ks]_[0-9a-f]{20}|user_id=|ticket=/);
    expect((await command('uninstall')).code).toBe(0);
    expect(product.shop.webhooks()).toEqual([]);
  },
  120_000,
);

test('what was sold before the shop was connected waits for it, and is invoiced at once when it is', async () => {
  const { product, command } = await open(() => openProduct({ engine: 'sqlite' }));
  await product.start();
  const items = (await command('install')).items;
  const link =
    / (https:\S+)/.exec(items.find(({ what }) => what === 'Claves de la API')?.resolution ?? '')?.[1] ?? '';
  expect(product.sandbox.documents()).toEqual([]);
  await visit(await askApproval(link));
  for (const order of ['1201', '1205'])
    await eventually(() => written(product, order).pdf, `the factura of ${order}\n${product.log()}`);
});

test('a store with keys of its config stops when it is uninstalled, and goes on when it is installed again', async () => {
  const product = await openProduct({ engine: 'sqlite' });
  onTestFinished(() => product.close());
  const orders = ['1201', '1202', '1203', '1204', '1205'].map((id) => product.shop.order(id));
  for (const order of orders.slice(1)) product.shop.remove(order?.id ?? 0);
  await product.start();
  const call = (name: string) => run([name, '--config', product.file, '--store', 'tienda']);
  const doctor = async () => JSON.parse((await run(['doctor', '--config', product.file, '--json'])).stdout);
  await call('install');
  expect(await product.deliver('1201')).toEqual([200]);
  await eventually(() => written(product, '1201').pdf, `the first factura\n${product.log()}`);

  expect((await call('uninstall')).stdout).toContain('La tienda quedó desinstalada.');
  // The secret is of the config, so that a webhook made by hand still fits.
  product.shop.put(orders[4]);
  expect(await product.deliver('1205')).toEqual([200]);
  await eventually(() => product.log().includes('"alert":"shop-not-connected"'), 'the order to wait');
  expect(product.sandbox.documents()).toHaveLength(1);
  const items: Item[] = (await doctor()).sections.flatMap((one: { items: Item[] }) => one.items);
  expect(items.find(({ code }) => code === 'store-uninstalled')).toMatchObject({ state: 'warning' });
  expect(items.filter(({ code }) => code === 'shop-installation')).toEqual([]);
  const checked = await run(['install', '--check', '--config', product.file, '--store', 'tienda']);
  expect([checked.code, checked.stdout]).toEqual([1, expect.stringContaining('La tienda está desinstalada')]);
  expect(checked.stdout).not.toContain('Todo listo');

  expect((await call('install')).stdout).toContain('Todo listo');
  await eventually(() => written(product, '1205').pdf, `the second factura\n${product.log()}`);
  expect((await doctor()).sections.flatMap((one: { items: Item[] }) => one.items)).not.toContainEqual(
    expect.objectContaining({ code: 'store-uninstalled' }),
  );
});
