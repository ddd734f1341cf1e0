import { z } from 'zod';
import type { ShopIdentity } from '../../src/domain/shop-identity.ts';
import { word } from '../../src/domain/text.ts';
import type { Client } from './client.ts';

/** Needs no scope. The id stays when the myshopify domain changes, and no other shop ever has it. */
export const identityQuery = `query FacturapuenteShop {
  shop {
    id
    myshopifyDomain
  }
}`;

const Answer = z.object({
  shop: z.object({
    id: word.regex(/^gid:\/\/shopify\/Shop\/\d{1,20}$/),
    myshopifyDomain: word.toLowerCase(),
  }),
});

export async function readIdentity(client: Client): Promise<ShopIdentity> {
  const { shop } = await client.query(identityQuery, {}, Answer, 'reading which shop it is');
  return { id: shop.id.replace('gid://shopify/Shop/', ''), addresses: [shop.myshopifyDomain] };
}
