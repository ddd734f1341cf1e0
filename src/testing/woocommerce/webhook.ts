import { createHash, createHmac } from 'node:crypto';
import { request } from 'node:http';
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

/**
 * Sends what a shop sends, one attempt each, redirects not followed; resolves to the answers.
 * The body is the order as it is now, whatever the topic says, and the delivery id is shared by all
 * deliveries of one webhook in one second (measured on WooCommerce 11.0.1).
 */
export async function sendWebhook(
  store: Store,
  home: string,
  target: string,
  secret: string,
  delivery: WooDelivery,
  now: Date,
): Promise<DeliveryAnswer[]> {
  const { topic, times = 1, badSignature = false } = delivery;
  const ping = topic === 'ping';
  const body = Buffer.from(ping ? 'webhook_id=1' : toWordPressJson(bodyOf(store, delivery)));
  const signature = createHmac('sha256', badSignature ? `${secret}-another` : secret)
    .update(body)
    .digest('base64');
  const webhookId = topic.startsWith('action.') ? '7' : '1';
  const headers = {
    'User-Agent': 'WooCommerce/11.0.1 Hookshot (WordPress/7.1)',
    Accept: '*/*',
    'Accept-Encoding': 'deflate, gzip, br, zstd',
    'Content-Type': ping ? 'application/x-www-form-urlencoded' : 'application/json',
    ...(!ping && {
      'X-WC-Webhook-Source': `${home}/`,
      'X-WC-Webhook-Topic': topic,
      'X-WC-Webhook-Resource': topic.slice(0, topic.indexOf('.')),
      'X-WC-Webhook-Event': topic.slice(topic.indexOf('.') + 1),
      'X-WC-Webhook-Signature': signature,
      'X-WC-Webhook-ID': webhookId,
      'X-WC-Webhook-Delivery-ID': deliveryId(webhookId, now),
    }),
    Connection: 'close',
    'Content-Length': body.length,
  };
  const answers: DeliveryAnswer[] = [];
  for (let turn = 0; turn < times; turn += 1) answers.push(await post(target, headers, body));
  return answers;
}

function bodyOf(store: Store, { topic, orderId, refundId }: WooDelivery): unknown {
  const id = Number(orderId);
  if (topic.startsWith('action.')) {
    const aboutRefund = topic.startsWith('action.woocommerce_refund_');
    return { action: topic.slice('action.'.length), arg: aboutRefund ? Number(refundId) : id };
  }
  if (topic === 'order.deleted') return { id };
  return (
    store.order(orderId) ?? {
      code: 'woocommerce_rest_shop_order_invalid_id',
      message: 'Invalid ID.',
      data: { status: 404 },
    }
  );
}

function deliveryId(webhookId: string, now: Date): string {
  return createHash('md5')
    .update(`${webhookId}${Math.floor(now.getTime() / 1000)}`)
    .digest('hex');
}

function post(
  target: string,
  headers: Record<string, string | number>,
  body: Buffer,
): Promise<DeliveryAnswer> {
  return new Promise((resolve, reject) => {
    request(target, { method: 'POST', headers }, async (answer) => {
      try {
        let text = '';
        for await (const part of answer.setEncoding('utf8')) text += part;
        resolve({ status: answer.statusCode ?? 0, body: text });
      } catch (error) {
        reject(error);
      }
    })
      .on('error', reject)
      .end(body);
  });
}
