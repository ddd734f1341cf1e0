import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listenOnLoopback, readText } from './loopback.ts';
import { appRoot } from './shopify/app.ts';
import { openPoints, plenty } from './shopify/bucket.ts';
import { answerGraphql, buildAdminSchema } from './shopify/execute.ts';
import { authorize } from './shopify/install-page.ts';
import { refundOrder } from './shopify/refund-order.ts';
import { rootOf } from './shopify/root.ts';
import type { SeenRequest, ShopifyShop, ShopifyShopOptions, ShopifyTrouble } from './shopify/shop.ts';
import { openStore, type StoredOrder } from './shopify/store.ts';
import { openTokens } from './shopify/tokens.ts';
import { sendEvent, sendWebhook, webhookBody } from './shopify/webhook.ts';

export type { ShopifyShop, ShopifyShopOptions, ShopifyTrouble } from './shopify/shop.ts';

/** Opens the shop on a free port of 127.0.0.1 (or `port`). */
export async function openShopifyShop(options: ShopifyShopOptions): Promise<ShopifyShop> {
  const clock = options.clock ?? { now: () => new Date() };
  const store = openStore(options.orders, clock);
  store.pinnedByOthers = options.pinnedByOthers ?? 0;
  const schema = options.schema ?? (options.schemaSdl ? buildAdminSchema(options.schemaSdl) : null);
  const requests: SeenRequest[] = [];
  const troubles: { next: ShopifyTrouble; operation: string | undefined }[] = [];
  let hangs = false;
  const tokens = openTokens(options, () => clock.now());
  const points = openPoints(options.points ?? plenty);
  let lastId = 7_200_000_000_000;

  function existing(id: string | number): StoredOrder {
    const order = store.order(String(id));
    if (!order) throw new Error(`The shop emulator has no order ${id}; put it first.`);
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
    if (request.method === 'GET' && request.url?.startsWith('/admin/oauth/authorize?')) {
      note('authorize', true);
      const { status, location } = authorize(request.url, options, tokens, clock.now());
      return write(response, status, '', location === null ? {} : { location });
    }
    if (request.method !== 'POST' || !/^\/admin\/api\/[^/]+\/graphql\.json$/.test(request.url ?? ''))
      return write(response, 404, { errors: 'Not Found' });
    const token = String(request.headers['x-shopify-access-token'] ?? '');
    const authorized = tokens.knows(token);
    const operation = /(?:query|mutation)\s+(\w+)/.exec(String(body.query))?.[1] ?? 'anonymous';
    note(operation, authorized);
    if (hangs) return;
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
      {
        ...rootOf(store, withheld, options.variants),
        ...appRoot(options, tokens, options.subscriptions),
      },
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
    hang(now) {
      hangs = now;
    },
    revokeTokens: tokens.revoke,
    uninstall: tokens.uninstall,
    install: tokens.install,
    notify: (targetUrl, event) => sendEvent(options.shop, targetUrl, event, clock.now()),
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
