/**
 * What a shop sells, for `lint-catalog` alone: 352 of the 1,000 points a query may ask for. An app that only invoices
 * need not have its scope (API 2026-10; read_products).
 */
export const catalogQuery = `query FacturapuenteCatalog($after: String, $products: Boolean = false) {
  productVariants(first: 50, after: $after) {
    nodes {
      id title sku price taxable
      product {
        id title isGiftCard
        tags @include(if: $products)
        collections(first: 3) @include(if: $products) { nodes { handle title } pageInfo { hasNextPage endCursor } }
      }
    }
    pageInfo { hasNextPage endCursor }
  }
}`;
