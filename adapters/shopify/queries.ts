import { z } from 'zod';
import { amount, instant, instantOrNone, numberOrNone } from '../../src/domain/loose.ts';
import { freeText, longText, word } from '../../src/domain/text.ts';
import { maxMetafieldSources } from './settings.ts';

/* Admin GraphQL API 2026-10: what is asked, then what comes back. One query may cost 1,000 points. */

export const transactionsWithOrder = 20;
export const refundsWithOrder = 20;
/** Order.transactions and Order.refunds have no pages. */
export const mostListedTogether = 250;

const page = 'pageInfo { hasNextPage endCursor }';
const moneyFragment = 'fragment Money on MoneyBag { shopMoney { amount } }';
const taxFragment = 'fragment Tax on TaxLine { title rate priceSet { ...Money } }';

const lineFragment = `fragment Line on LineItem {
  id sku name quantity currentQuantity isGiftCard taxable requiresShipping variantTitle
  product @include(if: $products) { id tags collections(first: 3) { nodes { handle title } ${page} } }
  customAttributes { key value }
  originalUnitPriceSet { ...Money }
  discountAllocations { allocatedAmountSet { ...Money } }
  taxLines { ...Tax }
  duties { id price { ...Money } taxLines { ...Tax } }
}`;

const shippingFragment = `fragment Shipping on ShippingLine {
  id title isRemoved originalPriceSet { ...Money } discountedPriceSet { ...Money }
  discountAllocations { allocatedAmountSet { ...Money } } taxLines { ...Tax }
}`;

const transactionFragment = `fragment Transaction on OrderTransaction {
  kind status gateway formattedGateway processedAt amountSet { ...Money }
}`;

const addressFragment =
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
${moneyFragment}
${taxFragment}
${addressFragment}
${shippingFragment}
${transactionFragment}
${lineFragment}`;

export const linesQuery = `query FacturapuenteLines($id: ID!, $after: String!, $products: Boolean = false) {
  order(id: $id) { id updatedAt lineItems(first: 25, after: $after) { nodes { ...Line } ${page} } }
}
${moneyFragment}
${taxFragment}
${lineFragment}`;

export const shippingQuery = `query FacturapuenteShipping($id: ID!, $after: String!) {
  order(id: $id) {
    id updatedAt
    shippingLines(first: 50, after: $after, includeRemovals: true) { nodes { ...Shipping } ${page} }
  }
}
${moneyFragment}
${taxFragment}
${shippingFragment}`;

export const localizedQuery = `query FacturapuenteLocalized($id: ID!, $after: String!) {
  order(id: $id) { id updatedAt localizedFields(first: 100, after: $after) { nodes { key value } ${page} } }
}`;

export const transactionsQuery = `query FacturapuenteTransactions($id: ID!) {
  order(id: $id) { id updatedAt transactions(first: ${mostListedTogether}) { ...Transaction } }
}
${moneyFragment}
${transactionFragment}`;

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
${moneyFragment}`;

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

/* What comes back. */

const text = freeText.nullable();
/** In the shop's currency; the queries ask for no other on repeated nodes. */
const money = z.object({ shopMoney: z.object({ amount }) });
export const gid = word.regex(/^[^?]*\/\d+(\?.*)?$/, 'id');
const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: text });
export const pageOf = <Node extends z.ZodType>(node: Node) => z.object({ nodes: z.array(node), pageInfo });

const pairs = z.array(z.object({ key: word, value: text }));
const taxes = z.array(z.object({ title: freeText, rate: numberOrNone, priceSet: money }));
const allocations = z.array(z.object({ allocatedAmountSet: money }));

export const collections = pageOf(z.object({ handle: word, title: freeText }));

const Line = z.object({
  id: gid,
  sku: text,
  name: freeText,
  quantity: z.int().min(0),
  currentQuantity: z.int().min(0),
  isGiftCard: z.boolean(),
  taxable: z.boolean(),
  requiresShipping: z.boolean(),
  variantTitle: text.optional(),
  /** Null for custom lines and deleted products; missing without `$products`. */
  product: z.object({ id: gid, tags: z.array(word), collections }).nullish(),
  customAttributes: pairs,
  originalUnitPriceSet: money,
  discountAllocations: allocations,
  taxLines: taxes,
  duties: z.array(z.object({ id: gid, price: money, taxLines: taxes })),
});
export type AnswerLine = z.output<typeof Line>;

const Shipping = z.object({
  id: gid.nullable(),
  title: freeText,
  isRemoved: z.boolean().default(false),
  originalPriceSet: money,
  discountedPriceSet: money,
  discountAllocations: allocations,
  taxLines: taxes,
});

const Transaction = z.object({
  kind: word,
  status: word,
  gateway: text,
  formattedGateway: text,
  processedAt: instantOrNone,
  amountSet: money,
});

const lineItems = pageOf(Line);
const shippingLines = pageOf(Shipping);
const localizedFields = pageOf(z.object({ key: word, value: longText }));
const transactions = z.array(Transaction);

const address = z
  .object({
    name: text,
    company: text,
    address1: text,
    address2: text,
    city: text,
    province: text,
    countryCodeV2: text,
    phone: text,
  })
  .nullable();

const OrderNode = z.object({
  id: gid,
  name: freeText,
  test: z.boolean(),
  createdAt: instant,
  processedAt: instant,
  updatedAt: instant,
  cancelledAt: instantOrNone,
  displayFinancialStatus: text,
  sourceName: text.optional(),
  currencyCode: word,
  presentmentCurrencyCode: word,
  taxesIncluded: z.boolean(),
  dutiesIncluded: z.boolean(),
  paymentGatewayNames: z.array(word),
  note: text.optional(),
  email: text,
  phone: text,
  customAttributes: pairs,
  localizedFields,
  billingAddress: address,
  shippingAddress: address,
  // Null also when the app may not read customers.
  customer: z
    .object({
      firstName: text,
      lastName: text,
      defaultEmailAddress: z.object({ emailAddress: text }).nullable(),
      defaultPhoneNumber: z.object({ phoneNumber: text }).nullable(),
      metafields: z.object({
        nodes: z.array(z.object({ namespace: word, key: word, value: longText })),
      }),
    })
    .nullable(),
  purchasingEntity: z
    .object({
      company: z.object({ name: text }).nullish(),
      location: z.object({ taxSettings: z.object({ taxRegistrationId: text }).nullable() }).nullish(),
    })
    .nullable(),
  totalPriceSet: z.object({ shopMoney: z.object({ amount }), presentmentMoney: z.object({ amount }) }),
  totalTaxSet: money.nullable(),
  currentTotalPriceSet: money,
  currentTotalTaxSet: money,
  totalReceivedSet: money,
  totalOutstandingSet: money,
  totalTipReceivedSet: money,
  totalCashRoundingAdjustment: z.object({ paymentSet: money, refundSet: money }).nullish(),
  additionalFees: z.array(z.object({ id: gid, name: freeText, price: money, taxLines: taxes })),
  shippingLines,
  transactions,
  refunds: z.array(z.object({ id: gid })),
  metafields: z.object({ nodes: z.array(z.object({ key: word, value: longText })) }),
  lineItems,
});
export type AnswerOrder = z.output<typeof OrderNode>;

const RefundNode = z.object({
  id: gid,
  note: text,
  createdAt: instantOrNone,
  processedAt: instantOrNone,
  order: z.object({ id: gid, updatedAt: word }),
  totalRefundedSet: money,
  duties: z.array(z.object({ amountSet: money, originalDuty: z.object({ id: gid }).nullable() })).nullable(),
  refundLineItems: pageOf(
    z.object({
      quantity: z.int().min(0),
      subtotalSet: money,
      totalTaxSet: money,
      lineItem: z.object({ id: gid, name: freeText }),
    }),
  ),
  refundShippingLines: pageOf(
    z.object({
      subtotalAmountSet: money,
      taxAmountSet: money,
      shippingLine: z.object({ id: gid.nullable(), title: freeText }),
    }),
  ),
  orderAdjustments: pageOf(z.object({ reason: text, amountSet: money, taxAmountSet: money })),
  transactions: pageOf(z.object({ kind: word, status: word, gateway: text.optional(), amountSet: money })),
});
export type AnswerRefund = z.output<typeof RefundNode>;

export const OrderAnswer = z.object({ order: OrderNode.nullable() });

const rest = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({ order: z.object({ id: gid, updatedAt: word, ...shape }).nullable() });
export const RefundAnswer = z.object({ refund: RefundNode.nullable() });
export const RefundsAnswer = rest({ refunds: z.array(z.object({ id: gid })) });
export const LinesAnswer = rest({ lineItems });
export const ShippingAnswer = rest({ shippingLines });
export const LocalizedAnswer = rest({ localizedFields });
export const TransactionsAnswer = rest({ transactions });
export const CollectionsAnswer = z.object({ product: z.object({ collections }).nullable() });

export const WrittenAnswer = z.object({
  order: z
    .object({
      tags: z.array(word),
      metafields: z.object({
        nodes: z.array(z.object({ key: word, type: word, value: longText })),
      }),
    })
    .nullable(),
});

export const DefinitionsAnswer = z.object({
  metafieldDefinitions: z.object({
    nodes: z.array(
      z.object({
        key: word,
        type: z.object({ name: freeText }),
        pinnedPosition: z.int().nullable(),
        access: z.object({ customerAccount: word }),
      }),
    ),
  }),
});

export const MutationAnswer = z.record(
  word,
  z.object({
    userErrors: z.array(z.object({ field: z.unknown(), message: freeText, code: text.optional() })),
  }),
);
export type UserError = z.output<typeof MutationAnswer>[string]['userErrors'][number];
