import { describe, expect, it, test } from 'vitest';
import { taxRateAnswer } from '../../../adapters/woocommerce/api.ts';
import { readOrder } from '../../../adapters/woocommerce/order.ts';
import { connectionSchema } from '../../../adapters/woocommerce/settings.ts';
import type { CatalogItem } from '../../../src/domain/listing.ts';
import { hasShared, readShared } from '../../support/shared.ts';
import { openBoth } from './shop.ts';

const recorded = (file: string): unknown => {
  const { rawBodyText } = JSON.parse(readShared(`data/woocommerce/recordings/rest/${file}`)) as {
    rawBodyText: string;
  };
  return JSON.parse(rawBodyText);
};
const row = (id: number, name: string, changes: object = {}) => ({
  id,
  name,
  type: 'simple',
  sku: '',
  price: '12.50',
  tax_status: 'taxable',
  tax_class: '',
  tags: [],
  categories: [],
  ...changes,
});
const option = (name: string, value: string) => ({
  id: 0,
  name,
  slug: name.toLowerCase().replaceAll(' ', '-'),
  option: value,
});
const variation = (id: number, parent_id: number, attributes: object[], changes: object = {}) => ({
  ...row(id, ''),
  type: 'variation',
  status: 'publish',
  parent_id,
  attributes,
  ...changes,
});

/** Everything the shop sells, page by page. */
async function soldBy(products: { id: number }[], variations: { id: number; parent_id: number }[]) {
  const { stand, shop } = await openBoth({ productDetails: true }, { products, variations });
  const items: CatalogItem[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<NonNullable<typeof shop.catalog>>> | undefined =
      await shop.catalog?.(cursor);
    items.push(...(page?.rows ?? []));
    cursor = page?.next ?? null;
  } while (cursor !== null);
  const asked = stand.requests.filter(({ path }) => path.endsWith('/variations'));
  return { items, asked: asked.map(({ path, query }) => `${path} ${query.get('page')}`) };
}

test('a gift card of a plugin is one in the catalogue too', async () => {
  const types = ['simple', 'pw-gift-card', 'gift-card', 'wgm_gift_card', 'subscription'];
  const { items } = await soldBy(
    types.map((type, at) => row(at + 1, type, { type })),
    [],
  );
  expect(items.map(({ line }) => line.kind)).toEqual([
    'product',
    'gift-card',
    'gift-card',
    'gift-card',
    'product',
  ]);
});

describe('a product with variations', () => {
  it('is sold by its variations, each under the name its order line will have', async () => {
    const { items, asked } = await soldBy(
      [
        row(1, 'Camisa', { type: 'variable', tags: [{ name: 'Ropa', slug: 'ropa' }] }),
        row(2, 'Vela'),
        row(3, 'Vestido &amp; chal', { type: 'variable-subscription' }),
      ],
      [
        variation(12, 1, [option('Talla', 'M'), option('Color', 'A &amp; B')]),
        variation(11, 1, [option('Talla', 'S'), option('Color', 'Rojo')], { tax_class: 'iva-0' }),
        variation(13, 1, [option('Talla', 'XL')], { status: 'private' }),
        // WooCommerce leaves these out of the name: three of them, or two of which one has a name of several words.
        variation(31, 3, [option('Talla', 'M'), option('Color', 'Rojo'), option('Tela', 'Lino')]),
        variation(32, 3, [option('Talla', 'M'), option('Largo de manga', 'Corta')]),
      ],
    );
    expect(items.map(({ line, variant }) => [line.productId, line.name, variant])).toEqual([
      ['11', 'Camisa - S, Rojo', undefined],
      ['12', 'Camisa - M, A & B', undefined],
      ['2', 'Vela', undefined],
      ['31', 'Vestido & chal', 'M, Rojo, Lino'],
      ['32', 'Vestido & chal', 'M, Corta'],
    ]);
    expect(items[0]?.line).toMatchObject({ taxClass: 'iva-0', tags: ['ropa', 'Ropa'] });
    expect(asked).toEqual(['products/1/variations 1', 'products/3/variations 1']);
  });

  it('is read to the end of its variations', async () => {
    const many = Array.from({ length: 130 }, (_, at) =>
      variation(1_000 + at, 1, [option('Color', `C${at}`)]),
    );
    const { items, asked } = await soldBy([row(1, 'Hilo', { type: 'variable' })], many);
    expect(items).toHaveLength(130);
    expect(asked).toHaveLength(2);
  });
});

describe.skipIf(!hasShared)('of a real shop', () => {
  test('a variation is the line it became when it was sold', async () => {
    const variations = recorded('0256-shop-product-variation.json') as { id: number; parent_id: number }[];
    const { items } = await soldBy([row(22, 'Zapato escolar', { type: 'variable' })], variations);
    const connection = connectionSchema.parse({ url: 'https://tienda.ec', webhookSecrets: ['secreto'] });
    const order = readOrder(recorded('0194-c02-block-checkout-cod-coupon-order-76.json'), connection);
    const sold = order.lines.find(({ productId }) => productId === '23');
    const { name, sku, taxClass } = items.find(({ line }) => line.productId === '23')?.line ?? {};
    expect({ name, sku, taxClass }).toEqual({
      name: sold?.name,
      sku: sold?.sku,
      taxClass: sold?.taxClass,
    });
    expect(name).toBe('Zapato escolar - 38, Negro');
  });

  test('tax rates are read as it lists them', () => {
    const rates = taxRateAnswer.array().parse(recorded('0251-shop-taxes.json'));
    expect(rates.map(({ rate, class: of }) => [rate, of])).toEqual([
      ['15.0000', 'standard'],
      ['0.0000', 'iva-0'],
      ['5.0000', 'iva-5'],
    ]);
  });
});
