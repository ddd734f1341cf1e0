import { createDefinition, definitionsQuery, updateDefinition } from './definitions-query.ts';
import { changedQuery, listedQuery } from './lists-query.ts';
import { refundQuery, refundsQuery, refundsWithOrder } from './refunds/query.ts';
import { maxMetafieldSources } from './settings.ts';

/*
 * The Admin GraphQL documents (API 2026-10). Each stays under the 1,000 points a single query may ask for
 * (Shopify’s metafields and limits) and uses no deprecated field; test/adapters/shopify checks both against the schema.
 * Shop money only on repeated nodes; both currencies only on the order's total.
 */

const money = 'fragment Money on MoneyBag { shopMoney { amount } }';
const tax = 'fragment Tax on TaxLine { title rate priceSet { ...Money } }';

const line = `fragment Line on LineItem {
  id sku name quantity currentQuantity isGiftCard taxable requiresShipping variantTitle
  product @include(if: $products) { tags collections(first: 3) { nodes { handle title } } }
  customAttributes { key value }
  originalUnitPriceSet { ...Money }
  discountAllocations { allocatedAmountSet { ...Money } }
  taxLines { ...Tax }
  duties { id price { ...Money } taxLines { ...Tax } }
}`;

const address =
  'fragment Address on MailingAddress { name company address1 address2 city province countryCodeV2 phone }';

/**
 * The order with its first 25 lines. Scopes: read_orders, read_customers (for `customer` and B2B), and
 * read_products where the store asks for tags and collections.
 */
export const orderQuery = `query FacturapuenteOrder($id: ID!, $idKeys: [String!], $products: Boolean = false) {
  order(id: $id) {
    id name test createdAt processedAt updatedAt cancelledAt displayFinancialStatus
    currencyCode presentmentCurrencyCode taxesIncluded dutiesIncluded paymentGatewayNames email phone note
    customAttributes { key value }
    localizedFields(first: 10) { nodes { key value } }
    billingAddress { ...Address }
    shippingAddress { ...Address }
    customer {
      firstName lastName
      defaultEmailAddress { emailAddress }
      defaultPhoneNumber { phoneNumber }
      metafields(first: ${maxMetafieldSources}, keys: $idKeys) { nodes { namespace key value } }
    }
    purchasingEntity {
      ... on PurchasingCompany { company { name } location { taxSettings { taxRegistrationId } } }
    }
    totalPriceSet { shopMoney { amount } presentmentMoney { amount } }
    totalTaxSet { ...Money }
    currentTotalPriceSet { ...Money }
    currentTotalTaxSet { ...Money }
    totalReceivedSet { ...Money }
    totalOutstandingSet { ...Money }
    totalTipReceivedSet { ...Money }
    additionalFees { id name price { ...Money } taxLines { ...Tax } }
    shippingLines(first: 5, includeRemovals: false) {
      nodes {
        id title originalPriceSet { ...Money } discountedPriceSet { ...Money }
        discountAllocations { allocatedAmountSet { ...Money } } taxLines { ...Tax }
      }
    }
    transactions(first: 20) { kind status gateway formattedGateway processedAt amountSet { ...Money } }
    refunds(first: ${refundsWithOrder}) { id }
    metafields(first: 10, namespace: "$app:facturapuente") { nodes { key value } }
    lineItems(first: 25) { nodes { ...Line } pageInfo { hasNextPage endCursor } }
  }
}
${money}
${tax}
${address}
${line}`;

/** The next 25 lines. `updatedAt` tells whether the order changed between two pages. */
export const linesQuery = `query FacturapuenteLines($id: ID!, $after: String!, $products: Boolean = false) {
  order(id: $id) {
    updatedAt
    lineItems(first: 25, after: $after) { nodes { ...Line } pageInfo { hasNextPage endCursor } }
  }
}
${money}
${tax}
${line}`;

/** What we wrote before. */
export const writtenQuery = `query FacturapuenteWritten($id: ID!) {
  order(id: $id) {
    tags
    metafields(first: 20, namespace: "$app:facturapuente") { nodes { key type value } }
  }
}`;

/** Upsert, all or nothing, at most 25. Scope: write_orders, as for everything below. */
export const setMetafields = `mutation FacturapuenteSet($metafields: [MetafieldsSetInput!]!) {
  metafieldsSet(metafields: $metafields) { userErrors { field message code } }
}`;

export const deleteMetafields = `mutation FacturapuenteDelete($metafields: [MetafieldIdentifierInput!]!) {
  metafieldsDelete(metafields: $metafields) { userErrors { field message } }
}`;

export const addTags = `mutation FacturapuenteTag($id: ID!, $tags: [String!]!) {
  tagsAdd(id: $id, tags: $tags) { userErrors { field message } }
}`;

export const removeTags = `mutation FacturapuenteUntag($id: ID!, $tags: [String!]!) {
  tagsRemove(id: $id, tags: $tags) { userErrors { field message } }
}`;

export const documents = {
  orderQuery,
  linesQuery,
  refundsQuery,
  refundQuery,
  changedQuery,
  listedQuery,
  writtenQuery,
  setMetafields,
  deleteMetafields,
  addTags,
  removeTags,
  definitionsQuery,
  createDefinition,
  updateDefinition,
};
