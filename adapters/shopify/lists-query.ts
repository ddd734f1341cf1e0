/* What a search for changed orders asks (API 2026-10). Scope: read_orders; beyond 60 days read_all_orders. */

/** As many refunds as a list names; an order with that many may have more. */
export const refundsListed = 5;

const listed = `id updatedAt refunds(first: ${refundsListed}) { id }`;

/** 302 of the 1,000 points a query may ask for. Cursors of this order stay true when orders change in between. */
export const changedQuery = `query FacturapuenteChanged($query: String!, $after: String) {
  orders(first: 50, after: $after, query: $query, sortKey: UPDATED_AT) {
    nodes { ${listed} }
    pageInfo { hasNextPage endCursor }
  }
}`;

/** At most 100 ids. */
export const listedQuery = `query FacturapuenteListed($ids: [ID!]!) {
  nodes(ids: $ids) { ... on Order { ${listed} } }
}`;
