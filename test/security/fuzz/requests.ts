import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Chance } from './chance.ts';
import { hostileText, mutated, oneOff, spoiled } from './mutate.ts';
import type { Route } from './routes.ts';
import { assistantHeaders, type Stage, type Tenant } from './stage.ts';

export interface FuzzRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
  /** Whether it is of somebody who may see what the shop sold: signed in, and not limited to another store. */
  seesAll: boolean;
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'REPORT'];
/** Far more than any real page takes. */
const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024));
const boundary = 'limite';

/** A password costs a third of a second of hashing, which is not what requests at random are for. */
const signInShare = 0.1;

/** A request at one of the routes: mostly almost right, for what is all wrong is refused at once. */
export function makeRequest(stage: Stage, chance: Chance): FuzzRequest {
  const drawn = chance.one(stage.routes);
  const isSignIn = drawn.path === '/panel/entrar';
  const route = isSignIn && !chance.often(signInShare) ? chance.one(stage.routes) : drawn;
  const known = route.methods.length > 0 ? route.methods : ['GET', 'HEAD', 'POST'];
  const method = chance.often(0.85) ? chance.one(known).toUpperCase() : chance.one(methods);
  const tenant = chance.often(0.4) ? stage.limited : stage.whole;
  const bodied = !['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method) || chance.often(0.05);
  const body = bodied ? makeBody(stage, chance, route) : null;
  const headers: Record<string, string> = {
    host: new URL(stage.url).host,
    ...(body && bodyHeaders(chance)),
    ...(chance.often(0.5) ? signatures(stage, body?.bytes ?? Buffer.alloc(0), chance) : {}),
    ...(chance.often(0.3) ? oddHeaders(stage, chance) : {}),
    ...(route.path === '/mcp' && chance.often(0.8) ? assistantHeaders(tenant.token) : {}),
    // Who signs out is not signed in for the rest.
    ...(route.path.startsWith('/panel') && !route.path.endsWith('/salir') && chance.often(0.8)
      ? signedIn(tenant)
      : {}),
  };
  if (body?.encoding) headers['content-encoding'] = body.encoding;
  return {
    method,
    path: makePath(route, stage, chance),
    headers: printable(headers),
    body: body?.bytes ?? null,
    seesAll: tenant === stage.whole && route.path.startsWith('/panel'),
  };
}

function makePath({ path }: Route, stage: Stage, chance: Chance): string {
  const filled = path.replace(/[:*]([A-Za-z]+)/g, (_, name: string) => {
    const fitting = stage.values.get(name) ?? stage.tokens;
    const value = chance.often(0.8) ? chance.one(fitting) : chance.one(stage.tokens);
    if (chance.often(0.5)) return value;
    return chance.often(0.7) ? oneOff(value, chance) : encodeURIComponent(wellFormed(hostileText(chance)));
  });
  const bent = chance.often(0.1)
    ? chance.one([
        `${filled}/`,
        `/${filled}`,
        `${filled}/..%2f..%2fsecret.key`,
        `${filled}%00`,
        `${filled}/%ff`,
        filled.toUpperCase(),
        `${filled}.pdf`,
        `${filled}/__proto__`,
        `${filled}/${'a/'.repeat(400)}`,
      ])
    : filled;
  return `${bent}${chance.often(0.5) ? query(stage, chance) : ''}`;
}

function query(stage: Stage, chance: Chance): string {
  const names = ['do', 'shop', 'hmac', 'code', 'state', 'timestamp', 'host', 'store', 'ticket', 'q', 'date'];
  const one = () => {
    const name = chance.one([...names, 'do[]', 'shop[__proto__]', '__proto__', 'page', 'month', '%ff']);
    const value = chance.often(0.5)
      ? chance.one([...stage.queryValues, ...stage.tokens])
      : hostileText(chance);
    return `${name}=${encodeURIComponent(wellFormed(value))}`;
  };
  return `?${Array.from({ length: 1 + chance.below(4) }, one).join('&')}`;
}

const signedIn = ({ panel }: Tenant) => ({ cookie: panel.cookie, 'sec-fetch-site': 'same-origin' });

function makeBody(stage: Stage, chance: Chance, { path }: Route): { bytes: Buffer; encoding?: string } {
  if (path === '/mcp' && chance.often(0.9)) {
    const message = chance.one(stage.messages);
    return { bytes: Buffer.from(JSON.stringify(chance.often(0.6) ? mutated(message, chance) : message)) };
  }
  if (path.startsWith('/panel') && chance.often(0.8)) return { bytes: form(stage, chance) };
  if (chance.often(0.01)) return { bytes: Buffer.alloc(3 * 1024 * 1024, 'x') };
  if (chance.often(0.02)) return { bytes: bomb, encoding: 'gzip' };
  if (chance.often(0.05)) return { bytes: multipart(chance) };
  if (chance.often(0.25)) return { bytes: form(stage, chance) };
  const value = chance.one(stage.bodies);
  const text = JSON.stringify(chance.often(0.7) ? mutated(value, chance) : value);
  const encoding = chance.often(0.03) ? chance.one(['gzip', 'br', 'deflate', 'x-unknown']) : undefined;
  const bytes = chance.often(0.3) ? spoiled(text, chance) : Buffer.from(text);
  return encoding === undefined ? { bytes } : { bytes, encoding };
}

function form(stage: Stage, chance: Chance): Buffer {
  const fields = Object.entries(chance.one(stage.forms)).map(([name, value]) => {
    const said = chance.often(0.4) ? hostileText(chance) : value;
    return `${encodeURIComponent(wellFormed(name))}=${encodeURIComponent(wellFormed(said))}`;
  });
  if (chance.often(0.2)) fields.push(chance.one(['__proto__[a]=1', 'tipo[]=ruc', '%', '&&=&', 'a=%ff']));
  return Buffer.from(fields.join('&'));
}

function multipart(chance: Chance): Buffer {
  const part = `--${boundary}\r\nContent-Disposition: form-data; name="${hostileText(chance)}"; filename="a"\r\n\r\nx\r\n`;
  return Buffer.from(
    chance.one([part, `${part}--${boundary}--\r\n`, `--${boundary}\r\n\r\n`, part.repeat(2_000)]),
  );
}

function bodyHeaders(chance: Chance): Record<string, string> {
  const type = chance.one([
    'application/json',
    'application/json',
    'application/x-www-form-urlencoded',
    'application/x-www-form-urlencoded; charset=utf-7',
    `multipart/form-data; boundary=${boundary}`,
    'multipart/form-data',
    'application/json; charset=utf-16',
    'text/plain',
    '',
    ';;;',
  ]);
  return { 'content-type': type };
}

/** What a shop or the service would sign, right most of the time. */
function signatures({ secrets }: Stage, body: Buffer, chance: Chance): Record<string, string> {
  const hmac = (secret: string, ...parts: (string | Buffer)[]) => {
    const sum = createHmac('sha256', secret);
    for (const part of parts) sum.update(part);
    return sum;
  };
  const bent = (text: string) => (chance.often(0.15) ? oneOff(text, chance) : text);
  const id = String(chance.below(1_000_000));
  const seconds = String(Math.floor(Date.now() / 1000) - (chance.often(0.1) ? 4_000 : 0));
  return {
    'x-wc-webhook-signature': bent(hmac(secrets.woocommerce, body).digest('base64')),
    'x-wc-webhook-topic': bent(
      chance.one(['order.updated', 'order.deleted', 'action.woocommerce_refund_created']),
    ),
    'x-wc-webhook-source': bent('http://127.0.0.1/'),
    'x-wc-webhook-delivery-id': id,
    'x-shopify-hmac-sha256': bent(hmac(secrets.shopify, body).digest('base64')),
    'x-shopify-topic': bent(
      chance.one(['orders/paid', 'refunds/create', 'app/uninstalled', 'customers/redact', 'shop/redact']),
    ),
    'x-shopify-shop-domain': bent('loja.myshopify.com'),
    'x-shopify-webhook-id': id,
    'x-service-signature-v2': bent(
      `t=${seconds},v1=${hmac(secrets.service, `${seconds}.`, body).digest('hex')}`,
    ),
    'x-service-signature': bent(`sha256=${hmac(secrets.service, body).digest('hex')}`),
    'x-service-delivery': id,
  };
}

function oddHeaders(stage: Stage, chance: Chance): Record<string, string> {
  const token = chance.one(stage.tokens);
  const all: Record<string, string> = {
    host: chance.one(['evil.example', 'localhost', '127.0.0.1:1', '[::1', `${'a'.repeat(300)}.ec`]),
    authorization: chance.one([
      `Bearer ${oneOff(token, chance)}`,
      'Basic b3BlcmFkb3I6bm8=',
      'Basic %%%',
      `Bearer ${'x'.repeat(3_000)}`,
      'Bearer',
    ]),
    cookie: chance.one(['a=b', '__proto__=1', `sesion=${token}`, ';;;=', `a=${'x'.repeat(4_000)}`, 'a=%ff']),
    origin: chance.one(['https://evil.example', 'null', stage.url]),
    'x-forwarded-for': '10.0.0.1, 127.0.0.1',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    accept: chance.one(['text/html', 'application/json', '*/*;q=0.1', ';;']),
    'accept-language': chance.one(['es-EC', 'en', 'x'.repeat(2_000)]),
    range: 'bytes=0-,-1,5-2',
    'if-none-match': '*',
    'sec-fetch-site': chance.one(['same-origin', 'cross-site']),
    'x-http-method-override': 'DELETE',
    'mcp-session-id': token,
    'mcp-protocol-version': chance.one(['2025-06-18', 'x']),
    referer: 'https://evil.example/?a=b',
  };
  return Object.fromEntries(Object.entries(all).filter(() => chance.often(0.25)));
}

const wellFormed = (text: string): string => text.replace(/[\ud800-\udfff]/g, '\ufffd');
/** What an HTTP client can say at all; the rest is said in raw.ts. */
const printable = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '')]),
  );
