import { setTimeout as pause } from 'node:timers/promises';
import type { WooError } from './oauth.ts';
import { answerOrders, answerShopRefunds, type Storage } from './rest-lists.ts';
import { answerProducts, answerVariations } from './rest-products.ts';
import { answerRefunds } from './rest-refunds.ts';
import { answerWebhooks } from './rest-webhooks.ts';
import { newNote, orderChange, type Store, type StoredNote, type StoredOrder } from './store.ts';
import type { Webhooks } from './webhooks.ts';

export interface RestAnswer {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

export const noRoute: WooError = {
  status: 404,
  code: 'rest_no_route',
  message: 'No route was found matching the URL and request method.',
};

/** What the API works on. */
export interface Rest {
  store: Store;
  webhooks: Webhooks;
  home: string;
  storage: Storage;
}

export interface RestCall {
  method: string;
  url: URL;
  json: unknown;
}

/** Answers one authenticated call below `/wp-json/wc/v3/` as the recordings do. */
export async function answerRest(
  { store, webhooks, home, storage }: Rest,
  call: RestCall,
): Promise<RestAnswer> {
  const { method, url, json } = call;
  const root = `${home}/wp-json/wc/v3`;
  const [, of = '', id, part, partId] =
    /\/wp-json\/wc\/v3\/(orders|webhooks|products|refunds|taxes)(?:\/(\d+)(?:\/(notes|refunds|variations)(?:\/(\d+))?)?)?$/.exec(
      url.pathname,
    ) ?? [];
  if (of === 'webhooks' && part === undefined) {
    const one = id === undefined ? null : Number(id);
    return answerWebhooks(webhooks, { ...call, collection: `${root}/webhooks`, id: one });
  }
  if (id === undefined && method === 'GET') {
    if (of === 'orders') return answerOrders(store, url, storage);
    if (of === 'refunds') return answerShopRefunds(store, home, url);
    if (of === 'products') return answerProducts(store, url);
    if (of === 'taxes') return page([...store.taxes], url);
  }
  if (of === 'products' && id !== undefined && part === 'variations' && method === 'GET')
    return answerVariations(store, id, url);
  if (of !== 'orders' || id === undefined || part === 'variations') return fail(noRoute);
  const self = `${root}/orders/${id}`;
  if (part === 'refunds') return answerRefunds(store, { id, self, refundId: partId, method, url, json });
  const order = store.order(id);
  if (order === undefined) {
    const code =
      part === undefined ? 'woocommerce_rest_shop_order_invalid_id' : 'woocommerce_rest_order_invalid_id';
    return fail({ status: 404, code, message: 'Invalid ID.' });
  }
  return part === 'notes' ? answerNotes(store, id, self, method, json) : answerOrder(store, order, call);
}

/** How long a write takes between reading the order and writing it. */
const phpMs = 10;

async function answerOrder(
  store: Store,
  order: StoredOrder,
  { method, url, json }: RestCall,
): Promise<RestAnswer> {
  if (method === 'GET') return { status: 200, body: order };
  if (method === 'DELETE') {
    if (url.searchParams.get('force') !== 'true') return { status: 200, body: store.trash(order) };
    store.remove(String(order.id));
    return { status: 200, body: order };
  }
  if (method !== 'PUT') return fail(noRoute);
  const change = orderChange.safeParse(json);
  if (!change.success) return invalid('meta_data');
  const known = new Set(order.meta_data.map(({ key }) => key));
  // Calls that come together read the order before any of them writes, as PHP processes do.
  await pause(phpMs);
  return { status: 200, body: store.change(order, change.data, known) };
}

function answerNotes(store: Store, id: string, order: string, method: string, json: unknown): RestAnswer {
  const linked = (note: StoredNote) => ({
    ...note,
    _links: {
      self: [{ href: `${order}/notes/${note.id}`, targetHints: { allow: ['GET', 'DELETE'] } }],
      collection: [{ href: `${order}/notes` }],
      up: [{ href: order }],
    },
  });
  if (method === 'GET') {
    // All at once, newest first; those of one second in the order they were written.
    const notes = store
      .notes(id)
      .toSorted((a, b) => b.date_created_gmt.localeCompare(a.date_created_gmt) || a.id - b.id);
    return { status: 200, body: notes.map(linked) };
  }
  const read = newNote.safeParse(json);
  if (!read.success) return invalid('note');
  const note = store.addNote(id, read.data);
  return { status: 201, headers: { location: `${order}/notes/${note.id}` }, body: linked(note) };
}

export function page(rows: unknown[], url: URL): RestAnswer {
  const size = Number(url.searchParams.get('per_page') ?? 10);
  if (!(size >= 1 && size <= 100)) return tooMany;
  const at = Number(url.searchParams.get('page') ?? 1);
  const body = rows.slice((at - 1) * size, at * size);
  // Beyond its end a list has nothing, not even a length.
  const total = body.length === 0 ? 0 : rows.length;
  const pages = Math.ceil(total / size);
  const link = links(url, at, pages);
  const headers = { 'x-wp-total': String(total), 'x-wp-totalpages': String(pages), ...(link && { link }) };
  return { status: 200, headers, body };
}

/** They repeat the caller's signature, which is good for one use only. */
function links(url: URL, at: number, pages: number): string {
  const link = (page: number, rel: string): string => {
    const to = new URL(url);
    to.searchParams.set('page', String(page));
    return `<${to}>; rel="${rel}"`;
  };
  const before = at > 1 ? [link(Math.min(at - 1, pages), 'prev')] : [];
  return [...before, ...(at < pages ? [link(at + 1, 'next')] : [])].join(', ');
}

const bounds = 'per_page must be between 1 (inclusive) and 100 (inclusive)';
const tooMany: RestAnswer = {
  status: 400,
  body: {
    code: 'rest_invalid_param',
    message: 'Invalid parameter(s): per_page',
    data: {
      status: 400,
      params: { per_page: bounds },
      details: { per_page: { code: 'rest_out_of_bounds', message: bounds, data: null } },
    },
  },
};

export function fail({ status, code, message }: WooError): RestAnswer {
  return { status, body: { code, message, data: { status } } };
}

export function invalid(parameter: string): RestAnswer {
  return fail({ status: 400, code: 'rest_invalid_param', message: `Invalid parameter(s): ${parameter}` });
}
