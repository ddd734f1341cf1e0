import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphQLSchema } from 'graphql';
import type { Clock } from '../core/clock.ts';
import type { DeliveryAnswer } from './delivery.ts';
import { listenOnLoopback, readText } from './loopback.ts';
import { openPoints, type PointsOptions, plenty } from './shopify/bucket.ts';
import { answerGraphql, buildAdminSchema } from './shopify/execute.ts';
import { refundOrder } from './shopify/refund-order.ts';
import { rootOf } from './shopify/root.ts';
import { openStore, type ShopStore, type StoredOrder } from './shopify/store.ts';
import { openTokens } from './shopify/tokens.ts';
import { type ShopifyDelivery, sendWebhook, webhookBody } from './shopify/webhook.ts';

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

export interface ShopifyShopOptions {
  /** The myshopify domain. */
  shop: string;
  /** REST-shaped orders, as webhooks carry them; see shopify/graphql-order.ts for what may be added. */
  orders: readonly unknown[];
  /** A fixed token (legacy custom app), and/or an app whose client credentials fetch one. */
  accessToken?: string;
  clientId?: string;
  clientSecret?: string;
  /** Life of a fetched token in seconds; Shopify's is 86399. */
  tokenSeconds?: number;
  /** The Admin schema, as SDL or built: then every document must be valid in it and use nothing deprecated. */
  schemaSdl?: string;
  schema?: GraphQLSchema;
  /** The app's points in this shop; without it they never end. */
  points?: PointsOptions;
  /** How many metafield definitions of orders the merchant and other apps have pinned. */
  pinnedByOthers?: number;
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
  /** Ends the life of every token fetched so far. */
  revokeTokens(): void;
  /** Sends a webhook of this shop to a door and resolves to the answers. */
  deliver(targetUrl: string, delivery: ShopifyDelivery): Promise<DeliveryAnswer[]>;
  close(): Promise<void>;
}

/** Opens the shop on a free port of 127.0.0.1 (or `port`). */
export async function openShopifyShop(options: ShopifyShopOptions): Promise<ShopifyShop> {
  const clock = options.clock ?? { now: () => new Date() };
  const store = openStore(options.orders, clock);
  store.pinnedByOthers = options.pinnedByOthers ?? 0;
  const schema = options.schema ?? (options.schemaSdl ? buildAdminSchema(options.schemaSdl) : null);
  const requests: SeenRequest[] = [];
  const troubles: { next: ShopifyTrouble; operation: string | undefined }[] = [];
  const tokens = openTokens(options);
  const points = openPoints(options.points ?? plenty);
  let lastId = 7_200_000_000_000;

  function existing(id: string | number): StoredOrder {
    const order = store.order(String(id));
    if (!order) throw new Error(`The shop stand-in has no order ${id}; put it first.`);
    return order;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('date', clock.now().toUTCString());
    const text = await readText(request);
    const body = JSON.parse(text || '{}') as Record<string, unknown>;
    const note = (operation: string, authorized: boolean) =>
      requests.push({
        operation,
        query: String(body.query ?? ''),
        variables: (body.variables ?? {}) as Record<string, unknown>,
        headers: request.headers,
        authorized,
      });
    if (request.method === 'POST' && request.url === '/admin/oauth/access_token') {
      const answer = tokens.grant(body);
      note('access_token', answer.status === 200);
      return write(response, answer.status, answer.body);
    }
    if (request.method !== 'POST' || !/^\/admin\/api\/[^/]+\/graphql\.json$/.test(request.url ?? ''))
      return write(response, 404, { errors: 'Not Found' });
    const token = String(request.headers['x-shopify-access-token'] ?? '');
    const authorized = tokens.knows(token);
    const operation = /(?:query|mutation)\s+(\w+)/.exec(String(body.query))?.[1] ?? 'anonymous';
    note(operation, authorized);
    const turn = troubles.findIndex((each) => each.operation === undefined || each.operation === operation);
    const trouble = turn < 0 ? undefined : troubles.splice(turn, 1)[0]?.next;
    if (trouble === 'hang') return;
    if (typeof trouble === 'object') return write(response, trouble.status, trouble.body, trouble.headers);
    if (!authorized)
      return write(response, 401, {
        errors: '[API] Invalid API key or access token (unrecognized login or wrong password)',
      });
    if (trouble === 'throttled') points.drain();
    const withheld = new Set(trouble === 'withhold-customer' ? ['customer'] : []);
    const variables = (body.variables ?? {}) as Record<string, unknown>;
    const answer = await answerGraphql(
      schema,
      String(body.query),
      variables,
      rootOf(store, withheld),
      points,
    );
    if (trouble === 'lost') response.destroy();
    else write(response, 200, answer);
  }

  const server = await listenOnLoopback((request, response) => {
    serve(request, response).catch(() => write(response, 400, { errors: 'Bad Request' }));
  }, options.port);

  return {
    url: server.url,
    requests,
    metafields: (id) =>
      Object.fromEntries((store.order(String(id))?.metafields ?? []).map(({ key, value }) => [key, value])),
    definitions: store.definitions,
    tags: (id) => [...(store.order(String(id))?.tags ?? [])],
    order: (id) => structuredClone(webhookBody(existing(id), 'orders/updated')),
    put: store.put,
    remove: (id) => store.remove(String(id)),
    refund: (id, given) => refundOrder(existing(id), given, () => ++lastId, clock.now()),
    trouble: (next, operation) => void troubles.push({ next, operation }),
    revokeTokens: tokens.revoke,
    async deliver(targetUrl, delivery) {
      return sendWebhook(options.shop, existing(delivery.orderId), targetUrl, delivery, clock.now());
    },
    close: server.close,
  };
}

function write(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const page = typeof body === 'string';
  const type = page ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8';
  response.writeHead(status, { 'content-type': type, 'x-request-id': randomUUID(), ...headers });
  response.end(page ? body : JSON.stringify(body));
}
