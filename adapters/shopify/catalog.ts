import { z } from 'zod';
import type { CatalogItem } from '../../src/domain/catalog.ts';
import { ShopError } from '../../src/domain/errors.ts';
import type { ListPage } from '../../src/domain/listing.ts';
import { decimal } from '../../src/domain/money.ts';
import { amountText, freeText, word } from '../../src/domain/text.ts';
import { writeAmount } from './amounts.ts';
import { gid, pageOf } from './answer-values.ts';
import { missingScopes, readAppScopes } from './app-scopes.ts';
import { catalogQuery } from './catalog-query.ts';
import type { Client } from './client.ts';
import { numericId } from './ids.ts';
import { collectionsQuery } from './order-query.ts';
import type { Connection } from './settings.ts';
import { variantOf } from './shape.ts';

const collections = pageOf(z.object({ handle: word, title: freeText }));
const Product = z.object({
  id: gid,
  title: freeText,
  isGiftCard: z.boolean(),
  tags: z.array(word).default([]),
  collections: collections.optional(),
});
const Answer = z.object({
  productVariants: pageOf(
    z.object({
      id: gid,
      title: freeText,
      sku: freeText.nullable(),
      price: amountText,
      taxable: z.boolean(),
      product: Product,
    }),
  ),
});
const CollectionsAnswer = z.object({ product: z.object({ collections }).nullable() });
type Variant = z.output<typeof Answer>['productVariants']['nodes'][number];

const doing = 'listing products';
const scope = 'read_products';

/**
 * One page of what the shop sells. Which taxes Shopify would charge it does not say, only whether any. Needs the scope
 * read_products, which invoicing does not: where the app lacks it, ShopError `shopify-catalog-scope`.
 */
export function openCatalog(client: Client, { productDetails }: Connection) {
  let allowed: Promise<string[]> | undefined;
  return async (cursor: string | null): Promise<ListPage<CatalogItem>> => {
    allowed ??= readAppScopes(client);
    if (missingScopes([scope], await allowed).length > 0) throw withoutScope();
    const asked = { after: cursor, products: productDetails };
    const { productVariants } = await client.query(catalogQuery, asked, Answer, doing);
    const { nodes, pageInfo } = productVariants;
    const rows: CatalogItem[] = [];
    for (const variant of nodes) rows.push(await toItem(client, variant));
    return { rows, next: pageInfo.hasNextPage ? pageInfo.endCursor : null };
  };
}

async function toItem(client: Client, sold: Variant): Promise<CatalogItem> {
  const { id, sku, price, taxable, product } = sold;
  const variant = variantOf(sold.title);
  const net = writeAmount(decimal(price));
  return {
    taxesKnown: !taxable,
    ...(variant !== null && { variant }),
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
      collections: await collectionsOf(client, product),
      attributes: [],
    },
  };
}

/** Handles and titles, as lines of orders name them. */
async function collectionsOf(client: Client, product: z.output<typeof Product>): Promise<string[]> {
  const nodes = [...(product.collections?.nodes ?? [])];
  let next = product.collections?.pageInfo;
  while (next?.hasNextPage) {
    const asked = { id: product.id, after: next.endCursor };
    const answer: z.output<typeof CollectionsAnswer> = await client.query(
      collectionsQuery,
      asked,
      CollectionsAnswer,
      doing,
    );
    nodes.push(...(answer.product?.collections.nodes ?? []));
    next = answer.product?.collections.pageInfo;
  }
  return nodes.flatMap(({ handle, title }) => [handle, title]);
}

function withoutScope(): ShopError {
  return new ShopError(
    'shopify-catalog-scope',
    'La app no puede ver los productos: le falta el permiso read_products, que para facturar no hace falta. Si quiere revisar el catálogo, agréguelo a los permisos de la app y vuelva a instalarla.',
    'The app was not granted read_products, which invoicing does not need; add it to the app’s scopes to read the catalogue.',
    { retryable: false },
  );
}
