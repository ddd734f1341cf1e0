import type {
  Ambiente,
  Attempt,
  AttemptOutcome,
  Document,
  DocumentIdentity,
  DocumentState,
  Series,
} from '../core/document.ts';
import type { Amount } from '../core/money.ts';
import type { ClaimedWork, WorkRequest } from '../core/work.ts';

/**
 * The ledger: all state, including the work still to do, in one SQL database. SQLite inside the process or
 * PostgreSQL; the same queries, one contract suite. Nothing outside this room writes SQL.
 */
export interface Ledger extends Tables {
  readonly engine: 'sqlite' | 'postgresql';
  /**
   * Runs `task` in one transaction. It may await nothing but queries of the tables it is given; using the ledger
   * itself in there throws LedgerError `inside-transaction`. In one process transactions follow one another; the
   * door's batch goes through the same queue. PostgreSQL may break a deadlock between processes: then `task`
   * runs again from its start.
   */
  transaction<T>(task: (tables: Tables) => Promise<T>): Promise<T>;
  /**
   * The door's write: stores the delivery and the work it asks for, in one COMMIT shared by everything that
   * came in the same turn of the event loop; resolves after that COMMIT. A delivery whose
   * connection + dedupeKey is known already is a duplicate and asks for nothing.
   */
  accept(delivery: NewDelivery): Promise<'stored' | 'duplicate'>;
  /** Calls `listener` after every commit of this process that left work due; answers how to stop. */
  onWork(listener: () => void): () => void;
  /** Rejects when the database does not answer (readiness). */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface Tables {
  stores: Stores;
  deliveries: Deliveries;
  orders: Orders;
  documents: Documents;
  attempts: Attempts;
  sequences: Sequences;
  work: WorkTable;
  budgets: BudgetTable;
}

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

export interface NewDocument extends DocumentIdentity {
  key: string;
  storeId: string;
  orderId: string;
  orderName: string;
  account: string;
  keyHash: string;
  ruc: string;
  codDoc: string;
  establecimiento: string;
  puntoEmision: string;
  /** The first number of the series when it has never been used. */
  firstSecuencial: number;
  charged: Amount;
  total: Amount | null;
  state: 'held' | 'ready' | 'manual';
  code: string | null;
  reason: string | null;
  now: Date;
}

/** What may change together with a move. */
export interface DocumentPatch {
  accessKey?: string | null;
  issueDate?: string | null;
  authorizedAt?: string | null;
  charged?: Amount;
  total?: Amount | null;
  code?: string | null;
  reason?: string | null;
}

export interface Move {
  /** The states it may come from; the move is lost when the document stands elsewhere. */
  from: readonly DocumentState[];
  to: DocumentState;
  patch?: DocumentPatch;
  /** For the history: what happened, small facts as JSON, no buyers' data. */
  note?: Record<string, unknown>;
  now: Date;
}

export interface HistoryEntry {
  at: string;
  from: DocumentState | null;
  to: DocumentState;
  note: unknown;
}

export interface Documents {
  get(id: string): Promise<Document | undefined>;
  byKey(key: string): Promise<Document | undefined>;
  ofOrder(order: OrderKey): Promise<Document[]>;
  /** Newest first. */
  list(filter: { states?: readonly DocumentState[]; limit: number }): Promise<Document[]>;
  byNumber(series: Series, secuencial: string): Promise<Document | undefined>;
  /** By the access key of any of its attempts. */
  byAccessKey(accessKey: string): Promise<Document | undefined>;
  /**
   * Creates the document, with its secuencial when it is born `ready`; undefined when its key exists already.
   * A document's number is reserved at its first move to `ready` and never given back; where the series is
   * stopped, LedgerError `series-stopped` is thrown and nothing changes.
   */
  create(document: NewDocument): Promise<Document | undefined>;
  /**
   * One compare-and-set and one row of history; undefined when the document was not in `from`. Illegal moves
   * throw LedgerError `illegal-move`; the first move to `ready` in a stopped series throws `series-stopped`.
   */
  move(id: string, move: Move): Promise<Document | undefined>;
  /** Notes that this state now stands on the order; changes no state. */
  written(id: string, state: DocumentState, now: Date): Promise<void>;
  history(id: string): Promise<HistoryEntry[]>;
}

export interface NewAttempt {
  documentId: string;
  issueDate: string;
  secuencial: string;
  /** The exact JSON to be sent; sealed (AES-256-GCM) before it is stored. */
  body: string;
  total: Amount;
  buyerId: string;
  nettedRefunds: string[];
  now: Date;
}

export interface Attempts {
  add(attempt: NewAttempt): Promise<Attempt>;
  /** Oldest first. */
  ofDocument(documentId: string): Promise<Attempt[]>;
  end(
    id: string,
    end: { outcome: AttemptOutcome; accessKey?: string | null; errors?: string[]; now: Date },
  ): Promise<void>;
}

export interface Sequences {
  /**
   * The next number of the series, 9 digits; the first call answers `first`. Throws LedgerError `series-stopped`
   * and, after number 999999999, `series-exhausted`.
   */
  reserve(series: Series, first: number): Promise<string>;
  /** No more numbers from this series until somebody looks: a foreign document holds one of them. */
  stop(series: Series, reason: string, now: Date): Promise<void>;
  stopped(series: Series): Promise<string | null>;
  /** Somebody looked: numbers flow again, from `next` on when it lies ahead; null goes on where it stopped. */
  resume(series: Series, next: number | null): Promise<void>;
}

/** Due work that a dispatcher may release. */
export interface DueWork {
  id: string;
  kind: WorkRequest['kind'];
  budget: string | null;
  /** Whom it competes with: its budget, or its store when it needs none. */
  lane: string;
  priority: number;
  dueAt: string;
}

export interface WorkTable {
  /** Asks for work; the same kind + subject is one row (see WorkRequest). */
  ask(request: WorkRequest): Promise<void>;
  /**
   * Due and unreleased work, at most `perBudget` of each budget (each null-budget store counts as one), by
   * priority, then due time: what a fair dispatcher looks at.
   */
  due(now: Date, perBudget: number, limit: number): Promise<DueWork[]>;
  /** Marks due work as handed to the transport; answers the ids won (others were taken by another process). */
  release(ids: readonly string[], now: Date): Promise<string[]>;
  /** One UPDATE: wins the lease, or answers undefined because somebody else has it or it is no longer released. */
  claim(id: string, leaseMs: number, now: Date): Promise<ClaimedWork | undefined>;
  /** Prolongs a lease; false when the token no longer holds. */
  extend(id: string, token: string, leaseMs: number, now: Date): Promise<boolean>;
  /** Deletes finished work, or makes it due again when it was asked for meanwhile; false when the token no longer holds. */
  finish(id: string, token: string, now: Date): Promise<boolean>;
  /** Gives it back for later; `failed` counts an attempt and keeps the reason. */
  postpone(
    id: string,
    token: string,
    later: { dueAt: Date; failed: boolean; reason: string },
  ): Promise<boolean>;
  /**
   * Returns released work nobody claimed for `releasedForMs`, and work whose lease ran out, which counts as a
   * failed attempt; answers how many.
   */
  recover(now: Date, releasedForMs: number): Promise<number>;
  /** When the next waiting work is due, null when nothing waits. */
  nextDueAt(): Promise<Date | null>;
  counts(): Promise<{ waiting: number; released: number; leased: number }>;
}

export interface BudgetTable {
  /** Compare-and-set on the theoretical arrival time of a key (milliseconds); creates the row at first use. */
  read(keyHash: string): Promise<number | null>;
  swap(keyHash: string, expected: number | null, next: number): Promise<boolean>;
}

export interface LedgerOptions {
  /**
   * Directory of the SQLite ledger, or a PostgreSQL URL with `schema` ("facturapuente" unless said otherwise).
   * The URL must reach the server itself or a pooler in session mode: the schema is set per connection.
   */
  directory?: string;
  url?: string;
  schema?: string;
  /** 32 bytes; seals attempt bodies. */
  sealKey: Uint8Array;
  /** PostgreSQL connections besides the writing one; 4 unless said otherwise. */
  connections?: number;
}

export type { Ambiente };
