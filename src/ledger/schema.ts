import type { ColumnType, Generated } from 'kysely';
import type { Ambiente, Attempt, Document, DocumentKind, DocumentState, Series } from '../domain/document.ts';
import type { AccountPause, JobKind } from '../domain/job.ts';
import type { Behind } from '../domain/listing.ts';
import type { OrderFingerprint, PaidTotal } from '../domain/order.ts';
import type { ShopHold } from '../domain/shop-identity.ts';
import type { Params } from '../messages/message.ts';

/** Instants are ISO texts of fixed width, which sort by time; amounts are decimal texts. */
export interface Schema {
  stores: StoreRow;
  shopAddresses: ShopKey & { address: string; since: string };
  shopHolds: ShopKey & ShopHold & { since: string };
  deliveries: DeliveryRow;
  orders: Stored<OrderRow, 'snapshot' | 'decision' | 'fingerprint' | 'paid'> & {
    decidedAt: string | null;
    parentId: string | null;
  };
  documents: StoredDocument;
  history: HistoryRow;
  attempts: StoredAttempt;
  series: SeriesRow;
  keyDigits: KeyDigitsRow;
  jobs: JobRow;
  rateLimits: RateLimitState & { keyHash: string };
  pauses: PauseRow;
  alerts: Stored<AlertRow, 'params'>;
  alertDeliveries: AlertDeliveryRow;
  listenerCursors: ListenerCursor & { documentId: string; listener: string; movedAt: string };
  reconciliations: Stored<ReconciliationRow, 'behind' | 'progress'> & ShopKey;
  credentials: ShopKey & { encrypted: string; version: number; updatedAt: string };
  locks: { name: string; holder: string; until: string };
  questions: QuestionRow;
  counters: { name: string; endsAt: string; count: number };
  files: FileRow;
  sessions: SessionRow;
  secondFactors: SecondFactorRow;
  auditLog: AuditRow;
  closes: KeptClose;
  tallies: TallyRow;
  unknownDocuments: UnknownDocument & { seenAt: string; boundAt: string | null };
  marks: Mark & { name: string };
  migrations: { name: string; checksum: string; appliedAt: string };
}

type Json<T> = ColumnType<T, TextOf<T>, TextOf<T>>;
type TextOf<T> = null extends T ? string | null : string;

type Stored<T, Column extends keyof T> = Omit<T, Column> & { [Name in Column]: Json<T[Name]> };

/** Numbers on SQLite, texts on PostgreSQL (64 bits do not fit a JS number). */
type Identity = ColumnType<string | number, never, never>;

export interface ShopKey {
  platform: string;
  shop: string;
}

export interface OrderKey extends ShopKey {
  orderId: string;
}

interface StoreRow extends ShopKey {
  id: string;
  /** An app's id in the config; null for an endpoint of its own. */
  app: string | null;
  firstStartedAt: string;
  identity: string | null;
  address: string | null;
  askedAt: string | null;
}

export interface DeliveryRow {
  id: Identity;
  /** The config's id of the endpoint (app or store), or `service:<account>`. */
  connection: string;
  dedupeKey: string;
  topic: string;
  platform: string | null;
  shop: string | null;
  orderId: string | null;
  body: Uint8Array;
  receivedAt: string;
}

export interface OrderRow extends OrderKey {
  storeId: string;
  name: string;
  snapshot: unknown;
  sourceUpdatedAt: string;
  decision: unknown;
  syncedAt: string;
  /** null where it is not known (yet). */
  fingerprint: OrderFingerprint | null;
  paid: PaidTotal | null;
  readings: number;
  /** Since when no reading of the order counts, because something newer is known of it; by our clock. */
  olderSince: string | null;
}

export interface ReconciliationRow<Progress = unknown> {
  version: number;
  /** Every change the shop made until then is known; by our clock. */
  reconciledTo: string;
  /** Since when each run ends before its lists do; null when the last one read them to the end. */
  behindSince: string | null;
  behind: Behind;
  progress: Progress | null;
}

interface QuestionRow extends OrderKey {
  askedAt: string;
  cutOffAt: string;
  expiresAt: string;
  mailedAt: string | null;
  passedAt: string | null;
  /** null again once that is over. */
  notifiedAt: string | null;
  answeredAt: string | null;
  encrypted: string | null;
}

export type Question = Omit<QuestionRow, 'encrypted'> & { answer: unknown };

/** null for documents made before they were kept. */
interface StoredDocument extends Omit<Stored<Document, 'verification' | 'fingerprint'>, 'linkVersion'> {
  linkVersion: Generated<number>;
  firstSecuencial: number;
  /** The document's own id where its number belongs to another document; else ''. */
  displaced: Generated<string>;
}

interface HistoryRow {
  id: Identity;
  documentId: string;
  at: string;
  fromState: DocumentState | null;
  toState: DocumentState;
  note: Json<unknown>;
}

type AttemptJson = 'nettedRefunds' | 'leftOut' | 'lineReferences' | 'errors';

interface StoredAttempt extends Omit<Stored<Attempt, AttemptJson>, 'body' | 'reprocessed'> {
  encryptedBody: string;
  reprocessed: Generated<number>;
  endedAt: string | null;
}

export interface SeriesRow extends Series {
  /** Null while the series was stopped before its first use. */
  next: number | null;
  stoppedReason: string | null;
  stoppedSecuencial: string | null;
  stoppedAt: string | null;
  sentAlone: string | null;
}

/** Documents whose access keys may have the same free digits. */
export interface KeyIssuer {
  account: string;
  ruc: string;
  ambiente: Ambiente;
  codDoc: string;
}

interface KeyDigitsRow extends KeyIssuer {
  digits: string;
  seen: number;
  variedAt: string | null;
}

export type FileKind = 'pdf' | 'xml';

interface FileRow {
  documentId: string;
  kind: FileKind;
  size: number;
  keptAt: string;
  encrypted: Uint8Array;
  digest: string;
}

/** The service holds it and this ledger does not: an older copy was restored. */
export interface UnknownDocument extends ShopKey {
  accessKey: string;
  kind: DocumentKind;
  sourceId: string;
  orderId: string | null;
  account: string;
  keyHash: string;
}

/** `held`: waits for a person, because processes died while they ran it. */
export type JobState = 'waiting' | 'released' | 'leased' | 'held';

interface JobRow {
  id: string;
  kind: JobKind;
  subject: string;
  storeId: string;
  rateLimit: string | null;
  partition: string;
  priority: number;
  dueAt: string;
  state: Generated<JobState>;
  payload: Json<unknown>;
  attempts: Generated<number>;
  failingSince: string | null;
  reason: string | null;
  releasedAt: string | null;
  token: string | null;
  leaseUntil: string | null;
  /** Enqueued again while it ran: due at this time once it is finished. */
  askedAgainAt: string | null;
  trace: string | null;
  deaths: Generated<number>;
}

/** Both in milliseconds since the epoch. */
export interface RateLimitState {
  tat: number;
  /** Of the share that questions and downloads have while emissions wait. */
  reserveTat: number;
  /** Until then the key is used at the lower rate; 0 after none was exceeded. */
  slowUntil: number;
}

interface PauseRow extends Omit<AccountPause, 'ambiente'> {
  /** 0 means both. */
  ambiente: Ambiente | 0;
  emissions: string;
  questions: string | null;
}

export interface AlertRow {
  code: string;
  subject: string;
  params: Params;
  /** An owner (domain/settings.ts); null for the whole installation. */
  about: string | null;
  since: string;
  overAt: string | null;
}

interface AlertDeliveryRow {
  channel: string;
  code: string;
  subject: string;
  times: number;
  notifiedAt: string;
}

export interface ListenerCursor {
  state: DocumentState;
  version: number;
}

export interface KeptClose {
  hash: string;
  /** Counts all closes of the ledger from 1, without a gap. */
  n: number;
  day: string;
  scope: string;
  result: string;
  /** Canonical JSON, with the hash of the close before it. */
  content: string;
  /** An Ed25519 signature of the bytes of `content`, in base64. */
  signature: string;
  publicKey: string;
  closedAt: string;
}

interface TallyRow {
  day: string;
  open: number;
  tallies: Json<Tally[]>;
}

export interface Tally {
  storeId: string;
  ambiente: Ambiente;
  kind: DocumentKind;
  state: DocumentState;
  count: number;
  cents: number;
}

/** `pending`: a code is still needed; `password`: the password was enough. */
export type SessionStage = 'pending' | 'password' | 'code';

export interface Session {
  /** SHA-256; only the browser holds the token. */
  tokenHash: string;
  person: string;
  mark: string;
  beganAt: string;
  seenAt: string;
  notice: string | null;
  stage: SessionStage;
}

interface SessionRow extends Session {
  encryptedSecret: string | null;
}

interface SecondFactorRow {
  person: string;
  encrypted: string;
  /** The latest time step whose code was accepted (RFC 6238). */
  lastStep: number;
  enrolledAt: string;
  /** Hashes separated by spaces. */
  recoveryCodes: string;
}

/** `nothing`: it was carried out, and there was nothing to do. */
export type AuditEntryOutcome = 'done' | 'nothing' | 'refused' | 'failed';

/** Never holds a buyer's data. */
export interface AuditEntry {
  at: string;
  /** "ana (panel)" or "root@maquina"; null for an unknown person. */
  who: string | null;
  what: string;
  /** The id of a document, the name of an alert; null for nothing in particular. */
  subject: string | null;
  outcome: AuditEntryOutcome;
  facts: unknown;
}

interface AuditRow extends Stored<AuditEntry, 'facts'> {
  id: Identity;
  /** An owner (domain/settings.ts); null for the whole installation. */
  about: string | null;
}

/** When something was last done, or how far it came by time, with the id among the rows of one instant. */
export interface Mark {
  at: string;
  id: string;
}
