import { createRequire } from 'node:module';
import type pkg from '@woocommerce/woocommerce-rest-api';
import { z } from 'zod';
import type { ShopContext } from '../../src/core/platform.ts';
import { type Answer, type Call, readAnswer, unanswered, unexpected } from './answers.ts';
import { idSchema, metaSchema } from './payload.ts';
import { productsAnswer } from './products.ts';
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

/** The few calls we make. Each throws ShopError and answers null (or false) when the order does not exist. */
export interface Api {
  order(id: string): Promise<OrderAnswer | null>;
  notes(id: string): Promise<Note[] | null>;
  /** Deleted products are left out. */
  products(ids: readonly string[]): Promise<z.output<typeof productsAnswer>>;
  putMeta(id: string, metaData: readonly { key: string; value: unknown }[]): Promise<boolean>;
  addNote(id: string, note: { note: string; customer_note: boolean }): Promise<boolean>;
}

const orderAnswer = z.looseObject({ id: idSchema, meta_data: z.array(metaSchema) });
const note = z.looseObject({ note: z.string(), customer_note: z.boolean() });

export type OrderAnswer = z.output<typeof orderAnswer>;
export type Note = z.output<typeof note>;

export function openApi(connection: Connection, keys: ApiKeys, context: ShopContext): Api {
  async function call<T>(schema: z.ZodType<T>, asked: Call, body?: unknown): Promise<T | null> {
    const answer = await send(connection, keys, context.userAgent, asked, body);
    const json = readAnswer(asked, answer, context.clock.now());
    if (json === null) return null;
    const read = schema.safeParse(json);
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    throw unexpected(asked, `${issue?.path.join('.') || 'the whole'}: ${issue?.message}`);
  }

  return {
    async order(id) {
      const asked: Call = { method: 'get', path: `orders/${id}` };
      const order = await call(orderAnswer, asked);
      // A cache in front of the shop that mixes up its pages must not invoice the wrong buyer.
      if (order !== null && order.id !== id) throw unexpected(asked, 'another order came');
      return order;
    },
    notes: (id) => call(z.array(note), { method: 'get', path: `orders/${id}/notes` }),
    async products(ids) {
      const query = `include=${ids.join(',')}&per_page=100&_fields=id,tags,categories`;
      return (await call(productsAnswer, { method: 'get', path: `products?${query}` })) ?? [];
    },
    async putMeta(id, metaData) {
      const asked: Call = { method: 'put', path: `orders/${id}` };
      return (await call(orderAnswer, asked, { meta_data: metaData })) !== null;
    },
    async addNote(id, body) {
      return (await call(note, { method: 'post', path: `orders/${id}/notes` }, body)) !== null;
    },
  };
}

export interface ApiKeys {
  consumerKey: string;
  consumerSecret: string;
}

/**
 * One request through WooCommerce's client. Its errors hold the consumer secret (measured on WooCommerce 11.0.1), so of them only
 * the network's code survives, and no cause is kept.
 */
async function send(
  connection: Connection,
  keys: ApiKeys,
  userAgent: string,
  { method, path }: Call,
  body: unknown,
): Promise<Answer> {
  const { url, queryStringAuth, timeoutMs } = connection;
  const Client = loadClient();
  const client = new Client({
    url,
    ...keys,
    version: 'wc/v3',
    queryStringAuth,
    timeout: timeoutMs,
    axiosConfig: {
      maxRedirects: 0,
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
  const request = method === 'get' ? client.get(path) : client[method](path, body);
  const answer: unknown = await request.catch((error: unknown) => {
    throw unanswered({ method, path }, networkCode(error), timeoutMs);
  });
  return answered.parse(answer);
}

const header = z.string().optional();
const answered = z
  .object({
    status: z.int(),
    headers: z.object({ location: header, 'retry-after': header }),
    data: z.unknown(),
  })
  .transform(({ status, headers, data }) => ({
    status,
    location: headers.location,
    retryAfter: headers['retry-after'],
    text: typeof data === 'string' ? data : '',
  }));

function networkCode(error: unknown): string {
  const code = z.looseObject({ code: z.string().regex(/^[A-Z_]{2,60}$/) }).safeParse(error);
  return code.success ? code.data.code : 'UNKNOWN';
}
