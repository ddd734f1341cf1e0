import { z } from 'zod';
import { ShopError } from '../../src/domain/errors.ts';
import { readJson } from '../../src/domain/json.ts';
import type { ShopContext } from '../../src/domain/platform.ts';
import type { BuyerRequest, ShopEvent, ToldEvent } from '../../src/domain/shop-event.ts';
import { missingScopes, readAppScopes } from './app-scopes.ts';
import { openClient } from './client.ts';
import { requiredScopes } from './scopes.ts';
import { type App, Connection } from './settings.ts';
import { readAny } from './tokens/record.ts';

const id = z.union([z.string().max(40).regex(/^\d+$/), z.int().positive()]).transform(String);
const word = z.string().max(1_000).trim().min(1).nullish().catch(null);
const buyer = z.object({ email: word, phone: word }).nullish();
/** The compliance topics name the shop in the body, which is signed (Shopify’s page on mandatory webhooks). */
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

type Handler = (body: unknown, event: ToldEvent, store: Store, context: ShopContext) => Promise<ShopEvent>;

/** By topic. Header and body must name the same shop: the header is not signed. */
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

/** See Platform.onEvent. Throws ShopError while Shopify cannot be asked. */
export async function onEvent(event: ToldEvent, store: Store, context: ShopContext): Promise<ShopEvent> {
  const handler = handlers[event.topic];
  const body = parse(event.body);
  if (!handler || body === undefined) return { kind: 'nothing', reason: 'The body is not as documented.' };
  try {
    return await handler(body, event, store, context);
  } catch (error) {
    if (error instanceof z.ZodError) return { kind: 'nothing', reason: 'The body is not as documented.' };
    throw error;
  }
}

function ofShop(signed: string, { shop }: ToldEvent): ShopEvent | null {
  if (signed === shop) return null;
  return { kind: 'nothing', reason: 'The signed body is of another shop than the header says.' };
}

/** See Platform.buyerRequests. */
export const buyerRequests = {
  topics: ['customers/data_request', 'customers/redact', 'shop/redact'],
  read: readBuyerRequest,
};

function readBuyerRequest({ topic, shop, body }: ToldEvent): BuyerRequest | null {
  // Of everybody in the shop, so of nobody.
  if (topic === 'shop/redact') return null;
  const { data } = BuyerBody.safeParse(parse(body));
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

function buyerEvent(event: ToldEvent): ShopEvent {
  const asked = readBuyerRequest(event);
  if (!asked) return { kind: 'nothing', reason: 'The body is of another shop, or not as documented.' };
  return { kind: asked.wants === 'data' ? 'buyer-asked' : 'forget-buyer', buyer: asked.buyer };
}

/**
 * Takes the tokens of a shop away, but only when they are dead: what says "uninstalled" may come late, twice, or after
 * the shop has installed again.
 */
async function endAccess(
  shop: string,
  { connection, app }: Store,
  context: ShopContext,
  ended: ShopEvent,
): Promise<ShopEvent> {
  if (app === null) return { kind: 'nothing', reason: 'The app is no longer configured.' };
  const client = openClient(app, connection ?? anyConnection(shop), context);
  try {
    await readAppScopes(client);
    return { kind: 'nothing', reason: 'The shop still lets the app in: it has installed it again.' };
  } catch (error) {
    if (!(error instanceof ShopError) || !error.disconnected) throw error;
  }
  const { credentials } = context;
  return credentials.alone(shop, async () => {
    const kept = readAny(await credentials.get(shop));
    if (kept === null) return ended;
    // A token of another app says nothing about this one.
    if (kept.install.clientId !== app.clientId)
      return { kind: 'nothing', reason: 'The access that is kept of the shop was given to another app.' };
    // Not marked as lost: the merchant has installed again since we looked.
    if (kept.install.lostAt === null)
      return { kind: 'nothing', reason: 'The shop has just installed the app again.' };
    await credentials.remove(shop);
    return ended;
  });
}

/** The body may be old; the shop itself says what the app may do now. */
async function newScopes(shop: string, { connection, app }: Store, context: ShopContext): Promise<ShopEvent> {
  if (app === null) return { kind: 'nothing', reason: 'The app is no longer configured.' };
  const granted = await readAppScopes(openClient(app, connection ?? anyConnection(shop), context));
  const { credentials } = context;
  await credentials.alone(shop, async () => {
    const kept = readAny(await credentials.get(shop));
    if (kept?.install.clientId === app.clientId)
      await credentials.put(shop, { ...kept.install, scopes: granted }, kept.version);
  });
  const productDetails = connection?.productDetails ?? app.productDetails;
  return { kind: 'access-changed', missing: missingScopes(requiredScopes({ productDetails }), granted) };
}

function anyConnection(shop: string): Connection {
  return Connection.parse({ app: 'none', shop });
}

function parse(body: Uint8Array): unknown {
  try {
    return readJson(Buffer.from(body).toString('utf8'));
  } catch {
    return undefined;
  }
}
