import { createHmac, randomUUID } from 'node:crypto';
import type { DeliveryAnswer } from '../delivery.ts';
import { exactId, type StoredOrder } from './store.ts';

export interface ShopifyDelivery {
  /** The app's client secret, with which Shopify signs. */
  clientSecret: string;
  /** "orders/paid", "orders/edited", "refunds/create" … */
  topic: string;
  orderId: string | number;
  /** How often the same delivery comes, with the same Webhook-Id (Shopify repeats what it thinks was lost). */
  times?: number;
  /** Signed with another secret. */
  badSignature?: boolean;
  /** Else one of its own. */
  webhookId?: string;
  /** Another shop in the unsigned header than the one that signed. */
  headerShop?: string;
}

/** Events of the shop itself; bodies as in Shopify's documentation unless noted. */
export interface ShopifyEvent extends Omit<ShopifyDelivery, 'orderId'> {
  /** Added to, and over, what the topic carries. */
  body?: Record<string, unknown>;
}

/** Sends a webhook as Shopify does; resolves to the answers in order. */
export async function sendWebhook(
  shop: string,
  order: StoredOrder,
  targetUrl: string,
  delivery: ShopifyDelivery,
  now: Date,
): Promise<DeliveryAnswer[]> {
  const body = toShopifyJson(webhookBody(order, delivery.topic), order.id);
  return send(targetUrl, { ...delivery, shop, body }, now);
}

/** Sends an event of the shop itself. */
export async function sendEvent(
  shop: string,
  targetUrl: string,
  event: ShopifyEvent,
  now: Date,
): Promise<DeliveryAnswer[]> {
  const body = toShopifyJson({ ...eventBody(shop, event.topic), ...event.body }, '');
  return send(targetUrl, { ...event, shop, body }, now);
}

function eventBody(shop: string, topic: string): Record<string, unknown> {
  if (topic === 'app/uninstalled') return { id: 548380009, name: 'Tienda', myshopify_domain: shop };
  if (topic === 'app/scopes_update') return { id: 1, previous: ['read_orders'], current: ['read_orders'] };
  return { shop_id: 548380009, shop_domain: shop };
}

async function send(
  targetUrl: string,
  delivery: Omit<ShopifyDelivery, 'orderId'> & { shop: string; body: string },
  now: Date,
): Promise<DeliveryAnswer[]> {
  const { body, shop, topic, badSignature, clientSecret } = delivery;
  const secret = badSignature ? `${clientSecret}-wrong` : clientSecret;
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Shopify-Captain-Hook',
    'x-shopify-topic': topic,
    'x-shopify-hmac-sha256': createHmac('sha256', secret).update(body).digest('base64'),
    'x-shopify-shop-domain': delivery.headerShop ?? shop,
    'x-shopify-api-version': '2026-10',
    'x-shopify-webhook-id': delivery.webhookId ?? randomUUID(),
    'x-shopify-event-id': randomUUID(),
    'x-shopify-triggered-at': now.toISOString(),
  };
  const answers: DeliveryAnswer[] = [];
  for (let turn = 0; turn < (delivery.times ?? 1); turn += 1) {
    // 5 s in all, redirects are failures.
    const signal = AbortSignal.timeout(5_000);
    const response = await fetch(targetUrl, { method: 'POST', headers, body, signal, redirect: 'manual' });
    answers.push({ status: response.status, body: await response.text() });
  }
  return answers;
}

/** orders/edited and refunds/create only name the order; what just the API knows stays out of all of them. */
export function webhookBody({ id, rest, updatedAt, tags }: StoredOrder, topic: string): unknown {
  if (topic === 'orders/edited')
    return { order_edit: { id: 1, order_id: id, line_items: { additions: [], removals: [] } } };
  if (topic === 'refunds/create') {
    const refunds = Array.isArray(rest.refunds) ? (rest.refunds as Record<string, unknown>[]) : [];
    const refund = refunds.at(-1);
    return { id: refund ? exactId(refund) : 1, refund_line_items: [], ...refund, order_id: id };
  }
  const gid = `gid://shopify/Order/${id}`;
  // Only the Admin API shows these (Shopify’s order and refund payloads, missing keys).
  const {
    transactions: _t,
    total_received: _r,
    localized_fields: _l,
    purchasing_entity: _p,
    ...webhook
  } = rest;
  return { ...webhook, admin_graphql_api_id: gid, updated_at: updatedAt, tags: tags.join(', ') };
}

/** Shopify escapes "/" and "&", and writes ids as numbers however large: re-serialising breaks the signature. */
function toShopifyJson(body: unknown, orderId: string): string {
  return JSON.stringify(body)
    .replaceAll('/', '\\/')
    .replaceAll('&', '\\u0026')
    .replaceAll(`"order_id":"${orderId}"`, `"order_id":${orderId}`);
}
