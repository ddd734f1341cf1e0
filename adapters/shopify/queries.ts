import { maxMetafieldSources } from './settings.ts';

/* Admin GraphQL API 2026-10; one query may cost 1,000 points. */

export const transactionsWithOrder = 20;
export const refundsWithOrder = 20;
/** Order.transactions and Order.refunds have no pages. */
export const mostListedTogether = 250;

const page = 'pageInfo { hasNextPage endCursor }';
const money = 'fragment Money on MoneyBag { shopMoney { amount } }';
const tax = 'fragment Tax on TaxLine { title rate priceSet { ...Money } }';

const line = `fragment Line on LineItem {
  id sku name quantity currentQuantity isGiftCard taxable requiresShipping variantTitle
  product @include(if: $products) { id tags collections(first: 3) { nodes { handle title } ${page} } }
  customAttributes { key value }
  originalUnitPriceSet { ...Money }
  discountAllocations { allocatedAmountSet { ...Money } }
  taxLines { ...Tax }
  duties { id price { ...Money } taxLines { ...Tax } }
}`;

const shipping = `fragment Shipping on ShippingLine {
  id title isRemoved originalPriceSet { ...Money } discountedPriceSet { ...Money }
  discountAllocations { allocatedAmountSet { ...Money } } taxLines { ...Tax }
}`;

const transaction = `fragment Transaction on OrderTransaction {
  kind status gateway formattedGateway processedAt amountSet { ...Money }
}`;

const address =
  'fragment Address on MailingAddress { name company address1 address2 city province countryCodeV2 phone }';

/** Scopes: read_orders, read_customers (for `customer` and B2B), and read_products with `$products`. */
export const orderQuery = `query FacturapuenteOrder($id: ID!, $idKeys: [String!], $products: Boolean = false) {
  order(id: $id) {
    id name test createdAt processedAt updatedAt cancelledAt displayFinancialStatus sourceName
    currencyCode presentmentCurrencyCode taxesIncluded dutiesIncluded paymentGatewayNames email phone note
    customAttributes { key value }
    localizedFields(first: 10) { nodes { key value } ${page} }
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
    totalCashRoundingAdjustment { paymentSet { ...Money } refundSet { ...Money } }
    additionalFees { id name price { ...Money } taxLines { ...Tax } }
    shippingLines(first: 5, includeRemovals: true) { nodes { ...Shipping } ${page} }
    transactions(first: ${transactionsWithOrder}) { ...Transaction }
    refunds(first: ${refundsWithOrder}) { id }
    metafields(first: 10, namespace: "$app:facturapuente") { nodes { key value } }
    lineItems(first: 25) { nodes { ...Line } ${page} }
  }
}
${money}
${tax}
${address}
${shipping}
${transaction}
${line}`;

export const linesQuery = `query FacturapuenteLines($id: ID!, $after: String!, $products: Boolean = false) {
  order(id: $id) { id updatedAt lineItems(first: 25, after: $after) { nodes { ...Line } ${page} } }
}
${money}
${tax}
${line}`;

export const shippingQuery = `query FacturapuenteShipping($id: ID!, $after: String!) {
  order(id: $id) {
    id updatedAt
    shippingLines(first: 50, after: $after, includeRemovals: true) { nodes { ...Shipping } ${page} }
  }
}
${money}
${tax}
${shipping}`;

export const localizedQuery = `query FacturapuenteLocalized($id: ID!, $after: String!) {
  order(id: $id) { id updatedAt localizedFields(first: 100, after: $after) { nodes { key value } ${page} } }
}`;

export const transactionsQuery = `query FacturapuenteTransactions($id: ID!) {
  order(id: $id) { id updatedAt transactions(first: ${mostListedTogether}) { ...Transaction } }
}
${money}
${transaction}`;

export const collectionsQuery = `query FacturapuenteCollections($id: ID!, $after: String) {
  product(id: $id) { collections(first: 250, after: $after) { nodes { handle title } ${page} } }
}`;

export const refundsQuery = `query FacturapuenteRefunds($id: ID!) {
  order(id: $id) { id updatedAt refunds(first: ${mostListedTogether}) { id } }
}`;

/** The lists of a refund cost too many points to read with the order. */
export const refundQuery = `query FacturapuenteRefund(
  $id: ID!, $lines: String, $shipping: String, $adjustments: String, $transactions: String
) {
  refund(id: $id) {
    id note createdAt processedAt
    order { id updatedAt }
    totalRefundedSet { ...Money }
    duties { amountSet { ...Money } originalDuty { id } }
    refundLineItems(first: 50, after: $lines) {
      nodes { quantity subtotalSet { ...Money } totalTaxSet { ...Money } lineItem { id name } }
      ${page}
    }
    refundShippingLines(first: 5, after: $shipping) {
      nodes { subtotalAmountSet { ...Money } taxAmountSet { ...Money } shippingLine { id title } }
      ${page}
    }
    orderAdjustments(first: 10, after: $adjustments) {
      nodes { reason amountSet { ...Money } taxAmountSet { ...Money } }
      ${page}
    }
    transactions(first: 10, after: $transactions) { nodes { kind status gateway amountSet { ...Money } } ${page} }
  }
}
${money}`;

export const refundsListed = 5;

const listed = `id updatedAt refunds(first: ${refundsListed}) { id }`;

/** Costs 302 points. Scope: read_orders; read_all_orders beyond 60 days. Its cursors stay valid when orders change. */
export const changedQuery = `query FacturapuenteChanged($query: String!, $after: String) {
  orders(first: 50, after: $after, query: $query, sortKey: UPDATED_AT) {
    nodes { ${listed} }
    ${page}
  }
}`;

/** At most 100 ids. */
export const listedQuery = `query FacturapuenteListed($ids: [ID!]!) {
  nodes(ids: $ids) { ... on Order { ${listed} } }
}`;

/** Costs 352 points. Scope: read_products, which invoicing does not need. */
export const catalogQuery = `query FacturapuenteCatalog($after: String, $products: Boolean = false) {
  productVariants(first: 50, after: $after) {
    nodes {
      id title sku price taxable
      product {
        id title isGiftCard
        tags @include(if: $products)
        collections(first: 3) @include(if: $products) { nodes { handle title } ${page} }
      }
    }
    ${page}
  }
}`;

export const writtenQuery = `query FacturapuenteWritten($id: ID!) {
  order(id: $id) {
    tags
    metafields(first: 20, namespace: "$app:facturapuente") { nodes { key type value } }
  }
}`;

/** All or nothing, at most 25. Scope: write_orders, as for everything below. */
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

export const definitionsQuery = `query FacturapuenteDefinitions {
  metafieldDefinitions(first: 50, ownerType: ORDER, namespace: "$app:facturapuente") {
    nodes { key type { name } pinnedPosition access { customerAccount } }
  }
}`;

export const createDefinition = `mutation FacturapuenteDefine($definition: MetafieldDefinitionInput!) {
  metafieldDefinitionCreate(definition: $definition) { userErrors { field message code } }
}`;

export const updateDefinition = `mutation FacturapuenteRedefine($definition: MetafieldDefinitionUpdateInput!) {
  metafieldDefinitionUpdate(definition: $definition) { userErrors { field message code } }
}`;

/** The id stays when the myshopify domain changes, and no other shop ever has it; no scope is needed. */
export const identityQuery = `query FacturapuenteShop {
  shop { id myshopifyDomain }
}`;

export const appScopesQuery = `query FacturapuenteAppScopes {
  currentAppInstallation { accessScopes { handle } }
}`;

/** Lists only subscriptions made through the API in this shop, none of the app's TOML (schema 2026-10). */
export const subscriptionsQuery = `query FacturapuenteSubscriptions {
  webhookSubscriptions(first: 100) { nodes { topic uri } }
}`;
