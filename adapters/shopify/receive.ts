import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { ShopError } from '../../src/domain/errors.ts';
import { readJsonHead, tryReadJson } from '../../src/domain/loose.ts';
import type {
  BuyerRequest,
  RawDelivery,
  Receipt,
  ReportedEvent,
  ShopContext,
  ShopEvent,
} from '../../src/domain/platform.ts';
import { readAppScopes } from './client.ts';
import { openShopClient, readAnyInstall } from './credentials.ts';
import { type App, Connection, missingScopes, requiredScopes, shopDomain } from './settings.ts';

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

const id = z.union([z.string().max(40).regex(/^\d+$/), z.int().positive()]).transform(String);
const word = z.string().max(1_000).trim().min(1).nullish().catch(null);
const buyer = z.object({ email: word, phone: word }).nullish();
/** In the signed body, unlike the header (Shopify’s page on mandatory webhooks). */
const shop_domain = z.string().max(300).toLowerCase();

const Uninstalled = z.object({ myshopify_domain: shop_domain });
const BuyerBody = z.object({
  shop_domain,
  customer: buyer,
  orders_requested: z.array(id).default([]),
  orders_to_redact: z.array(id).default([]),
});
const ShopRedact = z.object({ shop_domain });

interface Store {
  connection: Connection | null;
  app: App | null;
}

type Handler = (
  body: unknown,
  event: ReportedEvent,
  store: Store,
  context: ShopContext,
) => Promise<ShopEvent>;

/** By topic. The unsigned header and the signed body must name the same shop. */
const handlers: Readonly<Record<string, Handler | undefined>> = {
  'app/uninstalled': async (body, event, store, context) =>
    ofShop(Uninstalled.parse(body).myshopify_domain, event) ??
    (await endAccess(event.shop, store, context, { kind: 'access-ended' })),
  'app/scopes_update': (_body, event, store, context) => newScopes(event.shop, store, context),
  'customers/data_request': async (_body, event) => buyerEvent(event),
  'customers/redact': async (_body, event) => buyerEvent(event),
  'shop/redact': async (body, event, store, context) =>
    ofShop(ShopRedact.parse(body).shop_domain, event) ??
    (await endAccess(event.shop, store, context, { kind: 'forget-shop' })),
};

export const eventTopics: readonly string[] = Object.keys(handlers);

export async function onEvent(event: ReportedEvent, store: Store, context: ShopContext): Promise<ShopEvent> {
  const handler = handlers[event.topic];
  const body = tryReadJson(event.body);
  const undocumented: ShopEvent = { kind: 'nothing', reason: 'The body is not as documented.' };
  if (!handler || body === undefined) return undocumented;
  try {
    return await handler(body, event, store, context);
  } catch (error) {
    if (error instanceof z.ZodError) return undocumented;
    throw error;
  }
}

function ofShop(signed: string, { shop }: ReportedEvent): ShopEvent | null {
  if (signed === shop) return null;
  return { kind: 'nothing', reason: 'The signed body names another shop than the header.' };
}

export const buyerRequests = {
  topics: ['customers/data_request', 'customers/redact', 'shop/redact'],
  read: readBuyerRequest,
};

function readBuyerRequest({ topic, shop, body }: ReportedEvent): BuyerRequest | null {
  if (topic === 'shop/redact') return null;
  const { data } = BuyerBody.safeParse(tryReadJson(body));
  if (data?.shop_domain !== shop) return null;
  const { customer, orders_requested, orders_to_redact } = data;
  return {
    wants: topic === 'customers/redact' ? 'forgetting' : 'data',
    buyer: {
      orders: [...orders_requested, ...orders_to_redact],
      email: customer?.email ?? null,
      phone: customer?.phone ?? null,
    },
  };
}

function buyerEvent(event: ReportedEvent): ShopEvent {
  const asked = readBuyerRequest(event);
  if (!asked) return { kind: 'nothing', reason: 'The body is of another shop, or not as documented.' };
  return { kind: asked.wants === 'data' ? 'buyer-asked' : 'forget-buyer', buyer: asked.buyer };
}

/** "uninstalled" may come late, twice, or after the shop has installed the app again. */
async function endAccess(
  shop: string,
  { connection, app }: Store,
  context: ShopContext,
  ended: ShopEvent,
): Promise<ShopEvent> {
  if (app === null) return { kind: 'nothing', reason: 'The app is no longer configured.' };
  const client = openShopClient(app, connection ?? anyConnection(shop), context);
  try {
    await readAppScopes(client);
    return { kind: 'nothing', reason: 'The app still has access: the shop has installed it again.' };
  } catch (error) {
    if (!(error instanceof ShopError) || !error.disconnected) throw error;
  }
  const { credentials } = context;
  return credentials.alone(shop, async () => {
    const stored = readAnyInstall(await credentials.get(shop));
    if (stored === null) return ended;
    if (stored.install.clientId !== app.clientId)
      return { kind: 'nothing', reason: 'The stored access was granted to another app.' };
    // Not marked as lost: the merchant has installed the app again since.
    if (stored.install.lostAt === null)
      return { kind: 'nothing', reason: 'The shop has just installed the app again.' };
    await credentials.remove(shop);
    return ended;
  });
}

async function newScopes(shop: string, { connection, app }: Store, context: ShopContext): Promise<ShopEvent> {
  if (app === null) return { kind: 'nothing', reason: 'The app is no longer configured.' };
  const granted = await readAppScopes(openShopClient(app, connection ?? anyConnection(shop), context));
  const { credentials } = context;
  await credentials.alone(shop, async () => {
    const stored = readAnyInstall(await credentials.get(shop));
    if (stored?.install.clientId === app.clientId)
      await credentials.put(shop, { ...stored.install, scopes: granted }, stored.version);
  });
  const productDetails = connection?.productDetails ?? app.productDetails;
  return { kind: 'access-changed', missing: missingScopes(requiredScopes({ productDetails }), granted) };
}

function anyConnection(shop: string): Connection {
  return Connection.parse({ app: 'none', shop });
}
