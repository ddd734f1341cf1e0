import type { Receipt } from '../domain/platform.ts';
import type { Store } from '../domain/settings.ts';
import { orderSubject } from '../domain/work.ts';
import type { EventPayload } from '../jobs/shop-event.ts';
import type { NewDelivery } from '../ledger/shop-tables.ts';
import type { Door } from './doors.ts';

interface Came {
  door: Pick<Door, 'id' | 'platform'>;
  /** Null for a shop that has installed an app and has no store yet: kept, and nothing is asked for. */
  store: Store | null;
  body: Uint8Array;
  now: Date;
}

/** A hint at an order as it is stored, with the work "sync this order". */
export function hintDelivery(
  receipt: Extract<Receipt, { kind: 'hint' }>,
  { door, store, body, now }: Came,
): NewDelivery {
  const { topic, shop, orderId, dedupeKey } = receipt;
  const order = { platform: door.platform.name, shop: store?.shop ?? shop, orderId };
  return {
    connection: door.id,
    // Beside its order: neighbours in time are neighbours in the index of what was seen, which a random key is not.
    dedupeKey: `${orderId}:${dedupeKey}`,
    topic,
    ...order,
    body,
    receivedAt: now,
    work: store && {
      kind: 'sync-order',
      subject: orderSubject(order),
      storeId: store.id,
      budget: null,
      priority: 5,
      dueAt: now,
    },
  };
}

/** An event of the shop itself, each with work of its own. */
export function eventDelivery(
  receipt: Extract<Receipt, { kind: 'event' }>,
  { door, store, body, now }: Came,
): NewDelivery {
  const { topic, dedupeKey } = receipt;
  const shop = store?.shop ?? receipt.shop;
  const payload: EventPayload = { door: door.id, dedupeKey, platform: door.platform.name, shop };
  return {
    connection: door.id,
    dedupeKey,
    topic,
    platform: door.platform.name,
    shop,
    orderId: null,
    body,
    receivedAt: now,
    work: {
      kind: 'shop-event',
      subject: [door.id, dedupeKey].map(encodeURIComponent).join('/'),
      storeId: store?.id ?? door.id,
      budget: null,
      priority: 5,
      dueAt: now,
      payload,
    },
  };
}
