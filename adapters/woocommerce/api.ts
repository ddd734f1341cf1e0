import PQueue from 'p-queue';
import { z } from 'zod';
import type { ListedOrder } from '../../src/domain/listing.ts';
import { id, list } from '../../src/domain/loose.ts';
import type { ShopContext } from '../../src/domain/platform.ts';
import { freeText, word } from '../../src/domain/text.ts';
import { type Call, mixedUp, readAnswer, refused, unexpected } from './answers.ts';
import { type CatalogRow, catalogAnswer, type TaxRate, taxRateAnswer } from './catalog.ts';
import { type ApiKeys, send } from './client.ts';
import { everyPage, type Page, pageSize } from './pages.ts';
import { gmt, metaSchema, namedRefunds } from './payload.ts';
import { productsAnswer } from './products.ts';
import type { Connection } from './settings.ts';
import { type Variation, variationAnswer } from './variations.ts';

type Ask = () => Promise<void>;

/** The few calls we make. Each throws ShopError and answers null (or false) when the order does not exist. */
export interface Api {
  /** What the shop says of itself. */
  environment(): Promise<z.output<typeof environmentAnswer>['environment']>;
  order(id: string): Promise<OrderAnswer | null>;
  /** Every refund of the order, newest first; [] also where there is no such order. */
  refunds(id: string): Promise<RefundAnswer[] | null>;
  /** One page of the shop's orders; never those in the trash or still in the checkout. */
  orders(query: string): Promise<OrderList>;
  /** One page of the refunds of the whole shop, newest first; null before WooCommerce 9.0, which has no such list. */
  shopRefunds(page: number): Promise<Page<ShopRefund> | null>;
  notes(id: string): Promise<Note[] | null>;
  /** Deleted products are left out. */
  products(ids: readonly string[]): Promise<z.output<typeof productsAnswer>>;
  /** One page of the products for sale, and the shop's tax rates. */
  catalog(page: number): Promise<Page<CatalogRow>>;
  /** All variations of a product; none where it was deleted meanwhile. */
  variations(productId: string): Promise<Variation[]>;
  taxRates(): Promise<TaxRate[]>;
  /** `mayWrite` is awaited when the call is about to leave, and what it throws is thrown. */
  putMeta(id: string, metaData: readonly { key: string; value: unknown }[], mayWrite?: Ask): Promise<boolean>;
  addNote(id: string, note: { note: string; customer_note: boolean }, mayWrite?: Ask): Promise<boolean>;
}

const environmentAnswer = z.object({
  environment: z.object({ store_id: word.nullish(), home_url: word, site_url: word }),
});
const orderAnswer = z.looseObject({ id, meta_data: list(metaSchema) });
const refundAnswer = z.looseObject({ id });
const listedOrders = z.array(z.object({ id, date_modified_gmt: gmt, refunds: namedRefunds }));
const shopRefunds = z.array(z.object({ id, parent_id: id, date_created_gmt: gmt }));
const note = z.looseObject({ note: freeText, customer_note: z.boolean() });

export type OrderAnswer = z.output<typeof orderAnswer>;
export type RefundAnswer = z.output<typeof refundAnswer>;
export interface OrderList extends Page<ListedOrder> {
  /** The shop's clock. */
  date: Date | null;
}
export type ShopRefund = z.output<typeof shopRefunds>[number];
export type Note = z.output<typeof note>;

/** A small host has a handful of PHP processes, and they are for the shop's visitors. */
const mostAtOnce = 4;

/** `keys` is asked before each call: they may come, or be replaced, while the process runs. */
export function openApi(connection: Connection, keys: () => Promise<ApiKeys>, context: ShopContext): Api {
  const line = new PQueue({ concurrency: mostAtOnce });
  /** What the answer holds, and how many pages the shop says there are. */
  async function exchange<T>(schema: z.ZodType<T>, asked: Call, body?: unknown, mayLeave?: Ask) {
    const answer = await line.add(async () => {
      const opened = await keys();
      // Last: the line and the keys may have taken their time.
      await mayLeave?.();
      return send(connection, opened, context, asked, body);
    });
    const json = readAnswer(asked, answer, context.clock.now());
    if (json === null) return null;
    const read = schema.safeParse(json);
    if (read.success) return { data: read.data, pages: answer.pages, date: answer.date };
    throw refused(asked, json, read.error);
  }
  async function call<T>(...exchanged: Parameters<typeof exchange<T>>): Promise<T | null> {
    return (await exchange(...exchanged))?.data ?? null;
  }
  /** A list to its end, each row once; null where there is no such list. */
  function whole<T extends { id: string }>(row: z.ZodType<T>, path: string, what: string, more = '') {
    const asked = (page: number): Call => ({
      method: 'get',
      path: `${path}?per_page=${pageSize}&page=${page}${more}`,
    });
    const read = async (page: number): Promise<Page<T> | null> => {
      const answer = await exchange(z.array(row), asked(page));
      return answer && { rows: answer.data, pages: answer.pages };
    };
    return everyPage(read, () => unexpected(asked(1), `a list of ${what} without end`));
  }

  return {
    async environment() {
      // One by one: for the whole section the shop asks servers on the internet first.
      const fields = ['store_id', 'home_url', 'site_url'].map((name) => `environment.${name}`).join(',');
      const asked: Call = { method: 'get', path: `system_status?_fields=${fields}` };
      const answer = await call(environmentAnswer, asked);
      if (answer === null) throw unexpected(asked, 'a shop that is not there');
      return answer.environment;
    },
    async order(id) {
      const asked: Call = { method: 'get', path: `orders/${id}` };
      const order = await call(orderAnswer, asked);
      // A cache in front of the shop that mixes up its pages must not invoice the wrong buyer.
      if (order !== null && order.id !== id) throw mixedUp(asked, 'another order came');
      return order;
    },
    refunds: (id) => whole(refundAnswer, `orders/${id}/refunds`, 'refunds'),
    async orders(query) {
      const asked: Call = { method: 'get', path: `orders?${query}&_fields=id,date_modified_gmt,refunds` };
      const answer = await exchange(listedOrders, asked);
      if (answer === null) throw unexpected(asked, 'a list that is not there');
      const rows = answer.data.map(({ id, date_modified_gmt, refunds }) => ({
        id,
        updatedAt: date_modified_gmt,
        refunds,
      }));
      return { rows, pages: answer.pages, date: answer.date };
    },
    async shopRefunds(page) {
      const query = `per_page=${pageSize}&page=${page}&_fields=id,parent_id,date_created_gmt`;
      const asked: Call = { method: 'get', path: `refunds?${query}`, absent: 'rest_no_route' };
      const answer = await exchange(shopRefunds, asked);
      return answer && { rows: answer.data, pages: answer.pages };
    },
    notes: (id) => call(z.array(note), { method: 'get', path: `orders/${id}/notes` }),
    async products(ids) {
      const query = `include=${ids.join(',')}&per_page=100&_fields=id,tags,categories`;
      return (await call(productsAnswer, { method: 'get', path: `products?${query}` })) ?? [];
    },
    async catalog(page) {
      const fields = 'id,type,name,sku,price,tax_status,tax_class,tags,categories';
      const query = `status=publish&per_page=${pageSize}&page=${page}&orderby=id&order=asc&_fields=${fields}`;
      const asked: Call = { method: 'get', path: `products?${query}` };
      const answer = await exchange(catalogAnswer, asked);
      if (answer === null) throw unexpected(asked, 'a list that is not there');
      return { rows: answer.data, pages: answer.pages };
    },
    async variations(productId) {
      const path = `products/${productId}/variations`;
      const fields = '&orderby=id&order=asc&_fields=id,status,sku,price,tax_status,tax_class,attributes';
      return (await whole(variationAnswer, path, 'variations', fields)) ?? [];
    },
    async taxRates() {
      const fields = '&_fields=id,country,rate,name,priority,class';
      return (await whole(taxRateAnswer, 'taxes', 'taxes', fields)) ?? [];
    },
    async putMeta(id, metaData, mayWrite) {
      const asked: Call = { method: 'put', path: `orders/${id}` };
      return (await call(orderAnswer, asked, { meta_data: metaData }, mayWrite)) !== null;
    },
    async addNote(id, body, mayWrite) {
      return (await call(note, { method: 'post', path: `orders/${id}/notes` }, body, mayWrite)) !== null;
    },
  };
}
