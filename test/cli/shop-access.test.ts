import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shopifyOrderIds } from '../../sandbox/shops/shopify-orders.ts';
import { eventually } from '../support/eventually.ts';
import { untilIdle } from '../support/idle.ts';
import { openShopifyApp, type ShopifyApp } from '../support/shopify-app.ts';

/* Commands that read a shop whose access lives in the ledger, which start holds or not. */

const [first = '', second = ''] = shopifyOrderIds;

describe('a shop that granted its access through the install page', () => {
  let app: ShopifyApp;
  const rehearse = () => app.cli('rehearse', '--out', 'ensayo.html');
  const reported = 'Ensayo de la tienda «tienda»';
  beforeAll(async () => {
    app = await openShopifyApp();
    await app.product.start();
  });
  afterAll(() => app?.close());

  it('says that it is not connected yet', async () => {
    expect(await rehearse()).toMatch(/instal|conect/);
  });

  it('is read beside start, with the access start was given', async () => {
    expect(await app.install()).toMatchObject({ status: 200 });
    await eventually(() => app.shopify.metafields(first).clave_acceso, 'the factura of what was sold before');
    await untilIdle(app.product);
    expect(await rehearse()).toContain(reported);
  });

  it('is renewed by the command beside start, once: a refresh token may be spent only once', async () => {
    app.shopify.revokeTokens();
    expect(await rehearse()).toContain(reported);
    const spent = app.shopify.requests.filter(({ operation }) => operation === 'access_token');
    // That of the installation, and one renewal.
    expect(spent).toHaveLength(2);
    await untilIdle(app.product);
  });

  it('is read by start with the access that the command was given', async () => {
    app.shopify.put(app.orders[1]);
    expect(await app.deliver('orders/paid', second)).toMatchObject([{ status: 200 }]);
    await eventually(() => app.shopify.metafields(second).clave_acceso, 'the factura on the order');
    const spent = app.shopify.requests.filter(({ operation }) => operation === 'access_token');
    expect(spent).toHaveLength(2);
  });
});
