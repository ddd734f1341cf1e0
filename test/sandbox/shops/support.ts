import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import OAuth from 'oauth-1.0a';
import { onTestFinished } from 'vitest';
import { openWooCommerceShop, type WooCommerceShop } from '../../../sandbox/shops/woocommerce-shop.ts';
import { keys } from '../../adapters/woocommerce/shop.ts';

/** A request as it came, byte for byte. */
export interface Cursor {
  rawHeaders: string[];
  headers: Record<string, string | undefined>;
  body: Buffer;
}

/** Hears what a shop sends and answers by turns; a redirect leads nowhere. Ends with the test. */
export async function openReceiver(
  answer: (turn: number) => number = () => 200,
): Promise<{ url: string; received: Cursor[] }> {
  const received: Cursor[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const status = answer(received.length);
    received.push({ rawHeaders: request.rawHeaders, headers, body: Buffer.concat(parts) });
    response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hooks/woo`, received };
}

/** A shop whose clock the test sets, in UTC without Z as WooCommerce writes it. */
export async function openShop(orders: unknown[] = []) {
  let now = new Date('2026-11-20T10:06:26Z');
  const shop = await openWooCommerceShop({ orders, ...keys, clock: { now: () => now } });
  onTestFinished(() => shop.close());
  const set = (time: string) => {
    now = new Date(`${time}Z`);
  };
  return { shop, set };
}

const oauth = new OAuth({
  consumer: { key: keys.consumerKey, secret: keys.consumerSecret },
  signature_method: 'HMAC-SHA256',
  hash_function: (base, key) => createHmac('sha256', key).update(base).digest('base64'),
});

/** The address of one call below `/wp-json/wc/v3/`, signed for this method and good for one use. */
export function signedUrl(shop: WooCommerceShop, method: string, path: string): URL {
  const url = new URL(`${shop.url}/wp-json/wc/v3/${path}`);
  const parameters = oauth.authorize({ url: url.href, method });
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value));
  return url;
}

/** One signed call, for what no client of ours does. */
export async function call(shop: WooCommerceShop, method: string, path: string, body?: unknown) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(signedUrl(shop, method, path), {
    method,
    ...(body !== undefined && body !== null && { headers, body: JSON.stringify(body) }),
  });
  return { status: answer.status, headers: answer.headers, json: (await answer.json()) as unknown };
}

/** The secret of the recorded shop (recordings/README.md). */
const secret = 'whsec_tienda_quito_2026';
const order = { id: 5, status: 'processing', total: '1.00', meta_data: [], refunds: [] };

/** A shop with one webhook for each topic, and who hears them. */
export async function openHooks(topics: readonly string[], answers: (turn: number) => number = () => 200) {
  const { shop, set } = await openShop([order]);
  const receiver = await openReceiver(answers);
  const make = (topic: string, more: object = {}) =>
    call(shop, 'POST', 'webhooks', { name: 'w', topic, delivery_url: receiver.url, secret, ...more });
  for (const topic of topics) await make(topic);
  const received = () => receiver.received.map(({ headers }) => headers['x-wc-webhook-topic'] ?? 'ping');
  return { shop, receiver, make, received, set };
}

/**
 * An answer without what cannot be alike: ids the shop gave are numbered as they come, the host is left out, and
 * so is the time of the last change, which may be a second later than the refund.
 */
export function comparable(json: unknown, order: unknown): unknown {
  const sold = new Set([...JSON.stringify(order).matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id)));
  const given = new Map<number, string>();
  const name = (id: number) => {
    if (sold.has(id)) return id;
    if (!given.has(id)) given.set(id, `given ${given.size + 1}`);
    return given.get(id);
  };
  return JSON.parse(JSON.stringify(json), (key, value) => {
    if (key === 'id' && typeof value === 'number') return name(value);
    if (key.startsWith('date_modified')) return 'changed';
    if (key !== 'href') return value;
    return String(value)
      .replace(/^http:\/\/[^/]+/, '')
      .replace(/refunds\/\d+$/, 'refunds/…');
  });
}

/** When the shop made what it answered: the newest refund, or the order itself. */
export function timeOf(json: unknown): string | undefined {
  const first = (Array.isArray(json) ? json[0] : json) as Record<string, string> | undefined;
  return first?.date_modified_gmt ?? first?.date_created_gmt;
}

/** Of the connection, not of the shop. */
const ofTheWire = ['host', 'connection', 'date', 'keep-alive', 'transfer-encoding', 'content-length'];

/** The headers by which an answer can be compared: without host, signature and the shop's ids. */
export function comparableHeaders(headers: Headers | Record<string, string>): Record<string, string> {
  const all = headers instanceof Headers ? [...headers] : Object.entries(headers);
  return Object.fromEntries(
    all
      .filter(([name]) => !ofTheWire.includes(name))
      .map(([name, value]) => [
        name,
        value
          .replace(/http:\/\/[^/]+/g, '')
          // Of a link's query only the page it leads to: the shop adds its defaults, and the caller's signature.
          .replace(/\?[^>]*?\b(?<!per_)(page=\d+)[^>]*/g, '?$1')
          .replace(/\/\d+$/, '/…'),
      ]),
  );
}
