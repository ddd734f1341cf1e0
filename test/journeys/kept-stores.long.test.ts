import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shopifyOrderIds } from '../../sandbox/shops/shopify-orders.ts';
import type { Diagnosis } from '../../src/cli/doctor/run.ts';
import { demoIssuer } from '../../src/cli/given.ts';
import { eventually } from '../support/eventually.ts';
import { engines } from '../support/product.ts';
import { run } from '../support/run.ts';
import { openShopifyApp, type ShopifyApp, shopDomain } from '../support/shopify-app.ts';

/* A merchant nobody has configured: from the install page to the first factura, without a restart. */

const [first = '', second = ''] = shopifyOrderIds;

describe.each(engines)('a merchant who is registered while the product runs (%s)', (engine) => {
  let app: ShopifyApp;
  beforeAll(async () => {
    app = await openShopifyApp({ engine, stores: {} });
    await app.product.start();
  });
  afterAll(() => app?.close());

  const seen = <T>(what: string, look: () => T | undefined | false | null) =>
    eventually(() => look() || undefined, `${what}\n${app.product.log()}`);

  /** The merchant's own account, issuer and series. */
  const fragment = {
    accounts: { ferreteria: { baseUrl: '', apiKey: 'clave-1' } },
    issuers: { ferreteria: { account: 'ferreteria', ...demoIssuer.issuer, nombre_comercial: 'Ferretería' } },
    stores: {
      ferreteria: {
        platform: 'shopify',
        issuer: 'ferreteria',
        invoiceFrom: '2026-01-01',
        series: { establecimiento: '007', puntoEmision: '003', first: 41 },
        connection: { app: 'publica', shop: shopDomain },
      },
    },
  };
  const write = async (content: unknown) => {
    const file = join(app.product.folder, 'ferreteria.json');
    await writeFile(file, JSON.stringify(content));
    return file;
  };
  // biome-ignore lint/suspicious/noTemplateCurlyInString: how a config names the environment.
  const reference = '${CLAVE_FERRETERIA}';
  const complete = () => ({
    ...fragment,
    accounts: { ferreteria: { baseUrl: app.product.sandbox.url, apiKey: reference } },
  });

  it('installs; its webhooks are kept and it is on the list of those who wait', async () => {
    expect((await app.install()).text).toContain('Falta registrar quién emite sus facturas');
    expect(await app.deliver('orders/paid', first)).toMatchObject([{ status: 200 }]);
    expect(await app.cli('store', 'list')).toContain(`(sin registrar)  shopify  ${shopDomain}`);
    expect(app.product.sandbox.documents()).toEqual([]);
  });

  it('is refused as long as something in its file is wrong, with everything that is', async () => {
    const { issuer: _, ...store } = fragment.stores.ferreteria;
    const said = await app.cli('store', 'add', await write({ ...fragment, stores: { ferreteria: store } }));
    expect(said).toContain('stores.ferreteria.issuer: Falta este dato.');
    expect(said).toContain('accounts.ferreteria.baseUrl');
    expect(await app.cli('store', 'add', await write(complete()))).toContain('CLAVE_FERRETERIA');
  });

  it('is invoiced from then on with its own series, the sale made before it was registered first', async () => {
    app.env.CLAVE_FERRETERIA = 'clave-1';
    const file = await write(complete());
    expect(await app.cli('store', 'add', file)).toContain('quedó registrada');
    await seen('the factura', () => app.shopify.metafields(first).numero);
    expect(app.shopify.metafields(first).numero).toBe('007-003-000000041');
    expect(await app.cli('store', 'add', file)).toContain('ya estaba así');
    expect(await app.cli('store', 'list')).toMatch(/^ferreteria {2}shopify .*store add$/m);
    expect(app.product.log()).not.toContain('clave-1');
  });

  it('is looked at by doctor and install with its own account and issuer, while the product runs', async () => {
    const call = (...args: string[]) => run([...args, '--config', app.product.file], app.env);
    const { stdout } = await call('doctor', '--json');
    const { sections } = JSON.parse(stdout) as Diagnosis;
    const titles = sections.map(({ title }) => title);
    expect(titles).toContain('Servicio de comprobantes, cuenta «ferreteria»');
    expect(titles).toContain('Emisor «ferreteria»');
    expect(titles).toContain('Tienda «ferreteria»');
    const series = sections.find(({ title }) => title === 'Series')?.items.map(({ what }) => what);
    expect(series?.join()).toContain('007-003 de la tienda «ferreteria»');
    expect((await call('install', '--check', '--json')).stdout).toContain('cuenta «ferreteria»');
  });

  it('is found by the other commands and after a restart', async () => {
    expect(await app.cli('install', '--store', 'ferreteria', '--check')).toContain('Todo listo');
    await app.product.stop();
    await app.product.start();
    app.shopify.put(app.orders[1]);
    await app.deliver('orders/paid', second);
    await seen('the second factura', () => app.shopify.metafields(second).numero);
    expect(app.shopify.metafields(second).numero).toBe('007-003-000000042');
  });

  it('is invoiced no more once it is taken away, and stays on the list of those who wait', async () => {
    expect(await app.cli('store', 'remove', 'ferreteria')).toContain('ya no se factura');
    await eventually(
      async () => ((await app.cli('store', 'list')).startsWith('(sin registrar)') ? true : undefined),
      'the store to be gone',
    );
    expect(await app.cli('store', 'remove', 'ferreteria')).toContain('No hay ninguna tienda');
  });
});
