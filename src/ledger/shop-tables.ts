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
  syncedAt: string;
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
      now: Date;
    },
  ): Promise<boolean>;
  decide(order: OrderKey, decision: unknown, now: Date): Promise<void>;
}
