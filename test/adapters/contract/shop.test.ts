import { describe, expect, it, onTestFinished } from 'vitest';
import { checkShop } from '../../../adapters/contract/index.ts';
import { woocommerce } from '../../../adapters/woocommerce/index.ts';
import { openWooCommerceShop } from '../../../sandbox/shops/index.ts';
import { wooOrders } from '../../../sandbox/shops/woocommerce-orders.ts';
import type { Platform, Shop } from '../../../src/domain/platform.ts';
import { line } from '../../support/orders.ts';

async function openTrial() {
  const keys = { consumerKey: 'ck_contrato', consumerSecret: 'cs_contrato' };
  const shop = await openWooCommerceShop({ orders: wooOrders(new Date()), ...keys });
  onTestFinished(() => shop.close());
  const connection = woocommerce.connection.parse({ url: shop.url, ...keys });
  return { connection, app: null as never, orderId: '1202', goneId: '9999' };
}

/** WooCommerce with a shop that does one thing otherwise. */
const otherwise = (change: (shop: Shop) => Partial<Shop>): Platform<never, never> => ({
  ...(woocommerce as unknown as Platform<never, never>),
  openShop(store, context) {
    const shop = woocommerce.openShop(store, context);
    return shop && { ...shop, ...change(shop) };
  },
});

describe('the contract of a shop', () => {
  it('is kept by WooCommerce', async () => {
    expect(await checkShop(woocommerce, await openTrial())).toEqual([]);
  });

  it('notices a shop that is not found where it is', async () => {
    const lost = { ...otherwise(() => ({})), standsAt: async () => 'left' as const };
    const broken = await checkShop(lost, (await openTrial()) as never);
    expect(broken).toEqual(['standsAt must find the shop where it is.']);
  });

  it.each<[string, (shop: Shop) => Partial<Shop>, RegExp]>([
    ['forgets what was written', () => ({ writeBack: async () => {} }), /must be read again/],
    [
      'writes what another process writes by now',
      (shop) => ({ writeBack: (id, documents) => shop.writeBack(id, documents) }),
      /must await mayWrite/,
    ],
    [
      'lists nothing',
      () => ({ changedOrders: async () => ({ rows: [], next: null, asOf: null }) }),
      /must name an order that changed/,
    ],
    [
      'never ends its list',
      (shop) => ({
        changedOrders: async (asked) => ({
          ...(await shop.changedOrders({ ...asked, cursor: null })),
          next: '1',
        }),
      }),
      /must come to an end/,
    ],
    [
      'invents orders',
      (shop) => ({ fetchOrder: (id) => shop.fetchOrder(id === '9999' ? '1202' : id) }),
      /must answer null/,
    ],
    [
      'names orders it has not',
      (shop) => ({
        listOrders: async (ids) => [...(await shop.listOrders(ids)), ...(await shop.listOrders(ids))],
      }),
      /must name the orders the shop has/,
    ],
    [
      'tells of everything it sells twice',
      () => ({
        catalog: async () => ({ rows: Array(2).fill({ line: line(), taxesKnown: true }), next: null }),
      }),
      /must name nothing twice/,
    ],
    [
      'never comes to the end of what it sells',
      () => ({ catalog: async () => ({ rows: [], next: '2' }) }),
      /catalog must come to an end/,
    ],
  ])('notices a shop that %s', async (_what, change, expected) => {
    const broken = await checkShop(otherwise(change), (await openTrial()) as never);
    expect(broken.join(' ')).toMatch(expected);
  });
});
