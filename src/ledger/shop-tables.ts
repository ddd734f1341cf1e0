import type { Document } from '../domain/document.ts';
import type { JobRequest } from '../domain/job.ts';
import type { Behind } from '../domain/listing.ts';
import type { Order, OrderFingerprint, PaidTotal, Settlement } from '../domain/order.ts';
import type { Scope } from '../domain/settings.ts';

/* The tables of shops: stores, deliveries of the endpoints, orders as last read, reconciliation. */

export interface Stores {
  /**
   * Registers a configured store. The first start never changes: it is the default of `invoiceFrom`. A shop is
   * platform + shop; its store id may change in the config. `app` is the config's id of the app it sells through; null
   * where the store has an endpoint of its own.
   */
  register(store: {
    id: string;
    platform: string;
    shop: string;
    app?: string | null;
    now: Date;
  }): Promise<{ firstStartedAt: string }>;
  /** All that were ever registered. */
  list(): Promise<{ id: string; platform: string; shop: string; firstStartedAt: string }[]>;
  /** When a shop was registered first; undefined where it never was. */
  firstStart(shop: ShopKey): Promise<string | undefined>;
  /** Corrects a first start that was written by a clock that was ahead. */
  moveFirstStart(shop: ShopKey, to: Date): Promise<void>;
  /** The app a shop last sold through, even after its store left the config; null where there is none. */
  lastApp(shop: ShopKey): Promise<string | null>;
  /** Makes the waiting jobs that call the store's shop due now. */
  wake(storeId: string, now: Date): Promise<void>;
}

export interface NewDelivery {
  /** The config's id of the endpoint (app or store), or `service:<account>`. */
  connection: string;
  dedupeKey: string;
  topic: string;
  platform: string | null;
  shop: string | null;
  orderId: string | null;
  body: Uint8Array;
  receivedAt: Date;
  job: JobRequest | null;
}

export interface StoredDelivery {
  id: string;
  topic: string;
  body: Uint8Array;
  receivedAt: string;
}

export interface Deliveries {
  /** Stores those that are new. No two may have the same connection and dedupeKey. */
  keep(deliveries: readonly NewDelivery[]): Promise<void>;
  /** Those of one order, newest first. */
  ofOrder(order: OrderKey, limit: number): Promise<StoredDelivery[]>;
  /** One delivery of an endpoint; undefined when it was deleted. */
  find(delivery: { connection: string; dedupeKey: string }): Promise<StoredDelivery | undefined>;
  /** Those of some topics, newest first. */
  ofTopics(
    topics: readonly string[],
    limit: number,
  ): Promise<(StoredDelivery & Pick<NewDelivery, 'platform' | 'shop'>)[]>;
  /** Replaces a body that must be deleted; the delivery stays. */
  replaceBody(id: string, body: Uint8Array): Promise<void>;
  /** Empties every body of an order; a repeated delivery is still recognised. Answers how many. */
  forgetOrder(order: OrderKey): Promise<number>;
  /** The same for every delivery of a shop. */
  forgetShop(shop: ShopKey): Promise<number>;
  /** Deletes older ones; answers how many. Order snapshots and documents stay. */
  prune(before: Date): Promise<number>;
}

export interface ShopKey {
  platform: string;
  shop: string;
}

export interface OrderKey extends ShopKey {
  orderId: string;
}

export interface OrderRow extends OrderKey {
  storeId: string;
  name: string;
  /** The Order model as JSON, as last read from the platform. */
  snapshot: unknown;
  sourceUpdatedAt: string;
  /** The planner's last answer, action by action, as JSON; null before the first plan. */
  decision: unknown;
  /** When it was read from the shop, by our clock. */
  syncedAt: string;
  /** Which order its id stands for, and the total it was paid with; null where that is not known (yet). */
  fingerprint: OrderFingerprint | null;
  paid: PaidTotal | null;
  /** How often it was saved as read. */
  readings: number;
  /** Since when no reading of the order counts, because something newer is known of it; by our clock. Null when they do. */
  olderSince: string | null;
}

/** An order as last read, to compare with a list of the shop. */
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
  /** The order a document was made for; undefined also where its id belongs to another order now. */
  ofDocument(document: Pick<Document, keyof OrderKey | 'fingerprint'>): Promise<OrderRow | undefined>;
  /**
   * Stores a reading that began after the stored one was saved (`since`: its `readings` then), whatever time the shop
   * states. Of two overlapping readings the shop's time decides: an older one changes nothing. Of two with the same time
   * (WooCommerce states whole seconds) the one saved later is stored, unless `isLater` denies it. In a transaction nobody
   * else saves the order between that answer and COMMIT.
   */
  save(
    order: Pick<OrderRow, keyof OrderKey | 'storeId' | 'name' | 'snapshot' | 'sourceUpdatedAt'> & {
      readAt: Date;
      fingerprint?: OrderFingerprint | null;
      paid?: PaidTotal | null;
      since?: number;
    },
    isLater?: () => Promise<boolean>,
  ): Promise<'saved' | 'overlapped' | 'older'>;
  /** The orders that refer to this one as their parent; 200 at most. */
  children(order: OrderKey): Promise<OrderRow[]>;
  /** Inside a transaction: nobody else saves or locks the order before COMMIT. */
  lock(order: OrderKey): Promise<void>;
  /** Records that a reading of the order does not count; keeps the first such time. */
  older(order: OrderKey, now: Date): Promise<void>;
  /** Sets what its id stands for and what was paid, on a person's decision. */
  bind(order: OrderKey, to: { fingerprint?: OrderFingerprint; paid?: PaidTotal | null }): Promise<void>;
  /** The orders with these ids that the ledger has. */
  readings(shop: ShopKey, orderIds: readonly string[]): Promise<Reading[]>;
  /**
   * The next orders of a shop that changed after `after` (by the shop's clock), oldest change first; an order that
   * changes meanwhile is listed again.
   */
  changedAfter(
    shop: ShopKey,
    after: { sourceUpdatedAt: string; orderId: string },
    limit: number,
  ): Promise<Reading[]>;
  /** The orders of a shop that were read as paid before its first start. */
  readAsHistory(shop: ShopKey): Promise<OrderRow[]>;
  /** The orders of a shop by id, after `after`. */
  ofShop(shop: ShopKey, after: string, limit: number): Promise<Order[]>;
  /**
   * Replaces the snapshot that was read, and deletes the plan made from it. False, without a change, when the order was
   * saved again meanwhile.
   */
  rewrite(read: OrderRow, snapshot: unknown): Promise<boolean>;
  decide(order: OrderKey, decision: unknown, now: Date): Promise<void>;
}

export interface ReconciliationRow<Progress = unknown> {
  /** Grows with every save: compare-and-set. */
  version: number;
  /** By our clock: every change the shop made until then is known. */
  reconciledTo: string;
  /** Since when each run ends before its lists do; null when the last one read them to the end. */
  behindSince: string | null;
  /** Those lists. */
  behind: Behind;
  /** The job handler's own state, as JSON; null before the first page. */
  progress: Progress | null;
}

export interface Freshness extends ShopKey {
  /** The store's id in the config at its last start. */
  storeId: string;
  /** Grows with every page that is read. */
  version: number;
  reconciledTo: string;
  behind: Behind;
}

export interface Reconciliations {
  /** Starts to reconcile a shop from an instant on; one that was started already stays as it is. */
  begin(shop: ShopKey, reconciledTo: Date): Promise<void>;
  get<Progress>(shop: ShopKey): Promise<ReconciliationRow<Progress> | undefined>;
  /** Compare-and-set; false when another process saved since `row` was read. */
  save(shop: ShopKey, row: ReconciliationRow): Promise<boolean>;
  /** Of every shop that was ever reconciled, or of the scope's; freshness is now − `reconciledTo`. */
  freshness(scope?: Scope | null): Promise<Freshness[]>;
}
