import { z } from 'zod';
import type { Clock } from '../../../src/domain/clock.ts';
import { openRefunds } from './refund-store.ts';
import { type ShopTimes, shopTimes } from './shop-times.ts';

const metaRow = z.looseObject({ id: z.int().optional(), key: z.string(), value: z.unknown() });
const orderShape = z.looseObject({
  id: z.int().positive(),
  meta_data: z.array(metaRow).default([]),
  refunds: z
    .array(z.looseObject({ id: z.int(), reason: z.string().nullish(), total: z.string() }))
    .default([]),
});
export type StoredOrder = z.output<typeof orderShape>;

/** wc/v3, with as many of its keys as a test needs. */
export interface Product {
  id: number;
  status?: string;
}

/** wc/v3, likewise. */
export interface Variation {
  id: number;
  parent_id: number;
}

/** What the shop sells, and its tax rates. */
export interface Range {
  products?: readonly Product[];
  variations?: readonly Variation[];
  taxes?: readonly object[];
}

export interface StoredNote {
  id: number;
  author: string;
  date_created: string;
  date_created_gmt: string;
  note: string;
  customer_note: boolean;
}

export const orderChange = z.looseObject({
  status: z.string().optional(),
  set_paid: z.boolean().optional(),
  meta_data: z.array(metaRow).default([]),
});
export type OrderChange = z.output<typeof orderChange>;
export const newNote = z.looseObject({ note: z.string().min(1), customer_note: z.boolean().default(false) });

/** Called for every event of a webhook: its topic, and the order or refund. */
export type Happened = (topic: string, id: number) => void;

/** What the shop keeps in its database, with WooCommerce's ways of changing it (measured on WooCommerce 11.0.1). */
export function openStore(
  initial: readonly unknown[],
  clock: Clock,
  happened: Happened,
  { products = [], variations = [], taxes = [] }: Range = {},
) {
  const orders = new Map<string, StoredOrder>();
  const notes = new Map<string, StoredNote[]>();
  let lastId = 10_000;
  let whim: 1 | -1 = -1;
  const nextId = () => {
    lastId += 1;
    return lastId;
  };
  const refunds = openRefunds(nextId, () => shopTimes(clock), happened);

  function put(order: unknown, inFull?: readonly unknown[]): void {
    const read = orderShape.parse(order);
    const id = String(read.id);
    // Laid over a copy, so that the keys keep the order in which a webhook will send them.
    orders.set(id, Object.assign(structuredClone(order) as object, structuredClone(read)));
    refunds.put(read, inFull);
  }
  for (const order of initial) put(order);

  /** Copies all it holds; what it answers restores that, and ids given since are given again. */
  function backup(): () => void {
    const kept = structuredClone({ orders, notes, lastId });
    const keptRefunds = refunds.backup();
    return () => {
      orders.clear();
      notes.clear();
      for (const [id, order] of structuredClone(kept.orders)) orders.set(id, order);
      for (const [id, list] of structuredClone(kept.notes)) notes.set(id, list);
      lastId = kept.lastId;
      keptRefunds();
    };
  }

  return {
    put,
    backup,
    refunds,
    products: (ids: readonly string[]) => products.filter(({ id }) => ids.includes(String(id))),
    /** Those for sale, by their ids. */
    allProducts: () =>
      products.filter(({ status = 'publish' }) => status === 'publish').toSorted((a, b) => a.id - b.id),
    variations: (productId: string) => variations.filter(({ parent_id }) => String(parent_id) === productId),
    taxes,
    /** Permanently, without an event. */
    remove(id: string): void {
      orders.delete(id);
      refunds.forget(id);
    },
    /** Which way the database happens to bring equal rows this time: 1 or −1. */
    whim(): 1 | -1 {
      whim = whim === 1 ? -1 : 1;
      return whim;
    },
    all: (): StoredOrder[] => [...orders.values()],
    order: (id: string) => orders.get(id),
    notes: (id: string): StoredNote[] => notes.get(id) ?? [],

    /**
     * `PUT orders/{id}`: other keys replace, meta data is update-or-add by key, null deletes. `known` are the keys the
     * order had when the request came: a key that was new then becomes a row of its own, however many ask for it at once.
     */
    change(order: StoredOrder, asked: OrderChange, known = new Set(order.meta_data.map(({ key }) => key))) {
      const { meta_data: changes, set_paid, status = set_paid ? 'processing' : undefined, ...rest } = asked;
      const now = shopTimes(clock);
      const before = order.status;
      const paid = set_paid && !order.date_paid && { date_paid: now.local, date_paid_gmt: now.gmt };
      Object.assign(order, rest, paid, { date_modified: now.local, date_modified_gmt: now.gmt });
      for (const { key, value } of changes) {
        const rows = known.has(key) ? order.meta_data.filter((row) => row.key === key) : [];
        const [first, ...others] = rows;
        const gone = value === null ? rows : others;
        order.meta_data = order.meta_data.filter((row) => !gone.includes(row));
        if (value === null) continue;
        if (first) first.value = value;
        else order.meta_data.push({ id: nextId(), key, value });
      }
      happened('order.updated', order.id);
      if (status !== undefined && status !== before) {
        takeStatus(order, status, now);
        happened(`action.woocommerce_order_status_${status}`, order.id);
        if (status === 'refunded') refunds.giveBackTheRest(order);
      }
      if (set_paid) happened('action.woocommerce_payment_complete', order.id);
      return order;
    },

    /** Into the trash; the answer shows the order as it was, and its time stays. */
    trash(order: StoredOrder): StoredOrder {
      const before = structuredClone(order);
      const time = Math.floor(clock.now().getTime() / 1000);
      order.meta_data.push({ id: nextId(), key: '_wp_trash_meta_status', value: `wc-${order.status}` });
      order.meta_data.push({ id: nextId(), key: '_wp_trash_meta_time', value: String(time) });
      order.status = 'trash';
      happened('order.deleted', order.id);
      return before;
    },
    restore(order: StoredOrder): void {
      const was = order.meta_data.find(({ key }) => key === '_wp_trash_meta_status')?.value;
      const now = shopTimes(clock);
      order.meta_data = order.meta_data.filter(({ key }) => !key.startsWith('_wp_trash_meta_'));
      order.status = String(was).replace(/^wc-/, '');
      Object.assign(order, { date_modified: now.local, date_modified_gmt: now.gmt });
      happened('order.restored', order.id);
      happened(`action.woocommerce_order_status_${order.status}`, order.id);
    },

    /** A customer note mails the customer, and WooCommerce notes the mail. Notes wake no webhook. */
    addNote(id: string, { note, customer_note }: z.output<typeof newNote>): StoredNote {
      const now = shopTimes(clock);
      const row = (text: string, toCustomer: boolean): StoredNote => ({
        id: nextId(),
        author: 'WooCommerce',
        date_created: now.local,
        date_created_gmt: now.gmt,
        note: text,
        customer_note: toCustomer,
      });
      const added = row(cleanNote(note), customer_note);
      const mailed = customer_note ? [row('Email "Customer note" sent.', false)] : [];
      notes.set(id, [...(notes.get(id) ?? []), added, ...mailed]);
      return added;
    },
  };
}
export type Store = ReturnType<typeof openStore>;

/** By hand, cash on delivery counts as paid when the order is completed, everything else when it is in process. */
function takeStatus(order: StoredOrder, status: string, now: ShopTimes): void {
  const paid = status === 'completed' || (status === 'processing' && order.payment_method !== 'cod');
  if (paid && !order.date_paid) Object.assign(order, { date_paid: now.local, date_paid_gmt: now.gmt });
  if (status === 'completed')
    Object.assign(order, { date_completed: now.local, date_completed_gmt: now.gmt });
  order.status = status;
  if ('needs_payment' in order) order.needs_payment = ['pending', 'failed'].includes(status);
  if ('is_editable' in order) order.is_editable = ['pending', 'on-hold', 'auto-draft'].includes(status);
}

/** WordPress drops tags it does not allow in comments and encodes a bare ampersand. */
function cleanNote(note: string): string {
  return note.replace(/<\/?(?!a\b|b\b|strong\b|em\b|i\b)[^<>]*>/gi, '').replace(/&(?!#?\w+;)/g, '&amp;');
}
