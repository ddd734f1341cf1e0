import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openShopifyShop, type ShopifyShopOptions } from '../../sandbox/shops/shopify-shop.ts';
import { type Diagnosis, diagnose } from '../../src/cli/doctor/run.ts';
import { openProduct, type Product } from '../support/product.ts';
import { run } from '../support/run.ts';

const clientSecret = 'secreto-de-la-app-0123456789abcdef';
const domain = 'tienda-prueba.myshopify.com';

describe('facturapuente doctor, of a Shopify store', () => {
  let product: Product;
  let file: string;
  let written: Record<string, unknown>;
  beforeAll(async () => {
    product = await openProduct({ engine: 'sqlite' });
    file = product.file;
    written = JSON.parse(await readFile(file, 'utf8'));
  });
  afterAll(() => product?.close());

  interface Asked {
    /** Of the stand-in. */
    shop?: Partial<ShopifyShopOptions>;
    app?: Record<string, unknown>;
    connection?: Record<string, unknown>;
    publicUrl?: string;
  }
  /** What is said of the store, by code. */
  async function diagnosed({ shop = {}, app = {}, connection = {}, publicUrl = product.url }: Asked = {}) {
    const stand = await openShopifyShop({
      shop: domain,
      orders: [],
      clientId: 'propia',
      clientSecret,
      ...shop,
    });
    onTestFinished(() => stand.close());
    const own = {
      platform: 'shopify',
      clientId: 'propia',
      clientSecrets: [clientSecret],
      adminUrl: stand.url,
    };
    const tienda = {
      platform: 'shopify',
      issuer: 'ejemplo',
      series: { establecimiento: '001', puntoEmision: '001' },
      connection: { app: 'propia', shop: domain, ...connection },
    };
    const apps = { propia: { ...own, ...app } };
    await writeFile(file, JSON.stringify({ ...written, publicUrl, apps, stores: { tienda } }));
    const diagnosis = await diagnose({ config: file });
    return {
      stand,
      diagnosis,
      of: (code: string, what = '') =>
        ofStore(diagnosis).find((item) => item.code === code && item.what.startsWith(what)),
    };
  }

  it('reports fields that are missing, and changes nothing', async () => {
    const { stand, diagnosis, of } = await diagnosed();
    expect(of('shop-installation', 'Campos')).toMatchObject({
      state: 'missing',
      resolution: expect.stringMatching(/install/),
    });
    expect(stand.definitions.size).toBe(0);
    expect(diagnosis.state).toBe('problem');
    expect(of('access')?.state).toBe('ok');
    expect(of('shop-forbidden')?.state).toBe('ok');
  });

  it('reports an app that is not installed', async () => {
    const { of } = await diagnosed({ shop: { uninstalled: true } });
    expect(of('access')).toMatchObject({
      state: 'missing',
      resolution: expect.stringMatching(/instale la app en la tienda desde el Dev Dashboard/),
    });
  });

  it('reports an app of many merchants that this merchant has not installed', async () => {
    const { of } = await diagnosed({ shop: { uninstalled: true }, app: { access: 'oauth' } });
    expect(of('access')).toMatchObject({
      state: 'missing',
      resolution: expect.stringContaining(`/shopify/auth?shop=${domain}`),
    });
  });

  it.each([{}, { access: 'oauth' }])(
    'uninstalled here (%j), the shop still has the app, and that is said',
    async (app) => {
      await diagnosed({ app });
      const { code, stdout } = await run(['uninstall', '--config', file, '--store', 'tienda']);
      expect([code, stdout]).toEqual([
        0,
        expect.stringContaining('hasta entonces sus pedidos pueden seguir'),
      ]);
      expect(stdout).toContain('Falta lo que dicen los avisos');
      expect(stdout).not.toContain('quedó desinstalada');
    },
  );

  it('reports a wrong Client secret', async () => {
    const { of } = await diagnosed({ app: { clientSecrets: ['otro-secreto-de-la-app-0123456789abcdef'] } });
    expect(of('shop-unauthorized')).toMatchObject({
      what: `Acceso a ${domain}`,
      state: 'problem',
      resolution: expect.stringContaining('Client secret'),
    });
  });

  it('reports permissions that are missing', async () => {
    const { of } = await diagnosed({ shop: { scopes: ['read_orders', 'write_orders'] } });
    expect(of('shop-forbidden')).toMatchObject({
      state: 'missing',
      resolution: expect.stringContaining('read_customers'),
    });
  });

  it('reports webhooks that come twice', async () => {
    const subscriptions = [{ topic: 'ORDERS_PAID', uri: `${product.url}/webhooks/propia` }];
    const { of } = await diagnosed({ shop: { subscriptions } });
    expect(of('shop-installation', 'Avisos')).toMatchObject({
      state: 'warning',
      resolution: expect.stringContaining('ORDERS_PAID'),
    });
  });

  it('reports a public address Shopify does not call: this machine, or one without https', async () => {
    expect((await diagnosed()).of('public-url')?.resolution).toMatch(
      /ninguna tienda de internet puede avisar a ella/,
    );
    const plain = await diagnosed({ publicUrl: 'http://facturas.mitienda.invalid' });
    expect(plain.of('public-url')).toMatchObject({
      state: 'warning',
      resolution: expect.stringMatching(/https:\/\//),
    });
  });

  it('reports a shop that cannot be reached', async () => {
    const { diagnosis } = await diagnosed({ app: { adminUrl: 'http://127.0.0.1:9' } });
    expect(ofStore(diagnosis)).toMatchObject([
      { code: 'shop-unreachable', state: 'problem', resolution: expect.stringMatching(/\w/) },
    ]);
  });

  it('is content with access, permissions and webhooks that are right, and shows no secret', async () => {
    const { of, diagnosis } = await diagnosed();
    expect(
      [of('access'), of('shop-forbidden'), of('shop-installation', 'Avisos')].map((item) => item?.state),
    ).toEqual(['ok', 'ok', 'ok']);
    expect(JSON.stringify(diagnosis)).not.toContain(clientSecret);
  });
});

const ofStore = ({ sections }: Diagnosis) =>
  sections.find(({ title }) => title === 'Tienda «tienda»')?.items ?? [];
