import type { ColumnType, Generated } from 'kysely';
import type { Ambiente, Attempt, Document, DocumentKind, DocumentState, Series } from '../domain/document.ts';
import type { AccountPause, JobKind, OpenBreaker } from '../domain/job.ts';
import type { Behind } from '../domain/listing.ts';
import type { OrderFingerprint, PaidTotal } from '../domain/order.ts';
import type { ShopHold } from '../domain/shop-identity.ts';
import type { Params } from '../messages/message.ts';

/**
 * The tables, each with the type of its rows, the same on both engines; `columns.ts` gives tables and columns their
 * snake_case names. Instants are ISO texts of fixed width, which sort by time; amounts are decimal texts. What a row shares with
 * a type of the domain has that type's names and values.
 */
export interface Schema {
  stores: StoreRow;
  shopIdentities: ShopKey & { identity: string };
  shopAddresses: ShopKey & { address: string; since: string };
  shopHolds: ShopKey & ShopHold & { since: string };
  deliveries: DeliveryRow;
  orders: Stored<OrderRow, 'snapshot' | 'decision' | 'fingerprint' | 'paid'> & {
    decidedAt: string | null;
    /** The order it refers to (`Order.parentId`). */
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
  breakers: OpenBreaker;
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

/** A column of JSON: written as text, read as its value (`columns.ts`). */
type Json<T> = ColumnType<T, TextOf<T>, TextOf<T>>;
type TextOf<T> = null extends T ? string | null : string;

/** The row of a type of ours some of whose members are JSON columns. */
type Stored<T, Column extends keyof T> = Omit<T, Column> & { [Name in Column]: Json<T[Name]> };

/** An identity column: numbers on SQLite, texts on PostgreSQL (64 bits do not fit a JS number). */
type Identity = ColumnType<string | number, never, never>;

export interface ShopKey {
  platform: string;
  shop: string;
}

export interface OrderKey extends ShopKey {
  orderId: string;
}

/* Shops and their orders. */

interface StoreRow extends ShopKey {
  id: string;
  /** The app of the config it sells through; null for an endpoint of its own. */
  app: string | null;
  firstStartedAt: string;
  /** The address where the shop answered last; null while it is the shop's name. */
  address: string | null;
  /** When the shop last stated its identity; null before anything was read from it. */
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
  /** The Order model, as last read from the platform. */
  snapshot: unknown;
  sourceUpdatedAt: string;
  /** The planner's last answer, action by action; null before the first plan. */
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

export interface ReconciliationRow<Progress = unknown> {
  /** Grows with every save: compare-and-set. */
  version: number;
  /** By our clock: every change the shop made until then is known. */
  reconciledTo: string;
  /** Since when each run ends before its lists do; null when the last one read them to the end. */
  behindSince: string | null;
  /** Those lists. */
  behind: Behind;
  /** The job handler's own state; null before the first page. */
  progress: Progress | null;
}

interface QuestionRow extends OrderKey {
  askedAt: string;
  /** From this instant the policy decides without an answer. */
  cutOffAt: string;
  /** When the link expires. */
  expiresAt: string;
  mailedAt: string | null;
  /** When the policy decided. */
  passedAt: string | null;
  /** When a person was notified that nobody answered; null again once that is over. */
  notifiedAt: string | null;
  answeredAt: string | null;
  /** The answer as JSON. */
  encrypted: string | null;
}

/** A question to the buyer of an order (whom the factura names), and the answer. Instants are ISO texts. */
export type Question = Omit<QuestionRow, 'encrypted'> & { answer: unknown };

/* Documents. */

/** `verification` and `fingerprint` are null for documents made before they were kept. */
interface StoredDocument extends Omit<Stored<Document, 'verification' | 'fingerprint'>, 'linkVersion'> {
  linkVersion: Generated<number>;
  firstSecuencial: number;
  /** The document's own id where its number belongs to another document of ours; else ''. */
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
  /** The next number to give; null while the series was stopped before its first use. */
  next: number | null;
  stoppedReason: string | null;
  stoppedSecuencial: string | null;
  stoppedAt: string | null;
  /** The document that was last sent alone, in a series that is not verified. */
  sentAlone: string | null;
}

/** The documents whose access keys may have the same free digits: of one account, issuer, environment and type. */
export interface KeyIssuer {
  account: string;
  ruc: string;
  ambiente: Ambiente;
  codDoc: string;
}

interface KeyDigitsRow extends KeyIssuer {
  digits: string;
  /** How many documents in a row had them. */
  seen: number;
  /** When a key was last answered with other digits. */
  variedAt: string | null;
}

export type FileKind = 'pdf' | 'xml';

interface FileRow {
  documentId: string;
  kind: FileKind;
  size: number;
  keptAt: string;
  encrypted: Uint8Array;
  /** SHA-256 of its bytes. */
  digest: string;
}

/** A document of one of our shops that the service holds and this ledger does not know: an older copy was restored. */
export interface UnknownDocument extends ShopKey {
  accessKey: string;
  kind: DocumentKind;
  /** Order or refund id, as the document's reference names it. */
  sourceId: string;
  /** Null where it is not known yet, of a refund. */
  orderId: string | null;
  /** The account and API key under which the service showed it. */
  account: string;
  keyHash: string;
}

/* Jobs and what they wait for. */

/** `held`: waits for a person, because processes died while they ran it. */
export type JobState = 'waiting' | 'released' | 'leased' | 'held';

interface JobRow {
  id: string;
  kind: JobKind;
  subject: string;
  storeId: string;
  rateLimit: string | null;
  /** The partition it is served in turn with (partitions.ts). */
  partition: string;
  priority: number;
  dueAt: string;
  state: Generated<JobState>;
  payload: Json<unknown>;
  attempts: Generated<number>;
  /** When it first failed since its last success. */
  failingSince: string | null;
  reason: string | null;
  /** When it was released, and once it is claimed, when that was. */
  releasedAt: string | null;
  token: string | null;
  leaseUntil: string | null;
  /** Enqueued again while it ran: due at this time once it is finished. */
  askedAgainAt: string | null;
  /** The trace that enqueued it. */
  trace: string | null;
  /** How often in a row a process died while it ran the job. */
  deaths: Generated<number>;
}

/** Both in milliseconds since the epoch. */
export interface RateLimitState {
  /** The theoretical arrival time (queue/gcra.ts). */
  tat: number;
  /** Until then the key is used at the lower rate; 0 after none was exceeded. */
  slowUntil: number;
}

interface PauseRow extends Omit<AccountPause, 'ambiente'> {
  /** 0 for both. */
  ambiente: Ambiente | 0;
  /** The beginnings of the partitions it pauses. */
  emissions: string;
  questions: string | null;
}

/* Alerts and listeners. */

export interface AlertRow {
  code: string;
  subject: string;
  params: Params;
  /** Whose it is (domain/settings.ts); null for the whole installation's. */
  about: string | null;
  since: string;
  /** Null while it lasts. */
  overAt: string | null;
}

interface AlertDeliveryRow {
  channel: string;
  code: string;
  subject: string;
  /** How often the channel was notified that it lasts. */
  times: number;
  notifiedAt: string;
}

/** The last state of a document that a listener was notified of; two moves to one state differ in the version. */
export interface ListenerCursor {
  state: DocumentState;
  version: number;
}

/* Closes of days. */

/** A stored close of a day. */
export interface KeptClose {
  /** Hex SHA-256 of `content`. */
  hash: string;
  /** Counts all closes of the ledger from 1, without a gap. */
  n: number;
  day: string;
  /** The store it is about, several ids with commas, or "*" for all of them. */
  scope: string;
  /** "green", "red", "incomplete" or "partial". */
  result: string;
  /** The close as canonical JSON, with the hash of the one before it. */
  content: string;
  /** Ed25519 over the bytes of `content`, base64. */
  signature: string;
  /** The raw public key, base64. */
  publicKey: string;
  closedAt: string;
}

interface TallyRow {
  /** "2026-11-21": the day in Ecuador. */
  day: string;
  /** How many of its documents were not final yet when it was tallied. */
  open: number;
  /** Of its final documents. */
  tallies: Json<Tally[]>;
}

/** The documents of one store, ambiente, kind and state, and their sum in cents. */
export interface Tally {
  storeId: string;
  ambiente: Ambiente;
  kind: DocumentKind;
  state: DocumentState;
  count: number;
  cents: number;
}

/* People. */

/**
 * How far a sign-in has come: `pending` after the password where a code is still needed, `password` where the
 * password was enough, `code` after both.
 */
export type SessionStage = 'pending' | 'password' | 'code';

/** A sign-in to the panel, for all processes. Instants are ISO texts. */
export interface Session {
  /** SHA-256 of the token, which only the browser holds. */
  tokenHash: string;
  person: string;
  /** Changes with the password: the caller compares it with that of today. */
  mark: string;
  beganAt: string;
  seenAt: string;
  /** A sentence for the next page. */
  notice: string | null;
  stage: SessionStage;
}

interface SessionRow extends Session {
  /** The secret of a second factor this session is about to enrol. */
  encryptedSecret: string | null;
}

interface SecondFactorRow {
  person: string;
  encrypted: string;
  /** The latest time step whose code was accepted (RFC 6238). */
  lastStep: number;
  enrolledAt: string;
  /** The hashes of the recovery codes not used yet, separated by spaces. */
  recoveryCodes: string;
}

/** `nothing`: it was carried out, and there was nothing to do. */
export type AuditEntryOutcome = 'done' | 'nothing' | 'refused' | 'failed';

/** An action of a person, done or refused. Never holds a buyer's data. */
export interface AuditEntry {
  at: string;
  /** "ana (panel)" or "root@maquina"; null for an unknown person. */
  who: string | null;
  /** "sign-in", "retry" … */
  what: string;
  /** What it was done to: the id of a document, the name of an alert; null for nothing in particular. */
  subject: string | null;
  outcome: AuditEntryOutcome;
  facts: unknown;
}

interface AuditRow extends Stored<AuditEntry, 'facts'> {
  id: Identity;
  /** Whose it is (domain/settings.ts); null for the whole installation's. */
  about: string | null;
}

/**
 * What an installation remembers under a name: when something was last done, or how far it came in an order by time, with the id
 * among the rows of one instant.
 */
export interface Mark {
  at: string;
  id: string;
}
