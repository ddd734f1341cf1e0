import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../core/clock.ts';
import type { DeliveryAnswer } from './delivery.ts';
import { type Certificate, listenOnLoopback, readText } from './loopback.ts';
import type { Host } from './woocommerce/auth.ts';
import { openKeyring } from './woocommerce/keyring.ts';
import type { ShopKeys } from './woocommerce/oauth.ts';
import { type NewRefund, newRefund, type StoredRefund } from './woocommerce/refund.ts';
import { answerRest, fail, type RestAnswer } from './woocommerce/rest.ts';
import { headersOf } from './woocommerce/rest-headers.ts';
import {
  type OrderChange,
  openStore,
  orderChange,
  type StoredNote,
  type StoredOrder,
} from './woocommerce/store.ts';
import { apiIndex, defaultSystem, type ShopSystem, systemStatus } from './woocommerce/system.ts';
import { openWcAuth } from './woocommerce/wc-auth.ts';
import { bodyOf, sendWebhook, type WooDelivery } from './woocommerce/webhook.ts';
import type { NewWebhook, ShownWebhook } from './woocommerce/webhook-shape.ts';
import { openWebhooks, type SentWebhook } from './woocommerce/webhooks.ts';
import { toWordPressJson } from './woocommerce/wordpress-json.ts';

/**
 * Trouble for one call. `hang` never answers; `lost` does what was asked and then breaks the
 * connection; an answer is sent instead of the shop's own, text bodies as they are.
 */
export type Trouble = 'hang' | 'lost' | RestAnswer;

export interface SeenRequest {
  method: string;
  /** Below `/wp-json/wc/v3/`. */
  path: string;
  query: URLSearchParams;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: unknown;
  /** Whether keys and signature were right. */
  authorized: boolean;
}

/** A WooCommerce shop on loopback, as far as invoicing meets one; behaves as the recordings do. */
export interface WooCommerceShop {
  url: string;
  /** Every call so far, in order. */
  requests: readonly SeenRequest[];
  order(id: string | number): StoredOrder | undefined;
  notes(id: string | number): readonly StoredNote[];
  /** As `GET orders/{id}/refunds` lists them, newest first. */
  refunds(id: string | number): readonly StoredRefund[];
  /**
   * Adds an order or replaces it; no webhook goes out by itself. `refunds` are what `GET orders/{id}/refunds` lists,
   * as given, whatever the order names; without them those it names are kept, or were typed as amounts.
   */
  put(order: unknown, refunds?: readonly unknown[]): void;
  /** Refunds by hand as wp-admin does; throws what WooCommerce says when it refuses. */
  refund(orderId: string | number, refund: NewRefund): StoredRefund;
  /** Deletes a refund; the order keeps its status and its time, and no webhook tells (measured on WooCommerce 11.0.1). */
  deleteRefund(orderId: string | number, refundId: string | number): void;
  /** Deletes an order for ever; no webhook tells. */
  remove(id: string | number): void;
  /** Changes an order by hand, as wp-admin does: `status`, `set_paid`, `meta_data`, any other key. */
  change(id: string | number, change: Partial<OrderChange>): void;
  trash(id: string | number): void;
  restore(id: string | number): void;
  /** Makes a webhook as wp-admin does, and pings it. */
  addWebhook(webhook: NewWebhook): Promise<void>;
  /** The webhooks of the API, as it shows them. */
  webhooks(): readonly ShownWebhook[];
  /** Says that something happened which the stand-in does not do itself: a placed order, a checkout. */
  happened(topic: string, id: string | number): void;
  /**
   * A visit: runs the queue of webhooks, one attempt each, and answers what was sent. Without visits nothing is sent.
   */
  visit(): Promise<SentWebhook[]>;
  /** Meets the next call, or the next one of this method; several wait in turn. */
  trouble(next: Trouble, method?: 'GET' | 'PUT' | 'POST' | 'DELETE'): void;
  deliver(targetUrl: string, secret: string, delivery: WooDelivery): Promise<DeliveryAnswer[]>;
  close(): Promise<void>;
}

/**
 * Opens the shop on a free port of 127.0.0.1 (or `port`), over TLS with a certificate. `orders` are wc/v3 orders with
 * numeric ids; `host` is what stands before WordPress.
 */
export async function openWooCommerceShop(
  options: ShopKeys & {
    orders: readonly unknown[];
    /** wc/v3 products, for stores that ask for tags and categories. */
    products?: readonly { id: number }[];
    port?: number;
    clock?: Clock;
    tls?: Certificate;
    host?: Partial<Host>;
    system?: Partial<ShopSystem>;
  },
): Promise<WooCommerceShop> {
  const clock = options.clock ?? { now: () => new Date() };
  let home = '';
  const webhooks = openWebhooks(clock, { home: () => home, body: (topic, arg) => bodyOf(store, topic, arg) });
  const store = openStore(options.orders, clock, webhooks.happened, options.products);
  const host = {
    knowsTls: options.tls !== undefined,
    stripsAuthorization: false,
    oneWorker: false,
    ...options.host,
  };
  const keyring = openKeyring(options, host);
  const wcAuth = openWcAuth(() => home, keyring.add);
  const system = { ...defaultSystem, ...options.system };
  const requests: SeenRequest[] = [];
  let line = Promise.resolve();
  const troubles: { next: Trouble; method: string | undefined }[] = [];

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', home);
    const method = request.method ?? 'GET';
    const text = await readText(request);
    const isJson = text !== '' && request.headers['content-type']?.startsWith('application/json');
    const json = isJson ? JSON.parse(text) : null;
    const error = keyring.check(method, url, request.headers);
    const path = url.pathname.replace(/^\/wp-json\/wc\/v3\//, '');
    const { searchParams: query } = url;
    requests.push({ method, path, query, headers: request.headers, body: json, authorized: error === null });

    const turn = troubles.findIndex((each) => each.method === undefined || each.method === method);
    const trouble = turn < 0 ? undefined : troubles.splice(turn, 1)[0]?.next;
    if (trouble === 'hang') return;
    response.setHeader('date', clock.now().toUTCString());
    if (typeof trouble === 'object') return write(response, trouble);
    response.setHeaders(new Map(headersOf(home, url)));
    const isIndex =
      method === 'GET' && url.pathname === '/wp-json/wc/v3' && !url.searchParams.has('oauth_nonce');
    const open = isIndex ? apiIndex : await wcAuth.answer(url);
    const answer =
      open ??
      (error !== null
        ? fail(error)
        : path === 'system_status'
          ? systemStatus(home, url, system)
          : await answerRest({ store, webhooks, home, storage: system.storage }, { method, url, json }));
    if (trouble === 'lost') response.destroy();
    else write(response, answer);
  }

  const server = await listenOnLoopback(
    (request, response) => {
      const turn = () =>
        serve(request, response).catch(() => write(response, { status: 400, body: 'Bad request' }));
      line = host.oneWorker ? line.then(turn) : turn();
    },
    options.port,
    options.tls,
  );
  home = server.url;

  const existing = (id: string | number): StoredOrder => {
    const order = store.order(String(id));
    if (order === undefined) throw new Error(`The shop has no order ${id}.`);
    return order;
  };

  return {
    url: home,
    requests,
    order: (id) => structuredClone(store.order(String(id))),
    notes: (id) => structuredClone(store.notes(String(id))),
    refunds: (id) => structuredClone(store.refunds.list(String(id))),
    put: store.put,
    refund: (id, asked) =>
      structuredClone(store.refunds.make(existing(id), newRefund.parse({ ...asked, api_refund: false }))),
    deleteRefund: (id, refundId) => store.refunds.remove(existing(id), Number(refundId)),
    remove: (id) => void store.remove(String(id)),
    change: (id, change) => void store.change(existing(id), orderChange.parse(change)),
    trash: (id) => void store.trash(existing(id)),
    restore: (id) => store.restore(existing(id)),
    async addWebhook(webhook) {
      await webhooks.make(webhook);
    },
    webhooks: webhooks.list,
    happened: (topic, id) => webhooks.happened(topic, Number(id)),
    visit: webhooks.run,
    trouble: (next, method) => void troubles.push({ next, method }),
    deliver: (target, secret, delivery) =>
      sendWebhook(store, { home, target, secret }, delivery, clock.now()),
    close: server.close,
  };
}

function write(response: ServerResponse, { status, headers, body }: RestAnswer): void {
  const page = typeof body === 'string';
  response.writeHead(status, {
    'content-type': page ? 'text/html; charset=UTF-8' : 'application/json; charset=UTF-8',
    'cache-control': 'no-cache, must-revalidate, max-age=0, no-store, private',
    ...headers,
  });
  response.end(page ? body : toWordPressJson(body));
}
