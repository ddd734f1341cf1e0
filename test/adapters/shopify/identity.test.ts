import { describe, expect, test } from 'vitest';
import { adminSchema } from '../../support/admin-schema.ts';
import { hasShared } from '../../support/shared.ts';
import { failureOf, openPair } from './shop.ts';

describe('which Shopify shop it is', () => {
  test('the id Shopify gave it, without its prefix, and its domain', async () => {
    const { client, connection, shop } = await openPair({ shopId: '548380009' });
    expect(await client.identity()).toEqual({ id: '548380009', addresses: [connection.shop] });
    expect(shop.requests.map(({ operation }) => operation)).toEqual(['FacturapuenteShop']);
  });

  test('an id that is none is no answer', async () => {
    const { client, shop } = await openPair();
    const body = { data: { shop: { id: 'gid://shopify/Order/1', myshopifyDomain: 'x.myshopify.com' } } };
    shop.trouble({ status: 200, body }, 'FacturapuenteShop');
    expect(await failureOf(client.identity())).toMatchObject({ code: 'shop-answer' });
  });

  test.skipIf(!hasShared)('is asked in words of the schema', async () => {
    const { client } = await openPair({ shopId: '7', schema: adminSchema() });
    expect((await client.identity()).id).toBe('7');
  });
});
