import { z } from 'zod';
import { ShopError } from '../../src/domain/errors.ts';
import type { CatalogItem, ListPage } from '../../src/domain/listing.ts';
import { decimal } from '../../src/domain/money.ts';
import { amountText, freeText, word } from '../../src/domain/text.ts';
import { type Client, readAppScopes } from './client.ts';
import { allCollections } from './fetch.ts';
import { catalogQuery, collections, gid, pageOf } from './queries.ts';
import { collectionNames, numericId, variantOf, writeAmount } from './sale.ts';
import { type Connection, missingScopes } from './settings.ts';

const Variant = z.object({
  id: gid,
  title: freeText,
  sku: freeText.nullable(),
  price: amountText,
  taxable: z.boolean(),
  product: z.object({
    id: gid,
    title: freeText,
    isGiftCard: z.boolean(),
    tags: z.array(word).default([]),
    collections: collections.optional(),
  }),
});
const Answer = z.object({ productVariants: pageOf(Variant) });

const doing = 'listing products';

/** Shopify does not state by which taxes a product is taxed. Throws ShopError without the scope read_products. */
export function openCatalog(client: Client, { productDetails }: Connection) {
  let scopes: Promise<string[]> | undefined;
  return async (cursor: string | null): Promise<ListPage<CatalogItem>> => {
    scopes ??= readAppScopes(client);
    const missing = missingScopes(['read_products'], await scopes);
    if (missing.length > 0)
      throw new ShopError(
        'shop-forbidden',
        { what: 'revisar el catálogo (para facturar no hace falta)', scopes: missing },
        { retryable: false },
      );
    const variables = { after: cursor, products: productDetails };
    const { productVariants } = await client.query(catalogQuery, variables, Answer, doing);
    const { nodes, pageInfo } = productVariants;
    const rows: CatalogItem[] = [];
    for (const variant of nodes) rows.push(await toItem(client, variant));
    return { rows, next: pageInfo.hasNextPage ? pageInfo.endCursor : null };
  };
}

async function toItem(client: Client, variant: z.output<typeof Variant>): Promise<CatalogItem> {
  const { id, sku, taxable, product } = variant;
  const title = variantOf(variant.title);
  const net = writeAmount(decimal(variant.price));
  const all = product.collections && (await allCollections(client, product.id, product.collections, doing));
  return {
    taxesKnown: !taxable,
    ...(title !== null && { variant: title }),
    line: {
      id: numericId(id),
      kind: product.isGiftCard ? 'gift-card' : 'product',
      sku: sku?.trim() || null,
      name: product.title.trim(),
      quantity: '1',
      subtotal: net,
      net,
      tax: '0.00',
      taxes: [],
      taxClass: null,
      taxable,
      service: null,
      productId: numericId(product.id),
      tags: product.tags,
      collections: collectionNames(all?.nodes ?? []),
      attributes: [],
    },
  };
}
