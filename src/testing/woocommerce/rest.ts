import type { WooError } from './oauth.ts';
import { answerOrders, answerShopRefunds } from './rest-lists.ts';
import { answerRefunds } from './rest-refunds.ts';
import { newNote, orderChange, type Store, type StoredNote } from './store.ts';

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

/** Answers one authenticated call below `/wp-json/wc/v3/` as the recordings do. */
export function answerRest(store: Store, home: string, method: string, url: URL, json: unknown): RestAnswer {
  if (url.pathname === '/wp-json/wc/v3/products' && method === 'GET') {
    return page(store.products((url.searchParams.get('include') ?? '').split(',')), url);
  }
  if (url.pathname === '/wp-json/wc/v3/orders' && method === 'GET') return answerOrders(store, url);
  if (url.pathname === '/wp-json/wc/v3/refunds' && method === 'GET')
    return answerShopRefunds(store, home, url);
  const route = /^\/wp-json\/wc\/v3\/orders\/(\d+)(?:\/(notes|refunds(?:\/(\d+))?))?$/;
  const [, id, part, refundId] = route.exec(url.pathname) ?? [];
  if (id === undefined) return fail(noRoute);
  const self = `${home}/wp-json/wc/v3/orders/${id}`;
  if (part?.startsWith('refunds')) {
    return answerRefunds(store, { id, self, refundId, method, url, json });
  }
  const order = store.order(id);
  if (order === undefined) {
    const code =
      part === undefined ? 'woocommerce_rest_shop_order_invalid_id' : 'woocommerce_rest_order_invalid_id';
    return fail({ status: 404, code, message: 'Invalid ID.' });
  }
  if (part === 'notes') return answerNotes(store, id, self, method, json);
  if (part === undefined && method === 'GET') return { status: 200, body: order };
  if (part === undefined && method === 'PUT') {
    const change = orderChange.safeParse(json);
    if (!change.success) return invalid('meta_data');
    return { status: 200, body: store.change(order, change.data) };
  }
  return fail(noRoute);
}

function answerNotes(store: Store, id: string, order: string, method: string, json: unknown): RestAnswer {
  const linked = (note: StoredNote) => ({
    ...note,
    _links: {
      self: [{ href: `${order}/notes/${note.id}` }],
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
  const from = (Number(url.searchParams.get('page') ?? 1) - 1) * size;
  return {
    status: 200,
    headers: {
      'x-wp-total': String(rows.length),
      'x-wp-totalpages': String(Math.ceil(rows.length / size)),
    },
    body: rows.slice(from, from + size),
  };
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
