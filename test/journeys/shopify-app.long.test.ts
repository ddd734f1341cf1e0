import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shopifyOrderIds } from '../../sandbox/shops/shopify-orders.ts';
import { eventually } from '../support/eventually.ts';
import { clientSecret, openShopifyApp, type ShopifyApp } from '../support/shopify-app.ts';

/* A merchant's shop from the install page to the last word about it. Each step follows from the one before. */

const [first = '', second = '', third = ''] = shopifyOrderIds;

describe('a shop that installs the app through Shopify', () => {
  let app: ShopifyApp;
  beforeAll(async () => {
    app = await openShopifyApp();
    await app.product.start();
  });
  afterAll(() => app?.close());

  const seen = <T>(what: string, look: () => T | undefined | false | null) =>
    eventually(() => look() || undefined, `${what}\n${app.product.log()}`);
  const logged = (word: string) => app.product.log().split(word).length - 1;
  const order = (id: string) => app.shopify.order(id) as { email: string; name: string };

  it('is invoiced with the tokens it granted', async () => {
    expect(await app.install()).toMatchObject({ status: 200 });
    expect(await app.deliver('orders/paid', first)).toMatchObject([{ status: 200 }]);
    await seen('the factura', () => app.shopify.metafields(first).clave_acceso);
  });

  it('has its tokens on disk encrypted only', async () => {
    const folder = join(app.product.folder, 'ledger');
    const files = (await readdir(folder)).filter((name) => name.startsWith('ledger.db'));
    expect(files.length).toBeGreaterThan(0);
    for (const name of files) {
      const bytes = await readFile(join(folder, name), 'latin1');
      expect(bytes).not.toMatch(/shp[ar]t_/);
    }
  });

  it('is found complete by install, which writes the app’s configuration and changes nothing twice', async () => {
    for (const _time of [1, 2])
      expect(await app.cli('install', '--store', 'tienda')).toContain('Todo listo: la tienda factura.');
    const toml = await readFile(join(app.product.folder, 'shopify.app.publica.toml'), 'utf8');
    expect(toml).toContain(`uri = "${app.product.url}/webhooks/publica"`);
    const file = join(app.product.folder, 'shopify.app.publica.toml');
    const before = (await stat(file)).mtimeMs;
    await app.cli('install', '--store', 'tienda', '--check');
    expect((await stat(file)).mtimeMs).toBe(before);
  });

  it('gets the data of a buyer who asks for it, and nothing of it stands in the log', async () => {
    const { email, name } = order(first);
    await app.notify('customers/data_request', {
      customer: { id: 1, email, phone: null },
      orders_requested: [],
      data_request: { id: 1 },
    });
    await seen('the alert', () => logged('buyer-asked') > 0);
    const list = await app.cli('privacy', 'list');
    expect(list).toContain('pide sus datos');
    expect(list).not.toContain(email);
    const id = list.split(' ')[0] ?? '';
    await app.cli('privacy', 'export', id, '--out', 'datos.json');
    const file = join(app.product.folder, 'datos.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const data = JSON.parse(await readFile(file, 'utf8'));
    expect(data.pedidos).toMatchObject([{ pedido: name, comprobantes: [{ estado: 'authorized' }] }]);
    expect(JSON.stringify(data.pedidos[0].avisos)).toContain(email);
    expect(await app.cli('alerts')).not.toContain('buyer-asked');
    expect(app.product.log()).not.toContain(email);
  });

  it('has what the law does not keep of a buyer forgotten; the factura stays, and that is said', async () => {
    const { email } = order(first);
    await app.notify('customers/redact', { customer: { id: 1, email }, orders_to_redact: [Number(first)] });
    await seen('the removal', () => logged('The data of a buyer was removed') > 0);
    await eventually(
      async () => (await app.cli('privacy', 'list')).includes('borrado') || undefined,
      'the report',
    );
    expect(await app.cli('privacy', 'list')).toContain('borrado: 1 pedidos. Se conservan 001-001-000000001.');
    const left = await app.cli('privacy', 'export', await request('pide sus datos'), '--out', 'despues.json');
    expect(left).toContain('0 pedidos');
    expect(app.product.sandbox.documents()).toHaveLength(1);
  });

  const request = async (what: string) =>
    (await app.cli('privacy', 'list'))
      .split('\n')
      .find((line) => line.includes(what))
      ?.split(' ')[0] ?? '';

  it('that uninstalls has its tokens removed and its orders wait, with one alert', async () => {
    app.shopify.uninstall();
    await app.notify('app/uninstalled');
    await app.notify('app/uninstalled');
    await seen('the alert', () => logged('"alert":"shop-uninstalled"') > 0);
    app.shopify.put(app.orders[1]);
    expect(await app.deliver('orders/paid', second)).toMatchObject([{ status: 200 }]);
    await seen('the order to wait', () => logged('"alert":"shop-not-connected"') > 0);
    expect(app.product.sandbox.documents()).toHaveLength(1);
    expect(logged('"alert":"shop-not-connected"')).toBe(1);
  });

  it('that installs again goes on where it was', async () => {
    expect((await app.install()).text).toContain('sus pedidos pagados se facturan desde ahora');
    await seen('the factura that waited', () => app.shopify.metafields(second).clave_acceso);
  });

  it('is never believed with a wrong signature, and a header is not a shop', async () => {
    const endpoint = `${app.product.url}/webhooks/publica`;
    const bad = { clientSecret, topic: 'customers/redact', badSignature: true };
    expect(await app.shopify.notify(endpoint, bad)).toMatchObject([{ status: 401 }]);
    await app.shopify.notify(endpoint, {
      clientSecret,
      topic: 'shop/redact',
      body: { shop_domain: 'otra.myshopify.com' },
    });
    await seen('the refusal', () => logged('The signed body names another shop than the header') > 0);
    app.shopify.put(app.orders[2]);
    expect(await app.deliver('orders/paid', third)).toMatchObject([{ status: 200 }]);
    await seen('the factura', () => app.shopify.metafields(third).clave_acceso);
  });

  it('that left and asks for it is forgotten as a whole', async () => {
    app.shopify.uninstall();
    const removed = logged('The data of a buyer was removed');
    await app.notify('shop/redact');
    await seen('the removal', () => logged('The data of a buyer was removed') > removed);
    await eventually(
      async () => !(await app.cli('privacy', 'list')).includes('pide sus datos'),
      'all to be gone',
    );
    expect(await app.cli('privacy', 'list')).toMatch(/borrado: \d pedidos\. Se conservan 001-001-000000001/);
    expect(app.product.log()).not.toMatch(new RegExp(`shp[ar]t_|${clientSecret}`));
  });
});
