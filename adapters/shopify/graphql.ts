import { appScopesQuery } from './app-scopes.ts';
import { catalogQuery } from './catalog-query.ts';
import { createDefinition, definitionsQuery, updateDefinition } from './definitions-query.ts';
import { identityQuery } from './identity.ts';
import { subscriptionsQuery } from './install/subscriptions.ts';
import { changedQuery, listedQuery } from './lists-query.ts';
import {
  collectionsQuery,
  linesQuery,
  localizedQuery,
  orderQuery,
  shippingQuery,
  transactionsQuery,
} from './order-query.ts';
import { refundQuery, refundsQuery } from './refunds/query.ts';
import { addTags, deleteMetafields, removeTags, setMetafields, writtenQuery } from './write-query.ts';

/**
 * Every Admin GraphQL document we send (API 2026-10). Each stays under the 1,000 points a single query may ask for
 * (Shopify’s metafields and limits) and uses no deprecated field; test/adapters/shopify checks both against the
 * schema, and scopes.ts computes from them what an app must be allowed.
 */
export const documents = {
  orderQuery,
  linesQuery,
  shippingQuery,
  localizedQuery,
  transactionsQuery,
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
  appScopesQuery,
  identityQuery,
  subscriptionsQuery,
};

/** Sent only by who asks for a look at the catalogue; no app needs its scope for invoicing. */
export const catalogDocuments = { catalogQuery };

/** Sent only where a store asks for the tags and collections of what was sold. */
export const productDocuments = { collectionsQuery };
