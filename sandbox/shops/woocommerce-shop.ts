import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { listenOnLoopback, readText } from './loopback.ts';
import { openKeyring } from './woocommerce/keyring.ts';
import { newRefund } from './woocommerce/refund.ts';
import { answerRest, fail, type RestAnswer } from './woocommerce/rest.ts';
import { headersOf } from './woocommerce/rest-headers.ts';
import type { SeenRequest, ShopOptions, Trouble, WooCommerceShop } from './woocommerce/shop.ts';
import { openStore, orderChange, type StoredOrder } from './woocommerce/store.ts';
import { apiIndex, defaultSystem, siteIndex, systemStatus, taxSetting } from './woocommerce/system.ts';
import { openWcAuth } from './woocommerce/wc-auth.ts';
import { bodyOf, sendWebhook } from './woocommerce/webhook.ts';
import { openWebhooks } from './woocommerce/webhooks.ts';
import { toWordPressJson } from './woocommerce/wordpress-json.ts';

export type * from './woocommerce/shop.ts';

/**
 * Opens the shop on a free port of 127.0.0.1 (or `port`), over TLS with a certificate. `orders` are wc/v3 orders with
 * numeric ids; `host` is what is in front of WordPress.
 */
export async function openWooCommerceShop(options: ShopOptions): Promise<WooCommerceShop> {
  const clock = options.clock ?? { now: () => new Date() };
  let home = '';
  const webhooks = openWebhooks(clock, { home: () => home, body: (topic, arg) => bodyOf(store, topic, arg) });
  const store = openStore(options.orders, clock, webhooks.happened, options);
  const host = {
    knowsTls: options.tls !== undefined,
    signsOwnName: true,
    stripsAuthorization: false,
    oneWorker: false,
    ...options.host,
  };
  const keyring = openKeyring(options, host);
  const wcAuth = openWcAuth(() => home, keyring.add);
  const system = { storeId: randomUUID(), ...defaultSystem, ...options.system };
  const requests: SeenRequest[] = [];
  let line = Promise.resolve();
  const troubles: { next: Trouble; method: string | undefined }[] = [];
  let hangs = false;
  let pages: RequestListener | undefined;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', home);
    const method = request.method ?? 'GET';
    const text = await readText(request);
    const isJson = text !== '' && request.headers['content-type']?.startsWith('application/json');
    const json = isJson ? JSON.parse(text) : null;
    const called = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const error = keyring.check(method, host.signsOwnName ? url : called, request.headers);
    const path = url.pathname.replace(/^\/wp-json\/wc\/v3\//, '');
    const { searchParams: query } = url;
    requests.push({ method, path, query, headers: request.headers, body: json, authorized: error === null });

    const turn = troubles.findIndex((each) => each.method === undefined || each.method === method);
    const trouble = turn < 0 ? undefined : troubles.splice(turn, 1)[0]?.next;
    if (hangs || trouble === 'hang') return;
    const slow = typeof trouble === 'object' && 'until' in trouble ? trouble : null;
    if (slow?.before === 'acting') await slow.until;
    response.setHeader('date', clock.now().toUTCString());
    if (typeof trouble === 'object' && 'status' in trouble) return write(response, trouble);
    response.setHeaders(new Map(headersOf(home, url)));
    const isIndex =
      method === 'GET' && url.pathname === '/wp-json/wc/v3' && !url.searchParams.has('oauth_nonce');
    const isSite = method === 'GET' && url.pathname === '/wp-json/';
    const open = isSite ? siteIndex(home) : isIndex ? apiIndex : await wcAuth.answer(url);
    const answer =
      open ??
      (error !== null
        ? fail(error)
        : path === 'system_status'
          ? systemStatus(home, url, system)
          : path === 'settings/general/woocommerce_calc_taxes'
            ? taxSetting(system)
            : await answerRest({ store, webhooks, home, storage: system.storage }, { method, url, json }));
    if (slow?.before === 'answering') await slow.until;
    if (trouble === 'lost') response.destroy();
    else write(response, answer);
  }

  const server = await listenOnLoopback(
    (request, response) => {
      if (pages && !/^\/(wp-json|wc-auth)(\/|\?|$)/.test(request.url ?? '')) return pages(request, response);
      const turn = () =>
        serve(request, response).catch(() => write(response, { status: 400, body: 'Bad request' }));
      line = host.oneWorker ? line.then(turn) : turn();
    },
    options.port,
    options.tls,
  );
  home = options.home ?? server.url;

  const existing = (id: string | number): StoredOrder => {
    const order = store.order(String(id));
    if (order === undefined) throw new Error(`The shop has no order ${id}.`);
    return order;
  };

  const shop: WooCommerceShop = {
    get url() {
      return home;
    },
    origin: server.url,
    system,
    move(to) {
      home = to;
    },
    requests,
    order: (id) => structuredClone(store.order(String(id))),
    notes: (id) => structuredClone(store.notes(String(id))),
    refunds: (id) => structuredClone(store.refunds.list(String(id))),
    put: store.put,
    backup: store.backup,
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
    hang(now) {
      hangs = now;
    },
    deliver: (target, secret, delivery) =>
      sendWebhook(store, { home, target, secret }, delivery, clock.now()),
    close: server.close,
  };
  pages = options.pages?.(shop);
  return shop;
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
