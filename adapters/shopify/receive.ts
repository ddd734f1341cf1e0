import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { readJsonHead, tryReadJson } from '../../src/domain/loose.ts';
import type { RawDelivery, Receipt } from '../../src/domain/platform.ts';
import { eventTopics } from './events.ts';
import { type App, shopDomain } from './settings.ts';

/**
 * Shopify does not sign the headers, so the job reads the order with that shop's own token.
 * Not by the library's `webhooks.validate`: docs/adr/0005.
 */
export async function receive(delivery: RawDelivery, app: App | null): Promise<Receipt> {
  const { headers, body } = delivery;
  if (app === null)
    return refused(401, 'No Shopify app is configured at this address; check `apps` in the config.');
  const signature = headers['x-shopify-hmac-sha256'];
  if (!signature) return refused(401, 'The header X-Shopify-Hmac-Sha256 is missing.');
  const shop = headers['x-shopify-shop-domain']?.toLowerCase();
  const topic = headers['x-shopify-topic']?.toLowerCase();
  if (!isSigned(body, signature, app.clientSecrets))
    return {
      ...refused(
        401,
        'The signature does not match any client secret of the app. Webhooks made in Settings > Notifications use another secret and do not belong here.',
      ),
      ...(topic && Object.hasOwn(orderIds, topic) && { shop }),
    };
  if (!shop || !shopDomain.test(shop))
    return refused(400, 'The header X-Shopify-Shop-Domain names no *.myshopify.com domain.');
  // Unique per delivery. The Event-Id is shared by all topics of one action and would drop orders/paid.
  const dedupeKey = headers['x-shopify-webhook-id'];
  if (!topic || !dedupeKey) return refused(400, 'X-Shopify-Topic or X-Shopify-Webhook-Id is missing.');
  if (eventTopics.includes(topic)) return { kind: 'event', topic, shop, dedupeKey };
  const readId = orderIds[topic];
  if (!readId) return { kind: 'ignored', topic, reason: 'The topic carries no order to sync.' };
  // All bodies except that of orders/edited begin with the id.
  const orderId = readId(readJsonHead(body)) ?? readId(tryReadJson(body));
  if (orderId === null) return { kind: 'ignored', topic, reason: 'The body names no order.' };
  return { kind: 'hint', topic, shop, orderId, dedupeKey };
}

function refused(status: 400 | 401, reason: string): Extract<Receipt, { kind: 'refused' }> {
  return { kind: 'refused', status, reason };
}

function isSigned(body: Uint8Array, signature: string, secrets: readonly string[]): boolean {
  const given = Buffer.from(signature);
  return secrets.some((secret) => {
    const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('base64'));
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
}

const digits = z.union([z.string().max(40).regex(/^\d+$/), z.int().positive()]).transform(String);
const globalId = z
  .string()
  .max(300)
  .transform((gid, context) => {
    const id = /^gid:\/\/shopify\/Order\/(\d+)$/.exec(gid)?.[1];
    if (id === undefined) context.addIssue('is no order id');
    return id ?? z.NEVER;
  });
const OrderBody = z.union([z.object({ admin_graphql_api_id: globalId }), z.object({ id: digits })]);
const EditBody = z.object({ order_edit: z.object({ order_id: digits }) });
const RefundBody = z.object({ order_id: digits });

function ofOrder(body: unknown): string | null {
  const read = OrderBody.safeParse(body).data;
  if (!read) return null;
  return 'admin_graphql_api_id' in read ? read.admin_graphql_api_id : read.id;
}

const orderIds: Record<string, ((body: unknown) => string | null) | undefined> = {
  'orders/paid': ofOrder,
  'orders/updated': ofOrder,
  'orders/cancelled': ofOrder,
  'orders/delete': ofOrder,
  'orders/edited': (body) => EditBody.safeParse(body).data?.order_edit.order_id ?? null,
  'refunds/create': (body) => RefundBody.safeParse(body).data?.order_id ?? null,
};

export const orderTopics: readonly string[] = Object.keys(orderIds);
