import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { decode } from 'html-entities';
import { z } from 'zod';
import { id, readJsonHead, tryReadJson } from '../../src/domain/loose.ts';
import type { RawDelivery, Receipt } from '../../src/domain/platform.ts';
import type { Credentials } from '../../src/domain/shop-identity.ts';
import { word } from '../../src/domain/text.ts';
import { readCredentials } from './credentials.ts';
import { errorCodeOf } from './errors.ts';
import type { Connection } from './settings.ts';

const orderBody = z.object({ id, status: word.optional() });
const orderHead = z.object({ id: z.unknown(), status: word });
const actionBody = z.object({ action: word, arg: id });

/** A webhook carries the first argument of an action only, which must be an order (measured on WooCommerce 11.0.1). */
const orderAction =
  /^woocommerce_(payment_complete|order_(?!note|item)|(new|update|trash|untrash|delete|cancelled)_order$)/;

/** The topic is not signed, and orders of one second share a delivery id (measured on WooCommerce 11.0.1). */
export async function receive(
  delivery: RawDelivery,
  connection: Connection | null,
  credentials?: Credentials,
): Promise<Receipt> {
  const signature = delivery.headers['x-wc-webhook-signature'];
  if (signature === undefined)
    return isPing(delivery) ? { kind: 'ping' } : refused('No X-WC-Webhook-Signature header and not a ping.');
  if (connection === null) return refused('No WooCommerce store is configured at this address.');
  const fits = (secrets: readonly string[]) => isSigned(delivery.body, signature, secrets);
  const genuine =
    fits(connection.webhookSecrets) ||
    (credentials !== undefined && fits((await readCredentials(credentials, connection.url)).secrets));
  const topic = delivery.headers['x-wc-webhook-topic'] ?? '';
  if (!genuine)
    return {
      ...refused(
        'The signature fits no secret of this store; copy the secret of the webhook again, or run facturapuente install.',
      ),
      ...(topic.startsWith('order.') && isFrom(connection.url, delivery) && { shop: connection.url }),
    };

  const ignored = (reason: string): Receipt => ({ kind: 'ignored', topic, reason });
  const hint = (orderId: string, hasState = false): Receipt => {
    const digest = createHash('sha256').update(delivery.body);
    // A body that is only an id is the same for every event; the delivery id differs by the second.
    if (!hasState) digest.update(delivery.headers['x-wc-webhook-delivery-id'] ?? '');
    return {
      kind: 'hint',
      topic,
      shop: connection.url,
      orderId,
      dedupeKey: `${topic}:${digest.digest('hex')}`,
      ...(!connection.apiAccess && { isOnlySource: true }),
    };
  };
  // With API access the order is read from the shop, which an uninstalled store refuses (credentials.ts).
  if (!connection.apiAccess && credentials !== undefined) {
    const { uninstalled } = await readCredentials(credentials, connection.url);
    if (uninstalled) return ignored('The store is uninstalled.');
  }
  const body = orderHead.safeParse(readJsonHead(delivery.body)).data ?? tryReadJson(delivery.body);
  if (body === undefined) return ignored('The body is not JSON.');

  if (!topic.startsWith('order.')) {
    const action = actionBody.safeParse(body).data;
    if (!action) return ignored('The topic is not about orders.');
    return orderAction.test(action.action)
      ? hint(action.arg)
      : ignored(`The argument of ${action.action} is no order id.`);
  }
  const order = orderBody.safeParse(body);
  if (!order.success) {
    // Signed, but without an order: it was deleted meanwhile (404), or the webhook's owner lost his rights (403).
    const code = errorCodeOf(body);
    return ignored(`No order id inside${code === null ? '' : `: the shop says ${code}`}.`);
  }
  const { id, status } = order.data;
  if (status === 'checkout-draft' || status === 'auto-draft') return ignored(`Order ${id} is still a draft.`);
  return hint(id, status !== undefined);
}

const refused = (reason: string) => ({ kind: 'refused', status: 401, reason }) as const;

const isFrom = (url: string, { headers }: RawDelivery): boolean =>
  URL.parse(headers['x-wc-webhook-source'] ?? '')?.host === new URL(url).host;

/** Sent when a webhook is made or its address changes: a form without signature (measured on WooCommerce 11.0.1). */
function isPing({ headers, body }: RawDelivery): boolean {
  if (!headers['content-type']?.startsWith('application/x-www-form-urlencoded')) return false;
  return body.byteLength < 64 && /^webhook_id=\d+$/.test(Buffer.from(body).toString('latin1'));
}

/** WooCommerce signs with the HTML-decoded secret, so one that contains `&amp;` is tried both ways. */
function isSigned(body: Uint8Array, signature: string, secrets: readonly string[]): boolean {
  const given = Buffer.from(signature, 'base64');
  const keys = secrets.flatMap((secret) => [...new Set([secret, decode(secret, { level: 'xml' })])]);
  return keys.some((key) => {
    const expected = createHmac('sha256', key).update(body).digest();
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
