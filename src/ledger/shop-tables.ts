import type { Settlement } from '../core/order.ts';
import type { WorkRequest } from '../core/work.ts';

/* What the ledger keeps of shops: stores, what came through the doors, orders as last read. */

export interface Stores {
  /**
   * Remembers a configured store. The first start is kept for ever: it is the default of `invoiceFrom`. A shop
   * is platform + shop; its store id may be renamed in the config.
   */
  register(store: {
    id: string;
    platform: string;
    shop: string;
    now: Date;
  }): Promise<{ firstStartedAt: string }>;
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
}

/** What a list of the shop can be compared with. */
export interface Reading {
  orderId: string;
  sourceUpdatedAt: string;
  /** By our clock: when it was read from the shop. */
  syncedAt: string;
  settlement: Settlement;
  refunds: readonly string[];
}

export interface Orders {
  get(order: OrderKey): Promise<OrderRow | undefined>;
  /** Keeps the newest: an older `sourceUpdatedAt` than the stored one changes nothing and answers false. */
  save(
    order: OrderKey & {
      storeId: string;
      name: string;
      snapshot: unknown;
      sourceUpdatedAt: string;
      readAt: Date;
    },
  ): Promise<boolean>;
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
  decide(order: OrderKey, decision: unknown, now: Date): Promise<void>;
}
