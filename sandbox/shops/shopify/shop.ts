import type { GraphQLSchema } from 'graphql';
import type { Clock } from '../../../src/domain/clock.ts';
import type { DeliveryAnswer } from '../delivery.ts';
import type { PointsOptions } from './bucket.ts';
import type { StoredVariant } from './product-list.ts';
import type { ShopStore } from './store.ts';
import type { TokenOptions } from './tokens.ts';
import type { ShopifyDelivery, ShopifyEvent } from './webhook.ts';

/**
 * Trouble for one GraphQL call: the app's points are gone (HTTP 200), fields withheld for want of scopes, no answer
 * at all, the work done and the answer lost, or an answer of your own (text bodies are sent as HTML).
 */
export type ShopifyTrouble =
  | 'throttled'
  | 'withhold-customer'
  | 'hang'
  | 'lost'
  | { status: number; headers?: Record<string, string>; body: unknown };

export interface SeenRequest {
  /** Name of the GraphQL operation, or "access_token". */
  operation: string;
  query: string;
  variables: Record<string, unknown>;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  authorized: boolean;
}

export interface ShopifyShopOptions extends TokenOptions {
  /** The myshopify domain. */
  shop: string;
  /** The shop's own id, which stays when its domain changes. */
  shopId?: string;
  /** REST-shaped orders, as webhooks carry them; see shopify/graphql-order.ts for what may be added. */
  orders: readonly unknown[];
  /** The Admin schema, as SDL or built: then every document must be valid in it and use nothing deprecated. */
  schemaSdl?: string;
  schema?: GraphQLSchema;
  /** The app's points in this shop; without it they never end. */
  points?: PointsOptions;
  /** What the shop sells, for a look at its catalogue. */
  variants?: readonly StoredVariant[];
  /** How many metafield definitions of orders the merchant and other apps have pinned. */
  pinnedByOthers?: number;
  /** Webhooks somebody made by hand in this shop; those of the app's configuration are not listed. */
  subscriptions?: readonly { topic: string; uri: string }[];
  /** Where the merchant may be sent back to after installing, as in the app's configuration. */
  redirectUrls?: readonly string[];
  port?: number;
  clock?: Clock;
}

/** A Shopify shop on loopback, as far as invoicing meets one. */
export interface ShopifyShop {
  /** For the connection's `adminUrl`. */
  url: string;
  /** Every call so far, in order. */
  requests: readonly SeenRequest[];
  /** Our metafields and tags on an order; metafields as `key → value`. */
  metafields(orderId: string | number): Record<string, string>;
  tags(orderId: string | number): string[];
  /** Our metafield definitions by key, to read and to change. */
  definitions: ShopStore['definitions'];
  /** The order as webhooks carry it now. */
  order(orderId: string | number): unknown;
  /** Adds an order or replaces it; no webhook goes out by itself. */
  put(order: unknown): void;
  remove(orderId: string | number): void;
  /**
   * Makes a refund of an order, which changes as in Shopify; no webhook goes out by itself. The refund is REST-shaped
   * and may leave out what Shopify works out (shopify/new-refund.ts). Answers it as refunds/create carries it.
   */
  refund(orderId: string | number, refund: Record<string, unknown>): Record<string, unknown>;
  /** Meets the next GraphQL call, or the next one of this operation; several wait in turn. */
  trouble(next: ShopifyTrouble, operation?: string): void;
  /** While it hangs, GraphQL calls are taken and never answered; those that hung stay so. */
  hang(now: boolean): void;
  /** Ends the life of every token fetched so far. */
  revokeTokens(): void;
  /** The merchant removes the app: every token is dead. */
  uninstall(): void;
  /** The merchant's own app is put back (client credentials); others come back through the install page. */
  install(): void;
  /** Sends an event of the shop itself: app/uninstalled, app/scopes_update, the compliance topics. */
  notify(targetUrl: string, event: ShopifyEvent): Promise<DeliveryAnswer[]>;
  /** Sends a webhook of this shop to an endpoint and resolves to the answers. */
  deliver(targetUrl: string, delivery: ShopifyDelivery): Promise<DeliveryAnswer[]>;
  close(): Promise<void>;
}
