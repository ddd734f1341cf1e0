import type { Document } from '../domain/document.ts';
import type { Order, Settlement } from '../domain/order.ts';
import type { OrderFingerprint, PaidTotal } from '../domain/order-fingerprint.ts';
import type { WorkRequest } from '../domain/work.ts';

/* What the ledger keeps of shops: stores, what came through the doors, orders as last read. */

export interface Stores {
  /**
   * Remembers a configured store. The first start is kept for ever: it is the default of `invoiceFrom`. A shop
   * is platform + shop; its store id may be renamed in the config. `app` is the config's id of the app it sells through;
   * none where the store has an endpoint of its own.
   */
  register(store: {
    id: string;
    platform: string;
    shop: string;
    app?: string | null;
    now: Date;
  }): Promise<{ firstStartedAt: string }>;
  /** All that were ever registered, shadows included. */
  list(): Promise<{ id: string; platform: string; shop: string; firstStartedAt: string }[]>;
  /** When a shop was registered first; undefined where it never was. */
  firstStart(shop: { platform: string; shop: string }): Promise<string | undefined>;
  /** The first start was written by a clock that was ahead. */
  moveFirstStart(shop: { platform: string; shop: string }, to: Date): Promise<void>;
  /** The app a shop last sold through, also after its store left the config; null where there is none. */
  lastApp(shop: { platform: string; shop: string }): Promise<string | null>;
  /** Makes what waits for the store's shop (reading and writing orders) due now. */
  wake(storeId: string, now: Date): Promise<void>;
}

export interface NewDelivery {
  /** The config's id of the door (app or store), or `service:<account>`. */
  connection: string;
  dedupeKey: string;
  topic: string;
  platform: string | null;
  shop: string | null;
  orderId: string | null;
  body: Uint8Array;
  receivedAt: Date;
  work: WorkRequest | null;
}

export interface StoredDelivery {
  id: string;
  topic: string;
  body: Uint8Array;
  receivedAt: string;
}

export interface Deliveries {
  /** What came about one order, newest first. */
  ofOrder(order: OrderKey, limit: number): Promise<StoredDelivery[]>;
  /** One delivery of a door; undefined when it is gone. */
  find(delivery: { connection: string; dedupeKey: string }): Promise<StoredDelivery | undefined>;
  /** Those of some topics, newest first. */
  ofTopics(
    topics: readonly string[],
    limit: number,
  ): Promise<(StoredDelivery & Pick<NewDelivery, 'platform' | 'shop'>)[]>;
  /** Puts other bytes in the place of a body that must be forgotten; that it came stays known. */
  replaceBody(id: string, body: Uint8Array): Promise<void>;
  /** Empties every body about an order, so that a repeat is still known as one; answers how many. */
  forgetOrder(order: OrderKey): Promise<number>;
  /** The same for a whole shop, whatever it was about. */
  forgetShop(shop: { platform: string; shop: string }): Promise<number>;
  /** Deletes what is older; the answer is how many. Order snapshots and documents stay. */
  prune(before: Date): Promise<number>;
}

export interface OrderKey {
  platform: string;
  shop: string;
  orderId: string;
}

export interface OrderRow extends OrderKey {
  storeId: string;
  name: string;
  /** The Order model as JSON, as last read from the platform. */
  snapshot: unknown;
  sourceUpdatedAt: string;
  /** The planner's last word, action by action, as JSON; null before the first plan. */
  decision: unknown;
  /** When it was read from the shop, by our clock. */
  syncedAt: string;
  /** What its id means, and the total it was paid with; null where that is not known (yet). */
  fingerprint: OrderFingerprint | null;
  paid: PaidTotal | null;
  /** How often it was saved as read. */
  readings: number;
  /** Since when the shop tells an older time of it than it did, by our clock; null when it does not. */
  olderSince: string | null;
}

/** What a list of the shop can be compared with. */
export interface Reading {
  orderId: string;
  sourceUpdatedAt: string;
  /** By our clock: when it was read from the shop. */
  syncedAt: string;
  settlement: Settlement;
  status: string;
  refunds: readonly string[];
}

export interface Orders {
  get(order: OrderKey): Promise<OrderRow | undefined>;
  /** The order a document was made for; undefined also where its id is another order's by now. */
  ofDocument(document: Pick<Document, keyof OrderKey | 'fingerprint'>): Promise<OrderRow | undefined>;
  /**
   * Keeps a reading that began after the stored one was saved (`since`: its `readings` then), whatever time the shop
   * tells. Of two that overlap the shop's time decides: an older one changes nothing. Times in whole seconds
   * (WooCommerce) do not say which of two equal ones is newer: then the later one to be saved takes the place, unless
   * `isLater` denies it. In a transaction nobody else saves the order between that answer and COMMIT.
   */
  save(
    order: OrderKey & {
      storeId: string;
      name: string;
      snapshot: unknown;
      sourceUpdatedAt: string;
      readAt: Date;
      fingerprint?: OrderFingerprint | null;
      paid?: PaidTotal | null;
      since?: number;
    },
    isLater?: () => Promise<boolean>,
  ): Promise<'saved' | 'overlapped' | 'older'>;
  /** The shop tells an older time of the order than it did; the first time it did so stays. */
  older(order: OrderKey, now: Date): Promise<void>;
  /** From now on its id means this, and so much was paid, because a person said so. */
  bind(order: OrderKey, to: { fingerprint?: OrderFingerprint; paid?: PaidTotal | null }): Promise<void>;
  /** Of those the ledger has read, what they were. */
  readings(shop: { platform: string; shop: string }, orderIds: readonly string[]): Promise<Reading[]>;
  /**
   * The next orders of a shop that changed after `after` (by the shop's clock), the oldest change first; an order
   * that is read anew meanwhile comes again.
   */
  changedAfter(
    shop: { platform: string; shop: string },
    after: { sourceUpdatedAt: string; orderId: string },
    limit: number,
  ): Promise<Reading[]>;
  /** The orders of a shop that were paid before its first start, as far as was known when they were read. */
  readAsHistory(shop: { platform: string; shop: string }): Promise<OrderRow[]>;
  /** The orders of a shop in the order of their ids, from behind `after` on. */
  ofShop(shop: { platform: string; shop: string }, after: string, limit: number): Promise<Order[]>;
  /**
   * Puts another snapshot in the place of the one that was read, and drops what was planned from it. False, and
   * nothing is changed, when the order was saved anew meanwhile: documents may be made from what was saved.
   */
  rewrite(read: OrderRow, snapshot: unknown): Promise<boolean>;
  decide(order: OrderKey, decision: unknown, now: Date): Promise<void>;
}
