import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shopifyOrderIds } from '../../sandbox/shops/shopify-orders.ts';
import { eventually } from '../support/eventually.ts';
import { openShopifyApp, type ShopifyApp } from '../support/shopify-app.ts';

/* The merchant's own app of the Dev Dashboard: client credentials, deployed by its TOML, installed there. */

const [first = '', second = ''] = shopifyOrderIds;

describe('a shop with its own app', () => {
  let app: ShopifyApp;
  beforeAll(async () => {
    app = await openShopifyApp({ access: 'client-credentials' });
  });
  afterAll(() => app?.close());

  const seen = <T>(what: string, look: () => T | undefined | false | null) =>
    eventually(() => look() || undefined, what).catch((error: Error) => {
      throw new Error(`${error.message}\n${app.product.log()}`);
    });
  const logged = (word: string) => app.product.log().split(word).length - 1;

  it('is told what to do while the app is not installed, and gets the file to deploy', async () => {
    const said = await app.cli('install', '--store', 'tienda');
    expect(said).toContain('shopify app deploy --config publica');
    expect(said).toContain('no está instalada');
    await stat(join(app.product.folder, 'shopify.app.publica.toml'));
  });

  it('is ready once it is installed, and a second run finds nothing to do', async () => {
    app.shopify.install();
    const first = await app.cli('install', '--store', 'tienda');
    expect(first).toContain('✔ hecho  Campos de la factura en el pedido');
    expect(first).toContain('Todo listo: la tienda factura.');
    const second = await app.cli('install', '--store', 'tienda');
    expect(second).not.toContain('hecho');
    expect(app.shopify.definitions.size).toBeGreaterThan(5);
  });

  it('is invoiced, also when its token dies before its time', async () => {
    await app.product.start();
    app.shopify.revokeTokens();
    expect(await app.deliver('orders/paid', first)).toMatchObject([{ status: 200 }]);
    await seen('the factura', () => app.shopify.metafields(first).clave_acceso);
  });

  it('that removes the app waits, and goes on as soon as install finds it again', async () => {
    app.shopify.uninstall();
    await app.notify('app/uninstalled');
    await seen('the alert', () => logged('"alert":"shop-uninstalled"') > 0);
    app.shopify.put(app.orders[1]);
    await app.deliver('orders/paid', second);
    await seen('the order to wait', () => logged('"alert":"shop-not-connected"') > 0);
    expect(app.product.sandbox.documents()).toHaveLength(1);
    app.shopify.install();
    expect(await app.cli('install', '--store', 'tienda')).toContain('Todo listo');
    await seen('the factura that waited', () => app.shopify.metafields(second).clave_acceso);
    expect(app.product.log()).not.toMatch(/shpat_|secreto-de-la-app/);
  });
});
