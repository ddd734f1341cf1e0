import { createRequire } from 'node:module';
import type pkg from '@woocommerce/woocommerce-rest-api';
import { z } from 'zod';
import { privateAddress } from '../../src/domain/outbound.ts';
import type { ShopContext } from '../../src/domain/platform.ts';
import { freeText } from '../../src/domain/text.ts';
import type { Answer, Call } from './answers.ts';
import { unanswered } from './failures.ts';
import type { Connection } from './settings.ts';

const require = createRequire(import.meta.url);

/**
 * The client's class, loaded at the first call: it and its HTTP library cost as much time as the rest of the
 * adapter, and a store without API access never needs them. A CommonJS module without exports map: `import`
 * finds the class under another name in Node than in bundlers and test runners, `require` in the same place.
 */
function loadClient(): (typeof pkg)['default'] {
  return (require('@woocommerce/woocommerce-rest-api') as typeof pkg).default;
}

/** Larger answers are no order; the bound keeps a broken shop from filling the memory. */
const answerLimit = 16 * 1024 * 1024;

export interface ApiKeys {
  consumerKey: string;
  consumerSecret: string;
}

/**
 * One request through WooCommerce's client. Its errors hold the consumer secret (measured on WooCommerce 11.0.1), so of them only
 * the network's code survives, and no cause is kept.
 */
export async function send(
  connection: Connection,
  keys: ApiKeys,
  { userAgent, outbound }: Pick<ShopContext, 'userAgent' | 'outbound'>,
  { method, path }: Call,
  body: unknown,
): Promise<Answer> {
  const { url, queryStringAuth, timeoutMs } = connection;
  if (outbound.refuses(new URL(url).hostname)) throw unanswered({ method, path }, privateAddress, timeoutMs);
  const Client = loadClient();
  const client = new Client({
    url,
    ...keys,
    version: 'wc/v3',
    queryStringAuth,
    timeout: timeoutMs,
    axiosConfig: {
      maxRedirects: 0,
      lookup: outbound.lookup,
      maxContentLength: answerLimit,
      // The client's timeout watches a silent socket; this one also ends an answer that drips.
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
    throw unanswered({ method, path }, networkCode(error), timeoutMs);
  });
  return answered.parse(answer);
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
    }),
    data: z.unknown(),
  })
  .transform(({ status, headers, data }) => ({
    status,
    location: headers.location,
    retryAfter: headers['retry-after'],
    server: headers.server,
    challenge: headers['www-authenticate'],
    pages: /^\d{1,6}$/.test(headers['x-wp-totalpages'] ?? '') ? Number(headers['x-wp-totalpages']) : null,
    date: readDate(headers.date),
    text: typeof data === 'string' ? data : '',
  }));

function readDate(text = ''): Date | null {
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : new Date(time);
}

function networkCode(error: unknown): string {
  const code = z.looseObject({ code: z.string().regex(/^[A-Z_]{2,60}$/) }).safeParse(error);
  return code.success ? code.data.code : 'UNKNOWN';
}
