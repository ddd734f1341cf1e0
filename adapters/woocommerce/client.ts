import { createRequire } from 'node:module';
import type { LookupFunction } from 'node:net';
import type pkg from '@woocommerce/woocommerce-rest-api';
import { z } from 'zod';
import { tryReadJson } from '../../src/domain/loose.ts';
import type { ShopContext } from '../../src/domain/platform.ts';
import { privateAddress } from '../../src/domain/ports.ts';
import type { FormerAddress } from '../../src/domain/shop-identity.ts';
import { freeText, withoutEndSlashes, word } from '../../src/domain/text.ts';
import { type Answer, type Call, noAnswer, readAnswer, unexpected } from './errors.ts';
import type { Connection } from './settings.ts';

const require = createRequire(import.meta.url);

/** Bytes; a longer answer of a broken shop would fill the memory. */
const answerLimit = 16 * 1024 * 1024;
/** Bytes of one order, in an answer or a webhook: enough for several thousand lines. */
export const orderLimit = 4 * 1024 * 1024;
const oneOrder = /^orders\/\d+(?:\?|$)/;

export interface ApiKeys {
  consumerKey: string;
  consumerSecret: string;
}

/** Errors of WooCommerce's client hold the consumer secret (measured on WooCommerce 11.0.1). */
export async function send(
  connection: Connection,
  keys: ApiKeys,
  { userAgent, outbound }: Pick<ShopContext, 'userAgent' | 'outbound'>,
  { method, path, namespace }: Call,
  body: unknown,
): Promise<Answer> {
  const { url, queryStringAuth, timeoutMs } = connection;
  if (outbound.refuses(new URL(url).hostname)) throw noAnswer({ method, path }, privateAddress, timeoutMs);
  const { default: Client } = require('@woocommerce/woocommerce-rest-api') as typeof pkg;
  const client = new Client({
    url,
    ...keys,
    version: (namespace ?? 'wc/v3') as 'wc/v3',
    queryStringAuth,
    timeout: timeoutMs,
    axiosConfig: {
      maxRedirects: 0,
      lookup: outbound.lookup,
      maxContentLength: oneOrder.test(path) ? orderLimit : answerLimit,
      // The client's own timeout covers a silent socket only; this one also ends a slow answer.
      signal: AbortSignal.timeout(timeoutMs),
      validateStatus: () => true,
      responseType: 'text',
      transformResponse: [(text: unknown) => text],
      // Headers go here: `axiosConfig.headers` would replace the client's own, Content-Type too.
      transformRequest: [
        (data: unknown, headers: { set(name: string, value: string): void }) => {
          headers.set('User-Agent', userAgent);
          headers.set('Cache-Control', 'no-cache');
          return data;
        },
      ],
    },
  });
  const request = method === 'get' || method === 'delete' ? client[method](path) : client[method](path, body);
  const answer: unknown = await request.catch((error: unknown) => {
    throw noAnswer({ method, path }, networkCodeOf(error), timeoutMs);
  });
  return { ...answered.parse(answer), origin: new URL(url).origin };
}

const header = freeText.optional();
const answered = z
  .object({
    status: z.int(),
    headers: z.object({
      date: header,
      location: header,
      server: header,
      'retry-after': header,
      'www-authenticate': header,
      'x-wp-totalpages': header,
      'x-redirect-by': header,
    }),
    data: z.unknown(),
  })
  .transform(({ status, headers, data }) => ({
    status,
    location: headers.location,
    retryAfter: headers['retry-after'],
    server: headers.server,
    challenge: headers['www-authenticate'],
    redirectedBy: headers['x-redirect-by'],
    pages: /^\d{1,6}$/.test(headers['x-wp-totalpages'] ?? '') ? Number(headers['x-wp-totalpages']) : null,
    date: readDate(headers.date),
    text: typeof data === 'string' ? data : '',
  }));

function readDate(text = ''): Date | null {
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : new Date(time);
}

function networkCodeOf(error: unknown): string {
  const code = z.looseObject({ code: z.string().regex(/^[A-Z_]{2,60}$/) }).safeParse(error);
  return code.success ? code.data.code : 'UNKNOWN';
}

const index: Call = { method: 'get', path: '' };
const indexAnswer = z.object({ namespace: z.literal('wc/v3') });

/** Asks without keys whether a WooCommerce shop is there. Throws ShopError. */
export async function probe(
  { url, timeoutMs }: Connection,
  context: Pick<ShopContext, 'userAgent' | 'clock' | 'outbound'>,
): Promise<{ date: Date | null }> {
  const answer = await getPublic(`${url}/wp-json/wc/v3?_fields=namespace`, timeoutMs, context);
  if (typeof answer === 'string') throw noAnswer(index, answer, timeoutMs);
  if (!indexAnswer.safeParse(readAnswer(index, answer, context.clock.now())).success)
    throw unexpected(index, '«namespace» no es wc/v3');
  return { date: answer.date };
}

const wordPressIndex = z.object({ home: word, url: word });

export async function standsAt(
  address: string,
  { timeoutMs }: Pick<Connection, 'timeoutMs'>,
  context: Pick<ShopContext, 'userAgent' | 'outbound'>,
): Promise<FormerAddress> {
  const answer = await getPublic(`${address}/wp-json/?_fields=home,url`, timeoutMs, context);
  // A domain that no longer exists is final; any other network failure may pass.
  if (typeof answer === 'string') return answer === 'ENOTFOUND' ? 'left' : 'unknown';
  const { status, location, text } = answer;
  if (status >= 300 && status < 400) return hostOf(location) === hostOf(address) ? 'unknown' : 'left';
  if (status === 401 || status === 403 || status === 429 || status >= 500) return 'unknown';
  const site = wordPressIndex.safeParse(tryReadJson(text)).data;
  return site && [site.home, site.url].some((url) => placeOf(url) === placeOf(address)) ? 'stands' : 'left';
}

/** Without the scheme: behind a proxy that ends TLS a shop calls itself http. */
const placeOf = (url: string): string =>
  withoutEndSlashes(url)
    .replace(/^https?:/, '')
    .toLowerCase();
const hostOf = (url = ''): string | null => URL.parse(url)?.host ?? null;

const publicLimit = 1024 * 1024;

/** Without keys, so that a stranger at the address learns nothing. A text is the code of a network failure. */
async function getPublic(
  url: string,
  timeoutMs: number,
  { userAgent, outbound }: Pick<ShopContext, 'userAgent' | 'outbound'>,
): Promise<Answer | string> {
  if (outbound.refuses(new URL(url).hostname)) return privateAddress;
  const { Agent, request } = await import('undici');
  const dispatcher = new Agent({
    connect: { lookup: outbound.lookup as LookupFunction },
    maxResponseSize: publicLimit,
  });
  // Unlike fetch it follows no redirect and opens no compressed body.
  return request(url, {
    dispatcher,
    signal: AbortSignal.timeout(timeoutMs),
    headers: { 'user-agent': userAgent, 'cache-control': 'no-cache' },
  })
    .then(async ({ statusCode: status, headers, body }) => {
      const single = Object.entries(headers).map(([name, value]) => [name, [value].flat()[0]]);
      const answer = { status, headers: Object.fromEntries(single), data: await body.text() };
      return { ...answered.parse(answer), origin: new URL(url).origin };
    })
    .catch((error: unknown) =>
      error instanceof Error && error.name === 'TimeoutError' ? 'ETIMEDOUT' : networkCodeOf(error),
    )
    .finally(() => dispatcher.destroy());
}

export interface Page<T> {
  rows: T[];
  pages: number | null;
}

export const pageSize = 100;

/** Some hosts strip the header with the number of pages; then the page size decides. */
export const isLastPage = ({ rows, pages }: Page<unknown>, page: number): boolean =>
  pages === null ? rows.length < pageSize : page >= pages;

const mostPages = 50;

/** Counts pages, because `Link` repeats old signatures (measured on WooCommerce 11.0.1). Null without such a list. */
export async function everyPage<T extends { id: string }>(
  read: (page: number) => Promise<Page<T> | null>,
  endless: () => Error,
): Promise<T[] | null> {
  const found = new Map<string, T>();
  for (let page = 1; page <= mostPages; page += 1) {
    const answer = await read(page);
    if (answer === null) return null;
    for (const row of answer.rows) found.set(row.id, row);
    if (isLastPage(answer, page)) return [...found.values()];
  }
  throw endless();
}
