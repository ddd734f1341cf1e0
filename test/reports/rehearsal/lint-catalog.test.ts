import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openShopifyShop, type ShopifyShop } from '../../../sandbox/shops/shopify-shop.ts';
import { openWooCommerceShop, type WooCommerceShop } from '../../../sandbox/shops/woocommerce-shop.ts';
import type { CatalogReport } from '../../../src/reports/rehearsal/lint-catalog.ts';
import { strictly } from '../../support/admin-schema.ts';
import { openProduct, type Product } from '../../support/product.ts';
import { type Ran, run } from '../../support/run.ts';

const keys = { consumerKey: 'ck_prueba', consumerSecret: 'cs_prueba' };

/** As `GET taxes` of the recorded shop lists them, and one of another country's tax. */
const taxes = [
  { id: 1, country: 'EC', rate: '15.0000', name: 'IVA 15%', priority: 1, class: 'standard' },
  { id: 2, country: 'EC', rate: '0.0000', name: 'IVA 0%', priority: 1, class: 'iva-0' },
  { id: 3, country: 'EC', rate: '5.0000', name: 'IVA 5%', priority: 1, class: 'iva-5' },
  { id: 4, country: 'PE', rate: '18.0000', name: 'IGV', priority: 1, class: 'standard' },
  { id: 5, country: '', rate: '8.2500', name: 'Sales tax', priority: 1, class: 'importado' },
];
const product = (id: number, name: string, tax_class: string, more: object = {}) => ({
  id,
  name,
  type: 'simple',
  sku: `SKU-${id}`,
  price: '12.50',
  tax_status: 'taxable',
  tax_class,
  tags: [],
  categories: [],
  ...more,
});
const products = [
  product(1, 'Camiseta', ''),
  product(2, 'Arroz', 'iva-0'),
  product(3, 'Cemento', 'iva-5'),
  // The defaults know what this class means.
  product(4, 'Consulta médica', 'exento'),
  product(5, 'Cuento &amp; canción', 'libros-nacionales'),
  product(6, 'Novela', 'libros-nacionales', { price: '' }),
  product(7, 'Fuera de venta', 'libros-nacionales', { status: 'draft' }),
  product(8, 'Pan', '', { tax_status: 'none' }),
  product(9, 'Leche', '', { tax_status: 'none', sku: '' }),
  product(10, 'Perfume', 'importado'),
  product(11, 'Cuaderno', '', { type: 'variable' }),
  product(12, 'Yogur', '', { type: 'variable', tax_status: 'none' }),
  ...Array.from({ length: 120 }, (_, at) => product(100 + at, `Vela ${at}`, '')),
];

/** The API tells the class that counts: the product's where a variation has none of its own. */
const variation = (id: number, parent_id: number, option: string, more: object) => ({
  ...product(id, option, '', more),
  status: 'publish',
  parent_id,
  attributes: [{ name: 'Presentación', slug: 'presentacion', option }],
});
const variations = [
  variation(21, 11, 'Rayado', {}),
  variation(22, 11, 'Ilustrado', { tax_class: 'libros-nacionales' }),
  variation(23, 12, '1 L', { tax_status: 'none', sku: 'YOG-1' }),
  variation(24, 12, '2 L', { tax_status: 'none', sku: 'YOG-2' }),
];

let bench: Product;
let config: string;
const lint = async (...more: string[]): Promise<Ran> => run(['lint-catalog', '--config', config, ...more]);
const report = async () => JSON.parse((await lint('--json')).stdout) as CatalogReport;
async function rewrite(change: (config: Record<string, never>) => void) {
  const written = JSON.parse(await readFile(config, 'utf8'));
  change(written);
  await writeFile(config, JSON.stringify(written));
}

describe('lint-catalog of a WooCommerce shop', () => {
  let shop: WooCommerceShop;
  beforeAll(async () => {
    shop = await openWooCommerceShop({ orders: [], ...keys, products, variations, taxes });
    bench = await openProduct({
      engine: 'sqlite',
      orders: [],
      connection: { url: shop.url, webhookSecrets: ['secreto-del-catalogo-72kd-0123456789abcdef'], ...keys },
    });
    config = bench.file;
  });
  afterAll(async () => {
    await bench?.close();
    await shop?.close();
  });

  it('names the products nobody could invoice, and the rule each lacks, reading only', async () => {
    const { findings, products: count, assumed } = await report();
    expect([count, assumed]).toEqual([133, 0]);
    const said = findings.map(({ code, rule, products: of }) => [
      code,
      rule?.when,
      of.map(({ name }) => name),
    ]);
    expect(said).toHaveLength(5);
    expect(said).toEqual(
      expect.arrayContaining([
        [
          'unmapped-tax',
          { taxClass: 'libros-nacionales', untaxed: true },
          ['Cuento & canción', 'Novela', 'Cuaderno - Ilustrado'],
        ],
        [
          'unmapped-tax',
          { sku: ['SKU-8', 'YOG-1', 'YOG-2'], untaxed: true },
          ['Pan', 'Yogur - 1 L', 'Yogur - 2 L'],
        ],
        ['unmapped-tax', { name: ['Leche'], untaxed: true }, ['Leche']],
        ['unmapped-tax', { rate: '5' }, ['Cemento']],
        ['foreign-tax', undefined, ['Perfume']],
      ]),
    );
    expect(shop.requests.every(({ method }) => method === 'GET')).toBe(true);
  });

  it('tells it in words with a line to paste, and ends with 1', async () => {
    const { code, stdout } = await lint();
    expect(code).toBe(1);
    expect(stdout).toContain('se revisaron 133 productos; la venta de 9 se retendría.');
    expect(stdout).toContain(
      '- { when: { taxClass: "libros-nacionales", untaxed: true }, then: { iva: 0 } }',
    );
  });

  it('finds nothing more once its rules stand in the config', async () => {
    const { findings } = await report();
    await rewrite((written: { stores?: { tienda: { policy?: object } } }) => {
      if (written.stores)
        written.stores.tienda.policy = { tax: { rules: findings.flatMap(({ rule }) => rule ?? []) } };
    });
    const { code, stdout } = await lint();
    // A tax that is not Ecuador's is for a person to put right in the shop.
    expect(code).toBe(1);
    expect(stdout).toContain('la venta de 1 se retendría');
    expect(stdout).toContain('Perfume (SKU-10).\n  «Sales tax» es el nombre de un impuesto de otro país');
  });
});

describe('lint-catalog of a Shopify shop', () => {
  let shopify: ShopifyShop;
  const domain = 'tienda-prueba.myshopify.com';
  const variant = (id: number, title: string, taxable: boolean, more: object = {}) => ({
    id,
    sku: `SKU-${id}`,
    price: '20.00',
    taxable,
    product: { id: id + 1_000, title, ...more },
  });
  const libros = Array.from({ length: 4 }, (_, at) => ({ handle: `c${at}`, title: `Colección ${at}` }));
  async function open(scopes: readonly string[]) {
    shopify = await openShopifyShop({
      shop: domain,
      orders: [],
      accessToken: 'ficha',
      scopes,
      variants: [
        variant(1, 'Camiseta', true),
        variant(2, 'Libro', false, { tags: ['libro'], collections: libros.slice(0, 2) }),
        { ...variant(4, 'Agenda', true), title: 'Rayada' },
        { ...variant(5, 'Agenda', false, { collections: libros.slice(1, 2) }), title: 'Con lecturas' },
        variant(3, 'Tarjeta', false, { isGiftCard: true }),
        ...Array.from({ length: 60 }, (_, at) => variant(100 + at, `Vela ${at}`, true)),
      ],
      ...strictly(),
    });
    bench = await openProduct({
      engine: 'sqlite',
      orders: [],
      config: {
        apps: {
          app: {
            platform: 'shopify',
            clientId: 'app-prueba',
            clientSecrets: ['secreto-de-la-app-01234-0123456789abcdef'],
          },
        },
        stores: {
          tienda: {
            platform: 'shopify',
            issuer: 'ejemplo',
            series: { establecimiento: '001', puntoEmision: '001' },
            connection: { app: 'app', shop: domain, accessToken: 'ficha', adminUrl: shopify.url },
          },
        },
      },
    });
    config = bench.file;
  }
  const close = async () => {
    await bench?.close();
    await shopify?.close();
  };

  it('looks through every variant, and says what it had to take for granted', async () => {
    await open(['read_orders', 'write_orders', 'read_customers', 'read_products']);
    const found = await report();
    expect(found).toMatchObject({ products: 65, assumed: 62 });
    expect(found.findings.map(({ code, products: of }) => [code, of.map(({ name }) => name)])).toEqual([
      ['unmapped-tax', ['Libro', 'Agenda - Con lecturas']],
    ]);
    expect((await lint()).stdout).toContain('en 62 productos gravados se supuso el IVA general');
    // With tags and collections a rule may be about them.
    await rewrite((written: { stores?: { tienda: { policy?: object; connection: object } } }) => {
      if (!written.stores) return;
      const { tienda } = written.stores;
      tienda.connection = { ...tienda.connection, productDetails: true };
      tienda.policy = JSON.parse(
        '{"tax":{"rules":[{"when":{"collection":"Colección 1"},"then":{"iva":0}}]}}',
      );
    });
    expect(await lint()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('todos tienen un impuesto'),
    });
    await close();
  });

  it('says which permission is missing where the app has none for products', async () => {
    await open(['read_orders', 'write_orders', 'read_customers']);
    const { code, stderr, stdout } = await lint();
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/para facturar no hace falta.*read_products/);
    await close();
  });
});
