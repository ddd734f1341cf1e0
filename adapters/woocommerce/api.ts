import PQueue from 'p-queue';
import { z } from 'zod';
import type { ListedOrder } from '../../src/domain/listing.ts';
import { id } from '../../src/domain/loose.ts';
import type { ShopContext } from '../../src/domain/platform.ts';
import type { ShopIdentity } from '../../src/domain/shop-identity.ts';
import { amountText, freeText, withoutEndSlashes, word } from '../../src/domain/text.ts';
import { type ApiKeys, everyPage, type Page, pageSize, send } from './client.ts';
import { type Answer, type Call, mixedUp, parseAnswer, readAnswer, unexpected } from './errors.ts';
import { gmt, metaList, metaSchema, namedRefunds, storedMeta, text } from './payload.ts';
import type { Connection } from './settings.ts';

const identityAnswer = z.object({
  environment: z.object({ store_id: word.nullish(), home_url: word, site_url: word }),
});
const orderAnswer = z.looseObject({ id, meta_data: metaList(storedMeta) });
const refundAnswer = z.looseObject({ id });
const listedOrders = z.array(z.object({ id, status: word, date_modified_gmt: gmt, refunds: namedRefunds }));
const shopRefunds = z.array(z.object({ id, parent_id: id, date_created_gmt: gmt }));
const note = z.looseObject({ note: freeText, customer_note: z.boolean() });

const named = z.array(z.object({ name: text, slug: word }));
const productsAnswer = z.array(z.object({ id, tags: named, categories: named }));
const catalogAnswer = z.array(
  z.object({
    id,
    type: word,
    name: text,
    sku: text,
    price: amountText,
    tax_status: word,
    tax_class: word,
    tags: named,
    categories: named,
  }),
);
/** `tax_class` and `sku` are the product's where the variation has none of its own (class-wc-product-variation.php). */
const variationAnswer = z.object({
  id,
  status: word,
  sku: text,
  price: amountText,
  tax_status: word,
  tax_class: word,
  /** `slug` comes from newer shops only. */
  attributes: z.array(z.object({ name: text, slug: word.optional(), option: text })),
});
/** An empty country means every country. */
export const taxRateAnswer = z.object({
  id,
  country: word,
  rate: amountText,
  name: text,
  priority: z.number(),
  class: word,
});

const webhookAnswer = z.object({
  id: z.int(),
  name: freeText,
  status: word,
  topic: word,
  delivery_url: word,
});
const settingsAnswer = z.object({
  settings: z.object({
    currency: word,
    number_of_decimals: z.coerce.number().nullish().catch(null),
  }),
});
const checkboxAnswer = z.object({ value: word });
const versionAnswer = z.object({ environment: z.object({ version: word, wp_cron: z.boolean().optional() }) });
const pluginAnswer = z.object({
  plugin: z.literal('facturapuente'),
  version: word,
  fields: z.object({ asked: z.boolean() }),
});
const recentOrdersAnswer = z.array(
  z.object({ meta_data: metaList(metaSchema), billing: z.object({ company: text }) }),
);

export type OrderAnswer = z.output<typeof orderAnswer>;
export type RefundAnswer = z.output<typeof refundAnswer>;
type Note = Pick<z.output<typeof note>, 'note' | 'customer_note'>;
export type NamedTerms = z.output<typeof named>;
export type ProductRow = z.output<typeof productsAnswer>[number];
export type CatalogRow = z.output<typeof catalogAnswer>[number];
export type Variation = z.output<typeof variationAnswer>;
export type TaxRate = z.output<typeof taxRateAnswer>;
export type ShopWebhook = z.output<typeof webhookAnswer>;

export interface OrderList extends Page<ListedOrder> {
  date: Date | null;
}

interface RequestOptions {
  body?: unknown;
  /** Awaited right before the request; its error is passed on. */
  mayWrite?: (() => Promise<void>) | undefined;
  timeoutMs?: number;
}
type MayWrite = RequestOptions['mayWrite'];

export type Api = ReturnType<typeof openApi>;

/** The id stays when the shop moves, and a copy of the database has it too (measured on WooCommerce 11.0.1). */
export function toIdentity({
  store_id,
  home_url,
  site_url,
}: z.output<typeof identityAnswer>['environment']): ShopIdentity {
  return { id: store_id || null, addresses: [...new Set([home_url, site_url].map(withoutEndSlashes))] };
}

/** A small host has a handful of PHP processes for all of the shop's visitors. */
const mostConcurrentCalls = 4;
/** The shop asks servers on the internet before it answers with its environment. */
const versionTimeoutMs = 45_000;

/** The calls of one shop's API. Every method throws ShopError. */
export function openApi(connection: Connection, keys: () => Promise<ApiKeys>, context: ShopContext) {
  const queue = new PQueue({ concurrency: mostConcurrentCalls });
  const get = (path: string): Call => ({ method: 'get', path });

  function request(call: Call, options: RequestOptions = {}): Promise<Answer> {
    const { body, mayWrite, timeoutMs = connection.timeoutMs } = options;
    return queue.add(async () => {
      const current = await keys();
      await mayWrite?.();
      return send({ ...connection, timeoutMs }, current, context, call, body);
    });
  }
  async function exchange<T>(schema: z.ZodType<T>, call: Call, options?: RequestOptions) {
    const answer = await request(call, options);
    const json = readAnswer(call, answer, context.clock.now());
    if (json === null) return null;
    return { data: parseAnswer(schema, call, json), pages: answer.pages, date: answer.date };
  }
  async function read<T>(schema: z.ZodType<T>, call: Call, options?: RequestOptions) {
    const answer = await exchange(schema, call, options);
    if (answer === null) throw unexpected(call, 'no hay nada');
    return answer;
  }
  function whole<T extends { id: string }>(row: z.ZodType<T>, path: string, more = '') {
    const pageOf = (page: number) => get(`${path}?per_page=${pageSize}&page=${page}${more}`);
    return everyPage(
      async (page) => {
        const answer = await exchange(z.array(row), pageOf(page));
        return answer && { rows: answer.data, pages: answer.pages };
      },
      () => unexpected(pageOf(1), 'una lista sin fin'),
    );
  }

  return {
    async identity(): Promise<ShopIdentity> {
      // Field by field: for the whole section the shop asks servers on the internet first.
      const fields = ['store_id', 'home_url', 'site_url'].map((name) => `environment.${name}`).join(',');
      const { data } = await read(identityAnswer, get(`system_status?_fields=${fields}`));
      return toIdentity(data.environment);
    },
    async order(id: string, ...query: readonly string[]) {
      const call = get([`orders/${id}`, ...query].join('&').replace('&', '?'));
      const order = (await exchange(orderAnswer, call))?.data ?? null;
      // A cache in front of the shop that mixes up answers must not invoice the wrong buyer.
      if (order !== null && order.id !== id) throw mixedUp(call, 'llegó otro pedido');
      return order;
    },
    refunds: (id: string, ...query: readonly string[]) =>
      whole(refundAnswer, `orders/${id}/refunds`, ['', ...query].join('&')),
    /** Without orders in the trash or still in the checkout. */
    async orders(query: string): Promise<OrderList> {
      const { data, pages, date } = await read(
        listedOrders,
        get(`orders?${query}&_fields=id,status,date_modified_gmt,refunds`),
      );
      const rows = data.map(({ date_modified_gmt: updatedAt, ...row }) => ({ ...row, updatedAt }));
      return { rows, pages, date };
    },
    /** Newest first; null before WooCommerce 9.0, which has no such list. */
    async shopRefunds(page: number) {
      const path = `refunds?per_page=${pageSize}&page=${page}&_fields=id,parent_id,date_created_gmt`;
      const answer = await exchange(shopRefunds, { ...get(path), absent: 'rest_no_route' });
      return answer && { rows: answer.data, pages: answer.pages };
    },
    async notes(id: string): Promise<Note[] | null> {
      return (await exchange(z.array(note), get(`orders/${id}/notes`)))?.data ?? null;
    },
    async products(ids: readonly string[]) {
      const path = `products?include=${ids.join(',')}&per_page=100&_fields=id,tags,categories`;
      return (await exchange(productsAnswer, get(path)))?.data ?? [];
    },
    async putMeta(id: string, metaData: readonly { key: string; value: unknown }[], mayWrite?: MayWrite) {
      const call: Call = { method: 'put', path: `orders/${id}` };
      return (await exchange(orderAnswer, call, { body: { meta_data: metaData }, mayWrite })) !== null;
    },
    async addNote(id: string, body: Note, mayWrite?: MayWrite) {
      const call: Call = { method: 'post', path: `orders/${id}/notes` };
      return (await exchange(note, call, { body, mayWrite })) !== null;
    },
    async catalog(page: number) {
      const fields = 'id,type,name,sku,price,tax_status,tax_class,tags,categories';
      const path = `products?status=publish&per_page=${pageSize}&page=${page}&orderby=id&order=asc&_fields=${fields}`;
      const { data, pages } = await read(catalogAnswer, get(path));
      return { rows: data, pages };
    },
    async variations(productId: string) {
      const fields = '&orderby=id&order=asc&_fields=id,status,sku,price,tax_status,tax_class,attributes';
      return (await whole(variationAnswer, `products/${productId}/variations`, fields)) ?? [];
    },
    async taxRates() {
      return (await whole(taxRateAnswer, 'taxes', '&_fields=id,country,rate,name,priority,class')) ?? [];
    },
    async settings() {
      const { data, date } = await read(settingsAnswer, get('system_status?_fields=settings'));
      const { currency, number_of_decimals: decimals = null } = data.settings;
      return { currency, decimals, date };
    },
    async calculatesTaxes() {
      const path = 'settings/general/woocommerce_calc_taxes?_fields=value';
      const answer = await exchange(checkboxAnswer, { ...get(path), absent: 'rest_setting_setting_invalid' });
      return answer && answer.data.value === 'yes';
    },
    async version() {
      const timeoutMs = Math.max(connection.timeoutMs, versionTimeoutMs);
      const call = get('system_status?_fields=environment');
      return (await read(versionAnswer, call, { timeoutMs })).data.environment;
    },
    async plugin() {
      const call: Call = { ...get('status'), namespace: 'facturapuente/v1', absent: 'rest_no_route' };
      return (await exchange(pluginAnswer, call))?.data ?? null;
    },
    /** Writes nothing; throws where the key has no right to write. */
    async checkWriteAccess() {
      const call: Call = { method: 'post', path: 'webhooks' };
      // No such topic exists: 400 for a key that may write, another refusal for one that may not (measured, 11.0.1).
      const body = { topic: 'refund.created', delivery_url: connection.url };
      const answer = await request(call, { body });
      if (answer.status !== 400)
        parseAnswer(z.looseObject({}), call, readAnswer(call, answer, context.clock.now()));
    },
    async recentOrders() {
      return (await read(recentOrdersAnswer, get('orders?per_page=20&_fields=meta_data,billing'))).data;
    },
    async webhooks() {
      return (await read(z.array(webhookAnswer), get('webhooks?per_page=100'))).data;
    },
    async createWebhook(webhook: { name: string; topic: string; delivery_url: string; secret: string }) {
      const body = { ...webhook, status: 'active' };
      await read(webhookAnswer, { method: 'post', path: 'webhooks' }, { body });
    },
    async deleteWebhook(id: number) {
      await exchange(z.unknown(), { method: 'delete', path: `webhooks/${id}?force=true` });
    },
  };
}
