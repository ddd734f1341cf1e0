import { refundsWithOrder } from './refunds/query.ts';
import { maxMetafieldSources } from './settings.ts';

/** As many transactions as come with the order; when that many came there may be more. */
export const transactionsWithOrder = 20;
/** The most one answer lists; Order.transactions has no pages. */
export const mostTransactions = 250;

/* An order and what does not fit into its first answer. Shop money only on repeated nodes, both currencies on its total. */

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
  id title originalPriceSet { ...Money } discountedPriceSet { ...Money }
  discountAllocations { allocatedAmountSet { ...Money } } taxLines { ...Tax }
}`;

const transaction = `fragment Transaction on OrderTransaction {
  kind status gateway formattedGateway processedAt amountSet { ...Money }
}`;

const address =
  'fragment Address on MailingAddress { name company address1 address2 city province countryCodeV2 phone }';

/**
 * The order with its first 25 lines. Scopes: read_orders, read_customers (for `customer` and B2B), and
 * read_products where the store asks for tags and collections.
 */
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
    shippingLines(first: 5, includeRemovals: false) { nodes { ...Shipping } ${page} }
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

/*
 * What did not fit into the order's first answer. `updatedAt` tells whether the order changed in between.
 */
export const linesQuery = `query FacturapuenteLines($id: ID!, $after: String!, $products: Boolean = false) {
  order(id: $id) { id updatedAt lineItems(first: 25, after: $after) { nodes { ...Line } ${page} } }
}
${money}
${tax}
${line}`;

export const shippingQuery = `query FacturapuenteShipping($id: ID!, $after: String!) {
  order(id: $id) {
    id updatedAt
    shippingLines(first: 50, after: $after, includeRemovals: false) { nodes { ...Shipping } ${page} }
  }
}
${money}
${tax}
${shipping}`;

export const localizedQuery = `query FacturapuenteLocalized($id: ID!, $after: String!) {
  order(id: $id) { id updatedAt localizedFields(first: 100, after: $after) { nodes { key value } ${page} } }
}`;

export const transactionsQuery = `query FacturapuenteTransactions($id: ID!) {
  order(id: $id) { id updatedAt transactions(first: ${mostTransactions}) { ...Transaction } }
}
${money}
${transaction}`;

/** All collections of a product that is in more of them than a line names. */
export const collectionsQuery = `query FacturapuenteCollections($id: ID!, $after: String) {
  product(id: $id) { collections(first: 250, after: $after) { nodes { handle title } ${page} } }
}`;
