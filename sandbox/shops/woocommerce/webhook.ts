import { createHash, createHmac } from 'node:crypto';
import { request as overHttp } from 'node:http';
import { request as overTls } from 'node:https';
import type { DeliveryAnswer } from '../delivery.ts';
import type { Store } from './store.ts';
import { toWordPressJson } from './wordpress-json.ts';

export interface WooDelivery {
  /** `order.created`, `order.updated`, `order.deleted`, `action.woocommerce_…` or `ping`. */
  topic: string;
  orderId: string;
  /** What `action.woocommerce_refund_…` carries instead of the order's id. */
  refundId?: string | number;
  /** How often the very same bytes are sent; 1 when absent. */
  times?: number;
  /** Signed with another secret. */
  badSignature?: boolean;
}

/** From where and to where: the shop's home URL, the receiver, and the secret they share. */
export interface Route {
  home: string;
  target: string;
  secret: string;
}

/**
 * Sends what a shop sends, one attempt each, redirects not followed; resolves to the answers.
 * The body is the order as it is now, whatever the topic says, and the delivery id is shared by all
 * deliveries of one webhook in one second (measured on WooCommerce 11.0.1).
 */
export async function sendWebhook(
  store: Store,
  route: Route,
  delivery: WooDelivery,
  now: Date,
): Promise<DeliveryAnswer[]> {
  const { topic, orderId, refundId, times = 1, badSignature = false } = delivery;
  const answers: DeliveryAnswer[] = [];
  for (let turn = 0; turn < times; turn += 1) {
    if (topic === 'ping') {
      answers.push(await ping(route.target, 1));
      continue;
    }
    const arg = Number(topic.startsWith('action.woocommerce_refund_') ? refundId : orderId);
    const secret = badSignature ? `${route.secret}-another` : route.secret;
    const webhookId = topic.startsWith('action.') ? 7 : 1;
    answers.push(
      await deliver({ ...route, secret }, { topic, webhookId, body: bodyOf(store, topic, arg) }, now),
    );
  }
  return answers;
}

/** One signed delivery, one attempt. */
export function deliver(
  { home, target, secret }: Route,
  { topic, webhookId, body }: { topic: string; webhookId: number; body: unknown },
  now: Date,
): Promise<DeliveryAnswer> {
  const bytes = Buffer.from(toWordPressJson(body));
  return post(target, bytes, {
    'Content-Type': 'application/json',
    'X-WC-Webhook-Source': `${home}/`,
    'X-WC-Webhook-Topic': topic,
    'X-WC-Webhook-Resource': topic.slice(0, topic.indexOf('.')),
    'X-WC-Webhook-Event': topic.slice(topic.indexOf('.') + 1),
    'X-WC-Webhook-Signature': createHmac('sha256', signingKey(secret)).update(bytes).digest('base64'),
    'X-WC-Webhook-ID': String(webhookId),
    'X-WC-Webhook-Delivery-ID': deliveryId(webhookId, now),
  });
}

/** A form without signature. */
export function ping(target: string, webhookId: number): Promise<DeliveryAnswer> {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return post(target, Buffer.from(`webhook_id=${webhookId}`), headers);
}

/** What a delivery about an order carries: the order as it is now, its id when it left, or an error. */
export function bodyOf(store: Store, topic: string, arg: number): unknown {
  if (topic.startsWith('action.')) return { action: topic.slice('action.'.length), arg };
  if (topic === 'order.deleted') return { id: arg };
  return (
    store.order(String(arg)) ?? {
      code: 'woocommerce_rest_shop_order_invalid_id',
      message: 'Invalid ID.',
      data: { status: 404 },
    }
  );
}

const entities: readonly [RegExp, string][] = [
  [/&lt;/g, '<'],
  [/&gt;/g, '>'],
  [/&quot;/g, '"'],
  [/&#0?39;/g, "'"],
  [/&amp;/g, '&'],
];

/** `wp_specialchars_decode`: the shop signs with the decoded secret. */
const signingKey = (secret: string): string =>
  entities.reduce((text, [entity, letter]) => text.replace(entity, letter), secret);

function deliveryId(webhookId: number, now: Date): string {
  return createHash('md5')
    .update(`${webhookId}${Math.floor(now.getTime() / 1000)}`)
    .digest('hex');
}

/** A shop waits a minute for an answer. */
const patienceMs = 60_000;

/** Sends a body as WordPress does, with its own or other headers. */
export function post(target: string, body: Buffer, about: Record<string, string>): Promise<DeliveryAnswer> {
  const headers = {
    'User-Agent': 'WooCommerce/11.0.1 Hookshot (WordPress/7.1)',
    Accept: '*/*',
    'Accept-Encoding': 'deflate, gzip, br, zstd',
    ...about,
    Connection: 'close',
    'Content-Length': body.length,
  };
  return new Promise((resolve, reject) => {
    const open = target.startsWith('https:') ? overTls : overHttp;
    const request = open(target, { method: 'POST', headers, timeout: patienceMs }, async (answer) => {
      try {
        let text = '';
        for await (const part of answer.setEncoding('utf8')) text += part;
        resolve({ status: answer.statusCode ?? 0, body: text });
      } catch (error) {
        reject(error);
      }
    });
    request.on('timeout', () => request.destroy(new Error('The receiver did not answer.')));
    request.on('error', reject).end(body);
  });
}
