import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import type { ShopTimes } from './refund.ts';
import { openRefunds } from './refund-store.ts';

const metaRow = z.looseObject({ id: z.int().optional(), key: z.string(), value: z.unknown() });
const orderShape = z.looseObject({
  id: z.int().positive(),
  meta_data: z.array(metaRow).default([]),
  refunds: z
    .array(z.looseObject({ id: z.int(), reason: z.string().nullish(), total: z.string() }))
    .default([]),
});
export type StoredOrder = z.output<typeof orderShape>;

export interface StoredNote {
  id: number;
  author: string;
  date_created: string;
  date_created_gmt: string;
  note: string;
  customer_note: boolean;
}

export const orderChange = z.looseObject({ meta_data: z.array(metaRow).default([]) });
export const newNote = z.looseObject({ note: z.string().min(1), customer_note: z.boolean().default(false) });

/** What the shop keeps in its database, with WooCommerce's ways of changing it (measured on WooCommerce 11.0.1). */
export function openStore(
  initial: readonly unknown[],
  clock: Clock,
  products: readonly { id: number }[] = [],
) {
  const orders = new Map<string, StoredOrder>();
  const notes = new Map<string, StoredNote[]>();
  let lastId = 10_000;
  let whim: 1 | -1 = -1;
  const nextId = () => {
    lastId += 1;
    return lastId;
  };
  const refunds = openRefunds(nextId, () => shopTimes(clock));

  function put(order: unknown, inFull?: readonly unknown[]): void {
    const read = orderShape.parse(order);
    const id = String(read.id);
    // Laid over a copy, so that the keys keep the order in which a webhook will send them.
    orders.set(id, Object.assign(structuredClone(order) as object, structuredClone(read)));
    refunds.put(read, inFull);
  }
  for (const order of initial) put(order);

  return {
    put,
    refunds,
    products: (ids: readonly string[]) => products.filter(({ id }) => ids.includes(String(id))),
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

    /** `PUT orders/{id}`: other keys replace, meta data is update-or-add by key, null deletes. */
    change(order: StoredOrder, { meta_data: changes, ...rest }: z.output<typeof orderChange>): StoredOrder {
      const now = shopTimes(clock);
      Object.assign(order, rest, { date_modified: now.local, date_modified_gmt: now.gmt });
      for (const { key, value } of changes) {
        const [first, ...others] = order.meta_data.filter((row) => row.key === key);
        const gone = value === null ? [first, ...others] : others;
        order.meta_data = order.meta_data.filter((row) => !gone.includes(row));
        if (value === null) continue;
        if (first) first.value = value;
        else order.meta_data.push({ id: nextId(), key, value });
      }
      if (rest.status === 'refunded') refunds.giveBackTheRest(order);
      return order;
    },

    /** A customer note mails the customer, and WooCommerce notes the mail. */
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

/** WordPress drops tags it does not allow in comments and encodes a bare ampersand. */
function cleanNote(note: string): string {
  return note.replace(/<\/?(?!a\b|b\b|strong\b|em\b|i\b)[^>]*>/gi, '').replace(/&(?!#?\w+;)/g, '&amp;');
}

/** `date_*` is the shop's wall time (Quito, UTC−5), `date_*_gmt` is UTC; neither says so. */
function shopTimes(clock: Clock): ShopTimes {
  const now = clock.now();
  const text = (time: Date) => time.toISOString().slice(0, 19);
  return { local: text(new Date(now.getTime() - 5 * 3_600_000)), gmt: text(now) };
}
