import type { Bag } from './graphql-types.ts';

/** A variant for sale, with its product. */
export interface StoredVariant {
  id: number;
  /** Of one of several. */
  title?: string;
  sku: string | null;
  price: string;
  taxable: boolean;
  product: {
    id: number;
    title: string;
    isGiftCard?: boolean;
    tags?: readonly string[];
    collections?: readonly { handle: string; title: string }[];
  };
}

/** `productVariants(first, after)`; cursors name the row they stand behind. */
export function variantPage(variants: readonly StoredVariant[], first: number, after: string | null): Bag {
  const rows = variants
    .toSorted((a, b) => a.id - b.id)
    .filter(({ id }) => after === null || id > Number(after));
  const page = rows.slice(0, first);
  const last = page.at(-1);
  return {
    nodes: page.map(shown),
    pageInfo: { hasNextPage: rows.length > page.length, endCursor: last ? String(last.id) : null },
  };
}

function shown({ id, product, ...variant }: StoredVariant): Bag {
  const { collections = [], tags = [], isGiftCard = false, ...rest } = product;
  const listed = ({ first }: { first: number }) => ({
    nodes: collections.slice(0, first),
    pageInfo: { hasNextPage: collections.length > first, endCursor: null },
  });
  return {
    __typename: 'ProductVariant',
    title: 'Default Title',
    ...variant,
    id: `gid://shopify/ProductVariant/${id}`,
    product: {
      __typename: 'Product',
      ...rest,
      id: `gid://shopify/Product/${product.id}`,
      tags: [...tags],
      isGiftCard,
      collections: listed,
    },
  };
}
