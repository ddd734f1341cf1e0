import type { CompiledQuery, Kysely, RawBuilder } from 'kysely';
import type { Ambiente, AttemptOutcome, DocumentKind, DocumentState } from '../domain/document.ts';
import type { AlertRecord, HearingRecord, TellingRecord } from './alert-schema.ts';
import type { BreakerRecord } from './breakers.ts';
import type { CloseRecord } from './close-schema.ts';
import type { KeyDigitsRecord } from './key-digits.ts';
import type { LookUpRecord } from './look-ups.ts';
import type { MigrationRecord } from './migrate.ts';
import type {
  DeedRecord,
  FailureCountRecord,
  RecoveryCodeRecord,
  SecondFactorRecord,
  SessionRecord,
} from './panel-schema.ts';
import type { MarkRecord } from './retention.ts';
import type {
  CredentialRecord,
  DeliveryRecord,
  Identity,
  OrderRecord,
  QuestionRecord,
  ShopAddressRecord,
  ShopHoldRecord,
  ShopIdentityRecord,
  StoreRecord,
  SweepRecord,
  TurnRecord,
} from './shop-schema.ts';
import type { UnknownDocumentRecord } from './unknown-documents.ts';
import type { BudgetRecord, PauseRecord, WorkRecord } from './work/schema.ts';

/**
 * The rows as both engines hand them over. Instants are ISO texts of fixed width (they sort as they read),
 * amounts decimal texts, JSON is text: so the same query means the same on SQLite and PostgreSQL.
 */
export interface Schema {
  stores: StoreRecord;
  shop_identities: ShopIdentityRecord;
  shop_addresses: ShopAddressRecord;
  shop_holds: ShopHoldRecord;
  marks: MarkRecord;
  deliveries: DeliveryRecord;
  orders: OrderRecord;
  documents: DocumentRecord;
  history: HistoryRecord;
  attempts: AttemptRecord;
  series: SeriesRecord;
  key_digits: KeyDigitsRecord;
  work: WorkRecord;
  budgets: BudgetRecord;
  pauses: PauseRecord;
  breakers: BreakerRecord;
  alerts: AlertRecord;
  tellings: TellingRecord;
  hearings: HearingRecord;
  sweeps: SweepRecord;
  credentials: CredentialRecord;
  turns: TurnRecord;
  questions: QuestionRecord;
  link_versions: LinkVersionRecord;
  look_ups: LookUpRecord;
  files: FileRecord;
  sessions: SessionRecord;
  second_factors: SecondFactorRecord;
  recovery_codes: RecoveryCodeRecord;
  failure_counts: FailureCountRecord;
  deeds: DeedRecord;
  closes: CloseRecord;
  tallies: TallyRecord;
  unknown_documents: UnknownDocumentRecord;
  installation: InstallationRecord;
  write_checks: { name: string; at: string };
  migrations: MigrationRecord;
}

export type Database = Kysely<Schema>;

/** An insert of many rows at once, and how the engine is to run it. */
export interface InsertMany {
  /** The statement for so many rows; `returning` asks for the key of each row that was written. */
  statement(rows: number, returning: boolean): CompiledQuery<Record<string, string>>;
  /** The first columns of a row, unique together. */
  key: readonly string[];
}

/** What the two engines say differently, as values; everything else is said once. */
export interface Dialect {
  /** Column types of the migrations. */
  types: { text: string; bytes: string; real: string; identity: string; table: string };
  /** Runs a multi-row insert; only inside a transaction of `db`. See `insertMany`. */
  insertRows(db: Database, rows: readonly (readonly unknown[])[], insert: InsertMany): Promise<boolean[]>;
  /** Ends a select inside a transaction: nobody else may change or lock its rows until COMMIT. */
  lockRows: RawBuilder<unknown>;
  /** How many transactions of the door may be under way: one more hides the way to the server and back. */
  batchesAtOnce: number;
  /** Runs first in the migrating transaction: lets one process migrate while the others wait. */
  beforeMigrating: RawBuilder<unknown>[];
  /** Inside a transaction: takes new space on the disk and gives it back; empty where each COMMIT takes some anyway. */
  takeSpace: RawBuilder<unknown>[];
  /** Joins, to each row of `outer`, the rows of `inner`, a select on `work` that ends in a limit per outer row. */
  joinEach(inner: RawBuilder<unknown>): RawBuilder<unknown>;
  /** What stands in a text before its first '/', or between that and the second. */
  part(text: RawBuilder<unknown>, n: 1 | 2): RawBuilder<string>;
  /** The database broke a deadlock or asked to repeat; the same statements may simply run again. */
  mayRunAgain(error: unknown): boolean;
  /** One row's own contents were refused; its neighbours may be fine. */
  blamesRow(error: unknown): boolean;
}

/** An open database. */
export interface Engine {
  name: 'sqlite' | 'postgresql';
  dialect: Dialect;
  /**
   * Runs `task` in a transaction; resolves after its COMMIT, which on SQLite it shares with everything that asks
   * meanwhile.
   */
  transaction<T>(task: (db: Database) => Promise<T>): Promise<T>;
  /** The few writing connections, on SQLite the one connection: for migrating and moving, before others use it. */
  writer: Database;
  /** For single statements, each committed by itself. */
  others: Database;
  close(): Promise<void>;
}

export interface DocumentRecord {
  id: string;
  key: string;
  store_id: string;
  platform: string;
  shop: string;
  ambiente: Ambiente;
  kind: DocumentKind;
  source_id: string;
  ordinal: number;
  order_id: string;
  order_name: string;
  account: string;
  key_hash: string;
  ruc: string;
  cod_doc: string;
  establecimiento: string;
  punto_emision: string;
  first_secuencial: number;
  secuencial: string | null;
  access_key: string | null;
  issue_date: string | null;
  authorized_at: string | null;
  charged: string;
  total: string | null;
  code: string | null;
  reason: string | null;
  state: DocumentState;
  version: number;
  written_back: DocumentState | null;
  /** The journey that created or last moved it. */
  trace: string | null;
  verified_at: string | null;
  /** JSON: "agrees" or the names of the fields that differ. */
  verification: string | null;
  annulled_at: string | null;
  /** JSON (domain/order-fingerprint.ts); null for what was made before it was kept. */
  fingerprint: string | null;
  /** The document's own id, where its number proved another's of ours; else ''. */
  displaced: string;
  created_at: string;
  updated_at: string;
}

export interface HistoryRecord {
  id: Identity;
  document_id: string;
  at: string;
  from_state: DocumentState | null;
  to_state: DocumentState;
  note: string | null;
}

export interface AttemptRecord {
  id: string;
  document_id: string;
  n: number;
  issue_date: string;
  secuencial: string;
  sealed_body: string;
  total: string;
  buyer_id: string;
  netted_refunds: string;
  ties: string | null;
  foreseen_key: string | null;
  access_key: string | null;
  service_id: string | null;
  outcome: AttemptOutcome;
  reprocessed: number;
  errors: string;
  created_at: string;
  ended_at: string | null;
}

export interface SeriesRecord {
  ruc: string;
  ambiente: Ambiente;
  cod_doc: string;
  establecimiento: string;
  punto_emision: string;
  /** The next number to give; null while the series was stopped before its first use. */
  next: number | null;
  stopped_reason: string | null;
  stopped_secuencial: string | null;
  stopped_at: string | null;
  sent_alone: string | null;
}

export interface LinkVersionRecord {
  document_id: string;
  version: number;
  revoked_at: string;
}

export interface InstallationRecord {
  name: string;
  id: string;
  began_at: string;
}

export interface FileRecord {
  document_id: string;
  kind: string;
  size: number;
  kept_at: string;
  sealed: Uint8Array;
  /** SHA-256 of its bytes; null where it was kept before there was one. */
  digest: string | null;
}

/** The tallies of a time that is over; see schema.ts for how values are written. */
interface TallyRecord {
  /** "2026-11-21": the day in Ecuador. "h2026-11-21T14": the hour in UTC. */
  span: string;
  /** How many of its documents were not final yet when it was tallied. */
  open: number;
  /** JSON: of its final documents. */
  tallies: string;
}
